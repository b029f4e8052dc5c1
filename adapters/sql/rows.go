package sql

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// ErrEnough is what a Sink returns to stop a statement early, without an error.
var ErrEnough = errors.New("enough rows")

// rows is the Sink of every tool: it keeps whole rows up to a number and a size,
// and cuts single cells that are too large to be worth their place.
type rows struct {
	names   bool      // objects by column name, else arrays
	hidden  int       // this many columns at the end are only for the cursor
	max     int       // rows
	budget  int64     // bytes of JSON
	cell    int       // bytes of one cell
	columns []*Column // set beforehand where the statement is ours, else by the engine

	out  bytes.Buffer // the rows, comma-separated
	n    int
	last []json.RawMessage // the hidden columns of the newest row kept
	cut  []string          // columns with a cut cell, each once
	more bool              // there was a row that did not fit
	big  bool              // and it was the size, not the number, that stopped
}

func (r *rows) Columns(columns []*Column) error {
	if r.columns == nil {
		r.columns = columns
	}
	return nil
}

func (r *rows) Row(values []json.RawMessage) error {
	if r.n == r.max {
		r.more = true
		return ErrEnough
	}
	start := r.out.Len()
	if r.n > 0 {
		r.out.WriteByte(',')
	}
	r.out.Write(r.object(r.out.AvailableBuffer(), r.columns, values[:len(values)-r.hidden]))
	if int64(r.out.Len()) > r.budget && r.n > 0 {
		r.out.Truncate(start)
		r.more, r.big = true, true
		return ErrEnough
	}
	r.n++
	r.last = slices.Grow(r.last[:0], r.hidden)[:r.hidden]
	for i, v := range values[len(values)-r.hidden:] {
		r.last[i] = append(r.last[i][:0], v...)
	}
	return nil
}

// object appends one row: an object by column name, or an array where names may
// repeat.
func (r *rows) object(out []byte, columns []*Column, values []json.RawMessage) []byte {
	open, end := byte('['), byte(']')
	if r.names {
		open, end = '{', '}'
	}
	out = append(out, open)
	for i, v := range values {
		if i > 0 {
			out = append(out, ',')
		}
		if r.names {
			out = append(AppendText(out, []byte(columns[i].Name)), ':')
		}
		out = append(out, r.fit(columns[i], v)...)
	}
	return append(out, end)
}

// fit returns the cell as it is, or a shorter one that its column's schema still
// allows.
func (r *rows) fit(c *Column, v json.RawMessage) json.RawMessage {
	if len(v) <= r.cell {
		return v
	}
	if !slices.Contains(r.cut, c.Name) {
		r.cut = append(r.cut, c.Name)
	}
	if c.Class == Bytes {
		return cutBytes(v, r.cell)
	}
	text := string(v)
	var s string
	if json.Unmarshal(v, &s) == nil {
		text = s
	}
	short := text[:r.cell/2]
	for !utf8.ValidString(short) {
		short = short[:len(short)-1]
	}
	out, err := json.Marshal(fmt.Sprintf("%s… (truncated: %d of %d bytes)", short, len(short), len(text)))
	if err != nil {
		return json.RawMessage(`"(truncated)"`)
	}
	return out
}

// cutBytes shortens the base64 of a bytes cell to a whole number of bytes.
func cutBytes(v json.RawMessage, size int) json.RawMessage {
	var b struct {
		Bytes  int    `json:"bytes"`
		Base64 string `json:"base64"`
	}
	if json.Unmarshal(v, &b) != nil {
		return json.RawMessage("null")
	}
	b.Base64 = b.Base64[:min(len(b.Base64), size/2/4*4)]
	out, err := json.Marshal(b)
	if err != nil {
		return json.RawMessage("null")
	}
	return out
}

// note says what was cut and how to see it.
func (r *rows) note(next string) string {
	var parts []string
	if r.more && r.big {
		parts = append(parts, fmt.Sprintf("It ends after %s, because more would not fit; %s", mapping.Counted(r.n, "row"), next))
	} else if r.more {
		parts = append(parts, fmt.Sprintf("It ends after %s; %s", mapping.Counted(r.n, "row"), next))
	}
	if len(r.cut) > 0 {
		parts = append(parts, fmt.Sprintf("Long values of %s are truncated; ask for fewer columns or for a single row to see more of them", strings.Join(r.cut, ", ")))
	}
	return strings.Join(parts, ". ")
}
