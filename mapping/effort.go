package mapping

import "github.com/santhosh-tekuri/jsonschema/v6"

// maxEffort bounds how many times a check of arguments may look at a schema. A
// type that holds itself in several alternatives makes that number grow with a
// power of the depth, whatever the size of the arguments.
const maxEffort = 500_000

// An effort counts what a check would take, in time linear in the number of
// pairs of schema and value.
type effort struct {
	known map[pair]float64
}

// A pair is a schema and an object or array that it is to be checked against.
type pair struct {
	schema *jsonschema.Schema
	value  any // *object, or *any of an array's first item
}

func (e *effort) of(s *jsonschema.Schema, v any) float64 {
	if s == nil {
		return 0
	}
	var key pair
	switch v := v.(type) {
	case *object:
		key = pair{s, v}
	case []any:
		if len(v) == 0 {
			return 1
		}
		key = pair{s, &v[0]}
	default:
		return 1 + float64(len(s.AnyOf)+len(s.OneOf)+len(s.AllOf))
	}
	if n, ok := e.known[key]; ok {
		return n
	}
	if e.known == nil {
		e.known = map[pair]float64{}
	}
	e.known[key] = 1 // a reference back to itself costs nothing more
	n := e.same(s, v) + e.inside(s, v)
	e.known[key] = n
	return n
}

// same counts the schemas that look at the same value.
func (e *effort) same(s *jsonschema.Schema, v any) float64 {
	n := 1 + e.of(s.Ref, v) + e.of(s.Not, v) + e.of(s.If, v) + e.of(s.Then, v) + e.of(s.Else, v)
	for _, list := range [][]*jsonschema.Schema{s.AllOf, s.AnyOf, s.OneOf} {
		for _, sub := range list {
			n += e.of(sub, v)
		}
	}
	for _, sub := range s.DependentSchemas {
		n += e.of(sub, v)
	}
	return n
}

// inside counts the schemas that look at the values inside.
func (e *effort) inside(s *jsonschema.Schema, v any) float64 {
	n := 0.0
	list := []*jsonschema.Schema{s}
	switch v := v.(type) {
	case *object:
		for _, m := range v.members {
			for _, sub := range below(list, m.key) {
				n += e.of(sub, m.value)
			}
		}
	case []any:
		for i, item := range v {
			for _, sub := range within(list, i) {
				n += e.of(sub, item)
			}
			n += e.of(s.Contains, item)
		}
	}
	return n
}
