package mapping

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// ToolUnseen says for the operator why a caller gets no tool of this name: which
// rule leaves it out or hides it. It is "" where the caller may use the tool, and
// where no tool would have the name. It is not for the caller, for whom what is
// unseen does not exist.
func (s *Surface) ToolUnseen(name string, c Caller) string {
	if t := s.byName[name]; t != nil {
		return t.asks.unmet(c)
	}
	for _, d := range s.decisions {
		if d.What == Dropped && d.Name == name {
			return d.Why
		}
	}
	return ""
}

// ResourceUnseen is ToolUnseen for the resource of a URI.
func (s *Surface) ResourceUnseen(uri string, c Caller) string {
	if target, _ := s.Resolve(uri); target != nil {
		return target.Address.demands().unmet(c)
	}
	u, err := splitURI(uri)
	src := s.sources[u.authority]
	if err != nil || src == nil || src.catalog.Scheme != u.scheme {
		return ""
	}
	for i := range src.catalog.Resources {
		r := &src.catalog.Resources[i]
		t, err := parseTemplate(r.Path)
		if err != nil {
			continue
		}
		alone := &node{}
		alone.insert(&Address{Path: r.Path, route: route{template: t}})
		if found, _ := alone.match(strings.Split(u.path, "/")); found == nil {
			continue
		}
		for _, key := range []string{r.Operation, r.Path} {
			if why := s.dropped(src.name, key); key != "" && why != "" {
				return why
			}
		}
	}
	return ""
}

func (s *Surface) dropped(source, key string) string {
	for _, d := range s.decisions {
		if d.What == Dropped && d.Source == source && d.Key == key {
			return d.Why
		}
	}
	return ""
}

// unmet says which rules ask for what the caller does not have, "" if none does.
func (a *asks) unmet(c Caller) string {
	var told []string
	if !holds(c, a.scopes) {
		told = append(told, "rules.scopes shows it to callers with "+counts("scope", a.scopes))
	}
	if a.limited && !(&asks{limited: true, grants: a.grants}).met(c) {
		var grants []string
		for _, g := range a.grants {
			grants = append(grants, g.words())
		}
		told = append(told, strings.Join(grants, ", "))
	}
	return strings.Join(told, "; ")
}

// words say whom a grant shows what it covers.
func (g *grant) words() string {
	var asked []string
	if len(g.Scopes) > 0 {
		asked = append(asked, counts("scope", g.Scopes))
	}
	for _, claim := range slices.Sorted(maps.Keys(g.Claims)) {
		asked = append(asked, fmt.Sprintf("the claim %s (%s)", claim, strings.Join(g.Claims[claim], " or ")))
	}
	return fmt.Sprintf("rules.access[%d] shows it to callers with %s", g.at, strings.Join(asked, " and "))
}

func counts(noun string, names []string) string {
	if len(names) > 1 {
		noun += "s"
	}
	return "the " + noun + " " + strings.Join(names, ", ")
}
