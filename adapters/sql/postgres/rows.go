package postgres

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"

	"github.com/jackc/pgx/v5/pgconn"
)

// pour passes rows to the sink until it has enough. names are the server's types
// by code, for columns of a foreign statement; nil where nobody looks at them.
func pour(r *pgconn.ResultReader, s bridgesql.Statement, names map[uint32]*bridgesql.Column, sink bridgesql.Sink) error {
	fields := r.FieldDescriptions()
	columns := append(make([]*bridgesql.Column, 0, len(fields)), s.Columns...)
	for _, f := range fields[len(columns):] {
		c := columnOf(f.DataTypeOID, names)
		c.Name = f.Name
		columns = append(columns, c)
	}
	if err := sink.Columns(columns); err != nil {
		return err
	}
	row := make([]json.RawMessage, len(fields))
	for n := 0; n < s.MaxRows && r.NextRow(); n++ {
		for i, v := range r.Values() {
			row[i] = encode(row[i][:0], v, columns[i])
		}
		if err := sink.Row(row); err != nil {
			if errors.Is(err, bridgesql.ErrEnough) {
				return nil
			}
			return err
		}
	}
	return nil
}

// columnOf describes a type by its code: a copy, for the caller to name.
func columnOf(code uint32, names map[uint32]*bridgesql.Column) *bridgesql.Column {
	if known := names[code]; known != nil {
		c := *known
		return &c
	}
	return &bridgesql.Column{Code: code, Class: classOf(code), Elem: elementOf(code)}
}

// encode writes a value in text format as JSON; nil is NULL.
func encode(dst, v []byte, c *bridgesql.Column) []byte {
	if v == nil {
		return append(dst, "null"...)
	}
	switch c.Class {
	case bridgesql.Boolean:
		if len(v) == 1 && v[0] == 't' {
			return append(dst, "true"...)
		}
		return append(dst, "false"...)
	case bridgesql.Integer, bridgesql.BigInt:
		return bridgesql.AppendInteger(dst, v)
	case bridgesql.Float:
		if c := v[len(v)-1]; c < '0' || c > '9' { // NaN, Infinity, -Infinity
			return bridgesql.AppendText(dst, v)
		}
		return append(dst, v...)
	case bridgesql.JSON:
		return compactJSON(dst, v)
	case bridgesql.Bytes:
		return encodeBytes(dst, v)
	case bridgesql.Array:
		return encodeArray(dst, v, c)
	default:
		return bridgesql.AppendText(dst, v)
	}
}

// compactJSON passes a document on as it is, without the space that json (not
// jsonb) keeps between its tokens: line breaks would end a message on stdio.
func compactJSON(dst, v []byte) []byte {
	var b bytes.Buffer
	if json.Compact(&b, v) != nil {
		return bridgesql.AppendText(dst, v)
	}
	return append(dst, b.Bytes()...)
}

func encodeBytes(dst, v []byte) []byte {
	raw, err := hex.DecodeString(string(bytes.TrimPrefix(v, []byte(`\x`))))
	if err != nil {
		return bridgesql.AppendText(dst, v)
	}
	return bridgesql.AppendBytes(dst, raw)
}

// encodeArray writes an array literal (documentation §8.15.6) as a JSON array of
// as many dimensions. One with bounds of its own ("[2:3]={…}") stays text, so
// that the bounds are not lost.
func encodeArray(dst, v []byte, c *bridgesql.Column) []byte {
	start := len(dst)
	element := c.Elem
	if element == nil {
		element = &bridgesql.Column{Class: bridgesql.Text}
	}
	p := &arrayParser{text: v, element: element}
	dst, ok := p.array(dst)
	if !ok || p.at != len(v) {
		return bridgesql.AppendText(dst[:start], v)
	}
	return dst
}

type arrayParser struct {
	text    []byte
	at      int
	element *bridgesql.Column
}

func (p *arrayParser) array(dst []byte) ([]byte, bool) {
	if p.at >= len(p.text) || p.text[p.at] != '{' {
		return dst, false
	}
	p.at++
	dst = append(dst, '[')
	for first := true; p.at < len(p.text); first = false {
		switch p.text[p.at] {
		case '}':
			p.at++
			return append(dst, ']'), true
		case ',':
			p.at++
		}
		if !first {
			dst = append(dst, ',')
		}
		var ok bool
		if dst, ok = p.item(dst); !ok {
			return dst, false
		}
	}
	return dst, false
}

func (p *arrayParser) item(dst []byte) ([]byte, bool) {
	if p.at >= len(p.text) {
		return dst, false
	}
	switch p.text[p.at] {
	case '{':
		return p.array(dst)
	case '"':
		return p.quoted(dst)
	}
	end := bytes.IndexAny(p.text[p.at:], ",}")
	if end < 0 {
		return dst, false
	}
	raw := p.text[p.at : p.at+end]
	p.at += end
	if string(raw) == "NULL" {
		return append(dst, "null"...), true
	}
	return encode(dst, raw, p.element), true
}

func (p *arrayParser) quoted(dst []byte) ([]byte, bool) {
	var raw []byte
	for p.at++; p.at < len(p.text); p.at++ {
		switch c := p.text[p.at]; c {
		case '"':
			p.at++
			return encode(dst, append([]byte{}, raw...), p.element), true
		case '\\':
			p.at++
			if p.at == len(p.text) {
				return dst, false
			}
			raw = append(raw, p.text[p.at])
		default:
			raw = append(raw, c)
		}
	}
	return dst, false
}
