package mapping

import (
	"bytes"
	"encoding/json"
)

// An output is the published schema of a tool's answers, and how they are made
// to fit it.
type output struct {
	exact   bool
	checker *checker
}

// newOutput decides how the operation's answers are published: schema is the
// tool's output schema, nil if none can be, made are the differences from the
// catalog (their Source, Key and Where are for the caller to fill in).
func newOutput(op *Operation, defs *defs) (o *output, schema json.RawMessage, made []Decision) {
	if len(op.Output) == 0 {
		return nil, nil, nil
	}
	lib := &defs.relaxed
	if op.Exact {
		lib = &defs.exact
	}
	c := cleaner{lib: lib, at: []string{"output"}}
	answer := c.read(op.Output)
	p := publishSchema(lib, outputRoot(answer, op.Exact), maxInput)
	schema = bytes.Clone(p.schema)
	return &output{exact: op.Exact, checker: &checker{schema: schema}}, schema, append(c.made, p.made...)
}

// outputRoot puts what may be no object under "result", as answers are.
func outputRoot(answer *object, exact bool) *object {
	if answer.get("type") == "object" {
		return answer
	}
	root := &object{members: []member{
		{"type", "object"},
		{"properties", &object{members: []member{{"result", answer}}}},
	}}
	if exact {
		root.set("required", []any{"result"})
	}
	return root
}
