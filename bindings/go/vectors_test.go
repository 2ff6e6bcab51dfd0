package engram

import (
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"sync/atomic"
	"testing"
	"time"
)

// The shared vectors (tests/vectors/README.md).

type object = map[string]any

type failing struct{ Kind, Says string }

type vector struct {
	Name      string             `json:"name"`
	Files     map[string]string  `json:"files"`
	Open      object             `json:"open"`
	Hosts     map[string]object  `json:"hosts"`
	OpenFails *failing           `json:"openFails"`
	Kinds     map[string]float64 `json:"kinds"`
	Steps     []step             `json:"steps"`
}

type step struct {
	Call   string          `json:"call"`
	With   any             `json:"with"`
	Gives  json.RawMessage `json:"gives"`
	Fails  *failing        `json:"fails"`
	Write  string          `json:"write"`
	Text   string          `json:"text"`
	Folder string          `json:"folder"`
	Close  bool            `json:"close"`
}

func strict(text []byte, into any) error {
	decoder := json.NewDecoder(strings.NewReader(string(text)))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

type runner struct {
	root   string
	memory *Engram
	turns  int32
}

func TestVectors(t *testing.T) {
	files, _ := filepath.Glob("../../tests/vectors/*.json")
	ran := 0
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		var all struct {
			About string   `json:"about"`
			Cases []vector `json:"cases"`
		}
		if err := strict(text, &all); err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		for _, one := range all.Cases {
			one := one
			ran++
			t.Run(one.Name, func(t *testing.T) {
				if err := runVector(t.TempDir(), one); err != nil {
					t.Error(err)
				}
			})
		}
	}
	if ran < 80 {
		t.Errorf("only %d cases", ran)
	}
}

func runVector(folder string, one vector) error {
	if one.Kinds != nil {
		return sameKinds(one.Kinds)
	}
	root, err := filepath.EvalSymlinks(folder)
	if err != nil {
		return err
	}
	r := &runner{root: root}
	for _, inside := range []string{"home", "project"} {
		if err := os.Mkdir(filepath.Join(root, inside), 0o755); err != nil {
			return err
		}
	}
	for path, text := range one.Files {
		if err := put(filepath.Join(root, path), &text); err != nil {
			return err
		}
	}
	err = r.open(one)
	if one.OpenFails != nil {
		return one.OpenFails.met(err)
	}
	if err != nil {
		return err
	}
	defer r.memory.Close()
	for number, s := range one.Steps {
		if err := r.take(s); err != nil {
			return fmt.Errorf("step %d: %w", number, err)
		}
	}
	return nil
}

func sameKinds(kinds map[string]float64) error {
	own := map[string]float64{}
	for kind, name := range names {
		own[name] = float64(kind)
	}
	if !reflect.DeepEqual(kinds, own) {
		return fmt.Errorf("the kinds are %v", own)
	}
	return nil
}

// open takes the options as JSON: what Options cannot say is then refused by engram itself.
func (r *runner) open(one vector) error {
	options := object{"project": r.root + "/project", "home": r.root + "/home", "background": "caller"}
	for key, value := range one.Open {
		options[key] = r.filled(value)
	}
	form, err := json.Marshal(options)
	if err != nil {
		return err
	}
	hosts := &models{}
	for name, script := range one.Hosts {
		script := script
		hosts.raw = func(string) (string, error) { return r.play(script) }
		switch name {
		case "languageModel":
			hosts.language = &LanguageModel{}
		case "embedder":
			hosts.embedder = &Embedder{}
		default:
			return fmt.Errorf("%q is no host", name)
		}
	}
	r.memory, err = open(append(form, 0), hosts)
	return err
}

func (r *runner) play(script object) (string, error) {
	if len(script) != 1 {
		return "", fmt.Errorf("a script has one key: %v", script)
	}
	for key, value := range script {
		switch key {
		case "reply":
			return reply(value)
		case "replies":
			all := value.([]any)
			turn := int(atomic.AddInt32(&r.turns, 1)) - 1
			if turn >= len(all) {
				turn = len(all) - 1
			}
			return reply(all[turn])
		case "throws":
			return "", errors.New(value.(string))
		case "hangs":
			time.Sleep(time.Second)
			return reply("late")
		case "calls":
			text, err := json.Marshal(value)
			if err != nil {
				return "", err
			}
			var s step
			if err := strict(text, &s); err != nil {
				return "", err
			}
			if err := r.take(s); err != nil {
				return "", err
			}
			return `{"text": "ready"}`, nil
		}
		return "", fmt.Errorf("%q is no script", key)
	}
	return "", nil
}

// reply is what the typed functions make of a plain text or a plain list.
func reply(value any) (string, error) {
	switch value.(type) {
	case string:
		value = object{"text": value}
	case []any:
		value = object{"vectors": value}
	}
	text, err := json.Marshal(value)
	return string(text), err
}

