package mapping

import (
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A phrase is what an operation does, taken from its own summary so that it can
// be said in another sentence: "Returns all pets." is verb get, rest "all pets".
type phrase struct {
	// verbs are the base forms at the beginning: one, or "create" and "update" of
	// "Creates or updates a pet". nil is a phrase about a thing: "Info on a pet".
	verbs []string
	join  string // what stands between verbs: "or", "and"
	rest  string // without a full stop
	whole string // the verbs, as they were written, and the rest
}

// fillers are words that say nothing but that there is an operation.
var fillers = []*regexp.Regexp{
	regexp.MustCompile(`(?i)^[\[(]?(deprecated|beta|experimental|preview|legacy)[\])]?\s*[:.\-–]?\s+`),
	regexp.MustCompile(`(?i)^(?:please )?use (?:this|the) (?:\w+ )?` + call + ` (?:to|if you want to|when you want to) `),
	regexp.MustCompile(`(?i)^use (?:this )?(?:when|if) you (?:need|want|have)(?: to)? `),
	regexp.MustCompile(`(?i)^(?:this|the) (?:\w+ )?` + call + `(?: call)? (?:(?:can|may|should|will|is to) be used to |is used to |will |can )?`),
	regexp.MustCompile(`(?i)^(?:an? )?` + call + ` (?:to|that|which|for) `),
	regexp.MustCompile(`(?i)^(?:allows?|enables?|lets) (?:(?:you|users?|clients?|the user|the caller) )?to `),
	regexp.MustCompile(`(?i)^lets (?:you|users?|clients?|the user|the caller) `),
	regexp.MustCompile(`(?i)^(?:used|you can|can be used)(?: to)? `),
}

const call = `(?:endpoint|method|operation|api|call|route|resource|request)`

// mayFill tells cheaply whether any of the fillers can match.
func mayFill(text string) bool {
	end := strings.IndexFunc(text, func(r rune) bool { return !unicode.IsLetter(r) })
	switch strings.ToLower(text[:max(end, 0)]) {
	case "", "deprecated", "beta", "experimental", "preview", "legacy", "please", "use", "this", "the", "a", "an",
		"endpoint", "method", "operation", "api", "call", "route", "resource", "request",
		"allow", "allows", "enable", "enables", "lets", "used", "you", "can":
		return true
	}
	return false
}

// phraseOf reads the first sentence of a summary or description.
func phraseOf(text string) phrase {
	text = strings.TrimRight(text, " .!。")
	if name := strings.TrimSuffix(text, "()"); isIdentifier(name) && isPlainWord(strings.ToLower(name)) {
		if p := namePhrase(snake(name), false); p.verbs != nil {
			return p // "listPets()"
		}
	}
	if mayFill(text) {
		for _, filler := range fillers {
			if rest := filler.ReplaceAllString(text, ""); rest != "" {
				text = rest
			}
		}
	}
	if label, after, found := strings.Cut(text, " - "); found && strings.Count(label, " ") < 3 {
		if p := verbPhrase(after); p.verbs != nil {
			return p // "Closing down - List classrooms"
		}
	}
	word, after, _ := strings.Cut(text, " ")
	p := verbPhrase(after)
	switch manner := manner(word); {
	case p.verbs != nil && isIdentifier(word):
		return p // "ListRepositories gets all repositories"
	case p.verbs != nil && manner != "":
		p.rest = joined(p.rest, manner) // "Permanently delete a file"
		return p
	}
	return verbPhrase(text)
}

// isIdentifier reports whether a word is a name out of a program: listPets.
func isIdentifier(word string) bool {
	return strings.IndexFunc(word, unicode.IsLower) >= 0 && strings.LastIndexFunc(word, unicode.IsUpper) > 0
}

// manner returns how a word before the verb is said behind it, "" if it is no
// such word.
func manner(word string) string {
	word = strings.ToLower(word)
	switch {
	case word == "bulk" || word == "batch":
		return "in bulk"
	case strings.HasSuffix(word, "ly") && len(word) > len("reply"):
		return word
	}
	return ""
}

// ofRead is the phrase where the operation only reads: "Block transactions" is
// then about the transactions of a block.
func (p phrase) ofRead() phrase {
	if len(p.verbs) != 1 || !strings.Contains(things, " "+p.verbs[0]+" ") {
		return p
	}
	word, rest, _ := strings.Cut(p.whole, " ")
	next, _, _ := strings.Cut(strings.ToLower(rest), " ")
	if !strings.EqualFold(word, p.verbs[0]) || isDeterminer(next) || isPreposition(next) {
		return p
	}
	return phrase{rest: lowerFirst(p.whole), whole: p.whole}
}

// namePhrase reads a phrase off the words of a name. Where the verb stands in
// the middle, as in "tickets_query_item", it is put first; so it is where the
// operation only reads and the first word says otherwise: "tag_groups_query".
func namePhrase(name string, reads bool) phrase {
	p := phraseOf(strings.ReplaceAll(name, "_", " "))
	if p.verbs != nil && (!reads || slices.Contains(readingVerbs, p.verbs[0])) {
		return p
	}
	words := strings.Split(name, "_")
	for i, word := range words {
		if i > 0 && (slices.Contains(readingVerbs, word) || !reads && slices.Contains(writingVerbs, word)) {
			p.verbs = []string{word}
			p.rest = strings.Join(slices.Concat(words[:i], words[i+1:]), " ")
			return p
		}
	}
	return p
}

// Verbs in the middle of a name that are hardly ever nouns there.
var (
	readingVerbs = []string{"get", "list", "find", "query", "search", "read", "retrieve", "fetch"}
	writingVerbs = []string{"create", "add", "insert", "update", "replace", "patch", "delete", "remove", "set"}
)

// verbPhrase takes the verbs off the beginning.
func verbPhrase(text string) phrase {
	p := phrase{rest: text, whole: text}
	for {
		word, rest, _ := strings.Cut(p.rest, " ")
		if after, found := strings.CutPrefix(rest, "of "); found && (strings.EqualFold(word, "list") || strings.EqualFold(word, "listing")) {
			rest = after // "List of pets"
		}
		verb := leadingVerb(word, rest)
		if verb == "" {
			break
		}
		if again, after, _ := strings.Cut(rest, " "); after != "" && leadingVerb(again, after) == verb {
			rest = after // "Create creates a cluster"
		}
		p.verbs, p.rest = append(p.verbs, verb), rest
		join, after, _ := strings.Cut(rest, " ")
		next, beyond, _ := strings.Cut(after, " ")
		if join != "or" && join != "and" && join != "&" || leadingVerb(next, beyond) == "" || len(p.verbs) == 2 {
			return p
		}
		p.join, p.rest = join, after
	}
	if p.verbs == nil {
		p.rest = lowerFirst(text)
	}
	return p
}

// leadingVerb returns the base form of a word that begins a phrase as its verb,
// "" where it does not. A plural is a verb only where something follows it that
// it can be done to.
func leadingVerb(word, rest string) string {
	lower := strings.ToLower(strings.TrimRight(word, ","))
	base, third := verbForm(lower)
	next, _, _ := strings.Cut(rest, " ")
	next = strings.ToLower(next)
	switch {
	case base == "" && isPlainWord(word) && isDeterminer(next):
		return lower // "Kill a container"
	case base == "", next == "of":
		return "" // "Search of pets"
	case third && (rest == "" || isPreposition(next) && !takesPreposition(base) && !joinsVerb(rest)):
		return "" // "Orders by status"
	}
	switch base {
	case "return", "give", "provide", "display", "obtain", "serve", "retrieve":
		return "get"
	}
	return base
}

// joinsVerb reports whether a text goes on with "or updates".
func joinsVerb(text string) bool {
	words := strings.Fields(text)
	if len(words) < 3 || words[0] != "or" && words[0] != "and" {
		return false
	}
	_, third := verbForm(strings.ToLower(words[1]))
	return third
}

func isPlainWord(word string) bool {
	odd := func(r rune) bool { return r >= utf8.RuneSelf || !unicode.IsLetter(r) && r != '-' }
	lower := strings.ToLower(word)
	return word != "" && strings.IndexFunc(word, odd) < 0 && lower[1:] == word[1:] &&
		!isDeterminer(lower) && !isPreposition(lower)
}

func isDeterminer(word string) bool {
	switch word {
	case "a", "an", "the", "this", "your", "multiple", "several", "existing", "specific", "specified", "given":
		return true
	}
	return false
}

func isPreposition(word string) bool {
	switch word {
	case "for", "by", "in", "on", "at", "to", "from", "with", "within", "about", "per", "and", "or", "is", "are", "that", "which", "-", "(":
		return true
	}
	return false
}

func takesPreposition(verb string) bool {
	switch verb {
	case "search", "check", "report", "wait", "ask", "apply", "respond", "reply", "subscribe", "unsubscribe", "look", "listen", "log", "sign", "switch":
		return true
	}
	return false
}

// isSentence reports whether the phrase has a subject and a verb of its own, so
// that it cannot be said in another sentence: "This can only be done by …".
func (p phrase) isSentence() bool {
	words := strings.Fields(strings.ToLower(p.rest))
	if p.verbs != nil {
		return false
	}
	if len(words) > 0 && (words[0] == "this" || words[0] == "these" || words[0] == "it" || words[0] == "if" || words[0] == "you") {
		return true
	}
	return len(words) > 12 || slices.ContainsFunc(words, func(word string) bool {
		switch word {
		case "is", "are", "will", "can", "must", "may", "should", "cannot", "returns", "contains", "allows":
			return true
		}
		return false
	})
}

// infinitive says the phrase behind "to": "create or update a pet".
func (p phrase) infinitive() string { return p.said(func(verb string) string { return verb }) }

// gerund says it behind "for": "creating or updating a pet".
func (p phrase) gerund() string { return p.said(gerund) }

func (p phrase) said(form func(string) string) string {
	var words []string
	for i, verb := range p.verbs {
		if i > 0 {
			words = append(words, p.join)
		}
		words = append(words, form(verb))
	}
	if p.rest != "" {
		words = append(words, p.rest)
	}
	said := strings.Join(words, " ")
	if p.verbs == nil || !strings.Contains(said, " and ") && !strings.Contains(said, " or ") {
		return said
	}
	return alsoDone.ReplaceAllStringFunc(said, func(part string) string {
		m := alsoDone.FindStringSubmatch(part)
		base, third := verbForm(m[2])
		if !third {
			return part
		}
		return m[1] + form(base) + m[3]
	})
}

// alsoDone finds a further verb behind the first: "and permanently deletes the".
var alsoDone = regexp.MustCompile(`( (?:and|or) (?:[a-z]+ly )?)([a-z]+s)( (?:the|an?|its|their|your|it|all) )`)

// lowerFirst writes the first word small where it is an ordinary one: it has
// one capital, and the next word has none, as in a title or a name.
func lowerFirst(text string) string {
	word, rest, _ := strings.Cut(text, " ")
	if word == "" || !isUpper(word[0]) || strings.ToLower(word[1:]) != word[1:] || len(word) == 1 && word != "A" {
		return text
	}
	if rest != "" && isUpper(rest[0]) && !isDeterminer(strings.ToLower(word)) {
		return text
	}
	return strings.ToLower(text[:1]) + text[1:]
}
