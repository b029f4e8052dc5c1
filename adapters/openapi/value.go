package openapi

import (
	"bytes"
	"encoding/json"
	"errors"
	"slices"
)

// A kind is one of JSON's six.
type kind int

const (
	kindNull kind = iota
	kindBool
	kindNumber
	kindString
	kindArray
	kindObject
)

// A value is one JSON value as the wire needs it: properties in the order they
// were sent, and scalars already in their text form, so that 9007199254740993
// and 1.50 keep their digits.
type value struct {
	kind    kind
	text    string   // of a scalar: "true", the digits, the decoded string
	items   []value  // of an array
	members []member // of an object
}

// A member is one property of an object.
type member struct {
	name  string
	value value
}

// parseValue reads one JSON value. Of a property that is there twice the last
// counts, as it does for encoding/json.
func parseValue(raw json.RawMessage) (value, error) {
	// Valid also bounds the nesting, which the token reader below does not.
	if !json.Valid(raw) {
		return value{}, errors.New("not one JSON value")
	}
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.UseNumber()
	return readValue(dec)
}

func readValue(dec *json.Decoder) (value, error) {
	token, err := dec.Token()
	if err != nil {
		return value{}, err
	}
	switch t := token.(type) {
	case bool:
		if t {
			return value{kind: kindBool, text: "true"}, nil
		}
		return value{kind: kindBool, text: "false"}, nil
	case json.Number:
		return value{kind: kindNumber, text: t.String()}, nil
	case string:
		return value{kind: kindString, text: t}, nil
	case json.Delim:
		if t == '[' {
			return readArray(dec)
		}
		return readObject(dec)
	}
	return value{}, nil
}

func readArray(dec *json.Decoder) (value, error) {
	v := value{kind: kindArray}
	for dec.More() {
		item, err := readValue(dec)
		if err != nil {
			return value{}, err
		}
		v.items = append(v.items, item)
	}
	_, err := dec.Token()
	return v, err
}

func readObject(dec *json.Decoder) (value, error) {
	v := value{kind: kindObject}
	at := map[string]int{}
	for dec.More() {
		token, err := dec.Token()
		if err != nil {
			return value{}, err
		}
		name, _ := token.(string)
		item, err := readValue(dec)
		if err != nil {
			return value{}, err
		}
		if i, twice := at[name]; twice {
			v.members[i].value = item
			continue
		}
		at[name] = len(v.members)
		v.members = append(v.members, member{name, item})
	}
	_, err := dec.Token()
	return v, err
}

// scalar says that the value is a string, a number or a boolean.
func (v value) scalar() bool {
	return v.kind == kindBool || v.kind == kindNumber || v.kind == kindString
}

// present returns the value without the nulls directly in it: RFC 6570 section
// 2.3 takes a null, and a list or map without defined members, for undefined.
func (v value) present() value {
	v.items = slices.DeleteFunc(slices.Clone(v.items), func(item value) bool { return item.kind == kindNull })
	v.members = slices.DeleteFunc(slices.Clone(v.members), func(m member) bool { return m.value.kind == kindNull })
	return v
}

// undefined says that RFC 6570 section 2.3 would leave the value out.
func (v value) undefined() bool {
	return v.kind == kindNull || v.kind == kindArray && len(v.items) == 0 || v.kind == kindObject && len(v.members) == 0
}

// plain is the value where the specification has room for a scalar only: a
// scalar's text, and the JSON text of anything nested.
func (v value) plain() string {
	if v.scalar() {
		return v.text
	}
	return v.json()
}

// json is the value as compact JSON, digits and order as they were sent.
func (v value) json() string { return string(v.appendJSON(nil)) }

func (v value) appendJSON(b []byte) []byte {
	switch v.kind {
	case kindNull:
		return append(b, "null"...)
	case kindString:
		return appendString(b, v.text)
	case kindArray:
		b = append(b, '[')
		for i, item := range v.items {
			if i > 0 {
				b = append(b, ',')
			}
			b = item.appendJSON(b)
		}
		return append(b, ']')
	case kindObject:
		b = append(b, '{')
		for i, m := range v.members {
			if i > 0 {
				b = append(b, ',')
			}
			b = append(appendString(b, m.name), ':')
			b = m.value.appendJSON(b)
		}
		return append(b, '}')
	case kindBool, kindNumber:
	}
	return append(b, v.text...)
}
