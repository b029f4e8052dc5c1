package mapping

import (
	"html"
	"regexp"
	"strings"
)

// plainText turns Markdown and HTML into sentences on one line: links keep
// their text, list items are separated by semicolons, pictures, code blocks and
// marks of emphasis go, and so does what nobody sees.
func plainText(text string) string {
	text = Visible(text)
	if !strings.ContainsAny(text, "<>[]*_#|&\n\r\t`\\") {
		return strings.TrimSpace(text)
	}
	text = strings.ReplaceAll(text, "\r\n", "\n")
	text = withoutTags(text)
	if strings.IndexByte(text, '[') >= 0 {
		text = image.ReplaceAllString(text, "")
		text = link.ReplaceAllString(text, "$1")
	}
	if strings.ContainsAny(text, "*_") {
		text = bold.ReplaceAllString(text, "$2")
		text = italic.ReplaceAllString(text, "$1$2$3")
	}
	w := &lineJoiner{}
	for line := range strings.SplitSeq(text, "\n") {
		w.add(strings.TrimSpace(line))
	}
	return w.text()
}

var (
	image    = regexp.MustCompile(`!\[[^\]]*\]\([^)]*\)`)
	link     = regexp.MustCompile(`\[([^\[\]]+)\](?:\([^)\s]*(?:\s+"[^"]*")?\)|\[[^\[\]]*\])`)
	bold     = regexp.MustCompile(`(\*\*|__)(\S(?:[^\n]*?\S)??)(\*\*|__)`)
	italic   = regexp.MustCompile(`(^|[\s(])[*_]([^\s*_](?:[^*_\n]*[^\s*_])?)[*_]([\s.,;:!?)]|$)`)
	tag      = regexp.MustCompile(`(?i)</?(p|br|div|h[1-6]|ul|ol|li|tr|td|th|table|thead|tbody|hr|blockquote|pre|dl|dt|dd|details|summary|section|a|b|i|u|s|em|strong|code|kbd|span|font|small|sup|sub|img|nobr|center|aside|del|ins|var|samp|tt|label|cite|abbr)\b[^<>]*>|<!--.*?-->`)
	listItem = regexp.MustCompile(`^(?:[-*+•]|\d{1,2}[.)])\s+`)
	rule     = regexp.MustCompile(`^[-=*_|:\s]{3,}$`)
)

// withoutTags takes the known HTML tags out; what stands in other angle
// brackets, <id> for one, is text.
func withoutTags(text string) string {
	if strings.IndexByte(text, '<') >= 0 {
		text = tag.ReplaceAllStringFunc(text, func(t string) string {
			switch name := strings.ToLower(tag.FindStringSubmatch(t)[1]); name {
			case "li":
				if t[1] == '/' {
					return "\n"
				}
				return "\n- "
			case "p", "br", "div", "ul", "ol", "tr", "table", "hr", "blockquote", "pre", "dl", "dt", "dd", "section", "h1", "h2", "h3", "h4", "h5", "h6":
				return "\n"
			case "td", "th":
				return " "
			}
			return ""
		})
	}
	if strings.IndexByte(text, '&') >= 0 {
		text = html.UnescapeString(text)
	}
	return text
}

// A lineJoiner puts the lines of a text into one, with the punctuation that line
// breaks stood for.
type lineJoiner struct {
	b      strings.Builder
	broken bool // a blank line, heading or list ended since
	listed bool // the last line was a list item
	fenced bool // inside a code block
}

func (w *lineJoiner) add(line string) {
	switch {
	case strings.HasPrefix(line, "```"), strings.HasPrefix(line, "~~~"):
		w.fenced = !w.fenced
		w.broken = true
	case w.fenced:
	case line == "", rule.MatchString(line):
		w.broken = true
	case strings.HasPrefix(line, "#"):
		w.broken = true
		w.write(strings.TrimRight(strings.Trim(line, "# "), ":") + ":")
	case strings.HasPrefix(line, ">"):
		line = strings.TrimSpace(strings.TrimPrefix(line, ">"))
		if !strings.HasPrefix(line, "[!") {
			w.add(line)
		}
	case strings.HasPrefix(line, "|"):
		w.item(strings.Join(strings.FieldsFunc(strings.ReplaceAll(line, " | ", "|"), func(r rune) bool { return r == '|' }), ", "))
	case listItem.MatchString(line):
		w.item(line[len(listItem.FindString(line)):])
	default:
		if w.listed && !w.broken { // goes on with the item
			w.broken, w.listed = false, false
		}
		w.write(line)
		w.listed = false
	}
}

func (w *lineJoiner) item(text string) {
	switch {
	case w.b.Len() == 0 || w.stopped():
	case w.listed:
		w.b.WriteByte(';')
	default:
		w.b.WriteByte(':')
	}
	w.broken = false
	w.write(strings.TrimSpace(text))
	w.listed = true
}

func (w *lineJoiner) write(text string) {
	if text == "" {
		return
	}
	if w.b.Len() > 0 {
		if w.broken && !w.stopped() {
			w.b.WriteByte('.')
		}
		w.b.WriteByte(' ')
	}
	w.b.WriteString(oneLine(text))
	w.broken = false
}

// stopped reports whether the text so far ends with a mark.
func (w *lineJoiner) stopped() bool {
	text := strings.TrimRight(w.b.String(), `"')”’`)
	return hasAnySuffix(text, ".", ";", ":", "!", "?", ",", "。")
}

func (w *lineJoiner) text() string {
	if w.listed && !w.stopped() {
		return w.b.String() + "."
	}
	return w.b.String()
}
