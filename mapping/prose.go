package mapping

import (
	"iter"
	"strings"
	"unicode"
	"unicode/utf8"
)

// sentences splits a text where a sentence ends: at a full stop, question or
// exclamation mark with a space and no small letter behind it, at the marks of
// Chinese and Japanese, and at a blank line. Abbreviations end nothing.
func sentences(text string) iter.Seq[string] {
	return func(yield func(string) bool) {
		for paragraph := range strings.SplitSeq(text, "\n\n") {
			for paragraph = strings.TrimSpace(paragraph); paragraph != ""; {
				end := sentenceEnd(paragraph)
				if !yield(strings.TrimSpace(paragraph[:end])) {
					return
				}
				paragraph = strings.TrimSpace(paragraph[end:])
			}
		}
	}
}

// sentenceEnd returns where the first sentence of a text ends.
func sentenceEnd(text string) int {
	for i, r := range text {
		switch r {
		case '。', '！', '？':
			return i + utf8.RuneLen(r)
		case '.', '!', '?':
			end := i + 1 + closers(text[i+1:])
			if end == len(text) || ends(text[:i], text[end:], r) {
				return end
			}
		}
	}
	return len(text)
}

// closers counts the quotes and brackets that close behind a full stop.
func closers(text string) int {
	return len(text) - len(strings.TrimLeft(text, `"')]*_”’`))
}

// ends reports whether a mark between two texts ends a sentence.
func ends(before, after string, mark rune) bool {
	if !strings.HasPrefix(after, " ") && !strings.HasPrefix(after, "\n") {
		return false
	}
	next, _ := utf8.DecodeRuneInString(strings.TrimSpace(after))
	if unicode.IsLower(next) {
		return false
	}
	return mark != '.' || !isAbbreviation(before[strings.LastIndexAny(before, " \n(")+1:])
}

func isAbbreviation(word string) bool {
	switch strings.ToLower(word) {
	case "e.g", "i.e", "eg", "ie", "etc", "vs", "cf", "approx", "incl", "resp", "no", "nr", "fig", "dr", "mr", "mrs", "ms", "st":
		return true
	}
	return len(word) == 1 && isUpper(word[0]) // an initial
}

// cutSentences keeps as many whole sentences as fit into max characters, and
// reports whether that was not all. A first sentence that does not fit ends
// after its last whole word with "…".
func cutSentences(text string, max int) (kept string, cut bool) {
	if utf8.RuneCountInString(text) <= max {
		return text, false
	}
	if max <= 0 {
		return "", true
	}
	var b strings.Builder
	room := max
	for s := range sentences(text) {
		n := utf8.RuneCountInString(s)
		if b.Len() > 0 {
			n++ // the space before it
		}
		if n > room {
			break
		}
		room -= n
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(s)
	}
	if b.Len() > 0 {
		return b.String(), true
	}
	return cutWords(text, max), true
}

// cutWords keeps as many whole words as fit into max characters with a "…".
func cutWords(text string, max int) string {
	runes := []rune(text)
	if len(runes) <= max {
		return text
	}
	end := max - 1
	for end > 0 && !unicode.IsSpace(runes[end]) {
		end--
	}
	if end == 0 { // one endless word
		end = max - 1
	}
	return strings.TrimRight(string(runes[:end]), " \n\t,;:-(") + "…"
}
