package mapping

import (
	"fmt"
	"slices"
	"strings"
)

// tellUnused names each entry of the rules that matched nothing: a slip of the
// pen in a deny entry would otherwise go unseen.
func (b *builder) tellUnused() {
	for _, e := range b.entries {
		if !e.used {
			b.decide(Decision{Source: e.source, What: Noted, Why: fmt.Sprintf("%s: %q matches nothing%s", e.place, e.text, b.proposal(e))})
		}
	}
}

// noteOverride tells that an override is for no operation of the source.
func (b *builder) noteOverride(src *source, key string) {
	keys := make([]string, len(src.catalog.Operations))
	for i := range keys {
		keys[i] = src.catalog.Operations[i].Key
	}
	b.decide(Decision{Source: src.name, What: Noted,
		Why: fmt.Sprintf("sources.%s.overrides[%s]: there is no such operation%s", src.name, key, didYouMean(key, keys))})
}

// values are what an entry might have matched, each once.
func (b *builder) values(e *entry) []string {
	var all []string
	for _, t := range b.offered {
		if e.source == "" || e.source == t.Source {
			all = append(all, e.values(t.subject())...)
		}
	}
	for _, src := range b.sources {
		if e.source != "" && e.source != src.name {
			continue
		}
		for i := range src.catalog.Resources {
			if r := &src.catalog.Resources[i]; r.Operation == "" {
				all = append(all, e.values(r.subject())...)
			}
		}
		for i := range src.catalog.Prompts {
			all = append(all, e.values(src.promptSubject(&src.catalog.Prompts[i]))...)
		}
	}
	for _, p := range b.rules.Prompts {
		all = append(all, e.values(&subject{name: p.Name, key: p.Name, effect: Reads})...)
	}
	slices.Sort(all)
	return slices.Compact(all)
}

// proposal says what to write in place of an entry: a value in which the glob would
// match a part, such as a name without its prefix; another kind that the glob fits,
// as of a key without its "key:"; or a value that is written alike.
func (b *builder) proposal(e *entry) string {
	values := b.values(e)
	if slices.ContainsFunc(values, func(v string) bool { return MatchGlob(e.glob, v) }) {
		return " that the other rules keep"
	}
	as := "" // the kind as it was written
	if kind, _, found := strings.Cut(e.text, ":"); found {
		as = kind + ":"
	}
	part := slices.IndexFunc(values, func(v string) bool { return MatchGlob("*"+e.glob+"*", v) })
	if part >= 0 {
		return "; did you mean " + as + values[part] + "?"
	}
	for _, kind := range [...]string{"key", "group", "table"} {
		other := entry{kind: kind, glob: e.glob, source: e.source}
		if e.kind == "name" && slices.ContainsFunc(b.values(&other), func(v string) bool { return MatchGlob(e.glob, v) }) {
			return "; did you mean " + kind + ":" + e.glob + "?"
		}
	}
	if near := meant(strings.Trim(e.glob, "*?"), values); near != "" {
		return "; did you mean " + as + near + "?"
	}
	return ""
}
