package adaptertest

import (
	"context"
	"sync"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// lifeRows are about how it lives among others.
func lifeRows() []row {
	return []row{
		{"life/close",
			"core closes what it replaces, and an embedder may close again",
			(*bench).lifeClose},
		{"life/at-once",
			"one bridge serves many clients, so calls meet in the adapter",
			(*bench).lifeAtOnce},
	}
}

// lifeClose closes an adapter that was never used, and one that was.
func (b *bench) lifeClose() {
	unused := &bench{ctx: b.ctx, h: b.h}
	if err := unused.open(); err != nil {
		b.note("the harness cannot open a second adapter: %v", err)
		return
	}
	b.hold(unused.closeOnce("Close without use"), Works())
	b.saw = append(b.saw, unused.seen()...)

	known := b.reading()
	b.hold(b.closeOnce("Close"), Works())
	b.hold(b.closeOnce("a second Close"), Works())
	for _, k := range known {
		if a := b.call(b.ctx, k.Call); !a.broken && a.err == nil {
			b.note("%s worked after Close", a.what)
		}
	}
	b.askCatalog(b.ctx)
}

func (b *bench) closeOnce(what string) answer {
	return b.ask(b.ctx, what, func(context.Context) (*mapping.Result, error) {
		return nil, b.subject.Adapter.Close()
	})
}

// lifeAtOnce asks fifty times at once, so that the race detector can look on.
func (b *bench) lifeAtOnce() {
	const times = 50
	s, c := b.surface()
	if s == nil {
		return
	}
	known := b.reading()
	var all sync.WaitGroup
	for i := range times {
		all.Go(func() {
			if i%10 == 0 {
				b.catalog()
			}
			if len(known) > 0 {
				k := known[i%len(known)]
				b.hold(b.call(b.ctx, k.Call), k.Want)
			}
			if len(b.h.Reads) > 0 {
				k := b.h.Reads[i%len(b.h.Reads)]
				b.hold(b.follow(s, c.Scheme, k.Path), k.Want)
			}
		})
	}
	all.Wait()
}