func (r *runner) filled(value any) any {
	switch value := value.(type) {
	case string:
		text := strings.ReplaceAll(value, "${PROJECT}", r.root+"/project")
		return strings.ReplaceAll(text, "${HOME}", r.root+"/home")
	case []any:
		list := make([]any, len(value))
		for i, one := range value {
			list[i] = r.filled(one)
		}
		return list
	case object:
		filled := object{}
		for key, one := range value {
			filled[key] = r.filled(one)
		}
		return filled
	}
	return value
}

func put(path string, text *string) error {
	if err := os.RemoveAll(path); err != nil {
		return err
	}
	if text == nil {
		return os.MkdirAll(path, 0o755)
	}
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		return err
	}
	return os.WriteFile(path, []byte(*text), 0o644)
}

func (r *runner) located(path string) (string, error) {
	inside := strings.TrimPrefix(path, "data/")
	if inside == path {
		return filepath.Join(r.root, path), nil
	}
	status, err := r.memory.Status()
	return filepath.Join(status.Data, inside), err
}

func (r *runner) take(s step) error {
	switch {
	case s.Close:
		return r.memory.Close()
	case s.Write != "":
		path, err := r.located(s.Write)
		if err != nil {
			return err
		}
		return put(path, &s.Text)
	case s.Folder != "":
		path, err := r.located(s.Folder)
		if err != nil {
			return err
		}
		return put(path, nil)
	case s.Call == "":
		return fmt.Errorf("a step of no kind: %+v", s)
	}
	answer, err := r.memory.Call(s.Call, r.filled(s.With))
	if s.Fails != nil {
		return s.Fails.met(err)
	}
	if err != nil || s.Gives == nil {
		return err
	}
	var pattern, value any
	if err := json.Unmarshal(s.Gives, &pattern); err != nil {
		return err
	}
	if err := json.Unmarshal(answer, &value); err != nil {
		return err
	}
	return matches(r.filled(pattern), value, s.Call)
}

func (f *failing) met(err error) error {
	var failure *Error
	if !errors.As(err, &failure) {
		return fmt.Errorf("it did not fail with %s: %v", f.Kind, err)
	}
	if failure.Kind.String() != f.Kind || !strings.Contains(failure.Message, f.Says) {
		return fmt.Errorf("%v (%v) is not %+v", failure, failure.Kind, *f)
	}
	return nil
}

func matches(pattern, value any, at string) error {
	switch pattern := pattern.(type) {
	case object:
		for key, rule := range pattern {
			if strings.HasPrefix(key, "$") {
				return special(key, rule, value, at)
			}
		}
		fields, ok := value.(object)
		if !ok {
			return fmt.Errorf("%s is %v", at, value)
		}
		for key, inner := range pattern {
			if err := field(inner, fields, key, at); err != nil {
				return err
			}
		}
		return nil
	case []any:
		list, ok := value.([]any)
		if !ok || len(list) != len(pattern) {
			return fmt.Errorf("%s is %v", at, value)
		}
		for i, inner := range pattern {
			if err := matches(inner, list[i], fmt.Sprintf("%s[%d]", at, i)); err != nil {
				return err
			}
		}
		return nil
	}
	if !reflect.DeepEqual(pattern, value) {
		return fmt.Errorf("%s is %v, not %v", at, value, pattern)
	}
	return nil
}

func field(pattern any, fields object, key, at string) error {
	value, there := fields[key]
	if rule, ok := pattern.(object); ok && rule["$absent"] == true {
		if there {
			return fmt.Errorf("%s.%s is %v", at, key, value)
		}
		return nil
	}
	if !there {
		return fmt.Errorf("%s.%s is not there", at, key)
	}
	return matches(pattern, value, at+"."+key)
}

func special(key string, rule, value any, at string) error {
	fits := false
	switch key {
	case "$any":
		fits = true
	case "$contains":
		switch value := value.(type) {
		case string:
			fits = strings.Contains(value, rule.(string))
		case []any:
			for _, one := range value {
				fits = fits || matches(rule, one, at) == nil
			}
		}
	case "$length":
		list, ok := value.([]any)
		fits = ok && float64(len(list)) == rule
	case "$type":
		fits = typeName(value) == rule
	default:
		return fmt.Errorf("%q is no pattern", key)
	}
	if !fits {
		return fmt.Errorf("%s is %v, which %s %v does not fit", at, value, key, rule)
	}
	return nil
}

func typeName(value any) string {
	switch value.(type) {
	case nil:
		return "null"
	case bool:
		return "boolean"
	case float64:
		return "number"
	case string:
		return "string"
	case []any:
		return "array"
	}
	return "object"
}
