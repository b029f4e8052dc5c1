package mapping

import (
	"bytes"
	"encoding/json"
	"slices"
)

// A plan is how one operation's arguments look to a model, and the way back.
type plan struct {
	op     *Operation
	params []string // the published name of each of op.Params
	body   bodyForm
	// keys are the renamed keys of a plain body, back those of all deeper objects
	// by JSON pointer of their published schema.
	keys names
	back map[string]names

	checker *checker
}

// A bodyForm is how a body stands among the arguments.
type bodyForm int

const (
	noBody    bodyForm = iota
	plainBody          // its properties stand beside the params
	wholeBody          // it is the one property "body"
	bytesBody          // the same, as base64
)

const bodyName = "body"

// newPlan decides how the operation's arguments are published: schema is the
// tool's input schema, made are the differences from the catalog (their Source,
// Key and Where are for the caller to fill in). The error says in words why the
// operation cannot be published.
func newPlan(op *Operation, defs *defs) (p *plan, schema json.RawMessage, made []Decision, err error) {
	a := assembly{op: op, clean: cleaner{lib: &defs.input}, plan: &plan{op: op}}
	a.addBody()
	a.addParams()
	a.describeMissing()
	schema = a.publish()
	a.plan.checker = &checker{schema: schema}
	return a.plan, schema, a.clean.made, nil
}

// An assembly is a plan in the making.
type assembly struct {
	op    *Operation
	clean cleaner
	plan  *plan
	props []property
}

// A property is one argument as the root of an input schema has it.
type property struct {
	name     string // as published
	key      string // of a plain body's property, in the backend
	param    *Param // nil for what belongs to the body
	schema   *object
	required bool
}

// addParams puts the params before the body's properties.
func (a *assembly) addParams() {
	a.plan.params = paramNames(a.op.Params, a.props)
	props := make([]property, 0, len(a.op.Params)+len(a.props))
	for i, param := range a.op.Params {
		name := a.plan.params[i]
		if name != param.Name {
			a.clean.note(Renamed, "the %s is published as %s", paramWords(param), name)
		}
		props = append(props, property{name: name, param: &a.op.Params[i], schema: a.param(i), required: param.Required})
	}
	a.props = append(props, a.props...)
}

// paramWords names a param for the operator.
func paramWords(param Param) string {
	words := "parameter"
	if param.In != "" {
		words = param.In + " " + words
	}
	return words + " " + string(appendString(nil, param.Name))
}

// param returns the schema of a param, described.
func (a *assembly) param(i int) *object {
	param := &a.op.Params[i]
	s := &object{}
	if len(param.Schema) > 0 {
		a.clean.at = []string{"params", param.Name}
		s = a.clean.read(param.Schema)
		a.clean.at = nil
	}
	return describe(s, a.clean.lib.words.terse(param.Text))
}

// describe returns the schema with this description, if there is one.
func describe(s *object, text string) *object {
	if text == "" {
		return s
	}
	s = &object{members: slices.Clone(s.members)}
	s.set("description", text)
	return s
}

// publish writes the input schema.
func (a *assembly) publish() json.RawMessage {
	props, required := &object{}, []any{}
	for _, prop := range a.props {
		props.members = append(props.members, member{prop.name, prop.schema})
		if prop.required {
			required = append(required, prop.name)
		}
	}
	root := &object{members: []member{{"type", "object"}, {"properties", props}}}
	if len(required) > 0 {
		root.set("required", required)
	}
	root.set("additionalProperties", false)
	p := publishSchema(a.clean.lib, root, maxInput)
	a.clean.made = append(a.clean.made, p.made...)
	a.plan.back = p.back
	return bytes.Clone(p.schema)
}
