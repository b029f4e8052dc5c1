package sqlite

import (
	"errors"
	"fmt"
	"strings"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
)

// errTimed ends a statement with a column that is declared as a date or a time.
// The driver would turn its text into a time in a zone that the text does not have.
var errTimed = errors.New("a column is declared as a time")

// A shape is a Sink that notes the columns, and stops before the first row of a
// statement that has to be asked in another way.
type shape struct {
	bridgesql.Sink
	columns []*bridgesql.Column
}

func (s *shape) Columns(columns []*bridgesql.Column) error {
	s.columns = columns
	for _, c := range columns {
		switch strings.ToUpper(c.Type) {
		case "DATE", "DATETIME", "TIMESTAMP":
			return errTimed
		}
	}
	return s.Sink.Columns(columns)
}

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
