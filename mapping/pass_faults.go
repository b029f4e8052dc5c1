package mapping

import (
	"encoding/json"
	"regexp"
	"strings"
)

// passFaults mends or removes what the 2020-12 metaschema refuses: one invalid
// schema makes a vendor refuse a whole list of tools.
func passFaults(c *cleaner, s *object) {
	kept := s.members[:0]
	for _, m := range s.members {
		fixed, ok := mend(m.key, m.value)
		if !ok {
			c.note(Repaired, "%s cannot be %s, so it is left out", m.key, excerpt(m.value))
			continue
		}
		m.value = fixed
		kept = append(kept, m)
	}
	s.members = kept
	fixTypes(c, s)
	fixPatterns(c, s)
	s.distinctStrings("required")
}

// mend returns the keyword's value in the form that the metaschema asks for;
// false where it has no meaning.
func mend(keyword string, v any) (any, bool) {
	switch keyword {
	case "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum":
		return mendNumber(v)
	case "multipleOf":
		n, ok := mendNumber(v)
		return n, ok && positive(n.(json.Number))
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		return mendCount(v)
	case "title", "description", "pattern", "format", "contentEncoding", "contentMediaType":
		return mendText(v)
	case "uniqueItems", "deprecated", "readOnly", "writeOnly":
		return mendFlag(v)
	case "required":
		return mendNames(v)
	case "dependentRequired":
		return mendNameLists(v)
	case "enum", "examples":
		return mendList(v)
	}
	switch keywordForm(keyword) {
	case oneSchema:
		return v, isSchema(v)
	case schemaList:
		if isSchema(v) {
			return []any{v}, true
		}
		list, ok := v.([]any)
		return list, ok && len(list) > 0
	case schemaMap:
		_, ok := v.(*object)
		return v, ok
	case noSchema: // any value will do
	}
	return v, true
}

func isSchema(v any) bool {
	switch v.(type) {
	case *object, bool:
		return true
	}
	return false
}

// mendNumber takes a number, or a string that is one. An exponent beyond any use
// is refused: comparing with it would cost more than the call.
func mendNumber(v any) (any, bool) {
	switch v := v.(type) {
	case json.Number:
		return v, sizeable(v)
	case string:
		n, err := parseJSON([]byte(v))
		number, ok := n.(json.Number)
		return number, err == nil && ok && sizeable(number)
	}
	return json.Number(""), false
}

func positive(n json.Number) bool {
	return !strings.HasPrefix(string(n), "-") && strings.ContainsAny(mantissa(n), "123456789")
}

// mantissa is a number's text without its exponent.
func mantissa(n json.Number) string {
	digits, _, _ := strings.Cut(strings.ToLower(string(n)), "e")
	return digits
}

func mendCount(v any) (any, bool) {
	n, ok := mendNumber(v)
	if !ok {
		return nil, false
	}
	whole, isWhole := wholeNumber(n.(json.Number))
	return whole, isWhole && !strings.HasPrefix(string(whole), "-")
}

func mendText(v any) (any, bool) {
	switch v := v.(type) {
	case string:
		return v, true
	case json.Number:
		return string(v), true
	}
	return nil, false
}

func mendFlag(v any) (any, bool) {
	switch v := v.(type) {
	case bool:
		return v, true
	case string:
		return v == "true", v == "true" || v == "false"
	}
	return nil, false
}

func mendNames(v any) (any, bool) {
	list, ok := v.([]any)
	if !ok {
		return nil, false
	}
	names := make([]any, 0, len(list))
	for _, name := range list {
		if s, ok := name.(string); ok {
			names = append(names, s)
		}
	}
	return names, len(names) > 0 || len(list) == 0
}

func mendNameLists(v any) (any, bool) {
	o, ok := v.(*object)
	if !ok {
		return nil, false
	}
	kept := &object{}
	for _, m := range o.members {
		if names, ok := mendNames(m.value); ok {
			kept.set(m.key, names)
		}
	}
	return kept, true
}

func mendList(v any) (any, bool) {
	switch v := v.(type) {
	case []any:
		return v, len(v) > 0
	case *object, nil:
		return nil, false
	}
	return []any{v}, true
}

// fixTypes leaves only the seven types of JSON Schema.
func fixTypes(c *cleaner, s *object) {
	m := s.find("type")
	if m == nil {
		return
	}
	list, many := m.value.([]any)
	if !many {
		list = []any{m.value}
	}
	var types []any
	for _, t := range list {
		name, known := knownType(text(t))
		if !known || name != t {
			c.note(Repaired, "%s is no type of JSON Schema; it is published as %s", excerpt(t), orAny(name))
		}
		if !known {
			// One type that can be anything makes the whole list so.
			types = nil
			break
		}
		if !has(types, name) {
			types = append(types, name)
		}
	}
	switch {
	case len(types) == 0:
		s.remove("type")
	case len(types) == 1:
		m.value = types[0]
	default:
		m.value = types
	}
}

func orAny(name string) string {
	if name == "" {
		return "anything"
	}
	return name
}

func has(list []any, s string) bool {
	for _, v := range list {
		if v == s {
			return true
		}
	}
	return false
}

// knownType returns the type of JSON Schema that a word means.
func knownType(word string) (string, bool) {
	switch word {
	case "string", "number", "integer", "boolean", "array", "object", "null":
		return word, true
	}
	switch strings.ToLower(word) {
	case "string", "str", "text", "file", "binary", "date", "datetime", "date-time", "timestamp", "time", "uuid", "uri", "url", "email", "enum":
		return "string", true
	case "int", "integer", "int32", "int64", "long", "short", "bigint":
		return "integer", true
	case "float", "double", "decimal", "number", "numeric":
		return "number", true
	case "bool", "boolean":
		return "boolean", true
	case "list", "array":
		return "array", true
	case "map", "dict", "dictionary", "hash", "struct", "json", "object":
		return "object", true
	case "null", "nil", "none":
		return "null", true
	}
	return "", false
}

// fixPatterns notes what Go cannot check. A property that such a pattern would
// describe is described by nothing.
func fixPatterns(c *cleaner, s *object) {
	if pattern, ok := s.get("pattern").(string); ok {
		if _, err := regexp.Compile(pattern); err != nil {
			c.note(Noted, "the pattern %s is published and not checked before a call: %v", excerpt(pattern), err)
		}
	}
	props, ok := s.get("patternProperties").(*object)
	if !ok {
		return
	}
	kept := &object{}
	for _, m := range props.members {
		if _, err := regexp.Compile(m.key); err != nil {
			c.note(Repaired, "the properties that match %s are not described: %v", excerpt(m.key), err)
			continue
		}
		kept.members = append(kept.members, m)
	}
	s.set("patternProperties", kept)
}

// distinctStrings removes repetitions from a list of strings, and the list if
// nothing is in it.
func (o *object) distinctStrings(keyword string) {
	list, ok := o.get(keyword).([]any)
	if !ok {
		return
	}
	var kept []any
	for _, v := range list {
		if !has(kept, text(v)) {
			kept = append(kept, v)
		}
	}
	if len(kept) == 0 {
		o.remove(keyword)
		return
	}
	o.set(keyword, kept)
}

// excerpt is a value as JSON, short enough for a sentence.
func excerpt(v any) string {
	const most = 60
	b := appendJSON(nil, v)
	if len(b) <= most {
		return string(b)
	}
	return strings.ToValidUTF8(string(b[:most]), "") + "…"
}
