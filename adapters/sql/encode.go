package sql

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"math"
	"slices"
	"unicode/utf8"
)

// An Encoder is a [Sink] that writes rows to a writer as they arrive, as the tools
// do but whole: a JSON array of objects by column name, the names being distinct.
// It holds one row at a time.
type Encoder struct {
	w    io.Writer
	rows rows
	line []byte
}

// NewEncoder returns an Encoder, whose array has to be closed behind the rows.
func NewEncoder(w io.Writer) *Encoder {
	return &Encoder{w: w, rows: rows{names: true, cell: math.MaxInt}}
}

// Columns begins the array.
func (e *Encoder) Columns(columns []*Column) error {
	e.line = append(e.line[:0], '[')
	return e.rows.Columns(columns)
}

// Row writes one row.
func (e *Encoder) Row(values []json.RawMessage) error {
	e.line = e.rows.object(e.line, e.rows.columns, values)
	_, err := e.w.Write(e.line)
	e.line = append(e.line[:0], ',', '\n')
	return err
}

// Close ends the array. It does not close the writer.
func (e *Encoder) Close() error {
	if e.rows.columns == nil || e.line[0] == '[' { // nothing is written yet
		_, err := io.WriteString(e.w, "[]")
		return err
	}
	_, err := io.WriteString(e.w, "]")
	return err
}

// AppendBytes writes a value of class Bytes, for engines.
func AppendBytes(dst, value []byte) []byte {
	dst = fmt.Appendf(dst, `{"bytes":%d,"base64":"`, len(value))
	dst = base64.StdEncoding.AppendEncode(dst, value)
	return append(dst, `"}`...)
}

// AppendText writes text as a JSON string; what is not UTF-8 is written as Bytes,
// so that nothing is lost.
func AppendText(dst, value []byte) []byte {
	if !utf8.Valid(value) {
		return AppendBytes(dst, value)
	}
	dst = append(slices.Grow(dst, len(value)+2), '"')
	for _, c := range value {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c < 0x20:
			dst = fmt.Appendf(dst, `\u%04x`, c)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// AppendInteger writes the digits of an integer: as a number while a double
// holds it exactly, else as a string.
func AppendInteger(dst, digits []byte) []byte {
	const exact = "9007199254740991" // 2^53-1
	n := len(bytes.TrimPrefix(digits, []byte("-")))
	if n < len(exact) || n == len(exact) && string(digits[len(digits)-n:]) <= exact {
		return append(dst, digits...)
	}
	return append(append(append(dst, '"'), digits...), '"')
}
