package mapping

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"testing"
)

// TestArguments publishes the operation of each archive of testdata/arguments
// and binds arguments to it. An archive holds
//
//	operation.json  the operation; defs.json the catalog's shared schemas
//	schema          the published input schema, indented
//	decisions       how it differs from the catalog
//	NAME.args       what a model sends
//	NAME.call       what the adapter gets, or what the model is told
func TestArguments(t *testing.T) {
	eachArchive(t, "arguments", func(t *testing.T, in map[string][]byte) func(string) (string, bool) {
		op, raw := Operation{}, map[string]json.RawMessage{}
		if err := json.Unmarshal(in["operation.json"], &op); err != nil {
			t.Fatalf("operation.json: %v", err)
		}
		if in["defs.json"] != nil {
			if err := json.Unmarshal(in["defs.json"], &raw); err != nil {
				t.Fatalf("defs.json: %v", err)
			}
		}
		p, schema, made, err := newPlan(&op, newDefs(raw, 1))
		if err != nil {
			t.Fatal(err)
		}
		tool := &Tool{Key: op.Key, op: &op, plan: p, Input: schema}
		return func(file string) (string, bool) {
			base, isCall := strings.CutSuffix(file, ".call")
			switch {
			case file == "schema":
				return indented(t, schema), true
			case file == "decisions":
				return decisionLines(made), true
			case isCall:
				return callWords(tool.Bind(bytes.TrimSpace(in[base+".args"]))), true
			}
			return "", false
		}
	})
}

func indented(t *testing.T, text json.RawMessage) string {
	t.Helper()
	var b bytes.Buffer
	if err := json.Indent(&b, text, "", " "); err != nil {
		t.Fatalf("not JSON: %v\n%s", err, text)
	}
	return b.String() + "\n"
}

func decisionLines(made []Decision) string {
	var b strings.Builder
	for _, d := range made {
		b.WriteString(strings.TrimSpace(d.Where+" "+d.What) + ": " + d.Why + "\n")
	}
	return b.String()
}

func callWords(call *Call, err error) string {
	var e *Error
	if errors.As(err, &e) {
		return fmt.Sprintf("%s: %s.\n", e.Code, e)
	}
	if err != nil {
		return "unworded error: " + err.Error() + "\n"
	}
	var b strings.Builder
	for _, a := range call.Args {
		fmt.Fprintf(&b, "%s %s = %s\n", a.In, a.Name, a.Value)
	}
	if call.Body != nil {
		fmt.Fprintf(&b, "body = %s\n", call.Body)
	}
	if b.Len() == 0 {
		return "nothing\n"
	}
	return b.String()
}
