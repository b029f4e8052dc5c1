package mapping

import (
	"net/url"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A translator changes the keys of a value between those that a model sees and
// those of the backend.
type translator struct {
	back map[string]names // by JSON pointer of the published schema
	// forth turns the direction around: to the model.
	forth bool
}

// value returns the value with the other side's keys at every depth.
func (t translator) value(s *jsonschema.Schema, v any) any {
	if len(t.back) == 0 || s == nil {
		return v
	}
	return t.under([]*jsonschema.Schema{s}, v)
}

func (t translator) under(list []*jsonschema.Schema, v any) any {
	switch v.(type) {
	case *object, []any:
	default:
		return v
	}
	var all []*jsonschema.Schema
	for _, s := range list {
		for _, d := range t.describing(s, v) {
			if !slices.Contains(all, d) {
				all = append(all, d)
			}
		}
	}
	if len(all) == 0 {
		return v
	}
	switch v := v.(type) {
	case *object:
		return t.object(all, v)
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = t.under(within(all, i), item)
		}
		return items
	}
	return v
}

// describing returns the schemas that describe a value. Towards the model the
// value cannot be checked before its keys are changed, so that all alternatives
// count.
func (t translator) describing(s *jsonschema.Schema, v any) []*jsonschema.Schema {
	if !t.forth {
		return applying(s, v)
	}
	return alternatives(parts(s))
}

func (t translator) object(all []*jsonschema.Schema, v *object) *object {
	o := &object{members: make([]member, len(v.members))}
	for i, m := range v.members {
		other := t.key(all, m.key)
		published := m.key
		if t.forth {
			published = other
		}
		o.members[i] = member{other, t.under(below(all, published), m.value)}
	}
	return o
}

// key returns the other side's name of a key.
func (t translator) key(all []*jsonschema.Schema, key string) string {
	for _, s := range all {
		known := t.back[location(s)]
		if !t.forth {
			if original, ok := known[key]; ok {
				return original
			}
			continue
		}
		for published, original := range known {
			if original == key {
				return published
			}
		}
	}
	return key
}

// location is the JSON pointer of a compiled schema in its document.
func location(s *jsonschema.Schema) string {
	_, fragment, _ := strings.Cut(s.Location, "#")
	if decoded, err := url.PathUnescape(fragment); err == nil {
		return decoded
	}
	return fragment
}
