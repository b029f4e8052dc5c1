package mapping

import (
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"
)

// explain says what is wrong with arguments in words that a model can act on.
func explain(wrong *jsonschema.ValidationError) *Error {
	var problems []string
	var walk func(e *jsonschema.ValidationError)
	walk = func(e *jsonschema.ValidationError) {
		if len(e.Causes) == 0 {
			problems = append(problems, problem(e))
		}
		for _, cause := range e.Causes {
			walk(cause)
		}
	}
	walk(wrong)
	return &Error{Code: Invalid, Problem: strings.Join(problems, "; "), Next: "call again with the arguments corrected"}
}

func problem(e *jsonschema.ValidationError) string {
	at := strings.Join(e.InstanceLocation, ".")
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		return strings.Join(k.Missing, ", ") + " is missing"
	case *kind.AdditionalProperties:
		return strings.Join(k.Properties, ", ") + " is not an argument of this tool"
	case *kind.Type:
		return fmt.Sprintf("%s must be %s, not %s", at, strings.Join(k.Want, " or "), k.Got)
	case *kind.Enum:
		return fmt.Sprintf("%s must be one of %v", at, k.Want)
	}
	return at + " does not fit the input schema"
}
