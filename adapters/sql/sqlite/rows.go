package sqlite

import (
	"database/sql"
	"math"
	"strconv"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
)

// columnOf describes a column of a result.
func columnOf(t *sql.ColumnType) *bridgesql.Column {
	return &bridgesql.Column{Name: t.Name(), Type: t.DatabaseTypeName(), Class: class(t.DatabaseTypeName()), Loose: true}
}

// encode writes a value by what it is: in SQLite the type belongs to the value,
// not to the column.
func encode(dst []byte, v any, _ *bridgesql.Column) []byte {
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
