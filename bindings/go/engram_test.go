package engram

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"go/ast"
	"go/doc"
	"go/parser"
	"go/token"
	"os"
	"os/exec"
	"path/filepath"
	"reflect"
	"regexp"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"
)

func place(t *testing.T, options Options) *Engram {
	t.Helper()
	folder := t.TempDir()
	options.Project, options.Home = folder+"/project", folder+"/home"
	if err := os.Mkdir(options.Project, 0o755); err != nil {
		t.Fatal(err)
	}
	memory, err := Open(options)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = memory.Close() })
	return memory
}

func TestEveryVerbOfTheHeaderHasItsMethod(t *testing.T) {
	header, err := os.ReadFile("../../include/engram.h")
	if err != nil {
		t.Fatal(err)
	}
	verbs := regexp.MustCompile(`engram_(\w+)\(const engram_t \*handle,\s+const char \*arguments_json`)
	found := verbs.FindAllStringSubmatch(string(header), -1)
	if len(found) < 15 {
		t.Fatalf("the header has only %d verbs", len(found))
	}
	methods := reflect.TypeOf(&Engram{})
	for _, verb := range found {
		name := ""
		for _, word := range strings.Split(verb[1], "_") {
			name += strings.ToUpper(word[:1]) + word[1:]
		}
		if _, there := methods.MethodByName(name); !there {
			t.Errorf("there is no method %s", name)
		}
	}
}

func TestEverythingExportedIsDocumented(t *testing.T) {
	files := token.NewFileSet()
	packages, err := parser.ParseDir(files, ".", func(f os.FileInfo) bool { return !strings.HasSuffix(f.Name(), "_test.go") }, parser.ParseComments)
	if err != nil {
		t.Fatal(err)
	}
	about := doc.New(packages["engram"], "engram", 0)
	undocumented := func(name, text string) {
		if ast.IsExported(name) && strings.TrimSpace(text) == "" {
			t.Errorf("%s is not documented", name)
		}
	}
	for _, kind := range about.Types {
		undocumented(kind.Name, kind.Doc)
		for _, method := range append(kind.Methods, kind.Funcs...) {
			undocumented(method.Name, method.Doc)
		}
	}
	for _, function := range about.Funcs {
		undocumented(function.Name, function.Doc)
	}
}

