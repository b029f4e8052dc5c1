package github

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A query of GitHub's search is words and qualifiers, all of which must hold; its
// scope are the qualifiers repo:, org: and user:, of which one must. Operators
// could take the scope out of force, so there are none but between the scopes of a
// search for issues, whose syntax asks for them.

// queryParts splits a query at spaces outside quotes.
func queryParts(q string) (parts []string, err error) {
	var b strings.Builder
	quoted := false
	for i, r := range q {
		switch {
		case r == '"':
			if i > 0 && q[i-1] == '\\' {
				return nil, errQuery(`it has \", which cannot be searched for`)
			}
			quoted = !quoted
			b.WriteRune(r)
		case unicode.IsSpace(r) && !quoted || unicode.IsControl(r):
			if b.Len() > 0 {
				parts = append(parts, b.String())
				b.Reset()
			}
		default:
			b.WriteRune(r)
		}
	}
	if quoted {
		return nil, errQuery("a quote in it has no end")
	}
	if b.Len() > 0 {
		parts = append(parts, b.String())
	}
	for _, part := range parts {
		if err := checkPart(part); err != nil {
			return nil, err
		}
	}
	return parts, nil
}

func errQuery(why string) error {
	return &mapping.Error{Code: mapping.Invalid, Problem: "the query cannot be searched for: " + why, Next: "call again with plain words and qualifiers"}
}

// scopeWithin finds a scope where GitHub's reader may begin a new word, such as
// behind a sign. What leaves something out by a hyphen is none.
var scopeWithin = regexp.MustCompile(`(?i)(^|[^a-z0-9_-])(repo|org|user|enterprise|owner|business):`)

// checkPart refuses operators, and scopes that do not stand by themselves. Behind
// a quote a new word may begin.
func checkPart(part string) error {
	kind, _ := scopeOf(part)
	for i, piece := range strings.Split(part, `"`) {
		if i%2 == 1 {
			continue // between quotes
		}
		if word := strings.ToUpper(piece); word == "OR" || word == "AND" || word == "||" || word == "&&" {
			return errQuery("it has the operator " + piece + "; all words must hold, so call once for each alternative")
		}
		if strings.ContainsAny(piece, "()") {
			return errQuery("it has parentheses outside quotes")
		}
		if kind == "" && scopeWithin.MatchString(strings.Map(narrow, piece)) {
			return errQuery(fmt.Sprintf("%q has a scope within a word; what is no scope stands in quotes", excerpt(part, 80)))
		}
	}
	return nil
}

// narrow maps what is a letter or a colon in another width.
func narrow(r rune) rune {
	switch {
	case r >= '！' && r <= '～':
		return r - '！' + '!'
	case r == '﹕' || r == '︓':
		return ':'
	}
	return r
}

// scopeOf returns the qualifier of a part that says where to search, "" if it is
// none. A part that leaves something out is none.
func scopeOf(part string) (kind, value string) {
	kind, value, found := strings.Cut(strings.TrimLeft(part, `"`), ":")
	kind = strings.ToLower(kind)
	if !found || !slices.Contains([]string{"repo", "org", "user", "enterprise", "owner", "business"}, kind) {
		return "", ""
	}
	return kind, strings.Trim(value, `"`)
}

// scoped returns a query that searches allowed repositories only: of an owner or
// one repository if they are given, else of all that are allowed. What the text
// itself says of a scope must be allowed, and takes the place of the list.
func (l *allowList) scoped(text, owner, repo string, operators bool) (string, error) {
	parts, err := queryParts(text)
	if err != nil {
		return "", err
	}
	var scopes, words []string
	for _, part := range parts {
		kind, value := scopeOf(part)
		if kind == "" {
			words = append(words, part)
			continue
		}
		if !l.allowsScope(kind, value) {
			return "", l.scopeRefusal(part)
		}
		scopes = append(scopes, kind+":"+value)
	}
	switch {
	case repo != "" && !l.allows(owner, repo):
		return "", l.refusal(owner, repo)
	case repo != "":
		scopes = []string{"repo:" + owner + "/" + repo}
	case owner != "" && !l.allowsScope("user", owner):
		return "", l.scopeRefusal("owner " + owner)
	case owner != "":
		scopes = []string{"user:" + owner}
	case scopes == nil:
		scopes = l.scopes()
	}
	// The scope comes first: a word such as NOT at the end then has nothing behind it.
	q := strings.Join(append(grouped(scopes, operators), words...), " ")
	return q, l.checkQuery(q)
}

