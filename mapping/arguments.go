package mapping

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"unicode/utf8"
)

const (
	// maxNesting bounds how deep arguments may be nested.
	maxNesting = 200
	// maxDigits bounds the text of one number: a comparison takes more than
	// linear time.
	maxDigits = 4096
)

// readArguments decodes what a client sent as arguments. The error is a *Error
// that names every fault of the text at once.
func readArguments(text json.RawMessage) (*object, error) {
	v, err := decodeArguments(text)
	if err != nil {
		return nil, err
	}
	// Some models send the object as a string of JSON.
	if s, ok := v.(string); ok && strings.HasPrefix(strings.TrimSpace(s), "{") {
		if v, err = decodeArguments(json.RawMessage(s)); err != nil {
			return nil, err
		}
	}
	switch v := v.(type) {
	case nil:
		return &object{}, nil
	case *object:
		return v, soundValue(v)
	default:
		return nil, wrongArguments("the arguments must be one JSON object, not " + typeWords(v))
	}
}

func wrongArguments(problem string) *Error {
	return &Error{Code: Invalid, Problem: problem, Next: `call again with the arguments as one JSON object, such as {"name": "value"}`}
}

func decodeArguments(text json.RawMessage) (any, error) {
	if len(strings.TrimSpace(string(text))) == 0 {
		return nil, nil
	}
	if !utf8.Valid(text) {
		return nil, wrongArguments("the arguments are not valid UTF-8 text")
	}
	if nesting(text) > maxNesting {
		return nil, wrongArguments(fmt.Sprintf("the arguments are nested more than %d levels deep", maxNesting))
	}
	v, err := parseJSON(text)
	if err == nil {
		return v, nil
	}
	problem := "the arguments are not valid JSON"
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		problem += fmt.Sprintf(", from byte %d on", syntax.Offset)
	}
	wrong := wrongArguments(problem)
	wrong.Err = err
	return nil, wrong
}

// nesting is how deep objects and arrays stand in each other.
func nesting(text []byte) int {
	deepest, depth, quoted := 0, 0, false
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case quoted && c == '\\':
			i++
		case c == '"':
			quoted = !quoted
		case quoted:
		case c == '{' || c == '[':
			depth++
			deepest = max(deepest, depth)
		case c == '}' || c == ']':
			depth--
		}
	}
	return deepest
}

// soundValue finds what JSON allows and no backend could agree about.
func soundValue(v any) error {
	var problems []string
	eachValue(v, nil, func(at []string, v any) {
		switch v := v.(type) {
		case *object:
			for _, key := range v.repeated {
				problems = append(problems, pathWords(append(at, key))+" is given twice")
			}
		case json.Number:
			if len(v) > maxDigits || !sizeable(v) {
				problems = append(problems, pathWords(at)+" is a number too long to be checked")
			}
		}
	})
	if len(problems) == 0 {
		return nil
	}
	return wrongValues(problems)
}

// eachValue visits a value and all values in it, with the way there: keys as
// they are, indexes as "[2]".
func eachValue(v any, at []string, visit func(at []string, v any)) {
	visit(at, v)
	switch v := v.(type) {
	case *object:
		for _, m := range v.members {
			eachValue(m.value, append(at, m.key), visit)
		}
	case []any:
		for i, item := range v {
			eachValue(item, append(at, fmt.Sprintf("[%d]", i)), visit)
		}
	}
}
