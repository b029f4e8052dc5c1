package adaptertest

import (
	"context"
	"fmt"
	"time"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// abilityRows are about what it can do beyond the four methods.
func abilityRows() []row {
	return []row{
		{"ability/watch",
			"a watch that does not end keeps its connection and its goroutine for ever",
			(*bench).abilityWatch},
		{"ability/complete",
			"completion runs on each keystroke, with whatever was typed so far",
			(*bench).abilityComplete},
		{"ability/check",
			"a finding without its mend leaves an operator where they were",
			(*bench).abilityCheck},
	}
}

func (b *bench) abilityWatch() {
	watcher, ok := b.subject.Adapter.(core.Watcher)
	if !ok {
		b.skip("the adapter is no core.Watcher")
		return
	}
	if b.catalog() == nil {
		return
	}
	watch := func(ctx context.Context, path string) answer {
		return b.ask(ctx, fmt.Sprintf("Watch %q", path), func(ctx context.Context) (*mapping.Result, error) {
			return nil, watcher.Watch(ctx, path, mapping.Caller{}, func() {})
		})
	}
	b.hold(watch(b.ctx, unknown), Fails(mapping.Unsupported))
	ctx, cancel := context.WithCancel(b.ctx)
	defer cancel()
	time.AfterFunc(soon, cancel)
	if a := watch(ctx, ""); !a.broken && ctx.Err() == nil && mapping.CodeOf(a.err) != mapping.Unsupported {
		b.note("Watch of the catalog returned before its context ended: %v", a.err)
	}
}

func (b *bench) abilityComplete() {
	completer, ok := b.subject.Adapter.(core.Completer)
	if !ok {
		b.skip("the adapter is no core.Completer")
		return
	}
	c := b.catalog()
	if c == nil {
		return
	}
	ask := func(q mapping.Completion) answer {
		what := fmt.Sprintf("Complete %q of %q%q", q.Argument, q.Resource, q.Prompt)
		return b.ask(b.ctx, what, func(ctx context.Context) (*mapping.Result, error) {
			got, err := completer.Complete(ctx, q)
			if err == nil && got.Total != 0 && got.Total < len(got.Values) {
				b.note("%s has %d values and says %d in all", what, len(got.Values), got.Total)
			}
			return nil, err
		})
	}
	for _, r := range c.Resources {
		required, optional, _ := variablesOf(r.Path) // catalogResources tells of the error
		for _, name := range append(required, optional...) {
			for _, prefix := range append(traversals(), "a") {
				b.mild(ask(mapping.Completion{Resource: r.Path, Argument: name, Prefix: prefix}))
			}
		}
	}
	for _, p := range c.Prompts {
		for _, arg := range p.Args {
			b.mild(ask(mapping.Completion{Prompt: p.Name, Argument: arg.Name}))
		}
	}
	b.mild(ask(mapping.Completion{Resource: unknown, Argument: unknown}))
}

// mild wants no failure without words.
func (b *bench) mild(a answer) {
	if !a.broken && mapping.CodeOf(a.err) == mapping.Internal {
		b.note("%s failed with %s; nothing to propose is an empty list", a.what, words(a.err))
	}
}

func (b *bench) abilityCheck() {
	checker, ok := b.subject.Adapter.(core.Checker)
	if !ok {
		b.skip("the adapter is no core.Checker")
		return
	}
	for _, f := range b.findings(checker) {
		if f.Text == "" || (!f.OK && f.Mend == "") {
			b.note("a finding does not say what was found, or not what to do about it: %+v", f)
		}
	}
}

func (b *bench) findings(checker core.Checker) []mapping.Finding {
	var found []mapping.Finding
	a := b.ask(b.ctx, "Check", func(ctx context.Context) (*mapping.Result, error) {
		var err error
		found, err = checker.Check(ctx)
		return nil, err
	})
	if a.broken {
		return nil // an open question may still write found
	}
	b.hold(a, Works())
	for _, f := range found {
		b.overhear("a finding", f.Text+"\n"+f.Mend)
	}
	return found
}
