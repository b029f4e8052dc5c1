package openapi

import "slices"

// An object is a JSON object with its members in a list, each key once: the last
// of two holds. Reading it costs one pass, and each field after that none.
type object struct {
	place
	keys   []string
	values []node
}

func (p place) object() *object {
	o := &object{place: p}
	for key, v := range p.raw.members() {
		if i := slices.Index(o.keys, key); i >= 0 {
			o.values[i] = v
			continue
		}
		o.keys, o.values = append(o.keys, key), append(o.values, v)
	}
	return o
}

func (o *object) get(key string) node {
	if i := slices.Index(o.keys, key); i >= 0 {
		return o.values[i]
	}
	return nil
}

func (o *object) has(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return o.get(key) != nil })
}

// field is the place of a member, whose raw is nil if there is none.
func (o *object) field(key string) place { return o.child(key, o.get(key)) }