// grouped joins scopes by OR, where spaces between them would mean AND.
func grouped(scopes []string, operators bool) []string {
	in, out := []string{}, []string{}
	for _, s := range scopes {
		if strings.HasPrefix(s, "-") {
			out = append(out, s)
		} else {
			in = append(in, s)
		}
	}
	if !operators || len(in) < 2 {
		return scopes
	}
	return append([]string{"(" + strings.Join(in, " OR ") + ")"}, out...)
}

// scopeGroup is what grouped writes: nothing but scopes is in it.
var scopeGroup = regexp.MustCompile(`^\((?:repo|user|org):[A-Za-z0-9/._-]+(?: OR (?:repo|user|org):[A-Za-z0-9/._-]+)+\)(?: |$)`)

// scopes are the qualifiers of the whole list; none where all is allowed.
func (l *allowList) scopes() []string {
	var scopes []string
	for _, g := range l.allow {
		switch {
		case strings.Contains(g.owner, "*"):
			return l.denials() // results are looked at one by one
		case strings.Contains(g.repo, "*"):
			scopes = append(scopes, "user:"+g.owner)
		default:
			scopes = append(scopes, "repo:"+g.owner+"/"+g.repo)
		}
	}
	slices.Sort(scopes)
	return append(slices.Compact(scopes), l.denials()...)
}

func (l *allowList) denials() []string {
	var scopes []string
	for _, g := range l.deny {
		if g.exact() {
			scopes = append(scopes, "-repo:"+g.owner+"/"+g.repo)
		}
	}
	return scopes
}

// allowsScope reports whether something in a scope is allowed. A user's or an
// organization's repositories may be only partly; results are looked at too.
func (l *allowList) allowsScope(kind, value string) bool {
	switch kind {
	case "repo":
		return l.allowsName(value)
	case "user", "org":
		return ownerForm.MatchString(value) && slices.ContainsFunc(l.allow, func(g glob) bool {
			return strings.Contains(g.repo, "*") && mapping.MatchGlob(g.owner, strings.ToLower(value))
		})
	}
	return false
}

func (l *allowList) scopeRefusal(part string) error {
	return &mapping.Error{Code: mapping.Denied, Problem: fmt.Sprintf("%q searches where nothing may be reached from here", excerpt(part, 80)), Allowed: l.words(), Next: "leave it out, or name an allowed repository with repo:OWNER/REPO"}
}

// checkQuery says whether a query that is about to leave stays within the list.
func (l *allowList) checkQuery(q string) error {
	group := scopeGroup.FindString(q)
	parts, err := queryParts(q[len(group):])
	if err != nil {
		return err
	}
	if group != "" {
		parts = append(parts, strings.Split(strings.Trim(group, "() "), " OR ")...)
	}
	found := false
	for _, part := range parts {
		kind, value := scopeOf(part)
		if kind == "" {
			continue
		}
		if !l.allowsScope(kind, value) {
			return l.scopeRefusal(part)
		}
		found = true
	}
	anywhere := slices.ContainsFunc(l.allow, func(g glob) bool { return strings.Contains(g.owner, "*") })
	if !found && !anywhere {
		return errHostile()
	}
	if len(q) > 1000 {
		return errQuery("it is too long")
	}
	return nil
}