func TestCloseTwiceAndAtOnce(t *testing.T) {
	memory := place(t, Options{})
	var all sync.WaitGroup
	for i := 0; i < 8; i++ {
		all.Add(1)
		go func() {
			defer all.Done()
			if err := memory.Close(); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	if _, err := memory.Status(); !errors.Is(err, ErrClosed) || errors.Is(err, ErrBusy) {
		t.Errorf("%v is not ErrClosed", err)
	}
}

func TestAPanicIsAnErrorAndClosesTheHandle(t *testing.T) {
	memory, other := place(t, Options{}), place(t, Options{})
	if _, err := memory.Call("panicForTests", nil); !errors.Is(err, ErrPanic) {
		t.Fatalf("%v is not ErrPanic", err)
	}
	if _, err := memory.Status(); !errors.Is(err, ErrClosed) {
		t.Errorf("%v is not ErrClosed", err)
	}
	if _, err := other.Status(); err != nil {
		t.Error(err)
	}
}

func TestTextThatCannotCross(t *testing.T) {
	memory := place(t, Options{})
	if _, err := memory.Call("status\x00x", nil); !errors.Is(err, ErrInvalidArgument) {
		t.Errorf("%v is not ErrInvalidArgument", err)
	}
	if _, err := memory.Call("status", make(chan int)); !errors.Is(err, ErrInvalidArgument) {
		t.Errorf("%v is not ErrInvalidArgument", err)
	}
	// encoding/json replaces what is not UTF-8; nothing is refused and nothing breaks.
	reply, err := memory.OnUserPrompt(UserPrompt{Session: "s", Text: "a\xffb\x00c"})
	if err != nil || reply.Event == nil {
		t.Errorf("%v %v", reply, err)
	}
}

func model(complete func(context.Context, Completion) (Completed, error)) Options {
	return Options{LanguageModel: &LanguageModel{Name: "mine", Complete: complete}}
}

func TestModelsThatAnswer(t *testing.T) {
	options := model(func(_ context.Context, asked Completion) (Completed, error) {
		return Completed{Text: asked.Prompt}, nil
	})
	options.Embedder = &Embedder{Model: "e", Dimensions: 2, Embed: func(_ context.Context, texts []string) ([][]float32, error) {
		return make([][]float32, len(texts)), nil
	}}
	memory := place(t, options)
	probed, err := memory.Probe(context.Background())
	if err != nil || probed.LanguageModel.Name != "mine" || probed.Embedder.Name != "e" {
		t.Errorf("%+v %v", probed, err)
	}
}

func TestModelsThatFail(t *testing.T) {
	limit := uint64(100)
	for name, complete := range map[string]func(context.Context, Completion) (Completed, error){
		"an error": func(context.Context, Completion) (Completed, error) { return Completed{}, errors.New("no credit") },
		"a panic":  func(context.Context, Completion) (Completed, error) { panic("out of luck") },
		"a hang": func(ctx context.Context, _ Completion) (Completed, error) {
			<-ctx.Done()
			return Completed{}, ctx.Err()
		},
		"no function": nil,
	} {
		options := model(complete)
		options.Config = &Config{ProbeTimeoutMS: &limit}
		if _, err := place(t, options).Probe(context.Background()); !errors.Is(err, ErrModel) {
			t.Errorf("%s: %v is not ErrModel", name, err)
		}
	}
}

func TestAModelMayUseTheHandle(t *testing.T) {
	var memory *Engram
	memory = place(t, model(func(context.Context, Completion) (Completed, error) {
		status, err := memory.Status()
		return Completed{Text: fmt.Sprint(status.Sessions)}, err
	}))
	if _, err := memory.Probe(context.Background()); err != nil {
		t.Error(err)
	}
}

func TestACancelledContextReturnsAtOnce(t *testing.T) {
	release := make(chan struct{})
	memory := place(t, model(func(context.Context, Completion) (Completed, error) {
		<-release
		return Completed{Text: "late"}, nil
	}))
	ctx, cancel := context.WithCancel(context.Background())
	time.AfterFunc(20*time.Millisecond, cancel)
	if _, err := memory.Probe(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v is not Canceled", err)
	}
	if _, err := memory.Probe(ctx); !errors.Is(err, context.Canceled) {
		t.Errorf("%v is not Canceled", err)
	}
	close(release)
}

func TestTheFinalizerReleasesTheModels(t *testing.T) {
	released := make(chan struct{})
	func() {
		folder := t.TempDir()
		options := model(func(context.Context, Completion) (Completed, error) { return Completed{}, nil })
		runtime.SetFinalizer(options.LanguageModel, func(*LanguageModel) { close(released) })
		options.Project, options.Home = folder, folder
		memory, err := Open(options)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := memory.Status(); err != nil {
			t.Error(err)
		}
	}()
	for i := 0; i < 1_000; i++ {
		runtime.GC()
		select {
		case <-released:
			return
		case <-time.After(10 * time.Millisecond):
		}
	}
	t.Error("a handle that nobody holds is never closed")
}

func mixed(memory *Engram, session string, calls int) (logged int, err error) {
	ctx := context.Background()
	for i := 0; i < calls && err == nil; i++ {
		switch kind := i % 200; {
		case kind == 0:
			_, err = memory.Retrieve(ctx, Ask{Question: "what about tabs?", Limit: 3})
		case kind == 1:
			_, err = memory.Status()
		case kind == 2:
			_, err = memory.CheckContradiction(ctx, Change{Path: "cart.py", Diff: "+x = 1\n"})
		case kind == 3:
			_, err = memory.Node("n_none")
		case kind%20 == 5:
			_, err = memory.OnUserPrompt(UserPrompt{Session: session, Text: fmt.Sprint("prompt ", i)})
			logged++
		default:
			_, err = memory.OnToolCall(ToolCall{Session: session, Tool: "bash", Input: object{"command": fmt.Sprint("echo ", i)}, Output: "ok"})
			logged++
		}
	}
	return logged, err
}

func TestEightGoroutinesCallOneHandleTwentyThousandTimesEach(t *testing.T) {
	calls := 20_000
	if raceEnabled {
		// The detector's own cost; the full number runs without it.
		calls = 2_000
	}
	memory := place(t, Options{Config: &Config{Durability: "process"}})
	if _, err := memory.Remember(context.Background(), Memory{Text: "Use tabs instead of spaces"}); err != nil {
		t.Fatal(err)
	}
	var all sync.WaitGroup
	logged := make([]int, 8)
	for i := range logged {
		i := i
		all.Add(1)
		go func() {
			defer all.Done()
			var err error
			if logged[i], err = mixed(memory, fmt.Sprint("s", i), calls); err != nil {
				t.Error(err)
			}
		}()
	}
	all.Wait()
	status, err := memory.Status()
	if err != nil {
		t.Fatal(err)
	}
	_ = memory.Close()
	for i, count := range logged {
		text, err := os.ReadFile(filepath.Join(status.Data, "events", fmt.Sprintf("s%d.jsonl", i)))
		if lines := len(bytes.Fields(bytes.ReplaceAll(text, []byte(" "), nil))); err != nil || lines != count {
			t.Errorf("%d events of %d are in the log: %v", lines, count, err)
		}
	}
	check := `import sqlite3, sys; print(sqlite3.connect(sys.argv[1]).execute("PRAGMA integrity_check").fetchone()[0])`
	out, err := exec.Command("python3", "-c", check, filepath.Join(status.Data, "engram.db")).CombinedOutput()
	if err != nil || strings.TrimSpace(string(out)) != "ok" {
		t.Errorf("integrity_check: %s %v", out, err)
	}
}
