package mapping

import (
	"errors"
	"slices"
	"strings"
	"time"
)

// An Error is a failure in words that a model can act on. Adapters return it
// from Call and Read; any other error is shown as Internal, without its text.
type Error struct {
	Code Code
	// Problem says what was wrong, Allowed what would have been right, Next what
	// to do. Each is a sentence without a full stop, lower case at the start
	// unless it begins with a name; "" leaves it out. They hold no secret, no
	// stack and no host name. Another operation is written [[key]].
	Problem, Allowed, Next string
	// Detail is an excerpt of what the backend said, shown as data below the
	// sentences.
	Detail string
	// RetryAfter is how long to wait before trying again; 0 is unknown.
	RetryAfter time.Duration
	// Err is the cause, for the log only.
	Err error
}

// Error returns the sentences, as a model sees them but for names.
func (e *Error) Error() string {
	var parts []string
	for _, s := range []string{e.Problem, e.Allowed, e.Next} {
		if s != "" {
			parts = append(parts, strings.TrimSuffix(s, "."))
		}
	}
	if len(parts) == 0 {
		return string(e.Code)
	}
	return strings.Join(parts, ". ")
}

// Unwrap returns the cause.
func (e *Error) Unwrap() error { return e.Err }

// A Code says what kind of failure an Error is. Programs decide on it, never on
// text. Only the codes below exist.
type Code string

// The codes.
const (
	Invalid         Code = "invalid"         // the arguments are wrong
	NotFound        Code = "not_found"       // no such operation, item or resource
	Denied          Code = "denied"          // known caller, not allowed
	Unauthenticated Code = "unauthenticated" // the backend wants (other) credentials
	Conflict        Code = "conflict"        // the item is in another state
	Exhausted       Code = "exhausted"       // a rate, quota or size limit
	Unavailable     Code = "unavailable"     // the backend cannot be reached now
	Timeout         Code = "timeout"         // the deadline passed
	Canceled        Code = "canceled"        // the caller gave up
	Unsupported     Code = "unsupported"     // this adapter cannot do that
	Internal        Code = "internal"        // a fault of the bridge or an adapter
)

// CodeOf returns the code of the first *Error in err's chain, Internal if there
// is none, and "" for nil.
func CodeOf(err error) Code {
	if err == nil {
		return ""
	}
	var e *Error
	if errors.As(err, &e) {
		return e.Code
	}
	return Internal
}

// ForOperator words an error for whoever runs the bridge: what a model would be
// told as one sentence, and behind it the cause, which may name hosts, users and
// databases.
func ForOperator(err error) string {
	var e *Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	next := strings.TrimPrefix(strings.TrimPrefix(e.Next, "do not retry; "), "ask the operator")
	var parts []string
	for _, s := range []string{e.Problem, e.Allowed, strings.TrimPrefix(next, " to ")} {
		if s != "" {
			parts = append(parts, strings.TrimSuffix(s, "."))
		}
	}
	text := strings.Join(parts, "; ")
	if text == "" {
		text = string(e.Code)
	}
	text = strings.Replace(err.Error(), e.Error(), text, 1)
	if e.Err == nil {
		return text
	}
	// A driver that tries again, without TLS for one, says the same line twice.
	lines := strings.FieldsFunc(e.Err.Error(), func(r rune) bool { return r == '\n' || r == '\t' })
	cause := strings.Join(slices.Compact(lines), " ")
	if cause == "" || strings.Contains(text, cause) {
		return text
	}
	return text + " (" + cause + ")"
}
