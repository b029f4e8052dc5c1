package openapi

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// TestSchema converts one schema at a time. What 3.0's own keywords mean is in
// "Migrating from OpenAPI 3.0 to 3.1.0" of the OpenAPI Initiative and in 3.0.3's
// Schema Object; 2020-12's in JSON Schema Validation.
func TestSchema(t *testing.T) {
	for _, c := range []struct{ name, version, schema, want string }{
		{"nullable with a type", "3.0.3", `{"type":"string","nullable":true}`, `{"type":["string","null"]}`},
		{"nullable with an enum", "3.0.3", `{"type":"string","enum":["a"],"nullable":true}`, `{"type":["string","null"],"enum":["a",null]}`},
		{"nullable where 3.1 has no such word", "3.1.0", `{"type":"string","nullable":true}`, `{"type":["string","null"]}`},
		{"x-nullable of Swagger 2.0", "3.0.3", `{"type":"integer","x-nullable":true}`, `{"type":["integer","null"]}`},
		{"nullable beside allOf", "3.0.3", `{"description":"d","nullable":true,"allOf":[{"$ref":"#/components/schemas/A"}]}`, `{"description":"d","anyOf":[{"allOf":[{"$ref":"#/$defs/A"}]},{"type":"null"}]}`},
		{"nullable beside a reference", "3.0.3", `{"$ref":"#/components/schemas/A","nullable":true,"description":"d"}`, `{"description":"d","anyOf":[{"$ref":"#/$defs/A"},{"type":"null"}]}`},
		{"nullable beside anyOf", "3.0.3", `{"nullable":true,"anyOf":[{"type":"string"}]}`, `{"anyOf":[{"type":"string"},{"type":"null"}]}`},
		{"nullable beside oneOf, whose branches may allow null", "3.0.3", `{"nullable":true,"oneOf":[{"type":"string","nullable":true}]}`, `{"anyOf":[{"oneOf":[{"type":["string","null"]}]},{"type":"null"}]}`},
		{"nullable without a type allows null already", "3.0.3", `{"nullable":true,"properties":{}}`, `{"properties":{}}`},
		{"null as 3.1 writes it stays (B07, B09)", "3.1.0", `{"anyOf":[{"type":"string","maxLength":5},{"type":"null"}]}`, `{"anyOf":[{"type":"string","maxLength":5},{"type":"null"}]}`},
		{"exclusiveMinimum as a flag", "3.0.3", `{"minimum":3,"exclusiveMinimum":true,"maximum":9,"exclusiveMaximum":false}`, `{"exclusiveMinimum":3,"maximum":9}`},
		{"exclusiveMinimum as a number", "3.1.0", `{"exclusiveMinimum":3,"minimum":1}`, `{"exclusiveMinimum":3,"minimum":1}`},
		{"digits stay", "3.0.3", `{"minimum":-9223372036854775808,"maximum":1e400,"default":9007199254740993,"enum":[1.10]}`, `{"minimum":-9223372036854775808,"maximum":1e400,"default":9007199254740993,"enum":[1.10]}`},
		{"keywords of documents, not of schemas", "3.0.3", `{"type":"string","example":"a","externalDocs":{},"xml":{"name":"a"},"x-a":1,"discriminator":{"propertyName":"a"}}`, `{"type":"string"}`},
		{"examples of 3.1", "3.1.0", `{"type":"string","examples":["a"],"$comment":"c","$schema":"s"}`, `{"type":"string"}`},
		{"siblings of a reference before 3.1", "3.0.3", `{"$ref":"#/components/schemas/A","description":"d","maxLength":3,"readOnly":true}`, `{"$ref":"#/$defs/A","description":"d","readOnly":true}`},
		{"siblings of a reference since 3.1", "3.1.0", `{"$ref":"#/components/schemas/A","maxLength":3}`, `{"$ref":"#/$defs/A","maxLength":3}`},
		{"properties with the names of keywords", "3.0.3", `{"properties":{"$ref":{"type":"string"},"example":{"type":"string"},"type":{"type":"string"},"nullable":{"type":"boolean"}}}`, `{"properties":{"$ref":{"type":"string"},"example":{"type":"string"},"type":{"type":"string"},"nullable":{"type":"boolean"}}}`},
		{"every place of a schema", "3.1.0", `{"if":{"type":"file"},"then":{"not":{"example":1}},"else":false,"contains":{"nullable":true,"type":"string"},"patternProperties":{"^a":{"x-a":1}},"propertyNames":{"pattern":"a"},"dependentSchemas":{"a":{"example":1}},"additionalProperties":false,"unevaluatedProperties":{"example":1},"prefixItems":[{"example":1}]}`,
			`{"if":{"format":"binary","contentEncoding":"base64","type":"string"},"then":{"not":{}},"else":false,"contains":{"type":["string","null"]},"patternProperties":{"^a":{}},"propertyNames":{"pattern":"a"},"dependentSchemas":{"a":{}},"additionalProperties":false,"unevaluatedProperties":{},"prefixItems":[{}]}`},
		{"texts keep their escapes", "3.0.3", `{"description":"\ud83d\ude00 \"<&>\" \\ \/","pattern":"^\\d+$"}`, `{"description":"\ud83d\ude00 \"<&>\" \\ \/","pattern":"^\\d+$"}`},
		{"white space between values goes", "3.0.3", `{ "default" : { "a" : [ 1 , 2 ] } , "enum" : [ { "b" : 1 } ] }`, `{"default":{"a":[1,2]},"enum":[{"b":1}]}`},
	} {
		t.Run(c.name, func(t *testing.T) {
			text := fmt.Sprintf(`{"openapi":%q,"info":{"title":"t","version":"1"},"components":{"schemas":{"A":{}}},
				"paths":{"/a":{"post":{"requestBody":{"content":{"application/json":{"schema":%s}}}}}}}`, c.version, c.schema)
			catalog, err := New(Bytes([]byte(text)), Options{}).Catalog(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if got := string(catalog.Operations[0].Body.Schema); got != c.want {
				t.Errorf("schema (-want +got):\n%s", cmp.Diff(c.want, got))
			}
			if !json.Valid([]byte(c.want)) {
				t.Error("the expected value is not JSON")
			}
		})
	}
}

func TestOperationName(t *testing.T) {
	for _, c := range []struct{ method, path, want string }{
		{"GET", "/pets", "list_pets"},
		{"GET", "/pets/{id}", "get_pets"},
		{"POST", "/pets", "create_pets"},
		{"PUT", "/pets/{id}", "replace_pets"},
		{"PATCH", "/pets/{id}", "update_pets"},
		{"DELETE", "/pets/{id}", "delete_pets"},
		{"GET", "/a/{b}/c.json", "list_a_c.json"},
		{"GET", "/a/b:{c}", "get_a_b"},
		{"GET", "/{a}/{b}", "get_root"},
		{"QUERY", "/find", "query_find"},
		{"POST", "/a?Action=Do", "create_a"},
	} {
		if got := operationName(c.method, c.path); got != c.want {
			t.Errorf("operationName(%s %s) = %q, want %q", c.method, c.path, got, c.want)
		}
	}
}

func TestThing(t *testing.T) {
	for _, c := range []struct{ path, want string }{
		{"/pets", "pet"},
		{"/api/v2/petOwners/{id}/street_addresses", "street address"},
		{"/categories/{id}", "category"},
		{"/boxes", "box"},
		{"/status", "status"},
		{"/branches", "branch"},
		{"/caches", "cache"},
		{"/news", "news"},
		{"/HTTPServers", "http server"},
		{"/{id}", ""},
	} {
		if got := thing(c.path); got != c.want {
			t.Errorf("thing(%q) = %q, want %q", c.path, got, c.want)
		}
	}
}
