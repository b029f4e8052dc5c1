package core

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A source is one adapter under its public name. It outlives snapshots: a
// reload keeps it, and only Replace and Close retire it.
type source struct {
	name    string
	adapter Adapter
	timeout time.Duration
	gate    *gate
	meters  *meters

	bridge context.Context // ends with the bridge, and calls with it
	life   context.Context // ends when the source is retired, and loads with it
	stop   context.CancelFunc

	state sourceState // guarded by Bridge.mu
	// tried is closed by answered, when the first attempt to load is over.
	tried    chan struct{}
	answered func()

	mu      sync.Mutex
	users   int  // calls, reads, loads and watches under way
	retired bool // takes no new users
	close   bool // the adapter is ours to close
	gone    chan struct{}
	// closeErr is set before gone is closed.
	closeErr error
}

func (b *Bridge) newSource(name string, adapter Adapter) *source {
	s := &source{
		name:    name,
		adapter: adapter,
		timeout: b.options.Limits.timeout(name),
		gate:    newGate(b.options.Limits.Concurrent, "this source is busy: it works on %d at a time and more are waiting"),
		meters:  b.meters,
		bridge:  b.life,
		tried:   make(chan struct{}),
		gone:    make(chan struct{}),
	}
	s.answered = sync.OnceFunc(func() { close(s.tried) })
	s.life, s.stop = context.WithCancel(b.life)
	return s
}

// hold keeps the adapter open until release. It returns false once the source
// is retired.
func (s *source) hold() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.retired {
		return false
	}
	s.users++
	return true
}

func (s *source) release() {
	s.mu.Lock()
	s.users--
	last := s.retired && s.users == 0
	s.mu.Unlock()
	if last {
		s.shut()
	}
}

// retire takes the source out of service: loads and watches end now, calls
// under way may finish. When the last user is gone the adapter is closed, if
// close says so.
func (s *source) retire(close bool) {
	s.stop()
	s.mu.Lock()
	if s.retired {
		s.mu.Unlock()
		return
	}
	s.retired, s.close = true, close
	idle := s.users == 0
	s.mu.Unlock()
	if idle {
		s.shut()
	}
}

// shut runs once, after the last user.
func (s *source) shut() {
	if s.close {
		if err := s.adapter.Close(); err != nil {
			s.closeErr = fmt.Errorf("close source %s: %w", s.name, err)
		}
	}
	close(s.gone)
}

// sourceState is what became of the newest attempt to load a source.
type sourceState struct {
	catalog *mapping.Catalog // nil until loaded
	err     error            // why the newest attempt failed
}
