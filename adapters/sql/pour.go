package sql

import (
	"database/sql"
	"encoding/json"
	"errors"
)

// Pour passes the rows of a driver to the sink until it has enough, for engines on
// database/sql. column describes a column of the result, and encode appends one of
// its values to dst as [Class] says.
func Pour(found *sql.Rows, most int, sink Sink, column func(*sql.ColumnType) *Column, encode func(dst []byte, v any, c *Column) []byte) error {
	types, err := found.ColumnTypes()
	if err != nil {
		return err
	}
	columns := make([]*Column, len(types))
	for i, t := range types {
		columns[i] = column(t)
	}
	if err := sink.Columns(columns); err != nil {
		return err
	}
	values, into := make([]any, len(columns)), make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	row := make([]json.RawMessage, len(columns))
	for n := 0; n < most && found.Next(); n++ {
		if err := found.Scan(into...); err != nil {
			return err
		}
		for i, v := range values {
			row[i] = encode(row[i][:0], v, columns[i])
		}
		if err := sink.Row(row); err != nil {
			if errors.Is(err, ErrEnough) {
				return nil
			}
			return err
		}
	}
	return found.Err()
}
