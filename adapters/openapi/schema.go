package openapi

import (
	"encoding/json"
	"slices"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A converter writes the schemas of one document as JSON Schema 2020-12, straight
// from JSON to JSON. Every version of OpenAPI goes through the same rules: what
// 3.0 alone has (nullable, a boolean exclusiveMinimum) means the same wherever
// people write it, and what none has is left out. References become
// "#/$defs/NAME", and what they lead to is converted once, when first asked for.
type converter struct {
	doc   *document
	defs  map[string]json.RawMessage
	names map[target]string
	todo  []target
	made  []mapping.Decision
	ready map[string]json.RawMessage // converted schemas of shared parameters, by place
	// heirs and extends are what discriminator.go has found out; extends is nil
	// until asked for.
	heirs, extends map[target][]heir
}

func newConverter(d *document) *converter {
	return &converter{
		doc: d, defs: map[string]json.RawMessage{}, names: map[target]string{}, ready: map[string]json.RawMessage{},
		heirs: map[target][]heir{},
	}
}

// schema returns the schema at p, and sees to it that defs holds what it refers
// to. nil is a place that holds none: anything is allowed.
func (c *converter) schema(p place) json.RawMessage {
	if p.raw == nil {
		return nil
	}
	out := c.append(nil, p, false)
	for len(c.todo) > 0 {
		t := c.todo[len(c.todo)-1]
		c.todo = c.todo[:len(c.todo)-1]
		c.defs[c.names[t]] = c.definition(t)
	}
	return out
}

// A schemaObject is a schema in the middle of its conversion.
type schemaObject struct {
	*object
	// composed says that the schema is a part of another (allOf), so that it
	// stands for itself and not for its heirs.
	composed bool
}

// nullable says that null is allowed besides what the other keywords say. It is
// 3.0's, but documents of every version write it.
func (s *schemaObject) nullable() bool {
	return s.get("nullable").isTrue() || s.get("x-nullable").isTrue()
}

// append writes the schema at p.
func (c *converter) append(out []byte, p place, composed bool) []byte {
	switch p.raw.kind() {
	case 't', 'f':
		return append(out, p.raw...)
	case '{':
	default:
		c.repaired(p, "a schema must be an object; any value is allowed here")
		return append(out, "{}"...)
	}
	s := &schemaObject{p.scoped().object(), composed}
	if !s.nullable() {
		return append(c.keywords(append(out, '{'), s, everything), '}')
	}
	if s.has("$ref", "$dynamicRef", "allOf", "oneOf", "not", "const", "if") || s.has("anyOf") && s.has("type") {
		out = c.keywords(append(out, '{'), s, annotations)
		out = append(appendKey(out, "anyOf"), "[{"...)
		return append(c.keywords(out, s, assertions), `},{"type":"null"}]}`...)
	}
	return append(c.keywords(append(out, '{'), s, everything), '}')
}

// A part of a schema's keywords.
type part int

const (
	everything  part = iota
	annotations      // what only tells
	assertions       // what checks
)

func isAnnotation(key string) bool {
	return slices.Contains([]string{"title", "description", "default", "deprecated", "readOnly", "writeOnly"}, key)
}

// keywords writes the keywords of one part. Before 3.1 a reference has no
// siblings but those that only tell.
func (c *converter) keywords(out []byte, s *schemaObject, which part) []byte {
	alone := !c.doc.siblings && s.get("$ref").isString()
	for i, key := range s.keys {
		note := isAnnotation(key)
		if which == annotations && !note || which == assertions && note || alone && !note && key != "$ref" {
			continue
		}
		out = c.keyword(out, s, key, s.values[i])
	}
	return out
}

func (c *converter) repaired(p place, format string, args ...any) {
	c.made = append(c.made, decision(mapping.Repaired, "", p, format, args...))
}
