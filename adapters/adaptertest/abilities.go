package adaptertest

import (
	"context"
	"slices"
	"sync"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

var (
	_ core.Watcher   = (*Bell)(nil)
	_ core.Completer = CompleteFunc(nil)
	_ core.Checker   = CheckFunc(nil)
)

// A CompleteFunc is a [core.Completer].
type CompleteFunc func(context.Context, mapping.Completion) (mapping.Completions, error)

// Complete calls the function.
func (f CompleteFunc) Complete(ctx context.Context, c mapping.Completion) (mapping.Completions, error) {
	return f(ctx, c)
}

// A CheckFunc is a [core.Checker].
type CheckFunc func(context.Context) ([]mapping.Finding, error)

// Check calls the function.
func (f CheckFunc) Check(ctx context.Context) ([]mapping.Finding, error) { return f(ctx) }

// A Bell is a [core.Watcher] that a test rings. The zero Bell is ready to use,
// and its methods may run at the same time.
type Bell struct {
	// Paths are what can be watched; nil is the catalog ("") only.
	Paths []string
	// Watched, if set, is sent each path once its watch is in place.
	Watched chan<- string

	mu      sync.Mutex
	watches map[*watch]bool
}

type watch struct {
	path    string
	changed func()
}

// Ring says that the resource at this path, or for "" the catalog, has changed.
// It returns how many watches it told.
func (b *Bell) Ring(path string) int {
	b.mu.Lock()
	var told []*watch
	for w := range b.watches {
		if w.path == path {
			told = append(told, w)
		}
	}
	b.mu.Unlock()
	for _, w := range told {
		w.changed()
	}
	return len(told)
}

// Watch calls changed at each ring of its path until ctx ends.
func (b *Bell) Watch(ctx context.Context, path string, _ mapping.Caller, changed func()) error {
	if !b.watchable(path) {
		return &mapping.Error{Code: mapping.Unsupported, Problem: "changes of this resource are not told"}
	}
	w := &watch{path, changed}
	b.set(w, true)
	defer b.set(w, false)
	if b.Watched != nil {
		select {
		case b.Watched <- path:
		case <-ctx.Done():
		}
	}
	<-ctx.Done()
	return ctx.Err()
}

func (b *Bell) watchable(path string) bool {
	if b.Paths == nil {
		return path == ""
	}
	return slices.Contains(b.Paths, path)
}

func (b *Bell) set(w *watch, on bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.watches == nil {
		b.watches = map[*watch]bool{}
	}
	if on {
		b.watches[w] = true
		return
	}
	delete(b.watches, w)
}
