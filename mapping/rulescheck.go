package mapping

import (
	"errors"
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Check reports every entry of the rules that cannot mean anything: an unknown
// kind, an empty glob, a word that is not one of the allowed, a name that some
// client would refuse. Each error names the entry by its path in a config file:
// "rules.confirm[2]", "sources.pets.overrides[GET /pets].name".
func (r Rules) Check() error {
	c := &ruleCheck{names: map[string]string{}}
	c.entries("rules.allow", r.Allow)
	c.entries("rules.deny", r.Deny)
	c.entries("rules.confirm", r.Confirm)
	for _, entry := range slices.Sorted(maps.Keys(r.Scopes)) {
		place := fmt.Sprintf("rules.scopes[%s]", entry)
		c.entry(place, entry)
		if len(r.Scopes[entry]) == 0 || slices.Contains(r.Scopes[entry], "") {
			c.add(place, "name at least one scope, and no empty one")
		}
	}
	for i, access := range r.Access {
		c.access(fmt.Sprintf("rules.access[%d]", i), access)
	}
	if !slices.Contains([]string{"", "auto", "always", "never"}, r.OutputSchemas) {
		c.add("rules.outputSchemas", "%q is not one of auto, always, never", r.OutputSchemas)
	}
	if r.ResultBytes < 0 {
		c.add("rules.resultBytes", "%d is negative; 0 is the default", r.ResultBytes)
	}
	if r.BlobBytes < 0 {
		c.add("rules.blobBytes", "%d is negative; 0 is the default", r.BlobBytes)
	}
	c.prompts(r.Prompts)
	for _, name := range slices.Sorted(maps.Keys(r.Sources)) {
		c.source(name, r.Sources[name])
	}
	return errors.Join(c.errs...)
}

// CheckEntry reports what is wrong with one entry of Allow or Deny, as
// [Rules.Check] does. The error names the entry.
func CheckEntry(entry string) error {
	c := &ruleCheck{}
	c.entry(entry, entry)
	return errors.Join(c.errs...)
}

func (c *ruleCheck) access(place string, a Access) {
	c.entries(place+".allow", a.Allow)
	if slices.Contains(a.Scopes, "") {
		c.add(place+".scopes", "a scope is empty")
	}
	if slices.Contains(a.Sources, "") {
		c.add(place+".sources", "a name is empty; leave sources out for all")
	}
	for _, name := range slices.Sorted(maps.Keys(a.Claims)) {
		if len(a.Claims[name]) == 0 || slices.Contains(a.Claims[name], "") {
			c.add(place+".claims."+name, "name at least one value, and no empty one")
		}
	}
}

// A ruleCheck collects what is wrong with rules.
type ruleCheck struct {
	errs  []error
	names map[string]string // places of the overrides by the name they give
}

func (c *ruleCheck) add(place, format string, args ...any) {
	c.errs = append(c.errs, fmt.Errorf("%s: %s", place, fmt.Sprintf(format, args...)))
}

func (c *ruleCheck) source(name string, rules SourceRules) {
	place := "sources." + name
	if !isSourceName(name) {
		c.add(place, "a source name has a small letter and then up to 15 small letters, digits and hyphens")
	}
	if rules.Prefix != nil && !prefixForm.MatchString(*rules.Prefix) {
		c.add(place+".prefix", "%q has other characters than small letters, digits and _, or more than 24", *rules.Prefix)
	}
	c.entries(place+".allow", rules.Allow)
	c.entries(place+".deny", rules.Deny)
	for _, key := range slices.Sorted(maps.Keys(rules.Overrides)) {
		c.override(fmt.Sprintf("%s.overrides[%s]", place, key), rules.Overrides[key])
	}
}

func (c *ruleCheck) override(place string, o Override) {
	if o.Effect < EffectUnknown || o.Effect > Destroys {
		c.add(place+".effect", "%d is not one of reads, writes, destroys", int(o.Effect))
	}
	if n := utf8.RuneCountInString(o.Description); n > maxDescription {
		c.add(place+".description", "it has %d characters; %d are allowed", n, maxDescription)
	}
	if o.Name == "" {
		return
	}
	if !overrideForm.MatchString(o.Name) {
		c.add(place+".name", "%q is not a tool name: 1 to 64 letters, digits, _ and -, not a digit first", o.Name)
	}
	if other, taken := c.names[o.Name]; taken {
		c.add(place+".name", "%q is already the name that %s gives", o.Name, other)
	}
	c.names[o.Name] = place
}

func (c *ruleCheck) entries(place string, texts []string) {
	for i, text := range texts {
		c.entry(fmt.Sprintf("%s[%d]", place, i), text)
	}
}

// entry checks one KIND:GLOB. An effect is one of three words, so a glob that
// fits none of them is a slip of the pen.
func (c *ruleCheck) entry(place, text string) {
	kind, glob, found := strings.Cut(text, ":")
	if !found {
		kind, glob = "name", text
	}
	switch {
	case !slices.Contains(kinds[:], kind):
		c.add(place, "%q is not one of the kinds %s%s", kind, strings.Join(kinds[:], ", "), didYouMean(kind, kinds[:]))
	case glob == "":
		c.add(place, "%q matches nothing: a glob stands behind the kind, * for all", text)
	case kind == "effect" && !slices.ContainsFunc(effectNames[:], func(word string) bool { return MatchGlob(glob, word) }):
		c.add(place, "%q is not one of the effects reads, writes, destroys, unknown%s", glob, didYouMean(glob, effectNames[:]))
	}
}

var (
	prefixForm   = regexp.MustCompile(`^[a-z0-9_]{0,24}$`)
	overrideForm = regexp.MustCompile(`^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`)
)

// isSourceName reports whether a name may be the authority of a URI and the
// prefix of a tool: [a-z][a-z0-9-]{0,15}.
func isSourceName(name string) bool {
	if len(name) == 0 || len(name) > 16 || !isLower(name[0]) {
		return false
	}
	return strings.IndexFunc(name, func(r rune) bool {
		return r != '-' && (r >= utf8.RuneSelf || isUpper(byte(r)) || !isWord(byte(r)))
	}) < 0
}

func (c *ruleCheck) prompts(prompts []Prompt) {
	seen := map[string]bool{}
	for i := range prompts {
		p := &prompts[i]
		place := "prompts." + p.Name
		if why := unreadable(p, seen); why != "" {
			c.add(place, "%s", why)
		}
		if !regexp.MustCompile(`^[A-Za-z0-9_.-]{0,64}$`).MatchString(p.Name) {
			c.add(place, "a prompt's name has at most 64 characters of A-Z, a-z, 0-9, _, . and -")
		}
		if len(p.Messages) == 0 {
			c.add(place, "it has no messages")
		}
		for _, unknown := range p.unknownPlaces() {
			c.add(place, "its messages have a place for {{%s}}, which is none of its arguments", unknown)
		}
		seen[p.Name] = true
	}
}
