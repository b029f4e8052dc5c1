package core

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A FuncsAdapter serves Go functions, static texts and prompts of the program
// itself. [Funcs] makes one.
type FuncsAdapter struct {
	entries []Entry
	closed  atomic.Bool
}

// An Entry is one thing that a [FuncsAdapter] serves. [Func], [Text] and
// [PromptText] make them.
type Entry struct {
	operation *mapping.Operation
	call      func(context.Context, mapping.Call) (*mapping.Result, error)
	resource  *mapping.Resource
	text      string
	prompt    *mapping.Prompt
	err       error // why the entry cannot be served
}

// Funcs makes an adapter of these entries. What is wrong with one of them, an
// argument type without a JSON schema or a name that is taken, is the error of
// its Catalog.
func Funcs(entries ...Entry) *FuncsAdapter { return &FuncsAdapter{entries: entries} }

// Func makes a tool of a Go function. The fields of the struct In are its
// arguments, described by tags as package jsonschema reads them; numbers that
// must be exact belong in integer fields or json.RawMessage. Out is the answer:
// a string is text, a *mapping.Result is taken as it is, and anything else is
// JSON. A *mapping.Error from fn is shown to the model; any other error is shown
// as an internal error. The operation can be refined by edits: its Group, its
// Idempotent, its Use.
func Func[In, Out any](
	name, description string,
	effect mapping.Effect,
	fn func(context.Context, In) (Out, error),
	edits ...func(*mapping.Operation),
) Entry {
	op := &mapping.Operation{Key: name, Name: name, Summary: description, Effect: effect}
	var err error
	if op.Body, err = inputOf[In](); err != nil {
		return Entry{err: fmt.Errorf("func %s: %w", name, err)}
	}
	if op.Output, err = outputOf[Out](); err != nil {
		return Entry{err: fmt.Errorf("func %s: %w", name, err)}
	}
	for _, edit := range edits {
		edit(op)
	}
	return Entry{operation: op, call: func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
		var in In
		if len(c.Body) > 0 {
			if err := json.Unmarshal(c.Body, &in); err != nil {
				return nil, &mapping.Error{Code: mapping.Invalid, Problem: "the arguments do not fit this tool", Err: err}
			}
		}
		out, err := fn(context.WithValue(ctx, callKey{}, c), in)
		if err != nil {
			return nil, err
		}
		return resultOf(out)
	}}
}

// Text makes a resource of a text that does not change.
func Text(path, name, mime, text string) Entry {
	return Entry{resource: &mapping.Resource{Path: path, Name: name, MIME: mime}, text: text}
}

// PromptText makes a prompt of one message from the user, with {{arg}} where an
// argument goes.
func PromptText(name, description, text string, args ...mapping.PromptArg) Entry {
	return Prompt(mapping.Prompt{
		Name:     name,
		Text:     description,
		Args:     args,
		Messages: []mapping.PromptMessage{{Role: "user", Text: text}},
	})
}

// Prompt makes a prompt of any messages.
func Prompt(p mapping.Prompt) Entry { return Entry{prompt: &p} }

// callKey is the context key of the call that a function answers.
type callKey struct{}

// CallOf returns the call that a function made with [Func] is answering: who
// asks, and where progress and log messages go. Outside of one it returns a call
// of nobody that reports to nobody.
func CallOf(ctx context.Context) mapping.Call {
	if c, ok := ctx.Value(callKey{}).(mapping.Call); ok {
		return c
	}
	return mapping.Call{
		Budget:   defaultMaxBytes,
		MaxBytes: defaultMaxBytes,
		Progress: func(float64, float64, string) {},
		Log:      func(string, string) {},
	}
}

// inputOf describes the arguments of a function; nil is none.
func inputOf[In any]() (*mapping.Body, error) {
	schema, err := jsonschema.For[In](nil)
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	if schema.Type != "object" {
		return nil, fmt.Errorf("arguments are a struct, not %T", *new(In))
	}
	if len(schema.Properties) == 0 {
		return nil, nil
	}
	// The surface closes the object itself; written here, it would keep the
	// fields from becoming arguments of their own.
	schema.AdditionalProperties = nil
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, fmt.Errorf("arguments: %w", err)
	}
	return &mapping.Body{Required: len(schema.Required) > 0, Schema: text}, nil
}

