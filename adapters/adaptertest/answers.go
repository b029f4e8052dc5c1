package adaptertest

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// Echo answers with what it was sent: {"args": {NAME: VALUE}, "body": BODY},
// each only if there is any, digits untouched.
func Echo(_ context.Context, c mapping.Call) (*mapping.Result, error) {
	said := struct {
		Args map[string]json.RawMessage `json:"args,omitempty"`
		Body json.RawMessage            `json:"body,omitempty"`
	}{Args: map[string]json.RawMessage{}, Body: c.Body}
	for _, a := range c.Args {
		said.Args[a.Name] = a.Value
	}
	text, err := json.Marshal(said)
	if err != nil {
		return nil, fmt.Errorf("echo %q: %w", c.Key, err)
	}
	return &mapping.Result{JSON: text}, nil
}

// EchoRead answers with the variables it was sent, {NAME: VALUE}.
func EchoRead(_ context.Context, r mapping.Read) (*mapping.Result, error) {
	text, err := json.Marshal(r.Vars)
	if err != nil {
		return nil, fmt.Errorf("echo %q: %w", r.Path, err)
	}
	return &mapping.Result{JSON: text}, nil
}

// Answer answers each call with this JSON.
func Answer(text string) CallFunc {
	return func(context.Context, mapping.Call) (*mapping.Result, error) {
		return &mapping.Result{JSON: json.RawMessage(text)}, nil
	}
}

// Content answers each read with these blocks.
func Content(blocks ...mapping.Block) ReadFunc {
	return func(context.Context, mapping.Read) (*mapping.Result, error) {
		return &mapping.Result{Blocks: blocks}, nil
	}
}

// Fail answers each call with this error.
func Fail(err error) CallFunc {
	return func(context.Context, mapping.Call) (*mapping.Result, error) { return nil, err }
}

// Panic panics with this value in each call.
func Panic(value any) CallFunc {
	return func(context.Context, mapping.Call) (*mapping.Result, error) { panic(value) }
}

// Block tells entered, if it is not nil, that a call has arrived, and holds the
// call until its context ends.
func Block(entered chan<- mapping.Call) CallFunc {
	return func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
		if entered != nil {
			select {
			case entered <- c:
			case <-ctx.Done():
			}
		}
		<-ctx.Done()
		return nil, ctx.Err()
	}
}
