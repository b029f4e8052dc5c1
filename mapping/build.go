package mapping

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
)

// Build decides what a model sees of the catalogs, by source name. It is the
// only producer of a Surface. Source names match [a-z][a-z0-9-]{0,15}, and rules
// have passed Check.
//
// An entry of a catalog that is wrong in itself costs that entry and nothing
// else. Each difference between the catalogs and the surface is a Decision.
func Build(catalogs map[string]*Catalog, rules Rules) *Surface {
	b := newBuilder(catalogs, rules)
	b.gather()
	b.offered = slices.Clone(b.tools)
	b.name()
	b.admit()
	b.plan()
	b.describe()
	b.publishOutputs()
	b.address()
	b.prompt()
	b.tellUnused()
	slices.SortStableFunc(b.surface.decisions, func(a, b Decision) int { return cmp.Compare(a.Source, b.Source) })
	return b.surface
}

// A builder holds one Build while it runs.
type builder struct {
	rules   Rules
	sources []*source // by name
	tools   []*Tool   // in the order of the list; fewer after each step
	offered []*Tool   // all that were there before the first step
	entries []*entry  // of all policies
	policy  *policy   // of what belongs to no source
	surface *Surface
}

// A source is what a Surface keeps of one catalog.
type source struct {
	name    string
	catalog *Catalog
	rules   SourceRules
	prefix  string
	policy  *policy
	defs    *defs
	tools   map[string]*Tool // by Operation.Key; what is not in the surface is absent
	routes  node
	limits  limits // of the surface
}

func newBuilder(catalogs map[string]*Catalog, rules Rules) *builder {
	b := &builder{rules: rules, surface: &Surface{
		byName:   map[string]*Tool{},
		byURI:    map[string]*Address{},
		byPrompt: map[string]*NamedPrompt{},
		sources:  map[string]*source{},
		limits: limits{
			text: cmp.Or(rules.ResultBytes, defaultResultBytes),
			blob: cmp.Or(rules.BlobBytes, defaultBlobBytes),
		},
	}}
	for _, name := range slices.Sorted(maps.Keys(catalogs)) {
		src := &source{
			name:    name,
			catalog: catalogs[name],
			rules:   rules.Sources[name],
			tools:   map[string]*Tool{},
			limits:  b.surface.limits,
		}
		switch {
		case src.rules.Prefix != nil:
			src.prefix = *src.rules.Prefix
		case len(catalogs) > 1:
			src.prefix = snake(name) + "_"
		}
		b.sources = append(b.sources, src)
		b.surface.sources[name] = src
	}
	b.policies()
	return b
}

const (
	defaultResultBytes = 60_000
	defaultBlobBytes   = 10_000_000
)

// decide records one difference between the catalogs and the surface.
func (b *builder) decide(d Decision) { b.surface.decisions = append(b.surface.decisions, d) }

// decideFor records a decision about one tool.
func (b *builder) decideFor(t *Tool, what, format string, args ...any) {
	b.decide(Decision{Source: t.Source, Key: t.Key, What: what, Why: fmt.Sprintf(format, args...), Where: t.op.Where})
}

// gather makes a tool of each operation, before anything is decided about it.
func (b *builder) gather() {
	for _, src := range b.sources {
		for _, lost := range src.catalog.Lost {
			lost.Source = src.name
			b.decide(lost)
		}
		seen := make(map[string]bool, len(src.catalog.Operations))
		for i := range src.catalog.Operations {
			op := &src.catalog.Operations[i]
			if why := unusable(op, seen); why != "" {
				b.decide(Decision{Source: src.name, Key: op.Key, What: Dropped, Why: why, Where: op.Where})
				continue
			}
			seen[op.Key] = true
			override := src.rules.Overrides[op.Key]
			b.tools = append(b.tools, &Tool{
				Source: src.name, Key: op.Key, Group: op.Group,
				Effect: cmp.Or(override.Effect, op.Effect), Hidden: override.Hidden,
				op: op, source: src,
			})
		}
		for _, key := range slices.Sorted(maps.Keys(src.rules.Overrides)) {
			if !seen[key] {
				b.noteOverride(src, key)
			}
		}
	}
}

func unusable(op *Operation, seen map[string]bool) string {
	switch {
	case op.Key == "":
		return fmt.Sprintf("the operation %q has no key", op.Name)
	case seen[op.Key]:
		return "an earlier operation of the catalog has the same key"
	case op.Effect < EffectUnknown || op.Effect > Destroys:
		return fmt.Sprintf("its effect is %v, which is none", op.Effect)
	}
	return ""
}

// name gives every tool its name. Policy comes later and may ask for names, so
// that what a policy drops changes no other name.
func (b *builder) name() {
	claims := make([]claim, len(b.tools))
	for i, t := range b.tools {
		override := t.source.rules.Overrides[t.Key].Name
		claims[i] = newClaim(t.Source, t.Key, t.op.Name, t.source.prefix, override)
	}
	settle(claims)
	for i, t := range b.tools {
		t.Name = claims[i].name
		if d := claims[i].decision(t.op.Where); d != nil {
			b.decide(*d)
		}
	}
}

// admit drops what policy refuses. Nothing of it is kept anywhere: absence is
// the enforcement.
func (b *builder) admit() {
	b.tools = slices.DeleteFunc(b.tools, func(t *Tool) bool {
		s := t.subject()
		if why := t.source.policy.refusal(s); why != "" {
			b.decide(Decision{Source: t.Source, Key: t.Key, Name: t.Name, What: Dropped, Why: why, Where: t.op.Where})
			return true
		}
		t.Confirm = first(t.source.policy.confirm, s) != nil
		t.asks = t.source.policy.asks(s)
		t.Scopes = t.asks.scopes
		return false
	})
}

// plan publishes the arguments of what is left, and drops what has none that
// can be published. After it the set of tools is settled.
func (b *builder) plan() {
	for tools := range bySource(b.tools) {
		src := tools[0].source
		src.defs = newDefs(src.catalog.Defs, len(tools))
	}
	b.tools = slices.DeleteFunc(b.tools, func(t *Tool) bool {
		plan, schema, made, err := newPlan(t.op, t.source.defs)
		b.adopt(t, made)
		if err != nil {
			b.decideFor(t, Dropped, "%v", err)
			return true
		}
		t.plan, t.Input = plan, schema
		t.Hints = Hints{
			ReadOnly:    t.Effect == Reads,
			Destructive: t.Effect == Destroys || t.Effect == EffectUnknown,
			Idempotent:  t.Effect == Reads || t.op.Idempotent,
			OpenWorld:   t.source.catalog.OpenWorld,
		}
		t.source.tools[t.Key] = t
		b.surface.byName[t.Name] = t
		return false
	})
	b.surface.all = b.tools
	b.surface.tools = slices.DeleteFunc(slices.Clone(b.tools), func(t *Tool) bool { return t.Hidden })
}

// adopt records decisions that were made about a tool's schemas.
func (b *builder) adopt(t *Tool, made []Decision) {
	for _, d := range made {
		d.Source, d.Key, d.Where = t.Source, t.Key, cmp.Or(d.Where, t.op.Where)
		b.decide(d)
	}
}
