package github

import (
	"strings"
	"unicode/utf8"
)

// A lineCut is some lines of a text.
type lineCut struct {
	text     string
	from, to int // lines, counted from 1
	total    int
	more     bool // lines that were asked for did not fit
	within   bool // the last line is not whole
	beyond   bool // from is behind the end
}

// cutLines takes lines from..to, to 0 being the last, as many whole ones as fit
// when written as a JSON string.
func cutLines(text string, from, to, room int) lineCut {
	c := lineCut{from: from, total: strings.Count(text, "\n")}
	if text != "" && !strings.HasSuffix(text, "\n") {
		c.total++
	}
	if to == 0 || to > c.total {
		to = c.total
	}
	if from > max(c.total, 1) || from > to && to < c.total {
		c.beyond = true
		return c
	}
	var b strings.Builder
	line := 0
	for l := range strings.SplitAfterSeq(text, "\n") {
		line++
		if line < from || line > to || l == "" {
			continue
		}
		size := escapedSize(l)
		if size > room && c.to == 0 {
			l = cutEscaped(l, room)
			c.within, size = true, room
		}
		if room -= size; room < 0 {
			c.more = true
			break
		}
		b.WriteString(l)
		c.to = line
		if c.within {
			c.more = line < to
			break
		}
	}
	c.text = b.String()
	return c
}

// escapedSize is how many bytes a text takes as a JSON string.
func escapedSize(s string) int {
	n := 0
	for _, r := range s {
		switch {
		case r == '"' || r == '\\' || r == '\n' || r == '\r' || r == '\t' || r == '\b' || r == '\f':
			n += 2
		case r < 0x20 || r == 0x2028 || r == 0x2029:
			n += 6
		case r == utf8.RuneError:
			n += 6
		default:
			n += utf8.RuneLen(r)
		}
	}
	return n
}

// cutEscaped takes as many characters as fit.
func cutEscaped(s string, room int) string {
	for i, r := range s {
		if room -= escapedSize(string(r)); room < 0 {
			return s[:i]
		}
	}
	return s
}
