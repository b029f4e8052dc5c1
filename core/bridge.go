package core

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"go.opentelemetry.io/otel/trace"
)

// errClosed is what everything returns after Close.
var errClosed = errors.New("the bridge is closed")

// A Bridge serves sources to models. Its methods may be called from any number
// of goroutines.
type Bridge struct {
	options Options
	log     *slog.Logger
	tracer  trace.Tracer
	meters  *meters
	server  *mcp.Server
	lent    atomic.Bool // the embedder has had the server
	short   *shortFront
	router  http.Handler
	watches watches
	callers callers
	spent   spent
	listens listeners
	streams streams
	// sessions are those over HTTP whose handshake has been answered.
	sessions sessions
	// secret signs what a client carries from one round trip to the next.
	secret []byte

	life  context.Context // ends with Close
	stop  context.CancelFunc
	close func() error   // runs once
	work  sync.WaitGroup // goroutines that end with life

	// greeting is what instructions are before the first publish.
	greeting string
	// greeted is closed by greet, when loading need not wait for a handshake.
	greeted chan struct{}
	greet   func()
	// first is closed by the first publish; current is set from then on.
	first   chan struct{}
	current atomic.Pointer[snapshot]

	// turn is held by whoever reloads or replaces: one at a time.
	turn chan struct{}
	// mu guards rules, sources, the catalogs in them, and publishing.
	mu      sync.Mutex
	rules   mapping.Rules
	sources map[string]*source
}

// New makes a bridge of these sources. It returns at once and loads their
// catalogs behind: [Bridge.Ready] waits for them. The bridge owns the adapters
// from here on and closes them in [Bridge.Close]. The error says what in the
// options or the names cannot be; the adapters are then still the caller's.
func New(o Options, s Sources) (*Bridge, error) {
	o = o.withDefaults()
	if err := errors.Join(o.check(), s.check()); err != nil {
		return nil, err
	}
	o.Hosts, _ = checked(o.Hosts, hostEntry)
	o.Origins, _ = checked(o.Origins, originEntry)
	meters, meter, err := newMeters(o.Metrics, o.Version)
	if err != nil {
		return nil, fmt.Errorf("metrics: %w", err)
	}
	life, stop := context.WithCancel(context.Background())
	b := &Bridge{
		options: o,
		log:     o.Logger,
		tracer:  newTracer(o.Tracing, o.Version),
		meters:  meters,
		secret:  []byte(cmp.Or(o.ConfirmKey, rand.Text())),
		life:    life,
		stop:    stop,
		first:   make(chan struct{}),
		greeted: make(chan struct{}),
		turn:    make(chan struct{}, 1),
		callers: callers{limits: o.Limits},
		rules:   o.Rules,
		sources: map[string]*source{},
	}
	b.close = sync.OnceValue(b.shutDown)
	b.greet = sync.OnceFunc(func() { close(b.greeted) })
	b.server = b.newFront()
	b.short = b.newShortFront()
	b.router = b.newRouter()
	for name, adapter := range s {
		b.sources[name] = b.newSource(name, adapter)
	}
	watched, err := b.watchSources(meter)
	if err != nil {
		stop()
		return nil, fmt.Errorf("metrics: %w", err)
	}
	context.AfterFunc(life, func() { watched.Unregister() }) // it always can
	b.greeting = b.greetingFor(b.sources)
	b.startLoading()
	return b, nil
}

// Server returns the SDK's server, for what this package does not offer. Tools,
// resources and prompts added to it are listed after the bridge's own and
// reached by names and URIs that the bridge does not have. From the first call of
// Server on, the SDK answers every request, so that middleware sees them all; until
// then the bridge answers the common ones over HTTP itself, which takes a fraction
// of the processor's time.
func (b *Bridge) Server() *mcp.Server {
	b.lent.Store(true)
	return b.server
}

// Handler serves MCP over HTTP, every revision, at whatever path it is mounted.
// It checks Host and Origin, and with [Options.Auth] who calls. A program that has
// a check of its own may put that around the handler instead, as
// [github.com/modelcontextprotocol/go-sdk/auth.RequireBearerToken]: whose TokenInfo
// stands in the context is the caller.
// Open streams end with the bridge, so close it before, or while, an
// [http.Server] shuts down.
func (b *Bridge) Handler() http.Handler { return b.router }

// Surface returns what is published now, nil before the first publish.
func (b *Bridge) Surface() *mapping.Surface {
	snap := b.current.Load()
	if snap == nil {
		return nil
	}
	return snap.surface
}

// Close ends every session and call, waits until they have returned, and closes
// the adapters. A second Close does nothing.
func (b *Bridge) Close() error { return b.close() }

func (b *Bridge) shutDown() error {
	b.listens.end()
	b.streams.end()
	b.stop()
	b.turn <- struct{}{} // for good: no reload from here on
	for session := range b.server.Sessions() {
		session.Close() // the peer may be gone already
	}
	b.short.end()
	b.work.Wait()

	b.mu.Lock()
	sources := b.sources
	b.sources = map[string]*source{}
	b.mu.Unlock()
	var errs []error
	for _, s := range sources {
		s.retire(true)
	}
	for _, s := range sources {
		<-s.gone
		errs = append(errs, s.closeErr)
	}
	return errors.Join(errs...)
}
