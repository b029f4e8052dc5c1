package openapi

import "slices"

// An object is a JSON object with its members in a list, each key once: the last
// of two holds. Reading it costs one pass, and each field after that none.
type object struct {
	place
	keys   []string
	values []node
	index  map[string]int // of keys, nil while there are few
}

// few keys are found faster by looking at each.
const few = 32

func (p place) object() *object {
	o := &object{place: p}
	for key, v := range p.raw.members() {
		if i := o.find(key); i >= 0 {
			o.values[i] = v
			continue
		}
		o.keys, o.values = append(o.keys, key), append(o.values, v)
		switch n := len(o.keys); {
		case o.index != nil:
			o.index[key] = n - 1
		case n > few:
			o.index = make(map[string]int, 2*n)
			for i, k := range o.keys {
				o.index[k] = i
			}
		}
	}
	return o
}

// find returns the place of a key, -1 if there is none.
func (o *object) find(key string) int {
	if o.index == nil {
		return slices.Index(o.keys, key)
	}
	if i, ok := o.index[key]; ok {
		return i
	}
	return -1
}

func (o *object) get(key string) node {
	if i := o.find(key); i >= 0 {
		return o.values[i]
	}
	return nil
}

func (o *object) has(keys ...string) bool {
	return slices.ContainsFunc(keys, func(key string) bool { return o.get(key) != nil })
}

// field is the place of a member, whose raw is nil if there is none.
func (o *object) field(key string) place { return o.child(key, o.get(key)) }
