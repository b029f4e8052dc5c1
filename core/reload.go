package core

import (
	"context"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// Reload asks every source for its catalog anew. If one of them fails, nothing
// changes and the error says which and why; else what differs is published at
// once.
func (b *Bridge) Reload(ctx context.Context) error {
	done, err := b.takeTurn(ctx)
	if err != nil {
		return err
	}
	defer done()
	b.mu.Lock()
	sources := b.sources
	b.mu.Unlock()
	return b.meters.reloaded(b.renew(ctx, sources, nil))
}

// Replace serves these sources instead of the present ones. If one of them
// fails to load, nothing changes, the error says which and why, and new adapters
// are still the caller's. On success the bridge owns them, and closes adapters
// that are no longer served when their last call has returned. An adapter that
// is kept under its name is recognised by ==.
func (b *Bridge) Replace(ctx context.Context, s Sources) error {
	return b.replace(ctx, s, nil)
}

// Reconfigure is [Bridge.Replace] with other rules for all sources, so that no
// new source is served under the old ones even for a moment.
func (b *Bridge) Reconfigure(ctx context.Context, rules mapping.Rules, s Sources) error {
	if err := rules.Check(); err != nil {
		return err
	}
	return b.replace(ctx, s, &rules)
}

// replace does what Replace says; nil rules are the present ones.
func (b *Bridge) replace(ctx context.Context, s Sources, rules *mapping.Rules) error {
	if err := s.check(); err != nil {
		return err
	}
	done, err := b.takeTurn(ctx)
	if err != nil {
		return err
	}
	defer done()

	b.mu.Lock()
	before := b.sources
	b.mu.Unlock()
	next := make(map[string]*source, len(s))
	for name, adapter := range s {
		if old := before[name]; old != nil && same(old.adapter, adapter) {
			next[name] = old
			continue
		}
		next[name] = b.newSource(name, adapter)
	}
	if err := b.meters.reloaded(b.renew(ctx, next, rules)); err != nil {
		retireOthers(next, before, false)
		return err
	}
	for name, source := range next {
		if source != before[name] {
			b.work.Go(func() { b.watchCatalog(source) })
		}
	}
	retireOthers(before, next, true)
	return nil
}

// retireOthers retires the sources that are not among those kept. An adapter
// that is kept under another name stays open.
func retireOthers(sources, kept map[string]*source, closeAdapters bool) {
	for name, s := range sources {
		if kept[name] == s {
			continue
		}
		stays := false
		for _, k := range kept {
			stays = stays || same(k.adapter, s.adapter)
		}
		s.retire(closeAdapters && !stays)
	}
}

// renew loads all of these sources and publishes them under these rules, or does
// nothing. nil rules are the present ones. The caller has the turn.
func (b *Bridge) renew(ctx context.Context, sources map[string]*source, rules *mapping.Rules) error {
	catalogs, err := b.askAll(ctx, sources)
	if err != nil {
		return err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.life.Err() != nil {
		return errClosed
	}
	b.sources = sources
	if rules != nil {
		b.rules = *rules
	}
	for name, s := range sources {
		s.state = sourceState{catalog: catalogs[name]}
	}
	b.publish()
	return nil
}

// renewOne loads one source again and publishes it. A failure keeps the old.
func (b *Bridge) renewOne(s *source) {
	done, err := b.takeTurn(s.life)
	if err != nil {
		return
	}
	defer done()
	catalog, err := b.ask(s.life, s)
	if b.meters.reloaded(err) != nil {
		return // ask has logged it
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if s.life.Err() != nil {
		return
	}
	s.state = sourceState{catalog: catalog}
	b.publish()
}

// takeTurn waits until nobody else reloads. Call done afterwards.
func (b *Bridge) takeTurn(ctx context.Context) (done func(), err error) {
	select {
	case b.turn <- struct{}{}:
		return func() { <-b.turn }, nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-b.life.Done():
		return nil, errClosed
	}
}
