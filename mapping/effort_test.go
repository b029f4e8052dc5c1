package mapping

import (
	"encoding/json"
	"strings"
	"testing"
)

// filterTool takes a filter whose alternatives all hold filters under one name,
// so that a check that tries them all takes 2 to the power of the depth.
func filterTool(tb testing.TB) *Tool {
	tb.Helper()
	op := &Operation{Key: "search", Name: "search", Params: []Param{{Name: "filter", Schema: json.RawMessage(`{"$ref":"#/$defs/Filter"}`)}}}
	p, schema, _, err := newPlan(op, newDefs(map[string]json.RawMessage{"Filter": json.RawMessage(`{"anyOf":[
		{"type":"object","required":["op","of"],"properties":{"op":{"const":"and"},"of":{"$ref":"#/$defs/Filter"}}},
		{"type":"object","required":["op","of"],"properties":{"op":{"const":"or"},"of":{"$ref":"#/$defs/Filter"}}},
		{"type":"integer"}]}`)}, 1))
	if err != nil {
		tb.Fatal(err)
	}
	return &Tool{Key: op.Key, op: op, plan: p, Input: schema}
}

func nestedFilter(depth int) json.RawMessage {
	return json.RawMessage(`{"filter":` + strings.Repeat(`{"op":"or","of":`, depth) + `1` + strings.Repeat(`}`, depth) + `}`)
}

func TestDeepChoicesAreRefusedBeforeTheyAreTried(t *testing.T) {
	tool := filterTool(t)
	if call, err := tool.Bind(nestedFilter(8)); err != nil {
		t.Errorf("8 levels: %v, want a call", err)
	} else if got := string(call.Arg("", "filter")); got != strings.TrimSuffix(strings.TrimPrefix(string(nestedFilter(8)), `{"filter":`), `}`) {
		t.Errorf("8 levels go out as %s", got)
	}
	// Trying them would take longer than the sun burns; the test would not end.
	_, err := tool.Bind(nestedFilter(150))
	if CodeOf(err) != Invalid {
		t.Errorf("150 levels: %v, want code %s", err, Invalid)
	}
	text, err := json.Marshal(string(nestedFilter(150)))
	if err != nil {
		t.Fatal(err)
	}
	if _, err := tool.Bind(text); CodeOf(err) != Invalid {
		t.Errorf("150 levels in a string: %v, want code %s", err, Invalid)
	}
}

func BenchmarkBind(b *testing.B) {
	op := &Operation{Key: "PUT /pets/{id}", Name: "x",
		Params: []Param{{In: "path", Name: "id", Required: true, Schema: json.RawMessage(`{"type":"integer"}`)}, {In: "query", Name: "dry", Schema: json.RawMessage(`{"type":"boolean"}`)}},
		Body:   &Body{Required: true, Schema: json.RawMessage(`{"type":"object","required":["name"],"properties":{"name":{"type":"string","maxLength":50},"status":{"type":"string","enum":["a","b"]},"tags":{"type":"array","items":{"type":"string"}}}}`)},
	}
	p, schema, _, err := newPlan(op, newDefs(nil, 1))
	if err != nil {
		b.Fatal(err)
	}
	tool := &Tool{Key: op.Key, op: op, plan: p, Input: schema}
	args := json.RawMessage(`{"id":7,"dry":false,"name":"Rex","status":"a","tags":["x","y"]}`)
	b.ReportAllocs()
	for b.Loop() {
		if _, err := tool.Bind(args); err != nil {
			b.Fatal(err)
		}
	}
}
