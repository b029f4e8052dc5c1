package mapping

import (
	"fmt"
	"maps"
	"slices"
)

// policies parses the rules once, for each source its own on top of those of
// all.
func (b *builder) policies() {
	all := policy{
		deny:    restricting(newEntries(b.rules.Deny, "rules.deny", "")),
		confirm: restricting(newEntries(b.rules.Confirm, "rules.confirm", "")),
	}
	if len(b.rules.Allow) > 0 {
		all.allow = [][]*entry{newEntries(b.rules.Allow, "rules.allow", "")}
	}
	if b.rules.ReadOnly {
		all.readOnly = "rules.readOnly"
	}
	for _, text := range slices.Sorted(maps.Keys(b.rules.Scopes)) {
		e := newEntry(text, fmt.Sprintf("rules.scopes[%s]", text), "")
		e.restricts = true
		all.scopes = append(all.scopes, scoped{e, b.rules.Scopes[text]})
	}
	all.limited, all.grants = len(b.rules.Access) > 0, newGrants(b.rules.Access)
	b.watch(&all)
	b.policy = all.narrowed("", SourceRules{})
	for _, src := range b.sources {
		own := all.narrowed(src.name, src.rules)
		b.watch(own)
		src.policy = own
	}
}

// narrowed returns the policy with the rules of one source on top.
func (p *policy) narrowed(source string, rules SourceRules) *policy {
	place := "sources." + source
	own := *p
	own.grants = slices.DeleteFunc(slices.Clone(p.grants), func(g *grant) bool { return !g.isFor(source) })
	own.deny = slices.Concat(p.deny, restricting(newEntries(rules.Deny, place+".deny", source)))
	if len(rules.Allow) > 0 {
		own.allow = append(slices.Clone(p.allow), newEntries(rules.Allow, place+".allow", source))
	}
	if own.readOnly == "" && rules.ReadOnly {
		own.readOnly = place + ".readOnly"
	}
	return &own
}

// watch remembers the entries of a policy that were not seen before.
func (b *builder) watch(p *policy) {
	lists := slices.Concat([][]*entry{p.deny, p.confirm}, p.allow)
	for _, s := range p.scopes {
		lists = append(lists, []*entry{s.entry})
	}
	for _, g := range p.grants {
		lists = append(lists, g.allow)
	}
	for _, e := range slices.Concat(lists...) {
		if !slices.Contains(b.entries, e) {
			b.entries = append(b.entries, e)
		}
	}
}
