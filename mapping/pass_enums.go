package mapping

import "encoding/json"

// passEnums makes an enum say what its type says: each value once, null where
// the type allows it, and values of the type.
func passEnums(c *cleaner, s *object) {
	list, ok := s.get("enum").([]any)
	if !ok {
		return
	}
	kept := distinct(list)
	if len(kept) < len(list) {
		c.note(Repaired, "the enum repeated values; each is published once")
	}
	types := typesOf(s)
	for i, v := range kept {
		if fixed, ok := asType(v, types); ok {
			c.note(Repaired, "the enum's value %s is published as %s, its type", excerpt(v), excerpt(fixed))
			kept[i] = fixed
		}
	}
	if has(types, "null") && !hasNull(kept) {
		kept = append(kept, nil)
	}
	s.set("enum", kept)
}

func hasNull(list []any) bool {
	for _, v := range list {
		if v == nil {
			return true
		}
	}
	return false
}

// typesOf returns the types that a schema names itself.
func typesOf(s *object) []any {
	switch t := s.get("type").(type) {
	case string:
		return []any{t}
	case []any:
		return t
	}
	return nil
}

// asType returns a value as the one type that is wanted; false where it has that
// type, or cannot have it. YAML reads an unquoted 1 or yes as something else
// than the text its author saw.
func asType(v any, types []any) (any, bool) {
	if len(types) == 0 || v == nil {
		return nil, false
	}
	switch v := v.(type) {
	case json.Number:
		if has(types, "string") && !has(types, "number") && !has(types, "integer") {
			return string(v), true
		}
	case bool:
		if has(types, "string") && !has(types, "boolean") {
			return string(appendJSON(nil, v)), true
		}
	case string:
		if has(types, "string") {
			return nil, false
		}
		parsed, err := parseJSON([]byte(v))
		if err == nil && fitsType(parsed, types) {
			return parsed, true
		}
	}
	return nil, false
}

// fitsType says whether a value has one of the types.
func fitsType(v any, types []any) bool {
	switch v := v.(type) {
	case nil:
		return has(types, "null")
	case bool:
		return has(types, "boolean")
	case string:
		return has(types, "string")
	case json.Number:
		_, whole := wholeNumber(v)
		return has(types, "number") || whole && has(types, "integer")
	case []any:
		return has(types, "array")
	case *object:
		return has(types, "object")
	}
	return false
}
