package openapi

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
)

// keyword writes one keyword, if JSON Schema 2020-12 has it and its value is of
// the kind that it must be.
func (c *converter) keyword(out []byte, s *schemaObject, key string, v node) []byte {
	at := s.child(key, v)
	switch key {
	case "$ref", "$dynamicRef":
		return c.reference(out, s, at)
	case "type":
		return c.types(out, s, at)
	case "enum":
		return c.enum(out, s, at)
	case "required":
		return c.required(out, at)
	case "title", "description", "pattern", "format", "contentEncoding", "contentMediaType":
		return c.words(out, s, key, at)
	case "const", "default":
		return appendCompact(appendKey(out, key), v)
	case "deprecated", "readOnly", "writeOnly", "uniqueItems":
		if v.isTrue() {
			out = appendMember(out, key, v)
		}
		return out
	case "minimum", "maximum", "multipleOf", "exclusiveMinimum", "exclusiveMaximum":
		return c.bound(out, s, key, at)
	case "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties", "minContains", "maxContains":
		return c.count(out, key, at)
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return c.list(out, s, key, at)
	case "properties", "patternProperties", "dependentSchemas":
		return c.schemas(out, key, at)
	case "items", "additionalItems":
		return c.items(out, s, key, at)
	case "not", "if", "then", "else", "contains", "propertyNames", "contentSchema",
		"additionalProperties", "unevaluatedProperties", "unevaluatedItems":
		return c.append(appendKey(out, key), at, false)
	case "dependentRequired":
		return c.dependencies(out, at)
	}
	return out
}

// words writes a keyword whose value is a text. Bytes in a JSON value are base64,
// which 2020-12 says with contentEncoding.
func (c *converter) words(out []byte, s *schemaObject, key string, at place) []byte {
	text := at.raw.text()
	if text == "" && !at.raw.isString() {
		c.repaired(at, "%s must be a text; it is left out", key)
		return out
	}
	if at.raw.isString() {
		out = appendMember(out, key, at.raw)
	} else {
		out = appendString(appendKey(out, key), text)
	}
	isBytes := key == "format" && text == "binary" || key == "contentMediaType" && mediaKind(text) == mediaBinary
	if isBytes && !s.has("contentEncoding") && !(key == "format" && s.has("contentMediaType")) {
		out = append(out, `,"contentEncoding":"base64"`...)
	}
	if isBytes && !s.has("type") && !(key == "format" && s.has("contentMediaType")) {
		out = append(out, `,"type":"string"`...)
	}
	return out
}

// types writes type as one word or a list, and null beside it where nullable says
// so.
func (c *converter) types(out []byte, s *schemaObject, at place) []byte {
	words := []string{at.raw.str()}
	if at.raw.isArray() {
		words = texts(at.raw)
	}
	var types []string
	for _, word := range words {
		t := typeWord(word)
		switch {
		case word == "file": // Swagger 2's own word
			out = append(appendKey(out, "format"), `"binary","contentEncoding":"base64"`...)
		case t == "":
			c.repaired(at, "%q is not a type of JSON Schema; it is left out", word)
		case t != word:
			c.repaired(at, "%q is not a type of JSON Schema; it is read as %s", word, t)
		}
		if t != "" && !slices.Contains(types, t) {
			types = append(types, t)
		}
	}
	if s.nullable() && len(types) > 0 && !slices.Contains(types, "null") {
		types = append(types, "null")
	}
	switch len(types) {
	case 0:
		return out
	case 1:
		return appendString(appendKey(out, "type"), types[0])
	}
	out = append(appendKey(out, "type"), '[')
	return append(appendStrings(out, types), ']')
}

// typeWord returns the type that a word means, "" for any.
func typeWord(word string) string {
	switch strings.ToLower(word) {
	case "string", "number", "integer", "boolean", "object", "array", "null":
		return strings.ToLower(word)
	case "file", "text", "str", "date", "datetime", "date-time", "uuid", "uri", "email", "enum", "char":
		return "string"
	case "int", "int32", "int64", "long", "short", "byte":
		return "integer"
	case "float", "double", "decimal":
		return "number"
	case "bool":
		return "boolean"
	case "list":
		return "array"
	case "map", "dict", "json":
		return "object"
	}
	return ""
}

// enum writes each member once, as the type that the schema names, and null where
// nullable says so. An empty list would allow nothing, and means nothing.
func (c *converter) enum(out []byte, s *schemaObject, at place) []byte {
	only := ""
	if s.get("type").isString() {
		only = typeWord(s.get("type").text())
	}
	start := len(out)
	out = append(appendKey(out, "enum"), '[')
	empty := len(out)
	seen := map[string]bool{}
	add := func(raw []byte) {
		if seen[string(raw)] {
			return
		}
		seen[string(raw)] = true
		if len(out) > empty {
			out = append(out, ',')
		}
		out = append(out, raw...)
	}
	for _, v := range at.raw.items() {
		add(enumMember(v, only))
	}
	if len(out) == empty {
		c.repaired(at, "enum must be a list with members; it is left out")
		return out[:start]
	}
	if s.nullable() {
		add([]byte("null"))
	}
	return append(out, ']')
}

// enumMember writes one member of an enum. YAML makes numbers and booleans of
// words that a schema of type string means as texts, and people quote numbers.
func enumMember(v node, only string) []byte {
	switch {
	case only == "string" && (v.kind() == '0' || v.kind() == 't' || v.kind() == 'f'):
		return appendString(nil, v.text())
	case (only == "integer" || only == "number") && v.isString() && isNumber([]byte(v.text())):
		return []byte(v.text())
	}
	return appendCompact(nil, v)
}

