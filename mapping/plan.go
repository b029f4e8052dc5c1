package mapping

import "encoding/json"

// A plan is how one operation's arguments look to a model, and the way back.
type plan struct{}

// Bind checks a model's arguments and turns them into a call of the tool's
// operation: Key, Args and Body are set, the rest is for the caller. nil, null
// and {} are no arguments. The error is a *Error with code Invalid that names
// every problem at once.
func (t *Tool) Bind(arguments json.RawMessage) (*Call, error) { return &Call{Key: t.Key}, nil }
