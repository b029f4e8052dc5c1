package mapping

import (
	"slices"
	"strconv"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// describing returns the schemas of a place of the arguments.
func (x *explainer) describing(at []string) []*jsonschema.Schema {
	list := alternatives(parts(x.schema))
	var v any = x.given
	for _, token := range at {
		var subs []*jsonschema.Schema
		switch inside := v.(type) {
		case []any:
			i, _ := strconv.Atoi(token)
			subs = within(list, i)
			v = nil
			if i < len(inside) {
				v = inside[i]
			}
		default:
			subs = below(list, token)
			v = nil
			if o, ok := inside.(*object); ok {
				v = o.get(token)
			}
		}
		list = nil
		for _, s := range subs {
			list = append(list, parts(s)...)
		}
		list = alternatives(list)
	}
	return list
}

// alternatives adds the parts of all alternatives to a list of schemas.
func alternatives(list []*jsonschema.Schema) []*jsonschema.Schema {
	for i := 0; i < len(list) && len(list) < maxChain; i++ {
		for _, choice := range [][]*jsonschema.Schema{list[i].AnyOf, list[i].OneOf} {
			for _, s := range choice {
				list = append(list, parts(s)...)
			}
		}
	}
	return list
}

// known returns the properties that the value at a place may have, sorted.
func (x *explainer) known(at []string) []string {
	var names []string
	for _, s := range x.describing(at) {
		for name := range s.Properties {
			if !slices.Contains(names, name) {
				names = append(names, name)
			}
		}
	}
	slices.Sort(names)
	return names
}

// expected says what the value at a place should be, "" if anything.
func (x *explainer) expected(at []string) string {
	var names []string
	for _, s := range x.describing(at) {
		if s.Enum != nil {
			return valueList(s.Enum.Values)
		}
		if s.Const != nil {
			return valueList([]any{*s.Const})
		}
		if s.Types != nil {
			for _, name := range s.Types.ToStrings() {
				if !slices.Contains(names, name) {
					names = append(names, name)
				}
			}
		}
	}
	return typeList(names)
}
