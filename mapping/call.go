package mapping

import "encoding/json"

// A Call asks an adapter to run one operation of its catalog.
type Call struct {
	// Key is an Operation.Key of the adapter's newest or an earlier catalog.
	Key string
	// Args are the params that the model sent, in the backend's names. What was
	// not sent is absent; defaults are never filled in.
	Args []Arg
	// Body holds the backend's property names at every depth; nil is no body.
	Body json.RawMessage
	// Caller is who asks. The zero Caller is the one user of a stdio process.
	Caller Caller
	// Trace is a W3C traceparent, "" if there is none.
	Trace string
	// Budget is how many bytes of text the answer may take. An adapter that can
	// stop at a whole item does, and sets Result.Truncated and Result.Next. It is
	// never zero.
	Budget int64
	// MaxBytes bounds what the adapter may read from the backend for this call.
	// It is never zero. An adapter that stops early sets Result.Truncated.
	MaxBytes int64
	// Progress reports how far the call is; total is 0 where it is unknown. It is
	// never nil and may be called from any goroutine until Call returns.
	Progress func(done, total float64, note string)
	// Log tells an operator and, where the protocol has it, the client about
	// retries and slow backends. Level is "debug", "info", "warning" or "error".
	// It is never nil.
	Log func(level, message string)
}

// An Arg is one argument as the model sent it.
type Arg struct {
	In   string
	Name string
	// Value is one JSON value; numbers keep the digits that were sent.
	Value json.RawMessage
}

// Arg returns the value of the argument with this place and name, or nil.
func (c Call) Arg(in, name string) json.RawMessage {
	for _, a := range c.Args {
		if a.In == in && a.Name == name {
			return a.Value
		}
	}
	return nil
}

// A Caller is who asks. Two callers with the same ID see the same things.
type Caller struct {
	// ID is unique per caller; "" is the one user of a stdio process.
	ID     string
	Scopes []string
	Claims map[string]json.RawMessage
	// Credential is what the caller brought for the backend that is asked, and for
	// no other; "" is nothing. It is never the token that the caller showed to the
	// bridge.
	Credential string
}

// A Read asks an adapter for one resource that is not an operation's answer.
type Read struct {
	// Path is the Resource.Path that matched, as the catalog has it.
	Path string
	// Vars are the template's variables, decoded. Values are whatever a caller
	// wrote: slashes, dots and control characters included.
	Vars map[string]string
	// The rest is as for a Call.
	Caller   Caller
	Trace    string
	Budget   int64
	MaxBytes int64
	Log      func(level, message string)
}

// A Completion asks an adapter for values of one argument.
type Completion struct {
	// Exactly one of Resource (a Resource.Path) and Prompt (a Prompt.Name) is set.
	Resource, Prompt string
	// Argument is the variable or argument to complete, Prefix what was typed.
	Argument, Prefix string
	// Known are the arguments given so far.
	Known  map[string]string
	Caller Caller
}

// Completions are possible values, best first; at most 100 reach a client.
type Completions struct {
	Values []string
	// Total is how many there are, 0 if unknown.
	Total int
	More  bool
}

// A Finding is one thing that a check of a backend found.
type Finding struct {
	// OK says that nothing is wrong: the finding only tells.
	OK bool `json:"ok"`
	// Text says what was found, Mend what to do about it.
	Text string `json:"text"`
	Mend string `json:"mend,omitempty"`
}
