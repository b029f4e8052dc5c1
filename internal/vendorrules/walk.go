package vendorrules

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// A walk collects the problems of one schema.
type walk struct {
	checker  *Checker
	root     map[string]any
	input    bool
	problems []string
}

func (w *walk) add(place, format string, args ...any) {
	w.problems = append(w.problems, place+": "+fmt.Sprintf(format, args...))
}

// rootRules are about the root alone.
func (w *walk) rootRules(place string) {
	if w.root["type"] != "object" {
		w.add(place, `the root's type is not "object" (MCP, Anthropic, OpenAI)`)
	}
	if !w.input {
		return
	}
	if _, ok := w.root["properties"].(map[string]any); !ok {
		w.add(place, "the root has no properties (OpenAI)")
	}
	for _, keyword := range []string{"oneOf", "anyOf", "allOf", "not", "enum", "if", "then", "else", "$ref"} {
		if _, there := w.root[keyword]; there {
			w.add(place, "%s at the root (Anthropic, OpenAI)", keyword)
		}
	}
}

// visit checks a schema and all in it.
func (w *walk) visit(place string, v any) {
	s, ok := v.(map[string]any)
	if !ok {
		if _, flag := v.(bool); !flag {
			w.add(place, "neither an object nor a boolean")
		}
		return
	}
	w.reference(place, s)
	w.array(place, s)
	for _, keyword := range slices.Sorted(maps.Keys(s)) {
		below := place + "/" + keyword
		switch keyword {
		case "properties", "$defs", "dependentSchemas", "patternProperties":
			w.visitMap(below, keyword, s[keyword])
		case "allOf", "anyOf", "oneOf", "prefixItems":
			list, _ := s[keyword].([]any)
			for i, sub := range list {
				w.visit(below+"/"+strconv.Itoa(i), sub)
			}
		case "items", "additionalProperties", "not", "if", "then", "else", "contains", "propertyNames",
			"unevaluatedItems", "unevaluatedProperties", "contentSchema":
			w.visit(below, s[keyword])
		}
	}
}

func (w *walk) visitMap(place, keyword string, v any) {
	m, _ := v.(map[string]any)
	for _, key := range slices.Sorted(maps.Keys(m)) {
		if w.input && keyword != "patternProperties" && !w.checker.property.MatchString(key) {
			w.add(place, "the key %q does not match %s (Anthropic)", key, w.checker.property)
		}
		w.visit(place+"/"+key, m[key])
	}
}

// reference checks that a $ref leads to one of the schema's own $defs.
func (w *walk) reference(place string, s map[string]any) {
	v, there := s["$ref"]
	if !there {
		return
	}
	ref, _ := v.(string)
	name, local := strings.CutPrefix(ref, "#/$defs/")
	defs, _ := w.root["$defs"].(map[string]any)
	if _, found := defs[strings.NewReplacer("~1", "/", "~0", "~").Replace(name)]; !local || !found {
		w.add(place, "the reference %q does not lead to the schema's own $defs (Anthropic, OpenAI)", ref)
	}
}

// array checks that an array says what its items are.
func (w *walk) array(place string, s map[string]any) {
	isArray := s["type"] == "array"
	if types, ok := s["type"].([]any); ok {
		isArray = slices.Contains(types, any("array"))
	}
	if _, there := s["items"]; isArray && !there {
		w.add(place, "an array without items (OpenAI)")
	}
}