// required writes each name once.
func (c *converter) required(out []byte, at place) []byte {
	if !at.raw.isArray() {
		c.repaired(at, "required must be a list of names; it is left out")
		return out
	}
	var names []string
	seen := map[string]bool{}
	for _, name := range texts(at.raw) {
		if !seen[name] {
			seen[name] = true
			names = append(names, name)
		}
	}
	if len(names) == 0 {
		return out
	}
	return append(appendStrings(append(appendKey(out, "required"), '['), names), ']')
}

// bound writes a bound of a number. Before 3.1 exclusiveMinimum is a flag that
// says how minimum is meant.
func (c *converter) bound(out []byte, s *schemaObject, key string, at place) []byte {
	v := at.raw
	if plain, ok := strings.CutPrefix(key, "exclusive"); ok && (v.isTrue() || v.kind() == 'f') {
		limit := s.get(strings.ToLower(plain))
		if v.isTrue() && limit.kind() == '0' {
			return appendMember(out, key, limit)
		}
		return out
	}
	if key == "minimum" && s.get("exclusiveMinimum").isTrue() || key == "maximum" && s.get("exclusiveMaximum").isTrue() {
		return out // the other keyword carries it
	}
	number := []byte(v.text())
	if !isNumber(number) || key == "multipleOf" && !isPositive(number) {
		c.repaired(at, "%s cannot be %s; it is left out", key, excerpt(v))
		return out
	}
	return appendMember(out, key, number)
}

// isPositive tells a JSON number above zero.
func isPositive(number []byte) bool {
	mantissa, _, _ := bytes.Cut(bytes.ToLower(number), []byte("e"))
	return number[0] != '-' && bytes.ContainsAny(mantissa, "123456789")
}

// count writes a bound of a length.
func (c *converter) count(out []byte, key string, at place) []byte {
	number := strings.TrimSuffix(at.raw.text(), ".0")
	const most = 15 // digits: beyond, no reader agrees with another
	if n := digits([]byte(number)); n == 0 || n != len(number) || n > most || !isNumber([]byte(number)) {
		c.repaired(at, "%s cannot be %s; it is left out", key, excerpt(at.raw))
		return out
	}
	return append(appendKey(out, key), number...)
}

// list writes a list of schemas, which must not be empty.
func (c *converter) list(out []byte, s *schemaObject, key string, at place) []byte {
	if at.raw.isObject() {
		out = append(appendKey(out, key), '[')
		return append(c.append(out, at, key == "allOf"), ']')
	}
	start := len(out)
	out = append(appendKey(out, key), '[')
	empty := len(out)
	for i, v := range at.raw.items() {
		if len(out) > empty {
			out = append(out, ',')
		}
		out = c.append(out, at.item(i, v), key == "allOf")
	}
	if len(out) == empty {
		return out[:start]
	}
	if key == "anyOf" && s.nullable() {
		out = append(out, `,{"type":"null"}`...)
	}
	return append(out, ']')
}

// schemas writes an object whose values are schemas, each key once.
func (c *converter) schemas(out []byte, key string, at place) []byte {
	at = c.doc.members(at)
	if !at.raw.isObject() {
		c.repaired(at, "%s must be an object; it is left out", key)
		return out
	}
	out = append(appendKey(out, key), '{')
	s := at.object() // the last of two members with one key holds
	for i, name := range s.keys {
		out = c.append(appendKey(out, name), at.child(name, s.values[i]), false)
	}
	return append(out, '}')
}

// members follows a reference that stands in place of properties. It is no part of
// any specification; people write it.
func (d *document) members(p place) place {
	if next, err := d.follow(p); err == nil {
		return next
	}
	return p
}

// items writes items. Before 2020-12 a list of schemas stood there, and
// additionalItems said what follows.
func (c *converter) items(out []byte, s *schemaObject, key string, at place) []byte {
	tuple := s.get("items").isArray()
	switch {
	case key == "additionalItems" && tuple:
		return c.append(appendKey(out, "items"), at, false)
	case key == "additionalItems":
		return out
	case tuple && s.has("prefixItems"):
		return out
	case tuple:
		return c.list(out, s, "prefixItems", at)
	}
	return c.append(appendKey(out, "items"), at, false)
}

// dependencies writes dependentRequired: names by name.
func (c *converter) dependencies(out []byte, at place) []byte {
	out = append(appendKey(out, "dependentRequired"), '{')
	for name, v := range at.raw.members() {
		out = append(appendKey(out, name), '[')
		out = append(appendStrings(out, texts(v)), ']')
	}
	return append(out, '}')
}

// appendStrings appends texts with commas between them.
func appendStrings(out []byte, all []string) []byte {
	for i, s := range all {
		if i > 0 {
			out = append(out, ',')
		}
		out = appendString(out, s)
	}
	return out
}

// appendCompact appends a JSON value without the white space between its tokens.
func appendCompact(out []byte, v node) []byte {
	if v.kind() != '{' && v.kind() != '[' {
		return append(out, v...)
	}
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return append(out, v...) // it is JSON: the document was checked
	}
	return append(out, b.Bytes()...)
}

// excerpt is a value for a sentence.
func excerpt(v node) string {
	const most = 40
	s := string(appendCompact(nil, v))
	if len(s) > most {
		return strings.ToValidUTF8(s[:most], "") + "…"
	}
	return s
}
