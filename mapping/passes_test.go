package mapping

import (
	"encoding/json"
	"strings"
	"testing"
)

// TestPasses runs the pass that an archive of testdata/passes is named for, and
// no other: NAME.in is a schema, NAME.out what the pass makes of it, followed by
// the decisions. defs.json holds the catalog's shared schemas.
func TestPasses(t *testing.T) {
	passes := map[string]pass{}
	for _, list := range [][]pass{inputPasses(), exactPasses(), relaxedPasses()} {
		for _, p := range list {
			passes[p.name] = p
		}
	}
	tested := map[string]bool{}
	eachArchive(t, "passes", func(t *testing.T, in map[string][]byte) func(string) (string, bool) {
		name := strings.TrimPrefix(t.Name(), "TestPasses/")
		p, ok := passes[name]
		if !ok {
			t.Fatalf("there is no pass %q", name)
		}
		tested[name] = true
		raw := map[string]json.RawMessage{}
		if in["defs.json"] != nil {
			if err := json.Unmarshal(in["defs.json"], &raw); err != nil {
				t.Fatalf("defs.json: %v", err)
			}
		}
		return func(file string) (string, bool) {
			base, ok := strings.CutSuffix(file, ".out")
			if !ok {
				return "", false
			}
			lib := library{raw: raw, passes: []pass{p}, made: map[string]*def{}, words: wordinessFor(1)}
			c := cleaner{lib: &lib, at: []string{"properties", "petId"}}
			s := c.read(in[base+".in"])
			var b strings.Builder
			b.Write(appendJSON(nil, s))
			for _, d := range c.made {
				b.WriteString("\n" + d.What + ": " + d.Why)
			}
			b.WriteByte('\n')
			return b.String(), true
		}
	})
	for name := range passes {
		if !tested[name] {
			t.Errorf("the pass %q has no archive", name)
		}
	}
}
