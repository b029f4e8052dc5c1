package mapping

import (
	"fmt"
	"slices"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// maxProblems bounds how many problems one error tells.
const maxProblems = 20

// explain says what is wrong with arguments in words that a model can act on:
// every problem at once, each with what would be right.
func explain(schema *jsonschema.Schema, given *object, wrong *jsonschema.ValidationError) []string {
	x := &explainer{schema: schema, given: given}
	x.tell(wrong)
	return x.problems
}

// wrongValues makes one error of problems.
func wrongValues(problems []string) *Error {
	slices.Sort(problems) // the check visits members in no order
	problems = slices.Compact(problems)
	if more := len(problems) - maxProblems; more > 0 {
		problems = append(problems[:maxProblems:maxProblems], fmt.Sprintf("and %d more", more))
	}
	next := "call again with this corrected"
	if len(problems) > 1 {
		next = "call again with all of these corrected"
	}
	return &Error{Code: Invalid, Problem: strings.Join(problems, "; "), Next: next}
}

// An explainer turns the check's findings into problems.
type explainer struct {
	schema   *jsonschema.Schema
	given    *object
	problems []string
}

func (x *explainer) say(format string, args ...any) {
	x.problems = append(x.problems, fmt.Sprintf(format, args...))
}

// tell goes down to the findings that name a fault.
func (x *explainer) tell(e *jsonschema.ValidationError) {
	switch k := e.ErrorKind.(type) {
	case *kind.AnyOf, *kind.OneOf:
		x.tellChoice(e)
		return
	case *kind.Schema, *kind.Group, *kind.AllOf, *kind.Reference:
		for _, cause := range e.Causes {
			x.tell(cause)
		}
		return
	case *kind.PropertyNames:
		// The library's place of this finding is not to be relied on.
		x.say("no property can be named %s", quoted(k.Property))
		return
	}
	x.fault(e)
}

// fault tells one fault of one value.
func (x *explainer) fault(e *jsonschema.ValidationError) {
	at := e.InstanceLocation
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		x.missing(at, k.Missing, "")
	case *kind.DependentRequired:
		x.missing(at, k.Missing, " where "+x.path(at, k.Prop)+" is given")
	case *kind.AdditionalProperties:
		x.unknown(at, k.Properties)
	case *kind.Type:
		x.say("%s must be %s, not %s", x.at(at), typeList(k.Want), x.value(at))
	case *kind.Enum:
		x.oneOf(at, k.Want)
	case *kind.Const:
		x.oneOf(at, []any{k.Want})
	default:
		x.bound(at, e.ErrorKind)
	}
}

// missing tells what was not given, and what it should be.
func (x *explainer) missing(at, keys []string, where string) {
	for _, key := range keys {
		said := x.path(at, key) + " is missing" + where
		if expected := x.expected(append(slices.Clone(at), key)); expected != "" {
			said += " (" + expected + ")"
		}
		x.problems = append(x.problems, said)
	}
}

// unknown tells what no schema describes, with what was probably meant.
func (x *explainer) unknown(at, keys []string) {
	known := x.known(at)
	for _, key := range keys {
		said := fmt.Sprintf("%s is not an argument", x.path(at, key))
		if len(at) > 0 {
			said = fmt.Sprintf("%s is not a property of %s", x.path(at, key), x.at(at))
		}
		switch guess := meant(key, known); {
		case guess != "":
			said += " (did you mean " + guess + "?)"
		case len(known) == 0:
			said += " (there are none)"
		case len(known) <= 12:
			said += " (there are " + strings.Join(known, ", ") + ")"
		}
		x.problems = append(x.problems, said)
	}
}

// oneOf tells the values that are allowed.
func (x *explainer) oneOf(at []string, allowed []any) {
	words := valueList(allowed)
	said := fmt.Sprintf("%s must be %s, not %s", x.at(at), words, x.value(at))
	if s, ok := x.find(at).(string); ok && len(allowed) > 1 {
		var texts []string
		for _, v := range allowed {
			if s, ok := v.(string); ok {
				texts = append(texts, s)
			}
		}
		if guess := meant(s, texts); guess != "" {
			said += " (did you mean " + quoted(guess) + "?)"
		}
	}
	x.problems = append(x.problems, said)
}

// bound tells a limit that a value breaks.
func (x *explainer) bound(at []string, found jsonschema.ErrorKind) {
	name := x.at(at)
	switch k := found.(type) {
	case *kind.Minimum:
		x.say("%s must be at least %s, not %s", name, ratWords(k.Want), x.value(at))
	case *kind.Maximum:
		x.say("%s must be at most %s, not %s", name, ratWords(k.Want), x.value(at))
	case *kind.ExclusiveMinimum:
		x.say("%s must be more than %s, not %s", name, ratWords(k.Want), x.value(at))
	case *kind.ExclusiveMaximum:
		x.say("%s must be less than %s, not %s", name, ratWords(k.Want), x.value(at))
	case *kind.MultipleOf:
		x.say("%s must be a multiple of %s, not %s", name, ratWords(k.Want), x.value(at))
	case *kind.MinLength:
		x.say("%s must have at least %s, not %d", name, Counted(k.Want, "character"), k.Got)
	case *kind.MaxLength:
		x.say("%s must have at most %s, not %d", name, Counted(k.Want, "character"), k.Got)
	case *kind.MinItems:
		x.say("%s must have at least %s, not %d", name, Counted(k.Want, "item"), k.Got)
	case *kind.MaxItems:
		x.say("%s must have at most %s, not %d", name, Counted(k.Want, "item"), k.Got)
	case *kind.MinProperties:
		x.say("%s must have at least %s, not %d", name, Counted(k.Want, "property"), k.Got)
	case *kind.MaxProperties:
		x.say("%s must have at most %s, not %d", name, Counted(k.Want, "property"), k.Got)
	case *kind.Pattern:
		x.say("%s must match the pattern %s, and %s does not", name, unbracketed(k.Want), x.value(at))
	case *kind.UniqueItems:
		x.say("%s has the same item at %d and %d; each must differ", name, k.Duplicates[0], k.Duplicates[1])
	case *kind.Contains, *kind.MinContains:
		x.say("%s lacks an item that it must have", name)
	case *kind.MaxContains:
		x.say("%s has too many items of one form", name)
	case *kind.Not, *kind.FalseSchema:
		x.say("%s cannot be %s", name, x.value(at))
	default:
		x.say("%s does not fit the input schema", name)
	}
}
