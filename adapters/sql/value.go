package sql

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// accept checks a value that a model sent for the column and returns it as an
// engine binds it: what is no string stays as it is, and a string is the
// engine's own text. The server has the last word on what the text means.
func (c *Column) accept(v json.RawMessage) (json.RawMessage, error) {
	v = bytes.TrimSpace(v)
	if len(v) == 0 || string(v) == "null" {
		return json.RawMessage("null"), nil
	}
	switch kind := v[0]; {
	case c.Class == JSON:
		return json.Marshal(string(v)) // the document itself, as text
	case c.Class == Array:
		return c.acceptArray(v)
	case kind == '{' || kind == '[':
		return nil, fmt.Errorf("%s takes one value, not %s", c.named(), shorten(v))
	case c.Class == Boolean && kind == '"':
		return nil, fmt.Errorf("%s is true or false, not %s", c.named(), shorten(v))
	case c.numeric() && (kind == 't' || kind == 'f'), c.Class == Boolean && kind != 't' && kind != 'f':
		return nil, fmt.Errorf("%s cannot be %s", c.named(), shorten(v))
	case c.Loose && c.Class == Other:
		return v, c.check(v)
	case kind != '"' && !c.numeric() && c.Class != Boolean:
		return json.Marshal(string(v)) // a number where text is stored
	}
	return v, c.check(v)
}

// emptySegment stands for an empty value in a URI, where no segment is empty. It
// is no value itself: none may hold a NUL.
const emptySegment = "\x00"

// fromText is the JSON of a value that is written as a segment of a URI: what is
// no string in a result is written there as the JSON it has in a result.
func (c *Column) fromText(s string) json.RawMessage {
	switch {
	case s == emptySegment:
		return json.RawMessage(`""`)
	case c.Class == Boolean && (s == "true" || s == "false"),
		c.Class == JSON && json.Valid([]byte(s)),
		c.Class == Array && strings.HasPrefix(s, "[") && json.Valid([]byte(s)):
		return json.RawMessage(s)
	}
	return AppendText(nil, []byte(s))
}

// check refuses strings that the class or the enum rules out.
func (c *Column) check(v json.RawMessage) error {
	var s string
	if v[0] != '"' || json.Unmarshal(v, &s) != nil {
		return nil
	}
	if strings.ContainsRune(s, 0) {
		return fmt.Errorf("%s cannot hold a NUL character", c.named())
	}
	if len(c.Enum) > 0 && !slices.Contains(c.Enum, s) {
		return fmt.Errorf("%s is one of %s, not %s", c.named(), strings.Join(c.Enum, ", "), shorten(v))
	}
	if c.Class == Bytes {
		if _, err := base64.StdEncoding.DecodeString(s); err != nil {
			return fmt.Errorf("%s is compared with base64, which %s is not", c.named(), shorten(v))
		}
	}
	return nil
}

func (c *Column) acceptArray(v json.RawMessage) (json.RawMessage, error) {
	if v[0] == '"' {
		return v, nil // the engine's own text of an array
	}
	var items []json.RawMessage
	if json.Unmarshal(v, &items) != nil {
		return nil, fmt.Errorf("%s is an array, not %s", c.named(), shorten(v))
	}
	element := c.Elem
	if element == nil {
		element = &Column{Name: c.Name, Class: Text}
	}
	for i, item := range items {
		one := element
		if item = bytes.TrimSpace(item); len(item) > 0 && item[0] == '[' {
			one = c // a further dimension
		}
		accepted, err := one.accept(item)
		if err != nil {
			return nil, err
		}
		items[i] = accepted
	}
	return json.Marshal(items)
}

func (c *Column) numeric() bool {
	return c.Class == Integer || c.Class == BigInt || c.Class == Decimal || c.Class == Float
}

func (c *Column) named() string {
	if c.Type == "" {
		return c.Name
	}
	return c.Name + " (" + c.Type + ")"
}

// shorten quotes a value for a sentence.
func shorten(v json.RawMessage) string {
	const most = 60
	if len(v) <= most {
		return string(v)
	}
	return strings.ToValidUTF8(string(v[:most]), "") + "…"
}

// bound turns a value of a result into the form in which accept returns it.
func (c *Column) bound(v json.RawMessage) json.RawMessage {
	if c.Class != Bytes {
		return append(json.RawMessage(nil), v...)
	}
	var b struct {
		Base64 *json.RawMessage `json:"base64"`
	}
	if json.Unmarshal(v, &b) != nil || b.Base64 == nil {
		return json.RawMessage("null")
	}
	return *b.Base64
}
