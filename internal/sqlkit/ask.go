package sqlkit

import (
	"encoding/json"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/mapping"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
)

// Ask runs one operation with these arguments.
func Ask(t testing.TB, a *bridgesql.Adapter, key string, args map[string]any) (*mapping.Result, error) {
	t.Helper()
	return a.Call(t.Context(), Call(t, key, args))
}

// Call is a call of one operation with these arguments.
func Call(t testing.TB, key string, args map[string]any) mapping.Call {
	t.Helper()
	c := mapping.Call{Key: key, Budget: 1 << 20, MaxBytes: 16 << 20}
	for name, v := range args {
		raw, err := json.Marshal(v)
		if err != nil {
			t.Fatal(err)
		}
		c.Args = append(c.Args, mapping.Arg{Name: name, Value: raw})
	}
	return c
}

// Load reads the catalog of an adapter whose timeout is short for the sake of what
// a model writes. A busy machine may need several goes at it.
func Load(t testing.TB, a *bridgesql.Adapter) *mapping.Catalog {
	t.Helper()
	for tries := 1; ; tries++ {
		catalog, err := a.Catalog(t.Context())
		if err == nil {
			return catalog
		}
		if mapping.CodeOf(err) != mapping.Timeout || tries == 30 {
			t.Fatal(err)
		}
	}
}
