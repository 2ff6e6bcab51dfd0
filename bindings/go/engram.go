// Package engram is memory for AI coding agents, in-process: open the memory of a project, tell it what the agent does, and
// hand on what it says.
//
// Any goroutine may use an Engram. The On methods, Status, Events and Node take microseconds to a millisecond, and the On
// methods return when their event is on disk; the others may wait for the disk or for a model, and take a context. When a
// context is cancelled they return at once; what they had begun goes on, and its result is dropped.
package engram

/*
#include <stdint.h>
#include <string.h>
#include <engram.h>

typedef engram_status_t (*verb_fn)(const engram_t *, const char *, char **, engram_error_t **);

extern uint32_t engramGoComplete(void *user_data, char *request, engram_reply_t *reply);
extern uint32_t engramGoEmbed(void *user_data, char *request, engram_reply_t *reply);
extern void engramGoRelease(void *user_data);

static engram_status_t open_with(const char *options, int completes, int embeds, uintptr_t user_data,
                                 engram_t **out, engram_error_t **err) {
  engram_callbacks_t callbacks;
  callbacks.language_model = completes ? (engram_callback_fn)engramGoComplete : NULL;
  callbacks.embedder = embeds ? (engram_callback_fn)engramGoEmbed : NULL;
  callbacks.user_data = (void *)user_data;
  callbacks.release = engramGoRelease;
  return engram_open(options, &callbacks, out, err);
}
*/
import "C"

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime"
	"runtime/cgo"
	"strings"
	"sync"
	"unicode/utf8"
	"unsafe"
)

// Options say how a memory is opened.
type Options struct {
	// Project is a directory of the project.
	Project string `json:"project"`
	// Home is where engram keeps its data; ENGRAM_HOME or ~/.engram if empty.
	Home string `json:"home,omitempty"`
	// Config holds settings; the home's config.json and the environment if nil.
	Config *Config `json:"config,omitempty"`
	// Background is "worker" (default: a thread of the handle consolidates after each turn) or "caller".
	Background string `json:"background,omitempty"`
	// LanguageModel is the program's own model, which consolidates; rules alone if nil.
	LanguageModel *LanguageModel `json:"languageModel,omitempty"`
	// Embedder is the program's own embedder; the table inside engram if nil.
	Embedder *Embedder `json:"embedder,omitempty"`
}

// Engram is the memory of one project, open. Close it; a finalizer does for one that is forgotten.
type Engram struct {
	mutex  sync.RWMutex
	handle *C.engram_t
}

// Version is the version of the library.
func Version() string {
	return C.GoString(C.engram_version())
}

// Open opens the memory of the project that a directory belongs to. Nothing is created until there is something to store.
// It fails with ErrInvalidArgument if the directory belongs to no project, and with ErrConfig naming the first bad setting.
func Open(options Options) (*Engram, error) {
	form, err := encoded(options)
	if err != nil {
		return nil, err
	}
	return open(form, &models{language: options.LanguageModel, embedder: options.Embedder, limit: timeLimit(options.Config)})
}

func open(form []byte, hosts *models) (*Engram, error) {
	// engramGoRelease deletes it, also when opening fails.
	data := C.uintptr_t(cgo.NewHandle(hosts))
	var handle *C.engram_t
	var failure *C.engram_error_t
	status := C.open_with(cstring(form), truth(hosts.language != nil), truth(hosts.embedder != nil), data, &handle, &failure)
	if status != 0 {
		return nil, failed(status, failure)
	}
	memory := &Engram{handle: handle}
	runtime.SetFinalizer(memory, func(memory *Engram) { _ = memory.Close() })
	return memory, nil
}

func truth(value bool) C.int {
	if value {
		return 1
	}
	return 0
}

// Close closes the memory: new calls are refused, those under way end by themselves and the last closes. A second Close does
// nothing. It always returns nil; the result makes it an io.Closer.
func (e *Engram) Close() error {
	e.mutex.Lock()
	handle := e.handle
	e.handle = nil
	e.mutex.Unlock()
	if handle != nil {
		runtime.SetFinalizer(e, nil)
		C.engram_close(handle)
	}
	return nil
}

// Call calls a verb by its name on the wire ("onToolCall") with anything that marshals to its arguments, nil for none; gives
// its JSON answer. The other methods are this with names and types.
func (e *Engram) Call(verb string, arguments any) (json.RawMessage, error) {
	var answer json.RawMessage
	err := e.call(verb, arguments, func(text []byte) error {
		answer = append(answer, text...)
		return nil
	})
	return answer, err
}

// call hands the answer to read, in memory that is the library's until read returns.
func (e *Engram) call(verb string, arguments any, read func(text []byte) error) error {
	form := []byte{0}
	if arguments != nil {
		var err error
		if form, err = encoded(arguments); err != nil {
			return err
		}
	}
	if strings.ContainsRune(verb, 0) {
		return &Error{Kind: InvalidArgument, Message: "the verb holds a NUL"}
	}
	e.mutex.RLock()
	handle := e.handle
	e.mutex.RUnlock()
	if handle == nil {
		return &Error{Kind: Closed, Message: "the handle is closed"}
	}
	var answer *C.char
	var failure *C.engram_error_t
	status := C.engram_call(handle, cstring(append([]byte(verb), 0)), cstring(form), &answer, &failure)
	runtime.KeepAlive(e)
	if status != 0 {
		return failed(status, failure)
	}
	defer C.engram_string_free(answer)
	return read(unsafe.Slice((*byte)(unsafe.Pointer(answer)), int(C.strlen(answer))))
}

// cstring lends C a text that ends with a NUL.
func cstring(text []byte) *C.char {
	return (*C.char)(unsafe.Pointer(&text[0]))
}

// ask is Call with a typed answer.
func ask[T any](e *Engram, verb string, arguments any) (T, error) {
	var answer T
	err := e.call(verb, arguments, func(text []byte) error {
		if err := json.Unmarshal(text, &answer); err != nil {
			return &Error{Kind: Corrupt, Message: "an answer has another form: " + err.Error()}
		}
		return nil
	})
	return answer, err
}

type outcome[T any] struct {
	answer T
	err    error
}

// wait is ask that a context can cut short.
func wait[T any](ctx context.Context, e *Engram, verb string, arguments any) (T, error) {
	var none T
	if err := ctx.Err(); err != nil {
		return none, err
	}
	if ctx.Done() == nil {
		return ask[T](e, verb, arguments)
	}
	done := make(chan outcome[T], 1)
	go func() {
		answer, err := ask[T](e, verb, arguments)
		done <- outcome[T]{answer, err}
	}()
	select {
	case <-ctx.Done():
		return none, ctx.Err()
	case out := <-done:
		return out.answer, out.err
	}
}

// encoded is the JSON form of a value, with the NUL that C wants behind it.
func encoded(value any) ([]byte, error) {
	var text bytes.Buffer
	if err := json.NewEncoder(&text).Encode(value); err != nil {
		return nil, &Error{Kind: InvalidArgument, Message: "the arguments have no JSON form: " + err.Error()}
	}
	if !utf8.Valid(text.Bytes()) {
		return nil, &Error{Kind: InvalidArgument, Message: "the arguments are not UTF-8"}
	}
	// The encoder ends with a line break.
	text.Bytes()[text.Len()-1] = 0
	return text.Bytes(), nil
}
