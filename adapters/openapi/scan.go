package openapi

import (
	"bytes"
	"fmt"
)

// maxDepth is how deep values may nest. Documents that people write stay below
// fifty; each level costs time in every pass over the document.
const maxDepth = 500

// A jsonChecker checks that bytes are one JSON value (RFC 8259), so that everything
// after it may walk them without checking again.
type jsonChecker struct {
	data []byte
	pos  int
}

// A syntaxError is where a text stops being JSON.
type syntaxError struct {
	offset int
	text   string
}

func (e *syntaxError) Error() string { return e.text }

// checkJSON returns a *syntaxError unless data is one JSON value.
func checkJSON(data []byte) error {
	s := &jsonChecker{data: data}
	if err := s.value(0); err != nil {
		return err
	}
	s.space()
	if s.pos < len(data) {
		return s.errorf("the document goes on after its end with %s", s.here())
	}
	return nil
}

func (s *jsonChecker) errorf(format string, args ...any) error {
	if s.pos >= len(s.data) {
		return &syntaxError{offset: s.pos, text: "the document stops in the middle"}
	}
	return &syntaxError{offset: s.pos, text: fmt.Sprintf(format, args...)}
}

// here describes the byte at the current place.
func (s *jsonChecker) here() string {
	if s.pos >= len(s.data) {
		return ""
	}
	return fmt.Sprintf("%q", rune(s.data[s.pos]))
}

func (s *jsonChecker) space() {
	for s.pos < len(s.data) {
		switch s.data[s.pos] {
		case ' ', '\t', '\n', '\r':
			s.pos++
		default:
			return
		}
	}
}

// peek skips white space and returns the next byte, 0 at the end.
func (s *jsonChecker) peek() byte {
	s.space()
	if s.pos >= len(s.data) {
		return 0
	}
	return s.data[s.pos]
}

func (s *jsonChecker) value(depth int) error {
	if depth > maxDepth {
		return s.errorf("values nest more than %d deep", maxDepth)
	}
	switch c := s.peek(); c {
	case '{':
		return s.list('}', depth, s.member)
	case '[':
		return s.list(']', depth, s.value)
	case '"':
		return s.str()
	case 't':
		return s.word("true")
	case 'f':
		return s.word("false")
	case 'n':
		return s.word("null")
	default:
		if c == '-' || isDigit(c) {
			return s.number()
		}
		return s.errorf("a value cannot begin with %s", s.here())
	}
}

// list checks what stands between brackets: items with commas between them.
func (s *jsonChecker) list(end byte, depth int, item func(int) error) error {
	s.pos++
	if s.peek() == end {
		s.pos++
		return nil
	}
	for {
		if err := item(depth + 1); err != nil {
			return err
		}
		switch s.peek() {
		case ',':
			s.pos++
		case end:
			s.pos++
			return nil
		default:
			return s.errorf("there should be a comma or %q instead of %s", rune(end), s.here())
		}
	}
}

func (s *jsonChecker) member(depth int) error {
	if s.peek() != '"' {
		return s.errorf("there should be a key in quotes instead of %s", s.here())
	}
	if err := s.str(); err != nil {
		return err
	}
	if s.peek() != ':' {
		return s.errorf("there should be a colon after a key instead of %s", s.here())
	}
	s.pos++
	return s.value(depth)
}

func (s *jsonChecker) word(w string) error {
	if !bytes.HasPrefix(s.data[s.pos:], []byte(w)) {
		return s.errorf("a value cannot begin with %s", s.here())
	}
	s.pos += len(w)
	return nil
}

func (s *jsonChecker) str() error {
	s.pos++
	for s.pos < len(s.data) {
		switch c := s.data[s.pos]; {
		case c == '"':
			s.pos++
			return nil
		case c == '\\':
			if err := s.escape(); err != nil {
				return err
			}
		case c < ' ':
			return s.errorf("a text in quotes holds %s, which must be escaped", s.here())
		default:
			s.pos++
		}
	}
	return s.errorf("a text in quotes does not end")
}

func (s *jsonChecker) escape() error {
	n := 2
	if s.pos+1 < len(s.data) && s.data[s.pos+1] == 'u' {
		n = 6
	}
	if s.pos+n > len(s.data) {
		return s.errorf("a text in quotes does not end")
	}
	esc := s.data[s.pos+1 : s.pos+n]
	ok := bytes.IndexByte([]byte(`"\/bfnrtu`), esc[0]) >= 0
	for _, c := range esc[1:] {
		ok = ok && (isDigit(c) || 'a' <= c|0x20 && c|0x20 <= 'f')
	}
	if !ok {
		return s.errorf("%q is not an escape of JSON", `\`+string(esc))
	}
	s.pos += n
	return nil
}

func (s *jsonChecker) number() error {
	start := s.pos
	for s.pos < len(s.data) && bytes.IndexByte([]byte("+-.eE0123456789"), s.data[s.pos]) >= 0 {
		s.pos++
	}
	if !isNumber(s.data[start:s.pos]) {
		text := s.data[start:s.pos]
		s.pos = start
		return s.errorf("%s is not a number of JSON", text)
	}
	return nil
}

// isNumber tells whether b is a number as RFC 8259 writes it.
func isNumber(b []byte) bool {
	if len(b) > 0 && b[0] == '-' {
		b = b[1:]
	}
	whole := digits(b)
	if whole == 0 || whole > 1 && b[0] == '0' {
		return false
	}
	b = b[whole:]
	if len(b) > 0 && b[0] == '.' {
		n := digits(b[1:])
		if n == 0 {
			return false
		}
		b = b[1+n:]
	}
	if len(b) == 0 {
		return true
	}
	if b[0] != 'e' && b[0] != 'E' {
		return false
	}
	b = b[1:]
	if len(b) > 0 && (b[0] == '+' || b[0] == '-') {
		b = b[1:]
	}
	return len(b) > 0 && digits(b) == len(b)
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

// digits counts the digits that b begins with.
func digits(b []byte) int {
	n := 0
	for n < len(b) && isDigit(b[n]) {
		n++
	}
	return n
}
