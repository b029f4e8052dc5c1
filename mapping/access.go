package mapping

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// An Access lets some callers see a part of the surface. Where there is any, a
// caller sees what one of them covers, if the caller fits it, and nothing else.
type Access struct {
	// Scopes are what the caller must hold, all of them.
	Scopes []string `json:"scopes,omitempty"`
	// Claims are what must be said of the caller, all of them: a claim fits if it is
	// one of the texts, or a list that has one. A dot leads into a claim that is an
	// object. Without scopes and claims every caller fits.
	Claims map[string][]string `json:"claims,omitempty"`
	// Sources are globs for names of sources; none is all.
	Sources []string `json:"sources,omitempty"`
	// Allow are entries as in Rules; none is all. Prompts count as reads.
	Allow []string `json:"allow,omitempty"`
}

// A grant is an Access, parsed.
type grant struct {
	Access
	at    int // its place in the rules
	allow []*entry
}

// places names the grants for the operator.
func (a *asks) places() string {
	var at []string
	for _, g := range a.grants {
		at = append(at, strconv.Itoa(g.at))
	}
	return "access " + strings.Join(at, ",")
}

func newGrants(rules []Access) []*grant {
	var all []*grant
	for i, a := range rules {
		all = append(all, &grant{a, i, newEntries(a.Allow, fmt.Sprintf("rules.access[%d].allow", i), "")})
	}
	return all
}

// isFor reports whether the grant is about a source; "" are prompts of none.
func (g *grant) isFor(source string) bool {
	return len(g.Sources) == 0 || source != "" && slices.ContainsFunc(g.Sources, func(glob string) bool { return MatchGlob(glob, source) })
}

// claimed reports whether the caller's claims fit.
func (g *grant) claimed(c Caller) bool {
	for name, texts := range g.Claims {
		if !saysOneOf(claimIn(c.Claims, name), texts) {
			return false
		}
	}
	return true
}

// claimIn returns a claim by its name, or by the names of objects around it with
// dots between; nil if there is none.
func claimIn(claims map[string]json.RawMessage, name string) json.RawMessage {
	if raw, ok := claims[name]; ok {
		return raw
	}
	outer, inner, nested := strings.Cut(name, ".")
	var object map[string]json.RawMessage
	if !nested || json.Unmarshal(claims[outer], &object) != nil {
		return nil
	}
	return claimIn(object, inner)
}

func saysOneOf(raw json.RawMessage, texts []string) bool {
	if raw == nil {
		return false
	}
	var said []json.RawMessage
	if json.Unmarshal(raw, &said) != nil {
		said = []json.RawMessage{raw}
	}
	return slices.ContainsFunc(said, func(one json.RawMessage) bool {
		var text string
		if json.Unmarshal(one, &text) != nil {
			text = string(one) // a number, or true
		}
		return slices.Contains(texts, text)
	})
}

// asks is what something asks of its callers. The zero asks nothing.
type asks struct {
	scopes  []string // sorted
	limited bool     // one of the grants must fit
	grants  []*grant
}

// asks returns what a kept subject asks of its callers.
func (p *policy) asks(s *subject) asks {
	a := asks{limited: p.limited}
	for _, entry := range p.scopes {
		if entry.matches(s) {
			a.scopes = append(a.scopes, entry.scopes...)
		}
	}
	slices.Sort(a.scopes)
	a.scopes = slices.Compact(a.scopes)
	for _, g := range p.grants {
		if admits(g.allow, s) {
			a.grants = append(a.grants, g)
		}
	}
	return a
}

// met reports whether the caller has all that is asked.
func (a *asks) met(c Caller) bool {
	return holds(c, a.scopes) && (!a.limited || slices.ContainsFunc(a.grants, func(g *grant) bool {
		return holds(c, g.Scopes) && g.claimed(c)
	}))
}

func holds(c Caller, scopes []string) bool {
	for _, want := range scopes {
		if !slices.Contains(c.Scopes, want) {
			return false
		}
	}
	return true
}

// lacks returns the scopes with which the caller would have all that is asked,
// those that it holds among them; nil if no scope would do, or none is lacking.
func (a *asks) lacks(c Caller) []string {
	if a.met(c) {
		return nil
	}
	with := slices.Clone(a.scopes)
	if a.limited {
		i := slices.IndexFunc(a.grants, func(g *grant) bool { return g.claimed(c) })
		if i < 0 {
			return nil
		}
		if j := slices.IndexFunc(a.grants, func(g *grant) bool { return g.claimed(c) && holds(c, g.Scopes) }); j >= 0 {
			i = j
		}
		with = append(with, a.grants[i].Scopes...)
	}
	slices.Sort(with)
	return slices.Compact(with)
}

// MayUse reports whether the caller may see and call the tool. The list and the
// call both ask it, so they never differ.
func (t *Tool) MayUse(c Caller) bool { return t.asks.met(c) }

// Lacks returns the scopes with which the caller might use the tool, nil if it
// may already or no scope would do.
func (t *Tool) Lacks(c Caller) []string { return t.asks.lacks(c) }

// MaySee reports whether the caller may see and read the resource: of one that is
// a tool's answer, whether it may use the tool.
func (a *Address) MaySee(c Caller) bool { return a.demands().met(c) }

// Lacks is as for a [Tool].
func (a *Address) Lacks(c Caller) []string { return a.demands().lacks(c) }

func (a *Address) demands() *asks {
	if a.Tool != nil {
		return &a.Tool.asks
	}
	return &a.asks
}

// MaySee reports whether the caller may see and get the prompt.
func (p *NamedPrompt) MaySee(c Caller) bool { return p.asks.met(c) }

// Lacks is as for a [Tool].
func (p *NamedPrompt) Lacks(c Caller) []string { return p.asks.lacks(c) }
