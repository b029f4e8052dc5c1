package vendorrules_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/vendorrules"
)

// Each case breaks one rule, as a vendor was reported to refuse it.
func TestCheck(t *testing.T) {
	c, err := vendorrules.New()
	if err != nil {
		t.Fatal(err)
	}
	const none = `{"type":"object","properties":{}}`
	for _, test := range []struct {
		about, name, description, input, output string
		want                                    string // a part of the only problem, "" for none
	}{
		{about: "a tool without arguments", input: none},
		{about: "everything", input: `{"type":"object","properties":{"a.b-c_1":{"$ref":"#/$defs/A"}},"$defs":{"A":{"type":["array","null"],"items":{}}}}`, output: `{"type":"object"}`},
		{about: "a slash in the name", name: "repos/list", input: none, want: "name"},
		{about: "a long name", name: strings.Repeat("a", 65), input: none, want: "name"},
		{about: "a long description", description: strings.Repeat("ä", 1025), input: none, want: "description"},
		{about: "a description of as many characters as allowed", description: strings.Repeat("ä", 1024), input: none},
		{about: "no JSON", input: `{`, want: "input: not JSON"},
		{about: "no object", input: `[]`, want: "input: not an object"},
		{about: "no type", input: `{"properties":{}}`, want: "type is not"},
		{about: "no properties", input: `{"type":"object"}`, want: "no properties"},
		{about: "a choice at the root", input: `{"type":"object","properties":{},"oneOf":[{}]}`, want: "oneOf at the root"},
		{about: "a choice below", input: `{"type":"object","properties":{"a":{"oneOf":[{}]}}}`},
		{about: "a condition at the root", input: `{"type":"object","properties":{},"if":{}}`, want: "if at the root"},
		{about: "brackets in a key", input: `{"type":"object","properties":{"filter[a]":{}}}`, want: `"filter[a]"`},
		{about: "brackets in a deep key", input: `{"type":"object","properties":{"a":{"items":{"properties":{"ids[]":{}}},"type":"array"}}}`, want: `"ids[]"`},
		{about: "brackets in an answer", input: none, output: `{"type":"object","properties":{"a[b]":{}}}`},
		{about: "an array without items", input: `{"type":"object","properties":{"a":{"type":"array"}}}`, want: "input/properties/a: an array without items"},
		{about: "a nullable array without items", input: `{"type":"object","properties":{"a":{"anyOf":[{"type":["null","array"]}]}}}`, want: "an array without items"},
		{about: "a dangling reference", input: `{"type":"object","properties":{"a":{"$ref":"#/$defs/B"}},"$defs":{"A":{}}}`, want: "#/$defs/B"},
		{about: "a reference elsewhere", input: `{"type":"object","properties":{"a":{"$ref":"https://example.test/a.json"}}}`, want: "example.test"},
		{about: "an unknown type", input: `{"type":"object","properties":{"a":{"type":"any"}}}`, want: "metaschema"},
		{about: "a boolean exclusive bound", input: `{"type":"object","properties":{"a":{"exclusiveMinimum":true}}}`, want: "metaschema"},
		{about: "a name required twice", input: `{"type":"object","properties":{"a":{}},"required":["a","a"]}`, want: "metaschema"},
		{about: "an answer that is no object", input: none, output: `{"type":"array","items":{}}`, want: "output: the root's type"},
	} {
		tool := vendorrules.Tool{Name: "x", Description: test.description, Input: json.RawMessage(test.input)}
		if test.name != "" {
			tool.Name = test.name
		}
		if test.output != "" {
			tool.Output = json.RawMessage(test.output)
		}
		got := c.Check(tool)
		switch {
		case test.want == "" && len(got) > 0:
			t.Errorf("%s: %q, want no problem", test.about, got)
		case test.want != "" && (len(got) != 1 || !strings.Contains(got[0], test.want)):
			t.Errorf("%s: %q, want one problem with %q", test.about, got, test.want)
		}
	}
}
