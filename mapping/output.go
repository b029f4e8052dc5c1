package mapping

import (
	"bytes"
	"encoding/json"
)

// An output is the published schema of a tool's answers. A nil output is none.
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
	p := publishSchema(lib, answerRoot(lib, answer), maxInput)
	schema = bytes.Clone(p.schema)
	return &output{exact: op.Exact, checker: &checker{schema: schema}}, schema, append(c.made, p.made...)
}

// answerRoot is the schema of an answer as it is sent: an object as it is, and
// anything else under "result". Of an answer that may be either only that is
// said: it is an object.
func answerRoot(lib *library, answer *object) *object {
	for range maxChain {
		name, ok := refName(text(answer.get("$ref")))
		if !ok {
			break
		}
		answer = underlay(lib.publish(name).schema, answer)
	}
	types := typesOf(answer)
	switch {
	case has(types, "object") && (len(types) == 1 || len(types) == 2 && has(types, "null")):
		return openFor(answer)
	case len(types) > 0 && !has(types, "object"):
		return &object{members: []member{
			{"type", "object"},
			{"properties", &object{members: []member{{"result", answer}}}},
		}}
	}
	return &object{members: []member{{"type", "object"}}}
}

// openFor makes room for the mark of a truncated answer in an object that allows
// nothing beyond what it lists.
func openFor(answer *object) *object {
	root := &object{members: append([]member{}, answer.members...)}
	root.set("type", "object")
	if root.get("additionalProperties") != false && root.get("unevaluatedProperties") != false {
		return root
	}
	props := &object{}
	if listed, ok := root.get("properties").(*object); ok {
		props.members = append(props.members, listed.members...)
	}
	if !props.has("truncated") {
		props.set("truncated", &object{members: []member{{"type", "boolean"}}})
	}
	root.set("properties", props)
	return root
}

// holds says whether structured content that was changed is still true to its
// schema, as far as that is promised.
func (o *output) holds(structured json.RawMessage) bool {
	if o == nil || !o.exact {
		return true
	}
	schema, err := o.checker.compiled()
	if err != nil {
		return true
	}
	v, err := parseJSON(structured)
	if err != nil || soundValue(v) != nil {
		return true // it cannot be checked, and was not changed there
	}
	return schema.Validate(plain(v)) == nil
}
