package sql

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// The bytes that an answer keeps free for what stands around the rows, and the
// most that one cell may take in an answer of many rows.
const (
	reserve   = 2048
	cellBytes = 4096
)

// decode reads the arguments of a call into the fields of a struct by their JSON
// names. mapping has checked them against the published schema, so a mismatch is
// an argument below what the schema says.
func decode(c mapping.Call, into any) error {
	object := make(map[string]json.RawMessage, len(c.Args))
	for _, a := range c.Args {
		object[a.Name] = a.Value
	}
	text, err := json.Marshal(object)
	if err != nil {
		return &mapping.Error{Code: mapping.Invalid, Problem: "an argument is not JSON", Err: err}
	}
	if err := json.Unmarshal(text, into); err != nil {
		return &mapping.Error{Code: mapping.Invalid, Problem: "an argument does not have the shape that the tool's schema asks for", Err: err}
	}
	return nil
}

func unknownColumn(t *Table, name string) error {
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	const most = 40
	if len(names) > most {
		names = append(names[:most:most], fmt.Sprintf("… (%d in all)", len(t.Columns)))
	}
	return fmt.Errorf("%s has no column %q; it has %s", t.ID(), name, strings.Join(names, ", "))
}
