package mapping

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// wideTool has a body of a type that leads to as many types as are asked for,
// each of about a kilobyte, in a chain.
func wideTool(t *testing.T, types int) (*Tool, []Decision) {
	t.Helper()
	raw := map[string]json.RawMessage{}
	for i := range types {
		raw[fmt.Sprintf("T%d", i)] = json.RawMessage(fmt.Sprintf(
			`{"type":"object","description":"Type %d. More of it.","properties":{"next":{"$ref":"#/$defs/T%d"},"a b":{"type":"integer"},"text":{"enum":["%s"]}}}`,
			i, (i+1)%types, strings.Repeat("x", 900)))
	}
	op := &Operation{Key: "x", Name: "x", Body: &Body{Required: true, Schema: json.RawMessage(`{"type":"object","properties":{"first":{"$ref":"#/$defs/T0"}}}`)}}
	p, schema, made, err := newPlan(op, newDefs(raw, 1))
	if err != nil {
		t.Fatal(err)
	}
	return &Tool{Key: op.Key, op: op, plan: p, Input: schema}, made
}

func TestDeepTypesArePublishedOpen(t *testing.T) {
	tool, made := wideTool(t, 100)
	if len(tool.Input) > maxInput || len(tool.Input) < maxInput*9/10 {
		t.Errorf("the schema takes %d bytes, want nearly %d", len(tool.Input), maxInput)
	}
	if !strings.Contains(string(tool.Input), `{"type":"object","description":"T22: Type 22. More of it. (fields not listed here)"}`) {
		t.Errorf("no open object names its type:\n%s", tool.Input)
	}
	if len(made) != 1 || made[0].What != Cut || !strings.Contains(made[0].Why, "T22") {
		t.Errorf("decisions %v, want one that a type was cut", made)
	}
	// What is described has its names given back; what is not goes out as given.
	args := strings.Repeat(`{"next":`, 21) + `{"a_b":1,"next":{"a_b":2,"x y":"z"}}` + strings.Repeat(`}`, 21)
	want := strings.Repeat(`{"next":`, 21) + `{"a b":1,"next":{"a_b":2,"x y":"z"}}` + strings.Repeat(`}`, 21)
	call, err := tool.Bind(json.RawMessage(`{"first":` + args + `}`))
	if err != nil {
		t.Fatal(err)
	}
	if got := string(call.Body); got != `{"first":`+want+`}` {
		t.Errorf("goes out as %s, want %s", got, want)
	}
}

func TestWhatFitsIsNotCut(t *testing.T) {
	tool, made := wideTool(t, 20)
	if len(made) > 0 || strings.Contains(string(tool.Input), "not listed") {
		t.Errorf("%d bytes are cut: %v", len(tool.Input), made)
	}
}

func TestLongEnumsGiveWay(t *testing.T) {
	values := make([]string, 5000)
	for i := range values {
		values[i] = fmt.Sprintf(`"value_%d"`, i)
	}
	op := &Operation{Key: "x", Name: "x", Params: []Param{{In: "query", Name: "zone", Required: true, Schema: json.RawMessage(`{"type":"string","enum":[` + strings.Join(values, ",") + `]}`)}}}
	_, schema, made, err := newPlan(op, newDefs(nil, 1))
	if err != nil {
		t.Fatal(err)
	}
	want := `{"type":"object","properties":{"zone":{"type":"string","description":"Zone, a query parameter."}},"required":["zone"],"additionalProperties":false}`
	if string(schema) != want {
		t.Errorf("schema %s, want %s", schema, want)
	}
	if len(made) != 1 || made[0].What != Cut {
		t.Errorf("decisions %v, want one that says so", made)
	}
}

func TestManyParamsFit(t *testing.T) {
	for _, c := range []struct {
		about    string
		params   int
		text     string
		required bool
		offered  int // at least
	}{
		{"long descriptions are shortened first", 150, strings.Repeat("long ", 60), false, 150},
		{"optional params are left out last", 2000, "", false, 200},
		{"required params are never left out alone", 1200, "", true, 0},
	} {
		op := &Operation{Key: "x", Name: "x"}
		for i := range c.params {
			op.Params = append(op.Params, Param{In: "query", Name: fmt.Sprintf("parameter_%d", i), Text: c.text, Required: c.required || i == 0, Schema: json.RawMessage(`{"type":"string"}`)})
		}
		_, schema, made, err := newPlan(op, newDefs(nil, 1))
		if err != nil {
			t.Fatal(err)
		}
		if len(schema) > maxInput {
			t.Errorf("%s: %d bytes", c.about, len(schema))
		}
		if offered := strings.Count(string(schema), `"parameter_`); offered < c.offered {
			t.Errorf("%s: %d params are offered, want at least %d", c.about, offered, c.offered)
		}
		if len(made) == 0 {
			t.Errorf("%s: no decision says so", c.about)
		}
	}
}
