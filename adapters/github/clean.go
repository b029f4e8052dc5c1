package github

import (
	"strings"
	"unicode/utf8"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// clean takes out what a reader does not see and a model does.
func clean(text string) string { return mapping.Visible(text) }

// hiddenIn counts what clean would take out.
func hiddenIn(text string) int {
	return utf8.RuneCountInString(text) - utf8.RuneCountInString(clean(text))
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
