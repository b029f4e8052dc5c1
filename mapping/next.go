package mapping

import "encoding/json"

// arguments returns a call's arguments as the model would send them; false where
// they are not arguments of this tool.
func (p *plan) arguments(next *Next) (json.RawMessage, bool) {
	schema, err := p.checker.compiled()
	if err != nil {
		return nil, false
	}
	t := translator{back: p.back, forth: true}
	given := &object{}
	for _, arg := range next.Args {
		i := p.paramIndex(arg)
		value, err := parseJSON(arg.Value)
		if i < 0 || err != nil {
			return nil, false
		}
		given.set(p.params[i], t.value(schema.Properties[p.params[i]], value))
	}
	if len(next.Body) == 0 {
		return appendJSON(nil, given), true
	}
	body, err := parseJSON(next.Body)
	if err != nil || !p.addBody(given, body, func(name string, v any) any { return t.value(schema.Properties[name], v) }) {
		return nil, false
	}
	return appendJSON(nil, given), true
}

func (p *plan) paramIndex(arg Arg) int {
	for i := range p.op.Params {
		if p.op.Params[i].In == arg.In && p.op.Params[i].Name == arg.Name {
			return i
		}
	}
	return -1
}

// addBody adds a body to arguments in the form that the plan gives it.
func (p *plan) addBody(given *object, body any, toModel func(name string, v any) any) bool {
	switch p.body {
	case noBody:
		return false
	case wholeBody, bytesBody:
		given.set(bodyName, toModel(bodyName, body))
		return true
	case plainBody:
	}
	o, ok := body.(*object)
	if !ok {
		return false
	}
	forth := p.keys.forth()
	for _, m := range o.members {
		name := m.key
		if published, ok := forth[m.key]; ok {
			name = published
		}
		given.set(name, toModel(name, m.value))
	}
	return true
}
