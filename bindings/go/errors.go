package engram

// #include <engram.h>
import "C"

// Kind is the kind of an error; its number is the same in every language.
type Kind uint32

// The kinds of errors.
const (
	// InvalidArgument: the caller passed something that breaks a stated rule.
	InvalidArgument Kind = 1
	// ConfigInvalid: a setting is unknown, of the wrong type or out of its range.
	ConfigInvalid Kind = 2
	// Io: the file system refused.
	Io Kind = 3
	// Storage: the database refused.
	Storage Kind = 4
	// Corrupt: stored data could not be understood.
	Corrupt Kind = 5
	// ModelFailed: a language model or embedder could not be reached, refused, failed or took too long.
	ModelFailed Kind = 6
	// ModelReply: a language model or embedder answered, but not in the agreed form.
	ModelReply Kind = 7
	// Closed: the handle is closed.
	Closed Kind = 8
	// Busy: somebody else holds what the call needs; trying again later can help.
	Busy Kind = 9
	// Forked: this process was forked while its parent had a handle open.
	Forked Kind = 10
	// Panic: engram panicked, which is a bug in it; the handle of the call is closed.
	Panic Kind = 255
)

var names = map[Kind]string{
	InvalidArgument: "InvalidArgument",
	ConfigInvalid:   "Config",
	Io:              "Io",
	Storage:         "Storage",
	Corrupt:         "Corrupt",
	ModelFailed:     "Model",
	ModelReply:      "ModelReply",
	Closed:          "Closed",
	Busy:            "Busy",
	Forked:          "Forked",
	Panic:           "Panic",
}

// String is the kind's name, the same in every language.
func (k Kind) String() string {
	return names[k]
}

// Error is what every function and method returns when engram fails.
type Error struct {
	// Kind is what programs act on.
	Kind Kind
	// Message is a sentence for people.
	Message string
}

// Error is the sentence.
func (e *Error) Error() string {
	return e.Message
}

// Is says whether the target is the sentinel of the same kind, for errors.Is.
func (e *Error) Is(target error) bool {
	sentinel, ok := target.(*Error)
	return ok && sentinel.Kind == e.Kind && sentinel.Message == ""
}

// Temporary says whether the same call can succeed later.
func (e *Error) Temporary() bool {
	return e.Kind == Busy || e.Kind == ModelFailed
}

// Sentinels for errors.Is, one for each kind.
var (
	ErrInvalidArgument error = &Error{Kind: InvalidArgument}
	ErrConfig          error = &Error{Kind: ConfigInvalid}
	ErrIo              error = &Error{Kind: Io}
	ErrStorage         error = &Error{Kind: Storage}
	ErrCorrupt         error = &Error{Kind: Corrupt}
	ErrModel           error = &Error{Kind: ModelFailed}
	ErrModelReply      error = &Error{Kind: ModelReply}
	ErrClosed          error = &Error{Kind: Closed}
	ErrBusy            error = &Error{Kind: Busy}
	ErrForked          error = &Error{Kind: Forked}
	ErrPanic           error = &Error{Kind: Panic}
)

func failed(status C.engram_status_t, failure *C.engram_error_t) error {
	defer C.engram_error_free(failure)
	return &Error{Kind: Kind(status), Message: C.GoString(C.engram_error_message(failure))}
}
