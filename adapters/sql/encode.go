package sql

import (
	"bytes"
	"encoding/base64"
	"fmt"
	"unicode/utf8"
)

// AppendBytes writes a value of class Bytes, for engines.
func AppendBytes(dst, value []byte) []byte {
	dst = fmt.Appendf(dst, `{"bytes":%d,"base64":"`, len(value))
	dst = base64.StdEncoding.AppendEncode(dst, value)
	return append(dst, `"}`...)
}

// AppendText writes text as a JSON string; what is not UTF-8 is written as Bytes,
// so that nothing is lost.
func AppendText(dst, value []byte) []byte {
	if !utf8.Valid(value) {
		return AppendBytes(dst, value)
	}
	dst = append(dst, '"')
	for _, c := range value {
		switch {
		case c == '"' || c == '\\':
			dst = append(dst, '\\', c)
		case c == '\n':
			dst = append(dst, '\\', 'n')
		case c < 0x20:
			dst = fmt.Appendf(dst, `\u%04x`, c)
		default:
			dst = append(dst, c)
		}
	}
	return append(dst, '"')
}

// AppendInteger writes the digits of an integer: as a number while a double
// holds it exactly, else as a string.
func AppendInteger(dst, digits []byte) []byte {
	const exact = "9007199254740991" // 2^53-1
	n := len(bytes.TrimPrefix(digits, []byte("-")))
	if n < len(exact) || n == len(exact) && string(digits[len(digits)-n:]) <= exact {
		return append(dst, digits...)
	}
	return append(append(append(dst, '"'), digits...), '"')
}
