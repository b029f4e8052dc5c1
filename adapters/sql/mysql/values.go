package mysql

import (
	"database/sql"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"math"
	"regexp"
	"strconv"
	"strings"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
)

// bind turns JSON values into what the driver sends, digits untouched.
func bind(s bridgesql.Statement) ([]any, error) { return s.Bind(value) }

func value(v json.RawMessage, of *bridgesql.Column) (any, error) {
	text := strings.TrimSpace(string(v))
	switch {
	case text == "" || text == "null":
		return nil, nil
	case text == "true":
		return int64(1), nil
	case text == "false":
		return int64(0), nil
	case text[0] == '"':
		if err := json.Unmarshal(v, &text); err != nil {
			return nil, errors.New("not JSON")
		}
		if of == nil {
			return text, nil
		}
		switch of.Class {
		case bridgesql.Integer, bridgesql.BigInt, bridgesql.Decimal, bridgesql.Float:
		default:
			return stringValue(text, of)
		}
	case text[0] == '[' || text[0] == '{':
		return nil, errors.New("an array or an object cannot be a parameter")
	}
	return number(text, of)
}

func stringValue(text string, of *bridgesql.Column) (any, error) {
	if of.Class != bridgesql.Bytes {
		return text, nil
	}
	b, err := base64.StdEncoding.DecodeString(text)
	if err != nil {
		return nil, errors.New("not base64")
	}
	return b, nil
}

// numeral is a number as the server reads one; it would take any other text for the
// digits at its beginning, or for 0.
var numeral = regexp.MustCompile(`^[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?$`)

// number keeps the digits: an integer if 64 bits hold it, a decimal's text, and a
// double only where the text is one.
func number(text string, of *bridgesql.Column) (any, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	if n, err := strconv.ParseUint(text, 10, 64); err == nil {
		return n, nil
	}
	f, err := strconv.ParseFloat(text, 64)
	switch {
	case !numeral.MatchString(text):
		return nil, fmt.Errorf("%.40q is not a number", text)
	case of != nil && of.Class == bridgesql.Decimal:
		return text, nil
	case !strings.ContainsAny(text, ".eE"):
		return nil, fmt.Errorf("%.40s is beyond the integers of 64 bits", text)
	case err != nil:
		return nil, fmt.Errorf("%.40s is beyond the numbers that a double holds", text)
	}
	return f, nil
}

// describing describes the columns of a result in order. Those that are known to be
// json come as text from MariaDB.
func describing(known []*bridgesql.Column) func(*sql.ColumnType) *bridgesql.Column {
	return func(t *sql.ColumnType) *bridgesql.Column {
		typ := strings.ToLower(t.DatabaseTypeName())
		c := &bridgesql.Column{Name: t.Name(), Type: typ, Class: classOf(typ)}
		if len(known) > 0 {
			if known[0].Class == bridgesql.JSON {
				c.Class = bridgesql.JSON
			}
			known = known[1:]
		}
		return c
	}
}

func encode(dst []byte, v any, c *bridgesql.Column) []byte {
	switch v := v.(type) {
	case nil:
		return append(dst, "null"...)
	case int64:
		return bridgesql.AppendInteger(dst, strconv.AppendInt(nil, v, 10))
	case uint64:
		return bridgesql.AppendInteger(dst, strconv.AppendUint(nil, v, 10))
	case float32:
		return encodeFloat(dst, float64(v), 32)
	case float64:
		return encodeFloat(dst, v, 64)
	case time.Time: // a pool that was given with parseTime
		return bridgesql.AppendText(dst, []byte(v.Format("2006-01-02 15:04:05.999999")))
	case string:
		return encodeText(dst, []byte(v), c)
	case []byte:
		return encodeText(dst, v, c)
	}
	return append(dst, "null"...)
}

func encodeText(dst, v []byte, c *bridgesql.Column) []byte {
	switch {
	case c.Type == "bit":
		return encodeBits(dst, v)
	case c.Class == bridgesql.Bytes:
		return bridgesql.AppendBytes(dst, v)
	case c.Class == bridgesql.Integer || c.Class == bridgesql.BigInt:
		return bridgesql.AppendInteger(dst, v)
	case c.Class == bridgesql.JSON && json.Valid(v):
		return append(dst, v...)
	}
	return bridgesql.AppendText(dst, v)
}

// encodeBits writes a bit value as its digits, without leading zeros, as BIN()
// does.
func encodeBits(dst, v []byte) []byte {
	var digits strings.Builder
	for _, b := range v {
		fmt.Fprintf(&digits, "%08b", b)
	}
	text := strings.TrimLeft(digits.String(), "0")
	if text == "" {
		text = "0"
	}
	return bridgesql.AppendText(dst, []byte(text))
}

func encodeFloat(dst []byte, f float64, bits int) []byte {
	if math.IsInf(f, 0) || math.IsNaN(f) {
		return append(dst, "null"...)
	}
	return strconv.AppendFloat(dst, f, 'g', -1, bits)
}

// classOf sorts the server's type names, with or without a length.
func classOf(typ string) bridgesql.Class {
	base, _, _ := strings.Cut(typ, "(")
	base = strings.TrimSuffix(strings.TrimPrefix(strings.TrimSpace(base), "unsigned "), " unsigned")
	switch base {
	case "tinyint", "smallint", "mediumint", "int", "integer", "year":
		return bridgesql.Integer
	case "bigint":
		return bridgesql.BigInt
	case "decimal", "numeric":
		return bridgesql.Decimal
	case "float", "double", "real":
		return bridgesql.Float
	case "char", "varchar", "text", "tinytext", "mediumtext", "longtext", "enum", "set", "inet6", "inet4", "uuid":
		return bridgesql.Text
	case "binary", "varbinary", "blob", "tinyblob", "mediumblob", "longblob":
		return bridgesql.Bytes
	case "date":
		return bridgesql.Date
	case "time":
		return bridgesql.Time
	case "datetime", "timestamp":
		return bridgesql.Timestamp
	case "json":
		return bridgesql.JSON
	}
	return bridgesql.Other
}
