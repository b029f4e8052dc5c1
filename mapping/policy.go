package mapping

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// kinds are what a policy entry may begin with. "tag" is another word for
// "group".
var kinds = [...]string{"name", "key", "group", "tag", "effect", "table", "column", "repo"}

// An entry is one KIND:GLOB of the rules.
type entry struct {
	kind, glob string
	// text is the entry as it was written, place where it stands in a config.
	text, place string
	// source is the one whose rules hold it, "" for the rules of all.
	source string
	// restricts says that the entry takes something away or asks for something.
	// Then "effect:writes" means what destroys as well.
	restricts bool
	used      bool // it has matched something
}

// newEntry splits a written entry. What stands before the first colon is its
// kind, a name if there is none.
func newEntry(text, place, source string) *entry {
	e := &entry{kind: "name", glob: text, text: text, place: place, source: source}
	if kind, glob, found := strings.Cut(text, ":"); found {
		e.kind, e.glob = kind, glob
	}
	if e.kind == "tag" {
		e.kind = "group"
	}
	return e
}

func newEntries(texts []string, place, source string) []*entry {
	entries := make([]*entry, len(texts))
	for i, text := range texts {
		entries[i] = newEntry(text, fmt.Sprintf("%s[%d]", place, i), source)
	}
	return entries
}

// restricting marks entries that deny, or that ask for something.
func restricting(entries []*entry) []*entry {
	for _, e := range entries {
		e.restricts = true
	}
	return entries
}

// A subject is what policy decides about: an operation, or a resource that is
// no operation's answer.
type subject struct {
	name, key string
	groups    []string
	effect    Effect
	labels    map[string][]string
}

func (t *Tool) subject() *subject {
	return &subject{name: t.Name, key: t.Key, groups: append([]string{t.Group}, t.op.Tags...), effect: t.Effect, labels: t.op.Labels}
}

func (r *Resource) subject() *subject {
	return &subject{name: r.Name, key: r.Path, effect: Reads, labels: r.Labels}
}

// values are what the entry's glob may match.
func (e *entry) values(s *subject) []string {
	switch e.kind {
	case "name":
		return []string{s.name}
	case "key":
		return []string{s.key}
	case "group":
		return s.groups
	case "effect":
		return e.effects(s.effect)
	}
	return s.labels[e.kind]
}

// effects are the words for an effect, an unknown one being a destroying one.
func (e *entry) effects(of Effect) []string {
	words := []string{of.String()}
	if of == EffectUnknown {
		words = append(words, Destroys.String())
	}
	if e.restricts && of != Reads {
		words = append(words, Writes.String())
	}
	return words
}

// matches reports whether any value of the entry's kind fits its glob.
func (e *entry) matches(s *subject) bool {
	for _, value := range e.values(s) {
		if MatchGlob(e.glob, value) {
			e.used = true
			return true
		}
	}
	return false
}

// first returns the first entry that matches, nil if none does. All are asked,
// so that those which never match can be told.
func first(entries []*entry, s *subject) *entry {
	var found *entry
	for _, e := range entries {
		if e.matches(s) && found == nil {
			found = e
		}
	}
	return found
}

// admits reports whether the entries allow the subject; no entries allow all.
// What touches several tables, columns or repositories is allowed by entries of
// that kind only if they cover each one, because it reaches them all.
func admits(allow []*entry, s *subject) bool {
	if len(allow) == 0 {
		return true
	}
	admitted := false
	for _, e := range allow {
		if !e.matches(s) {
			continue
		}
		if !isLabel(e.kind) || covers(allow, e.kind, s.labels[e.kind]) {
			admitted = true
		}
	}
	return admitted
}

// labelling returns the entries about labels.
func labelling(entries []*entry) []*entry {
	return slices.DeleteFunc(slices.Clone(entries), func(e *entry) bool { return !isLabel(e.kind) })
}

func isLabel(kind string) bool { return kind == "table" || kind == "column" || kind == "repo" }

func covers(allow []*entry, kind string, values []string) bool {
	for _, value := range values {
		if !slices.ContainsFunc(allow, func(e *entry) bool { return e.kind == kind && MatchGlob(e.glob, value) }) {
			return false
		}
	}
	return true
}

// MatchGlob reports whether the whole text fits the glob: * is any run of
// characters, ? is one, everything else is itself.
func MatchGlob(glob, text string) bool {
	// On a mismatch the latest * takes one character more. Earlier ones need no
	// second try, so the time is at most the product of the lengths.
	star, resume := -1, 0
	g, t := 0, 0
	for t < len(text) {
		_, size := utf8.DecodeRuneInString(text[t:])
		switch {
		case g < len(glob) && glob[g] == '*':
			star, resume = g, t
			g++
		case g < len(glob) && glob[g] == '?':
			g++
			t += size
		case g < len(glob) && glob[g] == text[t]:
			g++
			t++
		case star >= 0:
			_, size = utf8.DecodeRuneInString(text[resume:])
			resume += size
			g, t = star+1, resume
		default:
			return false
		}
	}
	return strings.Trim(glob[g:], "*") == ""
}

// A policy is the rules that decide about one source, parsed once.
type policy struct {
	readOnly string // the place that says so, "" if none does
	// allow has one list for each place that has any; every one must admit.
	allow   [][]*entry
	deny    []*entry
	confirm []*entry
	scopes  []scoped
	// limited says that callers see only what one of the grants covers.
	limited bool
	grants  []*grant
}

// A scoped entry asks callers for scopes.
type scoped struct {
	*entry
	scopes []string
}

// refusal says why the policy drops a subject, "" if it does not. Deny wins.
func (p *policy) refusal(s *subject) string {
	denied := first(p.deny, s)
	allowed := true
	for _, allow := range p.allow {
		if !admits(allow, s) {
			allowed = false
		}
	}
	switch {
	case denied != nil:
		return fmt.Sprintf("%s denies %q", denied.place, denied.text)
	case p.readOnly != "" && s.effect != Reads:
		return fmt.Sprintf("%s is set, and the operation %s", p.readOnly, notRead(s.effect))
	case !allowed:
		return "the allow entries do not cover it"
	case p.limited && !slices.ContainsFunc(p.grants, func(g *grant) bool { return admits(g.allow, s) }):
		return "the access entries do not cover it, so no caller would see it"
	}
	return ""
}

func notRead(e Effect) string {
	if e == EffectUnknown {
		return "is not known to be a read"
	}
	return e.String()
}
