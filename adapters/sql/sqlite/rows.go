package sqlite

import (
	"database/sql"
	"encoding/json"
	"errors"
	"math"
	"strconv"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
)

// pour passes rows to the sink until it has enough.
func pour(found *sql.Rows, most int, sink bridgesql.Sink) error {
	types, err := found.ColumnTypes()
	if err != nil {
		return err
	}
	columns := make([]*bridgesql.Column, len(types))
	for i, t := range types {
		columns[i] = &bridgesql.Column{Name: t.Name(), Type: t.DatabaseTypeName(), Class: class(t.DatabaseTypeName()), Loose: true}
	}
	if err := sink.Columns(columns); err != nil {
		return err
	}
	values := make([]any, len(columns))
	into := make([]any, len(columns))
	for i := range values {
		into[i] = &values[i]
	}
	row := make([]json.RawMessage, len(columns))
	for n := 0; n < most && found.Next(); n++ {
		if err := found.Scan(into...); err != nil {
			return err
		}
		for i, v := range values {
			row[i] = encode(row[i][:0], v)
		}
		if err := sink.Row(row); err != nil {
			if errors.Is(err, bridgesql.ErrEnough) {
				return nil
			}
			return err
		}
	}
	return found.Err()
}

// encode writes a value by what it is: in SQLite the type belongs to the value,
// not to the column.
func encode(dst []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case int64:
		return bridgesql.AppendInteger(dst, strconv.AppendInt(nil, v, 10))
	case float64:
		return encodeFloat(dst, v)
	case bool:
		return strconv.AppendBool(dst, v)
	case string:
		return bridgesql.AppendText(dst, []byte(v))
	case []byte:
		return bridgesql.AppendBytes(dst, v)
	case time.Time:
		return bridgesql.AppendText(dst, []byte(v.Format(time.RFC3339Nano)))
	}
	return append(dst, "null"...)
}

func encodeFloat(dst []byte, f float64) []byte {
	switch {
	case math.IsInf(f, 1):
		return append(dst, `"Infinity"`...)
	case math.IsInf(f, -1):
		return append(dst, `"-Infinity"`...)
	case math.IsNaN(f):
		return append(dst, `"NaN"`...)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, 64)
}
