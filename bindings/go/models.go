package engram

// #include <stdint.h>
// #include <stdlib.h>
// #include <engram.h>
import "C"

import (
	"context"
	"encoding/json"
	"fmt"
	"runtime/cgo"
	"time"
	"unsafe"
)

// Completion is what a language model is asked.
type Completion struct {
	// System holds the standing instructions.
	System string `json:"system"`
	// Prompt is the request itself.
	Prompt string `json:"prompt"`
	// MaxTokens is the most that the reply may have.
	MaxTokens uint32 `json:"maxTokens"`
	// Schema is the JSON schema that the reply has to satisfy; empty = free text.
	Schema json.RawMessage `json:"schema,omitempty"`
}

// Completed is what it answers. Tokens of 0 are estimated.
type Completed struct {
	Text         string `json:"text"`
	InputTokens  uint32 `json:"inputTokens,omitempty"`
	OutputTokens uint32 `json:"outputTokens,omitempty"`
}

// LanguageModel is a language model of the program's own. An error, a panic, an answer after the setting ProbeTimeoutMS and
// one in another form are failures of the model: the work stays pending, and after three failed runs is done by rules alone.
type LanguageModel struct {
	// Name stands in the episodes that it made.
	Name string `json:"name"`
	// Complete answers a request. It is called from threads of engram's, perhaps several at once, and may use the handle. Its
	// context ends when engram no longer waits.
	Complete func(context.Context, Completion) (Completed, error) `json:"-"`
}

// Embedder is an embedder of the program's own. Its failures are as those of a language model; notes are stored without
// vectors then.
type Embedder struct {
	// Model is the name that stored vectors carry; another name means another space.
	Model string `json:"model"`
	// Dimensions is the length of every vector.
	Dimensions int `json:"dimensions"`
	// Embed gives one vector a text, in order; nil for a text that has none.
	Embed func(context.Context, []string) ([][]float32, error) `json:"-"`
}

// models is what a handle's callbacks find behind their user data.
type models struct {
	language *LanguageModel
	embedder *Embedder
	limit    time.Duration
	// raw stands in for both in tests that answer with any JSON.
	raw func(request string) (string, error)
}

func timeLimit(config *Config) time.Duration {
	if config == nil || config.ProbeTimeoutMS == nil {
		return 30 * time.Second
	}
	return time.Duration(*config.ProbeTimeoutMS) * time.Millisecond
}

func (m *models) complete(ctx context.Context, request string) (any, error) {
	var asked Completion
	if err := json.Unmarshal([]byte(request), &asked); err != nil {
		return nil, err
	}
	if m.language.Complete == nil {
		return nil, fmt.Errorf("the language model has no function")
	}
	return m.language.Complete(ctx, asked)
}

func (m *models) embed(ctx context.Context, request string) (any, error) {
	var asked struct {
		Texts []string `json:"texts"`
	}
	if err := json.Unmarshal([]byte(request), &asked); err != nil {
		return nil, err
	}
	if m.embedder.Embed == nil {
		return nil, fmt.Errorf("the embedder has no function")
	}
	vectors, err := m.embedder.Embed(ctx, asked.Texts)
	return map[string]any{"vectors": vectors}, err
}

type answering func(*models, context.Context, string) (any, error)

// answer runs a model and gives its reply as JSON; a panic of it is an error.
func (m *models) answer(request string, call answering) (reply string, err error) {
	defer func() {
		if panicked := recover(); panicked != nil {
			err = fmt.Errorf("it panicked: %v", panicked)
		}
	}()
	if m.raw != nil {
		return m.raw(request)
	}
	ctx, cancel := context.WithTimeout(context.Background(), m.limit)
	defer cancel()
	answer, err := call(m, ctx, request)
	if err != nil {
		return "", err
	}
	text, err := json.Marshal(answer)
	return string(text), err
}

func play(data unsafe.Pointer, request *C.char, reply *C.engram_reply_t, call answering) C.uint32_t {
	hosts, ok := cgo.Handle(uintptr(data)).Value().(*models)
	if !ok {
		return 1
	}
	answer, err := hosts.answer(C.GoString(request), call)
	if err != nil {
		text := C.CString(err.Error())
		defer C.free(unsafe.Pointer(text))
		C.engram_reply_fail(reply, text, nil)
		return 1
	}
	text := C.CString(answer)
	defer C.free(unsafe.Pointer(text))
	return C.uint32_t(C.engram_reply_set(reply, text, nil))
}

//export engramGoComplete
func engramGoComplete(data unsafe.Pointer, request *C.char, reply *C.engram_reply_t) C.uint32_t {
	return play(data, request, reply, (*models).complete)
}

//export engramGoEmbed
func engramGoEmbed(data unsafe.Pointer, request *C.char, reply *C.engram_reply_t) C.uint32_t {
	return play(data, request, reply, (*models).embed)
}

//export engramGoRelease
func engramGoRelease(data unsafe.Pointer) {
	cgo.Handle(uintptr(data)).Delete()
}
