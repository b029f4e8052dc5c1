package core

import (
	"context"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A SourceStatus says how one source fares.
type SourceStatus struct {
	Name string
	// What of the source is published, hidden tools not counted.
	Tools, Resources, Templates, Prompts int
	// Err is why the source is not served, nil if it is.
	Err error
	// Temporary says that the source is being tried again.
	Temporary bool
}

// Status tells how each source fares, by name.
func (b *Bridge) Status() []SourceStatus {
	b.mu.Lock()
	defer b.mu.Unlock()
	var all []SourceStatus
	for _, name := range slices.Sorted(maps.Keys(b.sources)) {
		state := b.sources[name].state
		status := SourceStatus{Name: name, Err: state.err, Temporary: state.err != nil && temporary(state.err)}
		if state.catalog == nil && state.err == nil {
			status.Err = &mapping.Error{Code: mapping.Timeout, Problem: "the source has not answered yet"}
			status.Temporary = true
		}
		all = append(all, status)
	}
	if snap := b.current.Load(); snap != nil {
		count(all, snap.surface)
	}
	return all
}

func count(all []SourceStatus, surface *mapping.Surface) {
	of := make(map[string]*SourceStatus, len(all))
	for i := range all {
		of[all[i].Name] = &all[i]
	}
	for _, t := range surface.Tools() {
		if s := of[t.Source]; s != nil {
			s.Tools++
		}
	}
	for _, p := range surface.Prompts() {
		if s := of[p.Source]; s != nil {
			s.Prompts++
		}
	}
	for _, a := range surface.Addresses() {
		switch s := of[a.Source]; {
		case s == nil:
		case a.Template:
			s.Templates++
		default:
			s.Resources++
		}
	}
}

// Check asks every source whether its backend can be reached and allows what the
// catalog offers. A source without [Checker] is judged by whether it loads.
func (b *Bridge) Check(ctx context.Context) map[string][]mapping.Finding {
	b.mu.Lock()
	sources := b.sources
	b.mu.Unlock()
	var (
		mu    sync.Mutex
		group sync.WaitGroup
		found = make(map[string][]mapping.Finding, len(sources))
	)
	for name, s := range sources {
		group.Go(func() {
			findings := b.checkOne(ctx, s)
			mu.Lock()
			defer mu.Unlock()
			found[name] = findings
		})
	}
	group.Wait()
	return found
}

func (b *Bridge) checkOne(ctx context.Context, s *source) []mapping.Finding {
	catalog, err := b.offer(ctx, s)
	if err != nil {
		return []mapping.Finding{{Text: mapping.ForOperator(err)}}
	}
	loads := mapping.Finding{OK: true, Text: fmt.Sprintf("can be read, and offers %s and %s before any rule", mapping.Counted(len(catalog.Operations), "operation"), mapping.Counted(len(catalog.Resources), "resource"))}
	c, ok := s.adapter.(Checker)
	if !ok {
		return []mapping.Finding{loads}
	}
	findings, err := guarded(ctx, s, func() {}, c.Check)
	if err != nil {
		findings = append(findings, mapping.Finding{Text: "the check itself failed: " + mapping.ForOperator(err)})
	}
	return append([]mapping.Finding{loads}, findings...)
}

// offer returns what the first attempt to load brings while that is under way, so
// that a check at the start asks once. Later it asks anew.
func (b *Bridge) offer(ctx context.Context, s *source) (*mapping.Catalog, error) {
	b.mu.Lock()
	state := s.state
	b.mu.Unlock()
	if state.catalog != nil || state.err != nil {
		return b.ask(ctx, s)
	}
	b.greet()
	select {
	case <-s.tried:
	case <-s.life.Done():
		return nil, errClosed
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	b.mu.Lock()
	state = s.state
	b.mu.Unlock()
	if state.catalog == nil && state.err == nil {
		return nil, errClosed
	}
	return state.catalog, state.err
}
