package mapping

import (
	"encoding/json"
	"fmt"
	"math/big"
	"strconv"
	"strings"
)

// find returns the value at a place of the arguments.
func (x *explainer) find(at []string) any {
	var v any = x.given
	for _, token := range at {
		switch inside := v.(type) {
		case *object:
			v = inside.get(token)
		case []any:
			i, err := strconv.Atoi(token)
			if err != nil || i >= len(inside) {
				return nil
			}
			v = inside[i]
		}
	}
	return v
}

// at names a place of the arguments.
func (x *explainer) at(at []string) string {
	if len(at) == 0 {
		return "the arguments"
	}
	return x.path(at[:len(at)-1], at[len(at)-1])
}

// path names a member or item of the value at a place: items[2].name.
func (x *explainer) path(at []string, last string) string {
	words := make([]string, 0, len(at)+1)
	for i, token := range at {
		words = append(words, x.token(at[:i], token))
	}
	return pathWords(append(words, x.token(at, last)))
}

// token marks a token that is an index.
func (x *explainer) token(at []string, token string) string {
	if _, isList := x.find(at).([]any); isList {
		return "[" + token + "]"
	}
	return token
}

// pathWords writes keys and indexes ("[2]") as a model would.
func pathWords(at []string) string {
	var b strings.Builder
	for _, token := range at {
		switch {
		case strings.HasPrefix(token, "[") && strings.HasSuffix(token, "]"):
			b.WriteString(token)
		case !isSafeKey(token):
			b.WriteString("[" + quoted(token) + "]")
		case b.Len() > 0:
			b.WriteString("." + token)
		default:
			b.WriteString(token)
		}
	}
	return b.String()
}

// value shows the value at a place, unless its name says that it is a secret.
func (x *explainer) value(at []string) string {
	for _, token := range at {
		if isSecret(token) {
			return "the value given"
		}
	}
	v := x.find(at)
	if s, ok := v.(string); ok {
		return "the string " + quoted(s)
	}
	switch v.(type) {
	case *object, []any, nil:
		return typeWords(v)
	}
	return excerpt(v)
}

func isSecret(name string) bool {
	name = strings.ToLower(name)
	for _, word := range []string{"password", "passwd", "secret", "token", "credential", "private"} {
		if strings.Contains(name, word) {
			return true
		}
	}
	return false
}

// quoted shows a string of the caller. Two brackets would be read as the name of
// an operation further on.
func quoted(s string) string { return unbracketed(excerpt(s)) }

func unbracketed(s string) string {
	s = strings.ReplaceAll(s, "[[", "[ [")
	return strings.ReplaceAll(s, "[[", "[ [") // between the pairs of the first pass
}

// typeWords names the type of a decoded value.
func typeWords(v any) string {
	switch v.(type) {
	case nil:
		return "null"
	case bool:
		return "a boolean"
	case string:
		return "a string"
	case json.Number:
		return "a number"
	case []any:
		return "an array"
	}
	return "an object"
}

func typeOfValue(v any) types {
	switch v := v.(type) {
	case nil:
		return typeNull
	case bool:
		return typeBoolean
	case string:
		return typeString
	case json.Number:
		if _, whole := wholeNumber(v); whole {
			return typeInteger | typeNumber
		}
		return typeNumber
	case []any:
		return typeArray
	}
	return typeObject
}

// typeList names types, null last.
func typeList(names []string) string {
	words, null := []string{}, false
	for _, name := range names {
		if name == "null" {
			null = true
			continue
		}
		words = append(words, article(name))
	}
	if null {
		words = append(words, "null")
	}
	return strings.Join(words, " or ")
}

// valueList names allowed values, the first of many.
func valueList(values []any) string {
	const most = 20
	words := make([]string, 0, len(values))
	for _, v := range values {
		if len(words) == most {
			words = append(words, fmt.Sprintf("… (%d in all)", len(values)))
			break
		}
		words = append(words, unbracketed(excerpt(v)))
	}
	if len(words) == 1 {
		return words[0]
	}
	return "one of " + strings.Join(words, ", ")
}

func ratWords(r *big.Rat) string {
	if r.IsInt() {
		return r.Num().String()
	}
	f, _ := r.Float64()
	return strconv.FormatFloat(f, 'g', -1, 64)
}

// Counted returns a number with its noun: "1 tool", "2 properties".
func Counted(n int, noun string) string {
	if n != 1 {
		noun = plural(noun)
	}
	return strconv.Itoa(n) + " " + noun
}
