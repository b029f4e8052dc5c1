package openapi

import (
	"bytes"
	"encoding/json"
	"iter"
	"strings"
)

// A node is one JSON value, as a slice of bytes that checkJSON has passed. nil is
// a value that is not there; every method works on it.
type node []byte

// kind returns '{', '[', '"', 't', 'f', 'n', '0' for a number, or 0 for nil.
func (n node) kind() byte {
	if len(n) == 0 {
		return 0
	}
	if n[0] == '-' || isDigit(n[0]) {
		return '0'
	}
	return n[0]
}

func (n node) isObject() bool { return n.kind() == '{' }
func (n node) isArray() bool  { return n.kind() == '[' }
func (n node) isString() bool { return n.kind() == '"' }
func (n node) isTrue() bool   { return n.kind() == 't' }

// members are the members of an object in the order they are written; none where
// n is not an object. A key that occurs twice comes twice.
func (n node) members() iter.Seq2[string, node] {
	return func(yield func(string, node) bool) {
		if !n.isObject() {
			return
		}
		for pos := skipSpace(n, 1); n[pos] != '}'; {
			end := stringEnd(n, pos)
			key := n[pos:end].text()
			pos = skipSpace(n, skipSpace(n, end)+1) // past the colon
			end = valueEnd(n, pos)
			if !yield(key, n[pos:end:end]) {
				return
			}
			pos = nextItem(n, end)
		}
	}
}

// items are the elements of an array; none where n is not an array.
func (n node) items() iter.Seq2[int, node] {
	return func(yield func(int, node) bool) {
		if !n.isArray() {
			return
		}
		i := 0
		for pos := skipSpace(n, 1); n[pos] != ']'; i++ {
			end := valueEnd(n, pos)
			if !yield(i, n[pos:end:end]) {
				return
			}
			pos = nextItem(n, end)
		}
	}
}

// get returns the member with this key, the last one where it occurs twice, as
// most readers of JSON do.
func (n node) get(key string) node {
	var found node
	for k, v := range n.members() {
		if k == key {
			found = v
		}
	}
	return found
}

// empty tells an object without members, and what is not an object.
func (n node) empty() bool {
	for range n.members() {
		return false
	}
	return true
}

// keys are the keys of an object, each once.
func (n node) keys() []string { return place{raw: n}.object().keys }

// text returns a string's text, and the bytes of a number or a boolean, for
// documents say `version: 1.0`. Anything else is "".
func (n node) text() string {
	switch n.kind() {
	case '"':
		if bytes.IndexByte(n, '\\') < 0 {
			return string(n[1 : len(n)-1])
		}
		var s string
		if json.Unmarshal(n, &s) != nil {
			return ""
		}
		return s
	case '0', 't', 'f':
		return string(n)
	}
	return ""
}

// str returns the text of a string, and "" for anything else.
func (n node) str() string {
	if n.isString() {
		return n.text()
	}
	return ""
}

// skipSpace returns the place of the first byte at or after pos that is not white
// space.
func skipSpace(b []byte, pos int) int {
	for b[pos] <= ' ' {
		pos++
	}
	return pos
}

// nextItem returns where the next member or element begins, given the end of the
// one before, or the place of the closing bracket.
func nextItem(b []byte, end int) int {
	pos := skipSpace(b, end)
	if b[pos] == ',' {
		pos = skipSpace(b, pos+1)
	}
	return pos
}

// stringEnd returns the place after the string that begins at pos.
func stringEnd(b []byte, pos int) int {
	pos++
	for {
		pos += bytes.IndexByte(b[pos:], '"')
		back := pos
		for b[back-1] == '\\' {
			back--
		}
		pos++
		if (pos-1-back)%2 == 0 {
			return pos
		}
	}
}

// valueEnd returns the place after the value that begins at pos.
func valueEnd(b []byte, pos int) int {
	switch b[pos] {
	case '"':
		return stringEnd(b, pos)
	case '{', '[':
		depth := 0
		for {
			switch b[pos] {
			case '"':
				pos = stringEnd(b, pos)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				depth--
				if depth == 0 {
					return pos + 1
				}
			}
			pos++
		}
	}
	for pos < len(b) && strings.IndexByte(",]} \t\r\n", b[pos]) < 0 {
		pos++
	}
	return pos
}
