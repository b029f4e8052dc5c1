package mapping

import (
	"encoding/json"
	"math/rand/v2"
	"path/filepath"
	"strings"
	"testing"

	"golang.org/x/tools/txtar"

	"github.com/mcp-bridge/mcp-bridge/internal/vendorrules"
)

// FuzzPublish publishes any text as a schema: of a param, a body, an answer and a
// shared type. Whatever it is, vendors take the tool, it fits, and calls of it
// are refused in words or go out.
func FuzzPublish(f *testing.F) {
	files, err := filepath.Glob("testdata/passes/*.txtar")
	if err != nil || len(files) == 0 {
		f.Fatalf("no archives: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		for _, part := range archive.Files {
			if strings.HasSuffix(part.Name, ".in") {
				f.Add(part.Data, part.Data)
			}
		}
	}
	f.Add([]byte(`{"$ref":"#/$defs/A"}`), []byte(`{"allOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/B"}]}`))
	f.Add([]byte(`{"type":"object","properties":{"a":{"$ref":"#/$defs/B"}},"discriminator":{"propertyName":"a"}}`), []byte(`{"allOf":[{"$ref":"#/$defs/A"}],"properties":{"b":{"$ref":"#/$defs/A"}}}`))
	f.Add([]byte(`{"type":"array"}`), []byte("\xff"))
	rules, err := vendorrules.New()
	if err != nil {
		f.Fatal(err)
	}
	f.Fuzz(func(t *testing.T, a, b []byte) { checkPublished(t, rules, a, b) })
}

// FuzzPublishSchemas does the same with schemas that a seed grows: most of what
// it says is meant well, and some of it is wrong.
func FuzzPublishSchemas(f *testing.F) {
	rules, err := vendorrules.New()
	if err != nil {
		f.Fatal(err)
	}
	for seed := range uint64(200) {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, seed uint64) {
		g := grower{rand.New(rand.NewPCG(seed, 1))}
		checkPublished(t, rules, appendJSON(nil, g.schema(0)), appendJSON(nil, g.schema(0)))
	})
}

func checkPublished(t *testing.T, rules *vendorrules.Checker, a, b []byte) {
	catalog := &Catalog{Scheme: "api",
		Defs: map[string]json.RawMessage{"A": a, "B": b},
		Operations: []Operation{{Key: "x", Name: "x", Output: a,
			Params: []Param{{In: "query", Name: "a", Schema: a}, {In: "header", Name: "a", Schema: json.RawMessage(`{"$ref":"#/$defs/B"}`)}},
			Body:   &Body{Schema: b},
		}, {Key: "y", Name: "y", Output: a, Exact: true, Body: &Body{Required: true, Schema: json.RawMessage(`{"$ref":"#/$defs/A"}`)}}},
	}
	s := Build(map[string]*Catalog{"src": catalog}, Rules{OutputSchemas: "always"})
	if len(s.Tools()) != 2 {
		t.Fatalf("%d tools: %v", len(s.Tools()), s.Decisions())
	}
	for _, tool := range s.Tools() {
		if len(tool.Input) > maxInput {
			t.Errorf("%s takes %d bytes", tool.Name, len(tool.Input))
		}
		for _, problem := range rules.Check(vendorrules.Tool{Name: tool.Name, Description: tool.Description, Input: tool.Input, Output: tool.Output}) {
			t.Errorf("%s: %s\nA %s\nB %s\ninput %s\noutput %s", tool.Name, problem, a, b, tool.Input, tool.Output)
		}
		for _, args := range []string{`{}`, `{"a":1}`, `{"a_query":"1","a_header":null,"body":{"a":[{}]}}`} {
			if _, err := tool.Bind(json.RawMessage(args)); err != nil && CodeOf(err) != Invalid {
				t.Errorf("%s %s: %v\nA %s\nB %s", tool.Name, args, err, a, b)
			}
		}
	}
}

// A grower makes schemas out of chance.
type grower struct{ *rand.Rand }

func (g grower) schema(depth int) *object {
	s := &object{}
	for range g.IntN(5) {
		keyword := grownKeywords()[g.IntN(len(grownKeywords()))]
		if g.IntN(12) == 0 {
			s.set(keyword, g.value(depth+1))
			continue
		}
		s.set(keyword, g.meant(keyword, depth+1))
	}
	return s
}

func grownKeywords() []string {
	return []string{"type", "type", "properties", "properties", "required", "items", "allOf", "anyOf", "oneOf", "$ref", "$ref", "enum",
		"const", "additionalProperties", "patternProperties", "dependentRequired", "dependentSchemas", "dependencies", "not", "if", "then",
		"prefixItems", "minimum", "exclusiveMinimum", "maxLength", "pattern", "format", "nullable", "readOnly", "writeOnly", "discriminator",
		"description", "title", "default", "example", "multipleOf", "uniqueItems", "contains", "propertyNames", "unevaluatedProperties", "definitions"}
}

// meant is a value of the kind that a keyword has.
func (g grower) meant(keyword string, depth int) any {
	switch keywordForm(keyword) {
	case oneSchema:
		return g.sub(depth)
	case schemaList:
		list := []any{}
		for range g.IntN(4) {
			list = append(list, g.sub(depth))
		}
		return list
	case schemaMap:
		o := &object{}
		for range g.IntN(4) {
			o.set(g.key(), g.sub(depth))
		}
		return o
	case noSchema:
	}
	switch keyword {
	case "type":
		return []any{"string", "object", "object", "array", "integer", "null", "any", []any{"object", "null"}, []any{"string", "integer"}}[g.IntN(9)]
	case "$ref":
		return []any{"#/$defs/A", "#/$defs/B", "#/$defs/C", "#"}[g.IntN(4)]
	case "required":
		return []any{g.key(), g.key()}
	case "discriminator":
		mapping := &object{members: []member{{"x", "#/$defs/A"}, {"y", "B"}}}
		return &object{members: []member{{"propertyName", g.key()}, {"mapping", mapping}}}
	case "nullable", "readOnly", "writeOnly", "uniqueItems":
		return g.IntN(2) == 0
	}
	return g.value(depth)
}

func (g grower) sub(depth int) any {
	if depth > 5 || g.IntN(10) == 0 {
		return g.IntN(2) == 0
	}
	return g.schema(depth)
}

func (g grower) key() string {
	return []string{"a", "b", "a b", "a[b]", "a_b", "", "größe", "body", strings.Repeat("k", 70)}[g.IntN(9)]
}

func (g grower) value(depth int) any {
	switch g.IntN(7) {
	case 0:
		return nil
	case 1:
		return g.IntN(2) == 0
	case 2:
		return json.Number([]string{"0", "-1", "1.5", "1e400", "1e999999", "7.0"}[g.IntN(6)])
	case 3:
		return []any{g.key(), g.key()}
	case 4:
		return []any{}
	case 5:
		if depth < 5 {
			return &object{members: []member{{g.key(), g.value(depth + 1)}}}
		}
	}
	return g.key()
}
