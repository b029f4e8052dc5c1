package github

import (
	"strings"
	"unicode"
)

// clean takes out what a reader does not see and a model does: characters that
// hide text, or show it in another order than it is in. Words, emoji and scripts
// that need joiners stay as they are.
func clean(text string) string {
	if strings.IndexFunc(text, hidden) < 0 {
		return text
	}
	runes := []rune(text)
	var b strings.Builder
	b.Grow(len(text))
	for i, r := range runes {
		if !hidden(r) || joins(runes, i) {
			b.WriteRune(r)
		}
	}
	return b.String()
}

// hiddenIn counts what clean would take out.
func hiddenIn(text string) int {
	if strings.IndexFunc(text, hidden) < 0 {
		return 0
	}
	return len([]rune(text)) - len([]rune(clean(text)))
}

func hidden(r rune) bool {
	switch {
	case r == '\n' || r == '\t' || r == '\r':
		return false
	case r < 0x20 || r >= 0x7f && r < 0xa0: // controls
		return true
	case r == 0xad || r == 0x34f || r == 0x61c || r == 0x115f || r == 0x1160 || r == 0x180e || r == 0x3164 || r == 0xffa0: // invisible letters
		return true
	case r >= 0x200b && r <= 0x200f || r >= 0x202a && r <= 0x202e: // zero width, bidirectional
		return true
	case r >= 0x2060 && r <= 0x206f || r == 0xfeff || r >= 0xfff9 && r <= 0xfffb:
		return true
	case r >= 0xfe00 && r <= 0xfe0f || r >= 0xe0000 && r <= 0xe0fff: // variation selectors, tags
		return true
	}
	return false
}

// joins reports whether a joiner or a variation selector does its work: between
// letters of a script or parts of an emoji, or behind one.
func joins(runes []rune, i int) bool {
	before, after := rune(0), rune(0)
	if i > 0 {
		before = runes[i-1]
	}
	if i+1 < len(runes) {
		after = runes[i+1]
	}
	switch r := runes[i]; {
	case r == 0x200c || r == 0x200d:
		return partOfGlyph(before) && partOfGlyph(after)
	case r == 0xfe0e || r == 0xfe0f:
		return partOfGlyph(before) || after == 0x20e3
	}
	return false
}

func partOfGlyph(r rune) bool {
	return r == 0xfe0f || r > 0x2000 && !hidden(r) || r > 0x300 && unicode.In(r, unicode.L, unicode.M)
}

// excerpt is the beginning of a text, on one line.
func excerpt(text string, most int) string {
	text = strings.Join(strings.Fields(clean(text)), " ")
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return string(runes[:most-1]) + "…"
}

// firstLine is what a commit's message begins with.
func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return excerpt(line, 200)
}
