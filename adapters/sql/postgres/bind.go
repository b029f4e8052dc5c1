package postgres

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"strings"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// bind writes JSON values in the text format of parameters, so that the server
// itself reads every digit. A type of 0 lets the server infer it.
func bind(s bridgesql.Statement) (values [][]byte, types []uint32, err error) {
	values, types = make([][]byte, len(s.Args)), make([]uint32, len(s.Args))
	for i, v := range s.Args {
		var of *bridgesql.Column
		if i < len(s.Types) && s.Types[i] != nil {
			of = s.Types[i]
			types[i] = of.Code
		}
		if values[i], err = text(v, of); err != nil {
			return nil, nil, &mapping.Error{Code: mapping.Invalid, Problem: fmt.Sprintf("parameter %d: %v", i+1, err)}
		}
	}
	return values, types, nil
}

// text writes one value; nil is NULL.
func text(v json.RawMessage, of *bridgesql.Column) ([]byte, error) {
	v = bytes.TrimSpace(v)
	switch {
	case len(v) == 0 || string(v) == "null":
		return nil, nil
	case v[0] == '[':
		return arrayLiteral(v)
	case v[0] != '"':
		return v, nil
	}
	var s string
	if err := json.Unmarshal(v, &s); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if strings.ContainsRune(s, 0) {
		return nil, fmt.Errorf("text cannot hold a NUL character")
	}
	if of != nil && of.Class == bridgesql.Bytes {
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return nil, fmt.Errorf("not base64")
		}
		return hex.AppendEncode([]byte(`\x`), b), nil
	}
	return []byte(s), nil
}

// arrayLiteral writes a JSON array as PostgreSQL's own (documentation §8.15.2),
// with every element quoted.
func arrayLiteral(v json.RawMessage) ([]byte, error) {
	var items []json.RawMessage
	if err := json.Unmarshal(v, &items); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	out := []byte{'{'}
	for i, item := range items {
		if i > 0 {
			out = append(out, ',')
		}
		element, err := text(item, nil)
		switch {
		case err != nil:
			return nil, err
		case element == nil:
			out = append(out, "NULL"...)
		case bytes.TrimSpace(item)[0] == '[':
			out = append(out, element...)
		default:
			out = append(out, '"')
			out = append(out, strings.NewReplacer(`\`, `\\`, `"`, `\"`).Replace(string(element))...)
			out = append(out, '"')
		}
	}
	return append(out, '}'), nil
}
