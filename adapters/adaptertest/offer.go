package adaptertest

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// source is the name under which the kit builds a surface.
const source = "kit"

// catalog asks for the catalog; nil if there is none, which is noted.
func (b *bench) catalog() *mapping.Catalog {
	c, a := b.askCatalog(b.ctx)
	if a.broken {
		return nil
	}
	if a.err != nil {
		b.note("Catalog failed with %s", words(a.err))
		return nil
	}
	if c == nil {
		b.note("Catalog returned nil and no error")
		return nil
	}
	text, err := json.Marshal(c)
	if err != nil {
		b.note("the catalog has no JSON form, so some raw JSON in it is broken: %v", err)
		return nil
	}
	b.hear("the catalog", string(text))
	return c
}

func (b *bench) askCatalog(ctx context.Context) (*mapping.Catalog, answer) {
	var c *mapping.Catalog
	a := b.ask(ctx, "Catalog", func(ctx context.Context) (*mapping.Result, error) {
		var err error
		c, err = b.subject.Adapter.Catalog(ctx)
		return nil, err
	})
	if a.broken {
		return nil, a // an open question may still write c
	}
	return c, a
}

// surface builds what a model would see of the catalog, with rules that allow
// everything; nil if it cannot, which is noted.
func (b *bench) surface() (s *mapping.Surface, c *mapping.Catalog) {
	c = b.catalog()
	if c == nil {
		return nil, nil
	}
	defer func() {
		if p := recover(); p != nil {
			b.note("mapping.Build panicked on the catalog: %v", p)
			s = nil
		}
	}()
	return mapping.Build(map[string]*mapping.Catalog{source: c}, mapping.Rules{}), c
}

// reading returns the known calls of operations that read.
func (b *bench) reading() []KnownCall {
	c := b.catalog()
	if c == nil {
		return nil
	}
	reads := map[string]bool{}
	for _, op := range c.Operations {
		reads[op.Key] = op.Effect == mapping.Reads
	}
	var known []KnownCall
	for _, k := range b.h.Calls {
		if reads[k.Call.Key] {
			known = append(known, k)
		}
	}
	return known
}

// quick returns the operations that answer in the time of a test.
func (b *bench) quick(c *mapping.Catalog) []mapping.Operation {
	if b.h.Slow == nil {
		return c.Operations
	}
	return slices.DeleteFunc(slices.Clone(c.Operations), func(op mapping.Operation) bool { return op.Key == b.h.Slow.Key })
}

// follow reads what a path below scheme://source/ leads to: a call or a read, as
// mapping resolves it.
func (b *bench) follow(s *mapping.Surface, scheme, path string) answer {
	target, err := s.Resolve(address(scheme, path))
	if err != nil {
		return answer{what: "Resolve " + address(scheme, path), err: err}
	}
	if target.Call != nil {
		return b.call(b.ctx, *target.Call)
	}
	return b.read(b.ctx, *target.Read)
}

func address(scheme, path string) string { return fmt.Sprintf("%s://%s/%s", scheme, source, path) }
