package mapping

import (
	"strings"
	"unicode/utf8"
)

// The characters of RFC 3986 that a segment may hold as they are: unreserved
// ones mean the same written or encoded, the others do not.
const (
	unreservedMarks = "-._~"
	segmentMarks    = "!$&'()*+,;=:@"
	hexDigits       = "0123456789ABCDEF"
)

func isUnreserved(c byte) bool { return isWord(c) || strings.IndexByte(unreservedMarks, c) >= 0 }

func isSegmentChar(c byte) bool { return isUnreserved(c) || strings.IndexByte(segmentMarks, c) >= 0 }

// escape writes text as part of one segment of a URI.
func escape(text string) string {
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		writeEscaped(&b, text[i], isSegmentChar(text[i]))
	}
	return b.String()
}

func writeEscaped(b *strings.Builder, c byte, plain bool) {
	if plain {
		b.WriteByte(c)
		return
	}
	b.WriteByte('%')
	b.WriteByte(hexDigits[c>>4])
	b.WriteByte(hexDigits[c&15])
}

// unescape decodes the percent-encoded octets of RFC 3986 §2.1 and leaves the
// rest alone, + and characters beyond ASCII included. It reports false for a %
// without two digits and for what is not UTF-8 afterwards.
func unescape(text string) (string, bool) {
	if strings.IndexByte(text, '%') < 0 {
		return text, utf8.ValidString(text)
	}
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); i++ {
		c, size, ok := octet(text, i)
		if !ok {
			return "", false
		}
		b.WriteByte(c)
		i += size - 1
	}
	return b.String(), utf8.ValidString(b.String())
}

// canonical writes a segment in the one form that RFC 3986 §6.2.2 holds equal:
// what need not be encoded is not, the rest is in capital digits.
func canonical(text string) (string, bool) {
	var b strings.Builder
	b.Grow(len(text))
	for i := 0; i < len(text); i++ {
		c, size, ok := octet(text, i)
		if !ok {
			return "", false
		}
		writeEscaped(&b, c, isUnreserved(c) || size == 1 && isSegmentChar(c))
		i += size - 1
	}
	return b.String(), true
}

// octet returns the byte written at i, and how many bytes it is written in.
func octet(text string, i int) (c byte, size int, ok bool) {
	if text[i] != '%' {
		return text[i], 1, true
	}
	high, low := unhex(at(text, i+1)), unhex(at(text, i+2))
	if high < 0 || low < 0 {
		return 0, 0, false
	}
	return byte(high<<4 | low), 3, true
}

func unhex(c byte) int {
	switch {
	case isDigit(c):
		return int(c - '0')
	case 'a' <= c && c <= 'f':
		return int(c-'a') + 10
	case 'A' <= c && c <= 'F':
		return int(c-'A') + 10
	}
	return -1
}
