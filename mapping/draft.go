package mapping

import (
	"cmp"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxPhrase is how much of an operation's summary goes into another's sentence.
const maxPhrase = 48

// A draft is what describe knows of one tool before it writes.
type draft struct {
	tool   *Tool
	phrase phrase
	role   role
	// rest is what the backend says beyond the phrase, more that it says more.
	rest string
	more bool
}

// newDraft reads what the backend says: the summary, else the first sentence of
// the text, else the words of the name.
func newDraft(t *Tool, size size) draft {
	d := draft{tool: t}
	text := t.op.Text
	if size.details == 0 { // the rest would only be thrown away
		text, _, d.more = strings.Cut(strings.ReplaceAll(text, "\r", ""), "\n\n")
	}
	first, rest := firstSentence(t.source.words(plainText(t.op.Summary)))
	if !strings.ContainsFunc(first, unicode.IsLetter) {
		first = "" // "-", "???"
	}
	d.rest = joined(stopped(rest), t.source.words(plainText(text)))
	d.phrase = d.read(first)
	if first == "" || snake(first) == snake(t.op.Name) {
		d.takeText(first)
	}
	if d.phrase.isSentence() {
		d.rest = joined(first, d.rest)
		d.phrase = phrase{}
	}
	if d.phrase.infinitive() == "" {
		d.phrase = namePhrase(cmp.Or(snake(t.op.Name), t.op.Name), t.Effect == Reads)
	}
	d.absorb()
	d.role = roleOf(t.op, d.phrase)
	return d
}

// read reads what the operation does out of a sentence.
func (d *draft) read(sentence string) phrase {
	p := phraseOf(sentence)
	if d.tool.Effect == Reads {
		return p.ofRead()
	}
	return p
}

// takeText takes the first sentence of the text for a summary that says no more
// than the name, if it says what the operation does.
func (d *draft) takeText(summary string) {
	first, rest := firstSentence(d.rest)
	p := d.read(first)
	if p.verbs != nil || summary == "" && !p.isSentence() {
		d.phrase, d.rest = p, rest
	}
}

// absorb drops the next sentence where it says the first one again, and takes
// it in place of the first where it says the same and more.
func (d *draft) absorb() {
	next, rest := firstSentence(d.rest)
	if next == "" || utf8.RuneCountInString(next) > 2*maxPhrase {
		return
	}
	p := d.read(next)
	first, second := strings.ToLower(d.phrase.infinitive()), strings.ToLower(p.infinitive())
	switch {
	case strings.HasPrefix(first, second):
		d.rest = rest
	case strings.HasPrefix(second, first):
		d.phrase, d.rest = p, rest
	}
}

func firstSentence(text string) (first, rest string) {
	end := sentenceEnd(text)
	return strings.TrimSpace(text[:end]), strings.TrimSpace(text[end:])
}

// use is the first sentence: Use when …
func (d *draft) use() string {
	if own := d.tool.source.words(d.tool.op.Use); own != "" {
		return stopped(own)
	}
	said := d.phrase.infinitive()
	switch {
	case said == "":
		return fmt.Sprintf("Use when you need %s.", d.tool.Name)
	case d.phrase.verbs != nil:
		return "Use when you need to " + stopped(said)
	case d.tool.Effect != Reads && d.role.verb != "" && !isDeed(said):
		return "Use when you need to " + d.role.verb + " " + stopped(said)
	}
	return "Use when you need " + stopped(said)
}

// isDeed reports whether a phrase about a thing is about doing something: "Pet
// deletion".
func isDeed(said string) bool {
	word := said[strings.LastIndexByte(said, ' ')+1:]
	return hasAnySuffix(word, "tion", "sion", "ment", "ing", "al", "load", "reset", "login", "logout")
}

// stopped ends a sentence with a full stop; no sentence stays none.
func stopped(sentence string) string {
	sentence = strings.TrimSpace(sentence)
	if sentence == "" || strings.HasSuffix(sentence, "…") || hasAnySuffix(sentence, ".", "!", "?", "。") {
		return sentence
	}
	return sentence + "."
}

// avoid is the second sentence: Do not use for …; use X instead. It is "" where
// the operation has no neighbour.
func (d *draft) avoid(other *draft) string {
	if own := d.tool.source.words(d.tool.op.Avoid); own != "" {
		return stopped(own)
	}
	if other == nil {
		return ""
	}
	return fmt.Sprintf("Do not use for %s; use %s instead.", other.deed(), other.tool.Name)
}

// deed says what the operation is for, to stand behind "for": "listing pets".
func (d *draft) deed() string {
	verb, said := d.role.verb, d.phrase.rest
	switch {
	case !d.saysHow() && (verb == "list" || verb == "search"):
		return gerund(verb) + " " + plural(d.role.noun)
	case !d.saysHow() && verb == "get":
		return "reading a single " + d.role.noun
	case !d.saysHow():
		return gerund(verb) + " " + article(d.role.noun)
	case d.phrase.verbs != nil:
		return d.phrase.gerund()
	case isDeed(said):
		return said
	case d.tool.Effect == Reads:
		return "reading " + said
	}
	return gerund(verb) + " " + said
}

// saysHow reports whether the operation's own phrase is short enough to stand
// in another's description.
func (d *draft) saysHow() bool {
	return d.phrase.rest != "" && utf8.RuneCountInString(d.phrase.rest) <= maxPhrase
}
