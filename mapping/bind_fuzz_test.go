package mapping

import (
	"encoding/json"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/jsonschema-go/jsonschema"
	"golang.org/x/tools/txtar"
)

// A fuzzed operation, with the published schema as a second implementation reads
// it; nil where that cannot (it checks patterns that Go cannot compile).
type fuzzed struct {
	name   string
	tool   *Tool
	second *jsonschema.Resolved
}

// FuzzBind sends arguments to every operation of testdata/arguments. Bind never
// panics and fails only in words. What it accepts fits the published schema by
// another implementation, keeps its digits, and comes back from the backend's
// names to the same call.
func FuzzBind(f *testing.F) {
	ops := fuzzedOperations(f)
	for i, op := range ops {
		for _, args := range argumentsOf(f, op.name) {
			f.Add(i, args)
		}
	}
	f.Add(0, []byte(`{"a":`+strings.Repeat("[", 10_000)+strings.Repeat("]", 10_000)+`}`))
	f.Add(0, []byte("{\"a\":\"\xff\"}"))
	f.Add(0, []byte("{\"a\x00\":1}"))
	f.Add(0, []byte(`{"[[[":[], "[[[[[[": 1}`))
	f.Fuzz(func(t *testing.T, which int, args []byte) {
		if which < 0 || which >= len(ops) {
			t.Skip()
		}
		checkBind(t, ops[which], args)
	})
}

func checkBind(t *testing.T, op fuzzed, args []byte) {
	call, err := op.tool.Bind(args)
	if err != nil {
		if CodeOf(err) != Invalid || err.Error() == "" || strings.Contains(err.Error(), "[[") {
			t.Errorf("%s refuses %q with %q (%s)", op.name, args, err, CodeOf(err))
		}
		return
	}
	if op.tool.plan.body == bytesBody {
		return // its text is another
	}
	published, ok := op.tool.plan.arguments(&Next{Args: call.Args, Body: call.Body})
	if !ok {
		t.Fatalf("%s: %s has no way back to arguments", op.name, callWords(call, nil))
	}
	again, err := op.tool.Bind(published)
	if err != nil || callWords(again, nil) != callWords(call, nil) {
		t.Errorf("%s: %s leads to %s, and that to %s", op.name, args, callWords(call, nil), callWords(again, err))
	}
	if op.second != nil && !strings.ContainsAny(string(published), "eE") { // it takes 1e400 for infinite
		var v any
		if err := json.Unmarshal(published, &v); err != nil {
			t.Fatal(err)
		}
		if err := op.second.Validate(v); err != nil {
			t.Errorf("%s accepts %s as %s, which does not fit: %v", op.name, args, published, err)
		}
	}
	checkDigits(t, op, args, published)
}

// checkDigits finds every number of the call in the text that was sent, if not
// as a number then in a string; a fraction of zeros may be gone.
func checkDigits(t *testing.T, op fuzzed, args, published []byte) {
	v, err := parseJSON(published)
	if err != nil {
		t.Fatal(err)
	}
	eachValue(v, nil, func(at []string, v any) {
		n, ok := v.(json.Number)
		if ok && !strings.Contains(string(args), string(n)) {
			t.Errorf("%s: %s has %s for %s", op.name, args, n, pathWords(at))
		}
	})
}

func fuzzedOperations(f *testing.F) []fuzzed {
	files, err := filepath.Glob("testdata/arguments/*.txtar")
	if err != nil {
		f.Fatal(err)
	}
	slices.Sort(files)
	var ops []fuzzed
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			f.Fatal(err)
		}
		op, raw := &Operation{}, map[string]json.RawMessage{}
		for _, part := range archive.Files {
			switch part.Name {
			case "operation.json":
				err = json.Unmarshal(part.Data, op)
			case "defs.json":
				err = json.Unmarshal(part.Data, &raw)
			}
			if err != nil {
				f.Fatalf("%s of %s: %v", part.Name, file, err)
			}
		}
		p, schema, _, err := newPlan(op, newDefs(raw, 1))
		if err != nil {
			f.Fatal(err)
		}
		ops = append(ops, fuzzed{file, &Tool{Key: op.Key, op: op, plan: p, Input: schema}, secondOpinion(schema)})
	}
	return ops
}

func secondOpinion(schema json.RawMessage) *jsonschema.Resolved {
	s := &jsonschema.Schema{}
	if json.Unmarshal(schema, s) != nil {
		return nil
	}
	resolved, err := s.Resolve(nil)
	if err != nil {
		return nil
	}
	return resolved
}

func argumentsOf(f *testing.F, file string) [][]byte {
	archive, err := txtar.ParseFile(file)
	if err != nil {
		f.Fatal(err)
	}
	var args [][]byte
	for _, part := range archive.Files {
		if strings.HasSuffix(part.Name, ".args") {
			args = append(args, part.Data)
		}
	}
	return args
}
