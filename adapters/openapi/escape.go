package openapi

import "strings"

// An escaping says how a name or value is written where it is put.
type escaping int

const (
	// escapeURL percent-encodes all but RFC 3986's unreserved characters, as the
	// simple expansion of RFC 6570 section 3.2.2 does.
	escapeURL escaping = iota
	// escapeReserved is allowReserved in a query: reserved characters and
	// percent-encoded triplets stay, as in RFC 6570 section 3.2.3, but for those
	// that RFC 3986 section 3.4 does not allow there ("[", "]", "#") and those that
	// would begin another parameter or read as a space ("&", "+").
	escapeReserved
	// escapeSegment is allowReserved in a path: what RFC 3986 section 3.3 allows
	// within one segment stays; "/", "?", "#" and "%" do not.
	escapeSegment
	// escapeForm is application/x-www-form-urlencoded: as escapeURL, but a space
	// is "+".
	escapeForm
	// escapeNone writes characters as they are: header fields, 3.2's style
	// "cookie" and parts of multipart/form-data have no percent-encoding.
	escapeNone
)

const (
	hexDigits = "0123456789ABCDEF"
	// separators are the reserved characters by which the styles separate.
	separators = ",;="
	// queryReserved and segmentReserved are what else allowReserved lets pass.
	queryReserved   = ":/?@!$'()*"
	segmentReserved = ":@!$&'()*+"
)

// value writes s where it stands alone, so that nothing separates it from others.
func (e escaping) value(s string) string {
	switch e {
	case escapeReserved:
		return percentEncode(s, queryReserved+separators, true)
	case escapeSegment:
		return percentEncode(s, segmentReserved+separators, false)
	case escapeURL, escapeForm, escapeNone:
	}
	return e.name(s)
}

// item writes s as one of several within a list or object.
func (e escaping) item(s string) string {
	switch e {
	case escapeReserved:
		return percentEncode(s, queryReserved, true)
	case escapeSegment:
		return percentEncode(s, segmentReserved, false)
	case escapeURL, escapeForm, escapeNone:
	}
	return e.name(s)
}

// name writes a parameter's or property's name; allowReserved speaks of values
// only.
func (e escaping) name(s string) string {
	switch e {
	case escapeForm:
		return strings.ReplaceAll(percentEncode(s, "", false), "%20", "+")
	case escapeNone:
		return s
	case escapeURL, escapeReserved, escapeSegment:
	}
	return percentEncode(s, "", false)
}

// percentEncode encodes all bytes of s but unreserved characters, those in also,
// and, if triplets is set, each "%" that begins a percent-encoded triplet.
func percentEncode(s, also string, triplets bool) string {
	var b strings.Builder
	for i := range len(s) {
		c := s[i]
		switch {
		case unreserved(c), strings.IndexByte(also, c) >= 0, triplets && triplet(s[i:]):
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hexDigits[c>>4])
			b.WriteByte(hexDigits[c&15])
		}
	}
	return b.String()
}

func unreserved(c byte) bool {
	return 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' || strings.IndexByte("-._~", c) >= 0
}

// triplet says that s begins with "%" and two hexadecimal digits.
func triplet(s string) bool {
	return len(s) >= 3 && s[0] == '%' && hexDigit(s[1]) && hexDigit(s[2])
}

func hexDigit(c byte) bool {
	return '0' <= c && c <= '9' || 'a' <= c && c <= 'f' || 'A' <= c && c <= 'F'
}
