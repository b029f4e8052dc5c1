package core

import (
	"maps"
	"reflect"
	"sync"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A snapshot is all that one publish makes visible. It never changes, but for the
// texts of its lists, which are kept when they have been asked for.
type snapshot struct {
	surface      *mapping.Surface
	sources      map[string]*source
	lists        *lists
	instructions string // for those who see everything
	abouts       []about
	limited      bool     // not everybody does
	texts        sync.Map // of the lists' first pages as everybody is shown them, by method
}

// publish builds a snapshot of what is loaded and swaps it in. b.mu is held.
func (b *Bridge) publish() {
	if b.life.Err() != nil {
		return
	}
	surface := mapping.Build(b.catalogs(), b.rules)
	next := &snapshot{
		surface:      surface,
		sources:      maps.Clone(b.sources),
		lists:        newLists(surface),
		instructions: b.instructionsFor(abouts(b.sources)),
		abouts:       abouts(b.sources),
		limited:      hidesSome(b.rules),
	}
	before := b.current.Swap(next)
	if before == nil {
		close(b.first)
		return
	}
	b.announce(changesBetween(before.lists, next.lists))
}

// catalogs returns what is loaded. A source that is not has an empty catalog, so
// that a name's prefix does not depend on which source answered first. b.mu is
// held.
func (b *Bridge) catalogs() map[string]*mapping.Catalog {
	catalogs := make(map[string]*mapping.Catalog, len(b.sources))
	for name, s := range b.sources {
		catalogs[name] = s.state.catalog
		if s.state.catalog == nil {
			catalogs[name] = &mapping.Catalog{}
		}
	}
	return catalogs
}

// changes say which lists differ between two snapshots.
type changes struct{ tools, resources, prompts bool }

func changesBetween(before, after *lists) changes {
	return changes{
		tools:   !reflect.DeepEqual(before.tools.items(), after.tools.items()),
		prompts: !reflect.DeepEqual(before.prompts.items(), after.prompts.items()),
		resources: !reflect.DeepEqual(before.resources.items(), after.resources.items()) ||
			!reflect.DeepEqual(before.templates.items(), after.templates.items()),
	}
}
