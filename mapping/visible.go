package mapping

import (
	"strings"
	"unicode/utf8"
)

// Visible returns text without the characters that a person does not see and a
// model may obey all the same: control characters but tabs and line ends, marks
// that change the direction of text (CVE-2021-42574), characters without width,
// tag characters, and variation selectors that vary nothing. Joiners and
// selectors stay where a script or an emoji needs them. Invalid UTF-8 becomes
// U+FFFD.
//
// It is for words that somebody wrote to be read. Values and files stay as they
// are.
func Visible(text string) string {
	if plainASCII(text) {
		return text
	}
	var b strings.Builder
	b.Grow(len(text))
	text = strings.ToValidUTF8(text, "\uFFFD")
	var before rune // the last one kept
	for i, r := range text {
		after, _ := utf8.DecodeRuneInString(text[i+utf8.RuneLen(r):])
		if shown(r, before, after) {
			b.WriteRune(r)
			before = r
		}
	}
	return b.String()
}

func plainASCII(text string) bool {
	for i := range len(text) {
		if c := text[i]; c >= 0x7f || c < ' ' && c != '\n' && c != '\t' && c != '\r' {
			return false
		}
	}
	return true
}

// shown reports whether a character is worth keeping between its neighbours.
func shown(r, before, after rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return true
	case r < ' ', r >= 0x7f && r < 0xa0: // C0 and C1
		return false
	case r == 0x200c || r == 0x200d: // joiners, which Persian, Indic scripts and emoji use
		return before > 0x7f && after > 0x7f
	case r == 0xfe0e || r == 0xfe0f: // text or emoji, of what stands before
		return before > 0x7f || before >= '0' && before <= '9' || before == '#' || before == '*'
	}
	return !hidden(r)
}

// hidden reports whether a character shows nothing of itself (Unicode's
// Default_Ignorable_Code_Point and Bidi_Control, without what shown decides).
func hidden(r rune) bool {
	switch r {
	case 0xad, 0x34f, 0x61c, 0x115f, 0x1160, 0x17b4, 0x17b5, 0x180e, 0x3164, 0xfeff, 0xffa0:
		return true
	}
	for _, span := range [...][2]rune{
		{0x180b, 0x180f}, // Mongolian variation selectors
		{0x200b, 0x200f}, // zero width, left-to-right and right-to-left marks
		{0x2028, 0x202e}, // line and paragraph separators, embeddings and overrides
		{0x2060, 0x206f}, // word joiner, invisible operators, isolates
		{0xfe00, 0xfe0d}, // variation selectors
		{0xfff0, 0xfffb}, // interlinear annotation
		{0x1bca0, 0x1bca3}, {0x1d173, 0x1d17a},
		{0xe0000, 0xe0fff}, // tags, variation selectors
	} {
		if r >= span[0] && r <= span[1] {
			return true
		}
	}
	return false
}
