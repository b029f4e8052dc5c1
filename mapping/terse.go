package mapping

import "strings"

// A wordiness bounds what the backend may say about one property.
type wordiness struct {
	most int // characters
	// note keeps the first sentence alone, as a note is written: without its
	// article and its full stop. A large list has no room for more.
	note bool
}

// wordinessFor returns the bound for a source with so many tools.
func wordinessFor(tools int) wordiness {
	switch {
	case tools <= 100:
		return wordiness{most: 300}
	case tools <= 400:
		return wordiness{most: 160}
	}
	return wordiness{most: 80, note: true}
}

// terse makes a backend's text worth a model's tokens: on one line, links
// without their targets, without sentences that only point elsewhere, and no
// longer than there is room.
func (w wordiness) terse(text string) string {
	if text == "" {
		return ""
	}
	text = Visible(text)
	if strings.Contains(text, "](") {
		text = unlink(text)
	}
	if strings.ContainsAny(text, "\n\t\r") || strings.Contains(text, "  ") {
		text = strings.Join(strings.Fields(text), " ")
	}
	text = w.sentences(strings.TrimSpace(text))
	text, _ = cutSentences(text, w.most)
	if w.note {
		text = asNote(text)
	}
	return text
}

// asNote leaves out the article and the full stop.
func asNote(text string) string {
	for _, article := range []string{"The ", "An ", "A "} {
		if rest, ok := strings.CutPrefix(text, article); ok && rest != "" && isLower(rest[0]) {
			text = strings.ToUpper(rest[:1]) + rest[1:]
			break
		}
	}
	return strings.TrimSuffix(text, ".")
}

// sentences leaves out those that only say where to read on, and in a note all
// but the first.
func (w wordiness) sentences(text string) string {
	var kept []string
	for s := range sentences(text) {
		if pointsElsewhere(s) {
			continue
		}
		kept = append(kept, s)
		if w.note {
			break
		}
	}
	return strings.Join(kept, " ")
}

// pointsElsewhere says whether a sentence sends its reader to another page,
// where a model cannot go.
func pointsElsewhere(sentence string) bool {
	for _, start := range []string{"For more information", "For more details", "For details", "To learn more", "Learn more", "Read more", "See also", "See https://", "See http://"} {
		if strings.HasPrefix(sentence, start) {
			return true
		}
	}
	return false
}

// unlink keeps the text of Markdown links and images, and drops their targets.
func unlink(text string) string {
	var b strings.Builder
	for {
		middle := strings.Index(text, "](")
		if middle < 0 {
			break
		}
		open := strings.LastIndexByte(text[:middle], '[')
		length := strings.IndexAny(text[middle:], ")\n")
		if open < 0 || length < 0 || text[middle+length] != ')' {
			b.WriteString(text[:middle+2])
			text = text[middle+2:]
			continue
		}
		b.WriteString(strings.TrimSuffix(text[:open], "!"))
		b.WriteString(text[open+1 : middle])
		text = text[middle+length+1:]
	}
	b.WriteString(text)
	return b.String()
}
