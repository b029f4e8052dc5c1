package sqlite

import (
	"encoding/json"
	"fmt"
	"strings"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
)

// A shape is a Sink that learns the columns of a statement without taking rows.
type shape struct {
	columns []*bridgesql.Column
	// timed says that a column is declared as a date or a time. The driver would
	// turn its text into a time in a zone that the text does not have.
	timed bool
}

func (s *shape) Columns(columns []*bridgesql.Column) error {
	s.columns = columns
	for _, c := range columns {
		switch strings.ToUpper(c.Type) {
		case "DATE", "DATETIME", "TIMESTAMP":
			s.timed = true
		}
	}
	return nil
}

func (s *shape) Row([]json.RawMessage) error { return bridgesql.ErrEnough }

// untimed selects the columns of a statement as expressions, which have no
// declared type. Numbered names keep columns apart that share one.
func (s *shape) untimed(text string) string {
	var names, expressions []string
	for i := range s.columns {
		names = append(names, fmt.Sprintf("c%d", i+1))
		expressions = append(expressions, fmt.Sprintf("+c%d", i+1))
	}
	return fmt.Sprintf("WITH bridge_rows(%s) AS (%s\n) SELECT %s FROM bridge_rows", strings.Join(names, ", "), text, strings.Join(expressions, ", "))
}

// named is a Sink that gives a rewritten statement's rows their own columns.
type named struct {
	bridgesql.Sink
	columns []*bridgesql.Column
}

func (n *named) Columns([]*bridgesql.Column) error { return n.Sink.Columns(n.columns) }
