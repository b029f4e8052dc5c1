package mapping

import "encoding/json"

// What a hint may take before it costs more than it helps, in bytes of JSON.
const (
	maxDefault = 100
	maxExample = 40
)

// passLean leaves out what no model needs: words of other formats, examples that
// say less than they cost, and defaults that are documents.
func passLean(c *cleaner, s *object) {
	example := leanExample(s)
	kept := s.members[:0]
	for _, m := range s.members {
		if leanKeyword(m) {
			kept = append(kept, m)
		}
	}
	s.members = kept
	if example != nil {
		s.set("examples", []any{example})
	}
}

// leanKeyword says whether a keyword is worth its bytes.
func leanKeyword(m member) bool {
	switch m.key {
	case "type", "enum", "const", "required", "pattern", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
		"multipleOf", "minLength", "maxLength", "minItems", "maxItems", "minProperties", "maxProperties",
		"minContains", "maxContains", "dependentRequired", "$ref", "title", "description", "contentEncoding",
		"contentMediaType", "discriminator":
		return true
	case "uniqueItems", "deprecated":
		return m.value == true
	case "format":
		return usefulFormat(text(m.value))
	case "default":
		return m.value != nil && len(appendJSON(nil, m.value)) <= maxDefault
	}
	return keywordForm(m.key) != noSchema
}

// usefulFormat says whether a format tells a model how to write a value. Widths
// of numbers are for programs.
func usefulFormat(format string) bool {
	switch format {
	case "", "int32", "int64", "int", "integer", "long", "float", "double", "number", "string", "boolean":
		return false
	}
	return true
}

// leanExample picks the one example that shows how a text is written; nil where
// something else does.
func leanExample(s *object) any {
	if s.has("enum") || s.has("const") || s.has("default") || s.has("$ref") || has(typesOf(s), "boolean") {
		return nil
	}
	example := s.get("example")
	if list, ok := s.get("examples").([]any); ok && len(list) > 0 {
		example = list[0]
	}
	switch example := example.(type) {
	case string:
		if example == "" || len(example) > maxExample || !has(typesOf(s), "string") {
			return nil
		}
		return example
	case json.Number:
		if has(typesOf(s), "string") {
			return string(example)
		}
	}
	return nil
}
