package mapping

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// answering returns a catalog of n operations whose answers have a schema.
func answering(n int, exact bool) *Catalog {
	schema := json.RawMessage(`{"type":"object","properties":{"note":{"type":"string","description":"` + strings.Repeat("x", 400) + `"}}}`)
	c := &Catalog{Scheme: "db"}
	for i := range n {
		c.Operations = append(c.Operations, Operation{
			Key: fmt.Sprintf("t%d/find", i), Name: fmt.Sprintf("find_t%d", i), Effect: Reads, Output: schema, Exact: exact,
		})
	}
	return c
}

// Output schemas are published for all tools of a source or for none: exact ones
// while they are not too many, others only when told.
func TestOutputSchemasRule(t *testing.T) {
	for _, c := range []struct {
		rule      string
		tools     int
		exact     bool
		published bool
	}{
		{"auto", 10, true, true},
		{"", 10, true, true},
		{"auto", 60, true, false}, // 60 × 0.8 kB are more than 8,000 tokens of 4 bytes
		{"auto", 10, false, false},
		{"always", 60, true, true},
		{"always", 60, false, true},
		{"never", 10, true, false},
	} {
		s := Build(map[string]*Catalog{"big": answering(c.tools, c.exact), "small": answering(1, true)}, Rules{OutputSchemas: c.rule})
		published := 0
		for _, tool := range s.Tools() {
			if tool.Source == "big" && tool.Output != nil {
				published++
			}
		}
		want := 0
		if c.published {
			want = c.tools
		}
		if published != want {
			t.Errorf("outputSchemas %q with %d tools, exact %v: %d have one, want %d", c.rule, c.tools, c.exact, published, want)
		}
		told := strings.Contains(s.Text(), "no output schemas")
		if withheld := c.rule == "auto" && c.exact && !c.published; told != withheld {
			t.Errorf("outputSchemas %q with %d tools, exact %v: a decision tells so: %v, want %v", c.rule, c.tools, c.exact, told, withheld)
		}
	}
}
