package mapping

import (
	"encoding/json"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// pet is an operation with a parameter in each place and a plain body.
func petTool(t *testing.T, op Operation, defs map[string]json.RawMessage) *Tool {
	t.Helper()
	s := Build(map[string]*Catalog{"pets": {Scheme: "api", Operations: []Operation{op}, Defs: defs}}, Rules{})
	if len(s.Tools()) != 1 {
		t.Fatalf("the operation is not published: %v", s.Decisions())
	}
	return s.Tools()[0]
}

func TestBindSplitsArguments(t *testing.T) {
	tool := petTool(t, Operation{
		Key: "PUT /pets/{id}", Name: "replace_pet",
		Params: []Param{
			{In: "path", Name: "id", Required: true, Schema: json.RawMessage(`{"type":"string"}`)},
			{In: "query", Name: "filter[name]", Schema: json.RawMessage(`{"type":"string"}`)},
		},
		Body: &Body{Required: true, Schema: json.RawMessage(`{"$ref":"#/$defs/Pet"}`)},
	}, map[string]json.RawMessage{
		"Pet": json.RawMessage(`{"type":"object","required":["id"],"properties":{"id":{"type":"integer"},"kids":{"type":"array","items":{"$ref":"#/$defs/Pet"}}}}`),
	})
	call, err := tool.Bind(json.RawMessage(`{"id":9007199254740993,"id_path":"a/b","filter_name":"x","kids":[{"id":1,"kids":[]}]}`))
	if err != nil {
		t.Fatal(err)
	}
	want := &Call{
		Key: "PUT /pets/{id}",
		Args: []Arg{
			{In: "path", Name: "id", Value: json.RawMessage(`"a/b"`)},
			{In: "query", Name: "filter[name]", Value: json.RawMessage(`"x"`)},
		},
		Body: json.RawMessage(`{"id":9007199254740993,"kids":[{"id":1,"kids":[]}]}`),
	}
	if diff := cmp.Diff(want, call); diff != "" {
		t.Errorf("Bind (-want +got):\n%s", diff)
	}
}
