package mapping

import (
	"errors"
	"maps"
	"slices"
	"strings"
)

// Build decides what a model sees of the catalogs, by source name. It is the
// only producer of a Surface. Source names match [a-z][a-z0-9-]{0,15}, and rules
// have passed Check.
func Build(catalogs map[string]*Catalog, rules Rules) *Surface {
	s := &Surface{byName: map[string]*Tool{}, sources: map[string]*source{}, limits: limits{text: 60_000, blob: 10_000_000}}
	for _, name := range slices.Sorted(maps.Keys(catalogs)) {
		catalog := catalogs[name]
		src := &source{name: name, tools: map[string]*Tool{}}
		s.sources[name] = src
		defs := newDefs(catalog.Defs)
		for i := range catalog.Operations {
			op := &catalog.Operations[i]
			plan, schema, made, err := newPlan(op, defs)
			if err != nil {
				continue
			}
			s.decisions = append(s.decisions, made...)
			t := &Tool{Name: strings.ToLower(op.Name), Source: name, Key: op.Key, Group: op.Group, Description: op.Summary,
				Effect: op.Effect, Input: schema, op: op, source: src, plan: plan}
			t.Hints = Hints{ReadOnly: op.Effect == Reads, Destructive: op.Effect != Reads && op.Effect != Writes,
				Idempotent: op.Idempotent, OpenWorld: catalog.OpenWorld}
			s.tools = append(s.tools, t)
			s.byName[t.Name] = t
			src.tools[t.Key] = t
		}
	}
	return s
}

// Check reports every entry of the rules that cannot mean anything: an unknown
// kind, a bad glob, a word that is not one of the allowed. Errors name the entry
// by its path in a config file ("rules.confirm[2]").
func (r Rules) Check() error { return errors.Join() }
