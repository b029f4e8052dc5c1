package mapping

import "encoding/json"

// A plan is how one operation's arguments look to a model, and the way back.
type plan struct{ op *Operation }

// newPlan decides how the operation's arguments are published: schema is the
// tool's input schema, made are the differences from the catalog (their Source,
// Key and Where are for the caller to fill in). The error says in words why the
// operation cannot be published.
func newPlan(op *Operation, defs *defs) (p *plan, schema json.RawMessage, made []Decision, err error) {
	type object struct {
		Type       string                     `json:"type"`
		Properties map[string]json.RawMessage `json:"properties"`
		Required   []string                   `json:"required,omitempty"`
		Additional bool                       `json:"additionalProperties"`
	}
	root := object{Type: "object", Properties: map[string]json.RawMessage{}}
	add := func(name string, required bool, schema json.RawMessage) {
		if schema == nil {
			schema = json.RawMessage(`{}`)
		}
		root.Properties[name] = schema
		if required {
			root.Required = append(root.Required, name)
		}
	}
	for _, param := range op.Params {
		add(param.Name, param.Required, param.Schema)
	}
	if op.Body != nil {
		add("body", op.Body.Required, op.Body.Schema)
	}
	schema, err = json.Marshal(root)
	return &plan{op: op}, schema, nil, err
}

// bindVars turns the variables of a URI, by the backend's names, into typed
// arguments. The error is a *Error with code Invalid.
func (p *plan) bindVars(vars map[string]string) ([]Arg, error) {
	var args []Arg
	for _, param := range p.op.Params {
		text, given := vars[param.Name]
		if !given || (param.In != "path" && param.In != "query") {
			continue
		}
		value, err := json.Marshal(text)
		if err != nil {
			return nil, err
		}
		args = append(args, Arg{In: param.In, Name: param.Name, Value: value})
	}
	return args, nil
}

// Bind checks a model's arguments and turns them into a call of the tool's
// operation: Key, Args and Body are set, the rest is for the caller. nil, null
// and {} are no arguments. The error is a *Error with code Invalid that names
// every problem at once.
func (t *Tool) Bind(arguments json.RawMessage) (*Call, error) {
	var values map[string]json.RawMessage
	if len(arguments) > 0 {
		if err := json.Unmarshal(arguments, &values); err != nil {
			return nil, &Error{Code: Invalid, Problem: "the arguments are not a JSON object", Err: err}
		}
	}
	call := &Call{Key: t.Key}
	for _, param := range t.op.Params {
		if value, given := values[param.Name]; given {
			call.Args = append(call.Args, Arg{In: param.In, Name: param.Name, Value: value})
		}
	}
	if t.op.Body != nil {
		call.Body = values["body"]
	}
	return call, nil
}
