package sql

import (
	"encoding/json"
	"fmt"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// Bind returns what a driver of database/sql sends for Args. Value makes it of one
// of them, for the column that it is compared with or for nil; its errors say what
// is wrong in words for a model.
func (s Statement) Bind(value func(v json.RawMessage, of *Column) (any, error)) ([]any, error) {
	args := make([]any, len(s.Args))
	for i, v := range s.Args {
		var of *Column
		if i < len(s.Types) {
			of = s.Types[i]
		}
		var err error
		if args[i], err = value(v, of); err != nil {
			return nil, &mapping.Error{Code: mapping.Invalid, Problem: fmt.Sprintf("parameter %d: %v", i+1, err)}
		}
	}
	return args, nil
}
