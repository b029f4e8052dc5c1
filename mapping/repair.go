package mapping

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// maxRepairs bounds the schemas that one repair looks at. What is beyond it is
// checked as it came.
const maxRepairs = 20_000

// A repairer changes values to what their schema wants where there is only one
// way to read them: a string that holds the JSON of a wanted type, a null that
// stands for nothing, 7.0 for 7, the one value of a list for the list.
type repairer struct {
	left   int // schemas that it may still look at
	effort effort
	spent  float64 // on trying alternatives
	// lists says that a string is also a list of values with commas, as in a URI.
	lists bool
}

// value returns the value as the schema wants it. The value that came is not
// changed.
func (r *repairer) value(s *jsonschema.Schema, v any) any {
	if r.left--; r.left < 0 || s == nil {
		return v
	}
	want := wanted(s)
	v = r.scalar(want, v)
	if want&typeArray != 0 && want&typeOfValue(v) == 0 {
		return r.listed(s, v)
	}
	list := parts(s)
	switch v.(type) {
	case *object, []any:
		v = r.children(list, v)
	}
	for _, part := range list {
		v = r.choice(part.AnyOf, v)
		v = r.choice(part.OneOf, v)
	}
	return v
}

func (r *repairer) scalar(want types, v any) any {
	switch v := v.(type) {
	case string:
		if want&typeString == 0 {
			return r.parsed(want, v)
		}
	case json.Number:
		if want&typeNumber == 0 && want&typeInteger != 0 {
			if whole, ok := wholeNumber(v); ok && strings.Contains(string(v), ".") {
				return whole
			}
		}
	}
	return v
}

// listed makes a list of a value where only a list is wanted and can have it as
// its item. A text with a comma may mean several, so it is left to be told.
func (r *repairer) listed(s *jsonschema.Schema, v any) any {
	if text, ok := v.(string); v == nil || ok && strings.Contains(text, ",") {
		return v
	}
	if list := r.value(s, []any{v}); r.fits(s, list) {
		return list
	}
	return v
}

// parsed reads a string where none is wanted.
func (r *repairer) parsed(want types, s string) any {
	trimmed := strings.TrimSpace(s)
	if want&typeBoolean != 0 && (strings.EqualFold(trimmed, "true") || strings.EqualFold(trimmed, "false")) {
		trimmed = strings.ToLower(trimmed)
	}
	if nesting([]byte(trimmed)) <= maxNesting {
		v, err := parseJSON([]byte(trimmed))
		if err == nil && want&typeOfValue(v) != 0 && soundValue(v) == nil {
			return r.scalar(want, v)
		}
	}
	if r.lists && want&typeArray != 0 {
		list := []any{}
		for item := range strings.SplitSeq(s, ",") {
			list = append(list, item)
		}
		return list
	}
	return s
}

// choice repairs a value for the first alternative that it then fits. One that
// fits an alternative as it is stays so.
func (r *repairer) choice(alternatives []*jsonschema.Schema, v any) any {
	if len(alternatives) == 0 {
		return v
	}
	for _, s := range alternatives {
		if r.fits(s, v) {
			// What is left to do in it, such as 7.0, does not unfit it.
			return r.value(s, v)
		}
	}
	for _, s := range alternatives {
		if repaired := r.value(s, v); r.fits(s, repaired) {
			return repaired
		}
	}
	return v
}

// fits tries an alternative, as long as all tries together take no more than one
// check may.
func (r *repairer) fits(s *jsonschema.Schema, v any) bool {
	r.spent += r.effort.of(s, v)
	if r.spent > maxEffort {
		r.left = 0
		return false
	}
	return s.Validate(plain(v)) == nil
}

func (r *repairer) children(list []*jsonschema.Schema, v any) any {
	switch v := v.(type) {
	case *object:
		o := &object{members: make([]member, 0, len(v.members))}
		for _, m := range v.members {
			subs := below(list, m.key)
			if m.value == nil && meansAbsent(list, subs, m.key) {
				continue
			}
			o.members = append(o.members, member{m.key, r.all(subs, m.value)})
		}
		return o
	case []any:
		items := make([]any, len(v))
		for i, item := range v {
			items[i] = r.all(within(list, i), item)
		}
		return items
	}
	return v
}

func (r *repairer) all(list []*jsonschema.Schema, v any) any {
	for _, s := range list {
		v = r.value(s, v)
	}
	return v
}

// meansAbsent says whether a null stands for not giving a member: it is
// optional, and null is none of its values.
func meansAbsent(list, subs []*jsonschema.Schema, key string) bool {
	for _, s := range list {
		if slices.Contains(s.Required, key) {
			return false
		}
	}
	for _, s := range subs {
		if wanted(s)&typeNull == 0 {
			return true
		}
	}
	return false
}
