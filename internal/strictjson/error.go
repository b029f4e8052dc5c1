package strictjson

import (
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"
)

// An Error is one mistake in a text, with its place.
type Error struct {
	// Name is the document's, as given to Parse.
	Name string
	// Line and Column count from 1; columns are characters, not bytes.
	Line, Column int
	// Path leads to the value: "sources.pets.location", "" for the whole.
	Path string
	// Text says what is wrong.
	Text string
}

// Error returns "name:line:column: path: text".
func (e *Error) Error() string {
	place := fmt.Sprintf("%s:%d:%d: ", e.Name, e.Line, e.Column)
	if e.Path == "" {
		return place + e.Text
	}
	return place + e.Path + ": " + e.Text
}

// Errorf returns an error that stands at v.
func (v *Value) Errorf(format string, args ...any) error {
	return v.doc.errorf(v.offset, v.path, format, args...)
}

func (d *document) errorf(offset int, path, format string, args ...any) error {
	line, column := d.place(offset)
	return &Error{Name: d.name, Line: line, Column: column, Path: path, Text: fmt.Sprintf(format, args...)}
}

// place turns a byte offset into a line and a column.
func (d *document) place(offset int) (line, column int) {
	before := d.text[:min(offset, len(d.text))]
	line = 1 + bytes.Count(before, []byte("\n"))
	return line, 1 + utf8.RuneCount(before[bytes.LastIndexByte(before, '\n')+1:])
}

// Join returns the path of a key below path. A key that could be taken for more
// than one is quoted.
func Join(path, key string) string {
	if strings.ContainsAny(key, ".[]\" \t\r\n") || key == "" {
		return fmt.Sprintf("%s[%q]", path, key)
	}
	if path == "" {
		return key
	}
	return path + "." + key
}
