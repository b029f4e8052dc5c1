package mapping

import (
	"slices"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// tellChoice tells what is wrong with a value that fits no alternative: by the
// alternative that it is nearest to, or, where it has the type of none, by their
// types.
func (x *explainer) tellChoice(e *jsonschema.ValidationError) {
	if len(e.Causes) == 0 { // it fits several, and only one is allowed
		x.say("%s fits more than one of its forms", x.at(e.InstanceLocation))
		return
	}
	if types, ok := onlyTypes(e); ok {
		x.say("%s must be %s, not %s", x.at(e.InstanceLocation), typeList(types), x.value(e.InstanceLocation))
		return
	}
	best := slices.MinFunc(e.Causes, func(a, b *jsonschema.ValidationError) int {
		return distance(a, len(e.InstanceLocation)) - distance(b, len(e.InstanceLocation))
	})
	x.tell(best)
}

// onlyTypes returns the types of alternatives that refuse a value all for its
// type.
func onlyTypes(e *jsonschema.ValidationError) ([]string, bool) {
	var types []string
	for _, cause := range e.Causes {
		leaf := cause
		for len(leaf.Causes) == 1 {
			leaf = leaf.Causes[0]
		}
		k, ok := leaf.ErrorKind.(*kind.Type)
		if !ok || len(leaf.Causes) > 0 || len(leaf.InstanceLocation) != len(e.InstanceLocation) {
			return nil, false
		}
		for _, t := range k.Want {
			if !slices.Contains(types, t) {
				types = append(types, t)
			}
		}
	}
	return types, true
}

// distance says how far a value is from an alternative. A wrong type of the
// value itself is far; so is a wrong word where one tells the alternatives
// apart; what is missing is nearer than what is wrong.
func distance(e *jsonschema.ValidationError, depth int) int {
	if len(e.Causes) > 0 {
		sum := 0
		switch e.ErrorKind.(type) {
		case *kind.AnyOf, *kind.OneOf:
			sum = distance(e.Causes[0], depth)
			for _, cause := range e.Causes[1:] {
				sum = min(sum, distance(cause, depth))
			}
			return sum
		}
		for _, cause := range e.Causes {
			sum += distance(cause, depth)
		}
		return sum
	}
	own := len(e.InstanceLocation) - depth
	switch k := e.ErrorKind.(type) {
	case *kind.Type:
		if own == 0 {
			return 1000
		}
		return 10
	case *kind.Const, *kind.Enum:
		if own <= 1 {
			return 100
		}
		return 10
	case *kind.Required:
		return 4 * len(k.Missing)
	case *kind.AdditionalProperties:
		return 6 * len(k.Properties)
	}
	return 5
}
