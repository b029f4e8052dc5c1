// Package strictjson reads JSON that people write by hand.
//
// [Parse] keeps where each value stands, and [Value.Decode] fills Go values
// from it. Whatever a reader could have meant otherwise is an error with its
// line, column and path: a key that nobody reads, a key written twice, a value
// of the wrong type, text after the end. All of them are reported at once.
//
// Syntax is encoding/json's; only places, paths and words are added.
package strictjson

import (
	"bytes"
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"unicode/utf8"
)

// A Value is one JSON value and the place where it stands.
type Value struct {
	doc    *document
	offset int
	path   string
	kind   kind
	// text is a string's content, or a number's or boolean's literal.
	text string
	// private says that text came from elsewhere and must not be shown.
	private bool
	members []member // of an object, in order
	items   []*Value // of an array
}

// A member is one key of an object with its value.
type member struct {
	key    string
	offset int
	value  *Value
}

// A document is the whole text, for places.
type document struct {
	name string
	text []byte
}

type kind string

const (
	object  kind = "an object"
	array   kind = "a list"
	text    kind = "a string"
	number  kind = "a number"
	boolean kind = "true or false"
	null    kind = "null"
)

// Parse reads one JSON value. name stands in errors, as a file's name does. The
// error holds an [*Error] for each mistake.
func Parse(name string, data []byte) (*Value, error) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	doc := &document{name: name, text: data}
	if at := invalidUTF8(data); at >= 0 {
		if bytes.HasPrefix(data, []byte("\xff\xfe")) || bytes.HasPrefix(data, []byte("\xfe\xff")) {
			return nil, doc.errorf(at, "", "this is UTF-16 text; save it as UTF-8")
		}
		return nil, doc.errorf(at, "", "this is not UTF-8 text; save it as UTF-8")
	}
	var whole json.RawMessage
	if err := json.Unmarshal(data, &whole); err != nil {
		return nil, doc.syntax(err)
	}
	p := &parser{doc: doc, dec: json.NewDecoder(bytes.NewReader(data))}
	p.dec.UseNumber()
	v := p.value("")
	return v, errors.Join(p.problems...)
}

// syntax gives encoding/json's complaint a place.
func (d *document) syntax(err error) error {
	var bad *json.SyntaxError
	if !errors.As(err, &bad) {
		return fmt.Errorf("%s: %w", d.name, err)
	}
	if len(bytes.TrimSpace(d.text)) == 0 {
		return d.errorf(0, "", "there is nothing here; the least is {}")
	}
	// Offset counts the bytes read, the offending one included; at the end of the
	// text there is no offending one.
	at := int(bad.Offset)
	if at < len(d.text) || bad.Error() != "unexpected end of JSON input" {
		at--
	}
	at = max(at, 0)
	return d.errorf(at, "", "this is not JSON: %s", cmp.Or(d.slip(at), bad.Error()))
}

// slip says in words what people write at a place who take JSON for JavaScript or
// YAML, "" for anything else.
func (d *document) slip(at int) string {
	before := bytes.TrimRight(d.text[:at], " \t\r\n")
	last := byte(0)
	if len(before) > 0 {
		last = before[len(before)-1]
	}
	if at >= len(d.text) {
		return ""
	}
	switch c := d.text[at]; {
	case c == '/' || c == '#':
		return "it has no comments; take this one out"
	case (c == '}' || c == ']') && last == ',':
		return "a comma stands before this " + string(c) + "; take it out"
	case c == '\'':
		return "strings stand in double quotes"
	case len(before) == 0 && c != '{':
		return "an object begins with {"
	case (last == '{' || last == ',') && (c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' || c == '_' || c == '$'):
		return "keys and strings stand in double quotes"
	case c == '"' && bytes.IndexByte([]byte("}]\"0123456789el"), last) >= 0:
		return "a comma is missing before this"
	}
	return ""
}

func invalidUTF8(data []byte) int {
	if utf8.Valid(data) {
		return -1
	}
	for i := 0; i < len(data); {
		r, size := utf8.DecodeRune(data[i:])
		if r == utf8.RuneError && size == 1 {
			return i
		}
		i += size
	}
	return -1
}

// A parser walks the tokens of a text that is known to be valid JSON.
type parser struct {
	doc      *document
	dec      *json.Decoder
	problems []error
}

// next returns the next token and where it begins.
func (p *parser) next() (json.Token, int) {
	at := int(p.dec.InputOffset())
	for at < len(p.doc.text) && bytes.IndexByte([]byte(" \t\r\n,:"), p.doc.text[at]) >= 0 {
		at++
	}
	token, err := p.dec.Token()
	if err != nil { // Parse has seen valid JSON, so only a fault of its own leads here
		p.problems = append(p.problems, p.doc.errorf(at, "", "this is not JSON: %v", err))
	}
	return token, at
}

func (p *parser) value(path string) *Value {
	token, at := p.next()
	v := &Value{doc: p.doc, offset: at, path: path}
	switch t := token.(type) {
	case json.Delim:
		if t == '{' {
			v.kind, v.members = object, p.members(path)
		} else {
			v.kind, v.items = array, p.items(path)
		}
		p.next()
	case string:
		v.kind, v.text = text, t
	case json.Number:
		v.kind, v.text = number, t.String()
	case bool:
		v.kind, v.text = boolean, fmt.Sprint(t)
	default:
		v.kind = null
	}
	return v
}

func (p *parser) members(path string) []member {
	var list []member
	first := map[string]int{}
	for p.dec.More() {
		token, at := p.next()
		key, _ := token.(string)
		value := p.value(Join(path, key))
		if before, twice := first[key]; twice {
			line, _ := p.doc.place(before)
			p.problems = append(p.problems, p.doc.errorf(at, path, "key %q stands twice, the first time on line %d", key, line))
			continue
		}
		first[key] = at
		list = append(list, member{key: key, offset: at, value: value})
	}
	return list
}

func (p *parser) items(path string) []*Value {
	var list []*Value
	for p.dec.More() {
		list = append(list, p.value(fmt.Sprintf("%s[%d]", path, len(list))))
	}
	return list
}
