package mapping

import (
	"encoding/json"
	"errors"
	"fmt"

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
	return t.plan.bind(given, &repairer{left: maxRepairs})
}

// bindVars turns the variables of a URI, by the backend's names, into typed
// arguments. The error is a *Error with code Invalid.
func (p *plan) bindVars(vars map[string]string) ([]Arg, error) {
	given := &object{}
	for i, name := range p.params {
		param := &p.op.Params[i]
		value, ok := vars[param.Name]
		if ok && param.In != "header" && param.In != "cookie" {
			given.members = append(given.members, member{name, value})
		}
	}
	call, err := p.bind(given, &repairer{left: maxRepairs, lists: true})
	if err != nil {
		return nil, err
	}
	return call.Args, nil
}

// bind repairs, checks and translates arguments.
func (p *plan) bind(given *object, r *repairer) (*Call, error) {
	schema, err := p.checker.compiled()
	if err != nil {
		return nil, &Error{Code: Internal, Problem: "the tool's own input schema is broken", Err: err}
	}
	var problems []string
	if p.body == bytesBody {
		given, problems = plainBytes(given)
	}
	if r.effort.of(schema, given) > maxEffort {
		return nil, tooMuchEffort()
	}
	given, _ = r.value(schema, given).(*object)
	if r.effort.of(schema, given) > maxEffort { // a string may have held more
		return nil, tooMuchEffort()
	}
	found, err := check(schema, given)
	if err != nil {
		return nil, fmt.Errorf("check the arguments of %s: %w", p.op.Key, err)
	}
	if problems = append(problems, found...); len(problems) > 0 {
		return nil, wrongValues(problems)
	}
	return p.split(schema, given), nil
}

// check returns what is wrong with arguments, in words.
func check(schema *jsonschema.Schema, given *object) (problems []string, err error) {
	err = schema.Validate(plain(given))
	var wrong *jsonschema.ValidationError
	if !errors.As(err, &wrong) {
		return nil, err
	}
	return explain(schema, given, wrong), nil
}

func tooMuchEffort() *Error {
	return &Error{Code: Invalid, Problem: "the arguments nest too many choices in each other to be checked", Next: "call again with less nesting"}
}

// split gives each argument back its place and its names in the backend.
func (p *plan) split(schema *jsonschema.Schema, given *object) *Call {
	call := &Call{Key: p.op.Key}
	t := translator{back: p.back}
	value := func(m *member) any { return t.value(schema.Properties[m.key], m.value) }
	isParam := make(map[string]bool, len(p.params))
	for i, name := range p.params {
		isParam[name] = true
		if m := given.find(name); m != nil {
			param := &p.op.Params[i]
			call.Args = append(call.Args, Arg{In: param.In, Name: param.Name, Value: appendJSON(nil, value(m))})
		}
	}
	switch p.body {
	case plainBody:
		body := &object{}
		for i := range given.members {
			m := &given.members[i]
			if !isParam[m.key] {
				body.members = append(body.members, member{p.backendKey(m.key), value(m)})
			}
		}
		if len(body.members) > 0 || p.op.Body.Required {
			call.Body = appendJSON(nil, body)
		}
	case wholeBody, bytesBody:
		if m := given.find(bodyName); m != nil {
			call.Body = appendJSON(nil, value(m))
		}
	case noBody: // all arguments are params
	}
	return call
}

// backendKey is the backend's name of a property of a plain body.
func (p *plan) backendKey(published string) string {
	if key, ok := p.keys[published]; ok {
		return key
	}
	return published
}
