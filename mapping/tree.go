package mapping

import (
	"encoding/json"
	"errors"
	"strconv"
	"unicode/utf8"
)

// Decoded JSON is nil, bool, string, json.Number, []any or *object. Unlike a
// map[string]any with float64 it keeps the order of members, the digits of
// numbers, and whether a name was given twice.

// An object is a JSON object in the order of its text.
type object struct {
	members []member
	// repeated are the names that the text gives more than once. The last value
	// stands.
	repeated []string
}

type member struct {
	key   string
	value any
}

// parseJSON decodes one JSON value. An error is a *json.SyntaxError, or says
// that the text is not UTF-8.
func parseJSON(text []byte) (any, error) {
	if !utf8.Valid(text) {
		return nil, errors.New("the text is not UTF-8")
	}
	// The standard decoder finds every fault of syntax, nesting over 10,000 levels
	// included, so that the reader below may trust what it reads.
	var whole json.RawMessage
	if err := json.Unmarshal(text, &whole); err != nil {
		return nil, err
	}
	r := reader{text: whole}
	return r.value(), nil
}

// A reader decodes text that is known to be valid JSON.
type reader struct {
	text []byte
	at   int
}

func (r *reader) space() {
	for r.at < len(r.text) {
		switch r.text[r.at] {
		case ' ', '\t', '\n', '\r':
			r.at++
		default:
			return
		}
	}
}

// next skips space and takes one byte.
func (r *reader) next() byte {
	r.space()
	r.at++
	return r.text[r.at-1]
}

func (r *reader) value() any {
	switch r.next() {
	case '{':
		return r.object()
	case '[':
		return r.array()
	case '"':
		return r.string()
	case 't':
		r.at += len("rue")
		return true
	case 'f':
		r.at += len("alse")
		return false
	case 'n':
		r.at += len("ull")
		return nil
	default:
		return r.number()
	}
}

func (r *reader) object() *object {
	o := &object{}
	for {
		switch r.next() {
		case '}':
			o.settle()
			return o
		case '"':
			key := r.string()
			r.next() // the colon
			o.members = append(o.members, member{key, r.value()})
		}
	}
}

func (r *reader) array() []any {
	list := []any{}
	for {
		r.space()
		switch r.text[r.at] {
		case ']':
			r.at++
			return list
		case ',':
			r.at++
		default:
			list = append(list, r.value())
		}
	}
}

func (r *reader) string() string {
	start, escaped := r.at, false
	for ; r.text[r.at] != '"'; r.at++ {
		if r.text[r.at] == '\\' {
			escaped = true
			r.at++
		}
	}
	r.at++
	if !escaped {
		return string(r.text[start : r.at-1])
	}
	var s string
	if err := json.Unmarshal(r.text[start-1:r.at], &s); err != nil {
		return string(r.text[start : r.at-1])
	}
	return s
}

func (r *reader) number() json.Number {
	start := r.at - 1
	for r.at < len(r.text) {
		switch c := r.text[r.at]; {
		case c >= '0' && c <= '9', c == '.', c == '-', c == '+', c == 'e', c == 'E':
			r.at++
		default:
			return json.Number(r.text[start:r.at])
		}
	}
	return json.Number(r.text[start:])
}

// settle keeps the last of members with one name, in the place of the first.
func (o *object) settle() {
	if o.distinct() {
		return
	}
	seen := make(map[string]int, len(o.members))
	kept := o.members[:0]
	for _, m := range o.members {
		if i, again := seen[m.key]; again {
			kept[i] = m
			o.repeated = append(o.repeated, m.key)
			continue
		}
		seen[m.key] = len(kept)
		kept = append(kept, m)
	}
	o.members = kept
}

// distinct answers cheaply for small objects; for large ones it does not know.
func (o *object) distinct() bool {
	if len(o.members) > 16 {
		return false
	}
	for i := range o.members {
		for j := range i {
			if o.members[i].key == o.members[j].key {
				return false
			}
		}
	}
	return true
}

func (o *object) find(key string) *member {
	for i := range o.members {
		if o.members[i].key == key {
			return &o.members[i]
		}
	}
	return nil
}

// get returns the member's value, nil if it is absent or null.
func (o *object) get(key string) any {
	if m := o.find(key); m != nil {
		return m.value
	}
	return nil
}

func (o *object) has(key string) bool { return o.find(key) != nil }

// set replaces the member in its place, or appends it.
func (o *object) set(key string, value any) {
	if m := o.find(key); m != nil {
		m.value = value
		return
	}
	o.members = append(o.members, member{key, value})
}

func (o *object) remove(key string) {
	for i := range o.members {
		if o.members[i].key == key {
			o.members = append(o.members[:i:i], o.members[i+1:]...)
			return
		}
	}
}

// appendJSON writes a decoded value as compact JSON.
func appendJSON(b []byte, v any) []byte {
	switch v := v.(type) {
	case nil:
		return append(b, "null"...)
	case bool:
		return strconv.AppendBool(b, v)
	case string:
		return appendString(b, v)
	case json.Number:
		return append(b, v...)
	case []any:
		b = append(b, '[')
		for i, item := range v {
			if i > 0 {
				b = append(b, ',')
			}
			b = appendJSON(b, item)
		}
		return append(b, ']')
	case *object:
		b = append(b, '{')
		for i, m := range v.members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, m.key), ':')
			b = appendJSON(b, m.value)
		}
		return append(b, '}')
	}
	return b
}

// appendString writes a JSON string. Only what JSON demands is escaped: a model
// reads < and é more cheaply than their escapes.
func appendString(b []byte, s string) []byte {
	b = append(b, '"')
	start := 0
	for i := 0; i < len(s); {
		c := s[i]
		if c >= ' ' && c != '"' && c != '\\' && c < utf8.RuneSelf {
			i++
			continue
		}
		if c >= utf8.RuneSelf {
			r, size := utf8.DecodeRuneInString(s[i:])
			if r == utf8.RuneError && size == 1 {
				b = append(append(b, s[start:i]...), "\uFFFD"...)
				start = i + 1
			}
			i += size
			continue
		}
		b = append(b, s[start:i]...)
		b = appendEscape(b, c)
		i++
		start = i
	}
	return append(append(b, s[start:]...), '"')
}

func appendEscape(b []byte, c byte) []byte {
	const hex = "0123456789abcdef"
	switch c {
	case '"', '\\':
		return append(b, '\\', c)
	case '\n':
		return append(b, '\\', 'n')
	case '\t':
		return append(b, '\\', 't')
	case '\r':
		return append(b, '\\', 'r')
	}
	return append(b, '\\', 'u', '0', '0', hex[c>>4], hex[c&15])
}
