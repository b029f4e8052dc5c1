package core

import (
	"bytes"
	"encoding/json"
)

// An object is a JSON object in its parts, which are of the text it was read from.
type object []member

type member struct {
	name  []byte
	value json.RawMessage
}

// get returns the value under a name, nil if there is none. The last of several
// counts.
func (o object) get(name string) json.RawMessage {
	for i := len(o) - 1; i >= 0; i-- {
		if string(o[i].name) == name {
			return o[i].value
		}
	}
	return nil
}

// readObject takes an object apart. The text must be JSON; it returns false for
// what is no object.
func readObject(text []byte) (o object, ok bool) {
	at := skipSpace(text, 0)
	if at == len(text) || text[at] != '{' {
		return nil, false
	}
	o = make(object, 0, 8)
	for at = skipSpace(text, at+1); text[at] != '}'; {
		end := endOfValue(text, at)
		name := text[at+1 : end-1]
		if bytes.IndexByte(name, '\\') >= 0 {
			name = []byte(textOf(text[at:end]))
		}
		at = skipSpace(text, end)  // the colon
		at = skipSpace(text, at+1) // the value
		end = endOfValue(text, at)
		o = append(o, member{name, text[at:end:end]})
		if at = skipSpace(text, end); text[at] == ',' {
			at = skipSpace(text, at+1)
		}
	}
	return o, true
}

// textOf returns what a JSON string says, "" for what is none.
func textOf(raw json.RawMessage) (text string) {
	if len(raw) > 1 && raw[0] == '"' && bytes.IndexByte(raw, '\\') < 0 {
		return string(raw[1 : len(raw)-1])
	}
	if json.Unmarshal(raw, &text) != nil {
		return ""
	}
	return text
}

func skipSpace(text []byte, at int) int {
	for at < len(text) && (text[at] == ' ' || text[at] == '\n' || text[at] == '\r' || text[at] == '\t') {
		at++
	}
	return at
}

// endOfValue returns where the value ends that begins here.
func endOfValue(text []byte, at int) int {
	for depth := 0; at < len(text); at++ {
		switch text[at] {
		case '"':
			at = endOfString(text, at) - 1
		case '{', '[':
			depth++
			continue
		case '}', ']':
			if depth == 0 {
				return at // of what holds the value
			}
			depth--
		case ',', ':', ' ', '\n', '\r', '\t':
			if depth == 0 {
				return at
			}
			continue
		default:
			continue // within a number or a word
		}
		if depth == 0 {
			return at + 1
		}
	}
	return at
}

// endOfString returns where the string ends that begins here.
func endOfString(text []byte, at int) int {
	for at++; text[at] != '"'; at++ {
		if text[at] == '\\' {
			at++
		}
	}
	return at + 1
}
