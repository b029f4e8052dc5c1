package openapi

import (
	"strings"
	"unicode"
)

// operationName makes a name for an operation that has none: a verb for its
// method, then the literal segments of its path.
func operationName(method, path string) string {
	words := literalSegments(path)
	if len(words) == 0 {
		words = []string{"root"}
	}
	return verbWord(method, path) + "_" + strings.Join(words, "_")
}

func verbWord(method, path string) string {
	switch method {
	case "GET":
		if endsInVariable(path) {
			return "get"
		}
		return "list"
	case "POST":
		return "create"
	case "PUT":
		return "replace"
	case "PATCH":
		return "update"
	}
	return strings.ToLower(method)
}

func endsInVariable(path string) bool {
	return strings.HasSuffix(strings.TrimRight(path, "/"), "}")
}

// literalSegments are a path's segments without what stands in braces, and
// without those that only say a version.
func literalSegments(path string) []string {
	path, _, _ = strings.Cut(path, "?")
	var words []string
	for segment := range strings.SplitSeq(path, "/") {
		if word := strings.Trim(withoutVariables(segment), "._-:,;()'= "); word != "" {
			words = append(words, word)
		}
	}
	return words
}

func withoutVariables(segment string) string {
	for {
		before, after, found := strings.Cut(segment, "{")
		_, rest, closed := strings.Cut(after, "}")
		if !found || !closed {
			return segment
		}
		segment = before + " " + rest
	}
}

// noun is what an operation is about: its thing, and for a search what it finds.
func noun(e entry, verb string) string {
	if verb == "search" {
		return thing(e.path[:strings.LastIndexByte(strings.TrimRight(e.path, "/"), '/')])
	}
	return thing(e.path)
}

// thing is what an operation is about, in the singular: the words of the last
// literal segment of its path. Whether two operations are about the same orders,
// mapping tells by their keys.
func thing(path string) string {
	var words []string
	for _, segment := range literalSegments(path) {
		if !isVersion(segment) {
			words = splitWords(segment)
		}
	}
	if len(words) == 0 {
		return ""
	}
	words[len(words)-1] = singular(words[len(words)-1])
	return strings.Join(words, " ")
}

func isVersion(segment string) bool {
	rest, found := strings.CutPrefix(strings.ToLower(segment), "v")
	return segment == "api" || found && rest != "" && strings.Trim(rest, "0123456789.") == ""
}

// splitWords splits at what is no letter or digit, and before capitals that begin
// a word.
func splitWords(s string) []string {
	var b strings.Builder
	runes := []rune(s)
	for i, r := range runes {
		if i > 0 && unicode.IsUpper(r) && (unicode.IsLower(runes[i-1]) || i+1 < len(runes) && unicode.IsLower(runes[i+1])) {
			b.WriteByte(' ')
		}
		b.WriteRune(unicode.ToLower(r))
	}
	return strings.FieldsFunc(b.String(), func(r rune) bool { return !unicode.IsLetter(r) && !unicode.IsDigit(r) })
}

// singular makes the singular of an English plural where the rule is sure.
func singular(word string) string {
	for _, rule := range []struct{ from, to string }{
		{"series", "series"}, {"news", "news"}, {"aches", "ache"}, {"ies", "y"}, {"sses", "ss"}, {"xes", "x"}, {"ches", "ch"}, {"shes", "sh"},
		{"ss", "ss"}, {"us", "us"}, {"is", "is"}, {"s", ""},
	} {
		if stem, found := strings.CutSuffix(word, rule.from); found && len(stem)+len(rule.to) > 2 {
			return stem + rule.to
		}
	}
	return word
}

// verb is what an operation does to its thing, "" where method and path do not
// tell. A POST creates where its path is that of a list: one that can be read, or
// that has items below it.
func (d *document) verb(e entry) string {
	switch e.method {
	case "GET":
		last := literalSegments(e.path)
		if n := len(last); n > 1 && !endsInVariable(e.path) && strings.EqualFold(last[n-1], "search") {
			return "search"
		}
		return verbWord(e.method, e.path)
	case "PUT", "PATCH", "DELETE":
		return verbWord(e.method, e.path)
	case "POST":
		if _, list := d.byKey["GET "+e.path]; list && !endsInVariable(e.path) || d.collections[strings.TrimRight(e.path, "/")] {
			return "create"
		}
	}
	return ""
}

// findCollections remembers the paths below which a path goes on with one
// variable.
func (d *document) findCollections() {
	d.collections = map[string]bool{}
	for _, e := range d.entries {
		if i := strings.LastIndexByte(strings.TrimRight(e.path, "/"), '/'); i > 0 && strings.HasPrefix(e.path[i:], "/{") {
			d.collections[e.path[:i]] = true
		}
	}
}
