package openapi

import (
	"bytes"
	"mime"
	"strings"
	"unicode/utf8"

	"golang.org/x/net/html/charset"
)

// charsetOf is the charset that a media type names, "" if none.
func charsetOf(contentType string) string {
	_, params, err := mime.ParseMediaType(contentType)
	if err != nil {
		return ""
	}
	return params["charset"]
}

// decodeText turns the bytes of an answer into UTF-8: by a byte order mark, by the
// charset that the media type names, as UTF-8 where they are that, by what HTML
// says of itself, and else as windows-1252, which every byte is. A character that
// a limit cut in two at the end is dropped.
func decodeText(body []byte, contentType string, cut bool) string {
	if cut {
		body = wholeRunes(body)
	}
	named := charsetOf(contentType)
	if rest, ok := bytes.CutPrefix(body, []byte("\xef\xbb\xbf")); ok && utf8.Valid(rest) {
		return string(rest)
	}
	if utf8.Valid(body) && (named == "" || strings.EqualFold(named, "utf-8") || ascii(string(body)) && !strings.Contains(strings.ToLower(named), "utf-16")) {
		return string(body)
	}
	encoding, _, _ := charset.DetermineEncoding(body[:min(len(body), 1024)], contentType)
	decoded, err := encoding.NewDecoder().Bytes(body)
	if err != nil {
		return strings.ToValidUTF8(string(body), "\uFFFD")
	}
	return strings.TrimPrefix(string(decoded), "\uFEFF")
}

// wholeRunes drops the beginning of a rune at the end of b.
func wholeRunes(b []byte) []byte {
	for i := len(b) - 1; i >= 0 && i > len(b)-utf8.UTFMax; i-- {
		if utf8.RuneStart(b[i]) {
			if !utf8.FullRune(b[i:]) {
				return b[:i]
			}
			break
		}
	}
	return b
}
