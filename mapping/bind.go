package mapping

import (
	"encoding/json"
	"errors"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// Bind checks a model's arguments and turns them into a call of the tool's
// operation: Key, Args and Body are set, the rest is for the caller. nil, null
// and {} are no arguments. The error is a *Error with code Invalid that names
// every problem at once.
func (t *Tool) Bind(arguments json.RawMessage) (*Call, error) {
	given, err := readArguments(arguments)
	if err != nil {
		return nil, err
	}
	return t.plan.bind(given)
}

func (p *plan) bind(given *object) (*Call, error) {
	schema, err := p.checker.compiled()
	if err != nil {
		return nil, &Error{Code: Internal, Problem: "the tool's own input schema is broken", Err: err}
	}
	if err := schema.Validate(plain(given)); err != nil {
		var wrong *jsonschema.ValidationError
		if errors.As(err, &wrong) {
			return nil, explain(wrong)
		}
		return nil, &Error{Code: Invalid, Problem: "the arguments do not fit the tool's input schema", Err: err}
	}
	return p.split(given), nil
}

// split gives each argument back its place and name in the backend.
func (p *plan) split(given *object) *Call {
	call := &Call{Key: p.op.Key}
	rest := &object{members: given.members}
	for i, name := range p.params {
		m := given.find(name)
		if m == nil {
			continue
		}
		param := &p.op.Params[i]
		call.Args = append(call.Args, Arg{In: param.In, Name: param.Name, Value: appendJSON(nil, m.value)})
		rest = without(rest, name)
	}
	switch p.body {
	case plainBody:
		for i, m := range rest.members {
			if key, ok := p.keys[m.key]; ok {
				rest.members[i].key = key
			}
		}
		if len(rest.members) > 0 || p.op.Body.Required {
			call.Body = appendJSON(nil, rest)
		}
	case wholeBody, bytesBody:
		if m := rest.find(bodyName); m != nil {
			call.Body = appendJSON(nil, m.value)
		}
	}
	return call
}

func without(o *object, key string) *object {
	left := &object{}
	for _, m := range o.members {
		if m.key != key {
			left.members = append(left.members, m)
		}
	}
	return left
}

// readArguments decodes what a client sent as arguments.
func readArguments(arguments json.RawMessage) (*object, error) {
	if len(arguments) == 0 {
		return &object{}, nil
	}
	v, err := parseJSON(arguments)
	if err != nil {
		return nil, &Error{Code: Invalid, Problem: "the arguments are not JSON", Err: err}
	}
	switch v := v.(type) {
	case nil:
		return &object{}, nil
	case *object:
		return v, nil
	}
	return nil, &Error{Code: Invalid, Problem: "the arguments are not a JSON object"}
}

// bindVars turns the variables of a URI, by the backend's names, into typed
// arguments. The error is a *Error with code Invalid.
func (p *plan) bindVars(vars map[string]string) ([]Arg, error) {
	given := &object{}
	for i, name := range p.params {
		param := &p.op.Params[i]
		value, ok := vars[param.Name]
		if ok && (param.In == "path" || param.In == "query") {
			given.members = append(given.members, member{name, value})
		}
	}
	call, err := p.bind(given)
	if err != nil {
		return nil, err
	}
	return call.Args, nil
}
