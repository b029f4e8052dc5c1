package sql

import (
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"errors"
	"strings"
)

// A cursor marks where a page ended: the sort values of its last row, or how many
// rows came before where rows have no key. A model sees it as opaque text. Its
// values are bound like any others, so a forged one reads nothing that a filter
// could not.
type cursor struct {
	// Of binds the cursor to the query that made it.
	Of     string            `json:"q"`
	After  []json.RawMessage `json:"a,omitempty"`
	Offset int64             `json:"o,omitempty"`
}

var errCursor = errors.New("cursor is not one that this call returned with the same table, where and order_by")

// fingerprint identifies a query by its parts.
func fingerprint(parts ...any) string {
	text, err := json.Marshal(parts)
	if err != nil { // only strings and JSON come here
		return ""
	}
	sum := sha256.Sum256(text)
	return base64.RawURLEncoding.EncodeToString(sum[:9])
}

func (c cursor) String() string {
	text, err := json.Marshal(c)
	if err != nil {
		return ""
	}
	return base64.RawURLEncoding.EncodeToString(text)
}

// parseCursor reads a cursor of the query with this fingerprint that sorts by
// this many columns.
func parseCursor(text, of string, columns int) (*cursor, error) {
	raw, err := base64.RawURLEncoding.DecodeString(strings.TrimSpace(text))
	if err != nil {
		return nil, errCursor
	}
	c := new(cursor)
	if json.Unmarshal(raw, c) != nil || c.Of != of || c.Offset < 0 {
		return nil, errCursor
	}
	if columns == 0 {
		return c, nil
	}
	if len(c.After) != columns {
		return nil, errCursor
	}
	return c, nil
}