// outputOf describes what a function returns; nil is not known.
func outputOf[Out any]() (json.RawMessage, error) {
	switch any(*new(Out)).(type) {
	case nil, string, json.RawMessage, mapping.Result, *mapping.Result, struct{}:
		return nil, nil
	}
	schema, err := jsonschema.For[Out](nil)
	if err != nil {
		return nil, fmt.Errorf("answer: %w", err)
	}
	text, err := json.Marshal(schema)
	if err != nil {
		return nil, fmt.Errorf("answer: %w", err)
	}
	return text, nil
}

// resultOf makes a result of what a function returned.
func resultOf(out any) (*mapping.Result, error) {
	switch v := out.(type) {
	case nil, struct{}:
		return &mapping.Result{}, nil
	case *mapping.Result:
		return v, nil
	case mapping.Result:
		return &v, nil
	case string:
		return &mapping.Result{Blocks: []mapping.Block{{Kind: mapping.Text, Text: v}}}, nil
	case json.RawMessage:
		return &mapping.Result{JSON: v}, nil
	}
	var text bytes.Buffer
	e := json.NewEncoder(&text)
	e.SetEscapeHTML(false) // a model reads it, not a browser
	if err := e.Encode(out); err != nil {
		return nil, fmt.Errorf("answer of %T: %w", out, err)
	}
	return &mapping.Result{JSON: bytes.TrimSpace(text.Bytes())}, nil
}

// Catalog describes the entries in their order.
func (a *FuncsAdapter) Catalog(ctx context.Context) (*mapping.Catalog, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	c := &mapping.Catalog{Scheme: "app"}
	taken := map[string]bool{}
	var errs []error
	for _, e := range a.entries {
		key := ""
		switch {
		case e.operation != nil:
			key = "func " + e.operation.Key
			c.Operations = append(c.Operations, *e.operation)
		case e.resource != nil:
			key = "text " + e.resource.Path
			c.Resources = append(c.Resources, *e.resource)
		case e.prompt != nil:
			key = "prompt " + e.prompt.Name
			c.Prompts = append(c.Prompts, *e.prompt)
		}
		if taken[key] && e.err == nil {
			errs = append(errs, fmt.Errorf("%s is there twice", key))
		}
		taken[key] = true
		errs = append(errs, e.err)
	}
	return c, errors.Join(errs...)
}

// Call runs one function.
func (a *FuncsAdapter) Call(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
	if err := a.open(ctx); err != nil {
		return nil, err
	}
	for _, e := range a.entries {
		if e.operation != nil && e.operation.Key == c.Key {
			result, err := e.call(ctx, c)
			return within(result, err, c.MaxBytes)
		}
	}
	return nil, &mapping.Error{Code: mapping.NotFound, Problem: "there is no such function", Next: "list the tools again"}
}

// Read returns one text.
func (a *FuncsAdapter) Read(ctx context.Context, r mapping.Read) (*mapping.Result, error) {
	if err := a.open(ctx); err != nil {
		return nil, err
	}
	for _, e := range a.entries {
		if e.resource != nil && e.resource.Path == r.Path {
			block := mapping.Block{Kind: mapping.Text, Text: e.text, MIME: e.resource.MIME}
			return within(&mapping.Result{Blocks: []mapping.Block{block}}, nil, r.MaxBytes)
		}
	}
	return nil, errNoResource()
}

// open says why nothing can be asked of the adapter now, nil if it can.
func (a *FuncsAdapter) open(ctx context.Context) error {
	if a.closed.Load() {
		return &mapping.Error{Code: mapping.Unavailable, Problem: "this source has been closed", Next: "list the tools again"}
	}
	return ctx.Err()
}

// Close ends the adapter. The functions belong to the program and stay.
func (a *FuncsAdapter) Close() error {
	a.closed.Store(true)
	return nil
}

// within refuses a result that is larger than the caller allows.
func within(r *mapping.Result, err error, limit int64) (*mapping.Result, error) {
	if r == nil || err != nil {
		return r, err
	}
	size := len(r.JSON) + len(r.Note)
	for _, b := range r.Blocks {
		size += len(b.Text) + len(b.Data)
	}
	if int64(size) > limit {
		return nil, &mapping.Error{
			Code:    mapping.Exhausted,
			Problem: fmt.Sprintf("the answer has %d bytes and at most %d are allowed", size, limit),
			Next:    "ask for less",
		}
	}
	return r, nil
}
