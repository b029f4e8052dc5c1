package core

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// watchCatalog reloads a source whenever its adapter says that the catalog may
// have changed. It returns when the source is retired or cannot be watched.
func (b *Bridge) watchCatalog(s *source) {
	w, ok := s.adapter.(Watcher)
	if !ok {
		return
	}
	rung := make(chan struct{}, 1) // many rings while a reload runs are one
	ring := func() {
		select {
		case rung <- struct{}{}:
		default:
		}
	}
	ended := make(chan struct{})
	var group sync.WaitGroup
	defer group.Wait()
	defer close(ended)
	group.Go(func() {
		for {
			select {
			case <-rung:
				b.renewOne(s)
			case <-ended:
				return
			}
		}
	})
	for {
		err := s.watch(s.life, w, "", mapping.Caller{}, ring)
		if s.life.Err() != nil || mapping.CodeOf(err) == mapping.Unsupported {
			return
		}
		b.log.Warn("watch of a source ended; trying again", failure(err, "source", s.name)...)
		again := time.NewTimer(lastRetry)
		select {
		case <-again.C:
			ring() // what changed meanwhile was not told
		case <-s.life.Done():
			again.Stop()
			return
		}
	}
}

// changes waits until the adapter says that its catalog may have changed, and
// returns false if it never will.
func (s *source) changes() bool {
	w, ok := s.adapter.(Watcher)
	if !ok {
		return false
	}
	ctx, stop := context.WithCancel(s.life)
	defer stop()
	var changed atomic.Bool
	s.watch(ctx, w, "", mapping.Caller{}, func() { // however it ended
		changed.Store(true)
		stop()
	})
	return changed.Load() && s.life.Err() == nil
}

// watch runs one Watch and keeps the adapter open meanwhile.
func (s *source) watch(ctx context.Context, w Watcher, path string, caller mapping.Caller, changed func()) error {
	if !s.hold() {
		return errReplaced()
	}
	defer s.release()
	_, err := caught(func() (struct{}, error) { return struct{}{}, w.Watch(ctx, path, caller, changed) })
	return err
}

// watches are the resources that sessions have subscribed to.
type watches struct {
	mu        sync.Mutex
	bySession map[*mcp.ServerSession]*subscriptions
	pending   map[string]bool // URIs whose change is about to be announced
}

// subscriptions are those of one session, each with what ends its watch.
type subscriptions struct {
	owner string // the caller's ID, "" where callers are not told apart
	byURI map[string]context.CancelFunc
}

// announceDelay is how long the changes of one resource are gathered. Each
// session watches for itself and an announcement goes to all of them.
const announceDelay = 10 * time.Millisecond

// gather runs announce for a URI once, however often it is called meanwhile.
func (w *watches) gather(uri string, announce func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.pending[uri] {
		return
	}
	if w.pending == nil {
		w.pending = map[string]bool{}
	}
	w.pending[uri] = true
	time.AfterFunc(announceDelay, func() {
		w.mu.Lock()
		delete(w.pending, uri)
		w.mu.Unlock()
		announce()
	})
}

// add remembers how to end a watch, unless this session watches this URI already
// (known) or its owner watches too many (full). first says that it is the
// session's first watch.
func (w *watches) add(session *mcp.ServerSession, owner, uri string, most int, cancel context.CancelFunc) (first, known, full bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	mine := w.bySession[session]
	if mine != nil && mine.byURI[uri] != nil {
		return false, true, false
	}
	if w.count(session, owner) >= most {
		return false, false, true
	}
	if mine == nil {
		if w.bySession == nil {
			w.bySession = map[*mcp.ServerSession]*subscriptions{}
		}
		mine = &subscriptions{owner: owner, byURI: map[string]context.CancelFunc{}}
		w.bySession[session] = mine
		first = true
	}
	mine.byURI[uri] = cancel
	return first, false, false
}

// count returns how many watches an owner has; without one, a session. w.mu is
// held.
func (w *watches) count(session *mcp.ServerSession, owner string) int {
	n := 0
	for s, subs := range w.bySession {
		if s == session || owner != "" && subs.owner == owner {
			n += len(subs.byURI)
		}
	}
	return n
}

// end ends one watch of a session, or with "" all of them.
func (w *watches) end(session *mcp.ServerSession, uri string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	mine := w.bySession[session]
	if mine == nil {
		return
	}
	for u, cancel := range mine.byURI {
		if uri == "" || u == uri {
			cancel()
			delete(mine.byURI, u)
		}
	}
	if uri == "" {
		delete(w.bySession, session)
	}
}

// refusalTime is how long a Watch has to say that it cannot watch a path.
const refusalTime = 100 * time.Millisecond

// checkSubject refuses to watch what is below none of the sources and is not the
// embedder's either: it answers like what a caller may not see.
func (b *Bridge) checkSubject(ctx context.Context, next mcp.MethodHandler, r *mcp.SubscribeRequest) error {
	snap, err := b.published(ctx)
	if err != nil || snap.lists.owns(r.Params.URI) {
		return err
	}
	_, err = next(ctx, "resources/read", &mcp.ReadResourceRequest{Session: r.Session, Params: &mcp.ReadResourceParams{URI: r.Params.URI}, Extra: r.Extra})
	var coded *jsonrpc.Error
	if mapping.CodeOf(err) == mapping.NotFound || errors.As(err, &coded) && coded.Code == jsonrpc.CodeInvalidParams && coded.Data != nil {
		return errNoResource()
	}
	return nil // what cannot be read now can change all the same
}

// subscribe starts telling a session about changes of one resource. URIs below
// none of the sources are the embedder's, who tells about them with
// Server().ResourceUpdated.
func (b *Bridge) subscribe(ctx context.Context, r *mcp.SubscribeRequest) error {
	snap, err := b.published(ctx)
	if err != nil {
		return err
	}
	uri := r.Params.URI
	caller := callerOf(r.Extra)
	if !snap.lists.owns(uri) {
		_, err := b.follow(r.Session, caller.ID, uri, func() {}) // the SDK remembers each one
		return err
	}
	target, err := snap.surface.Resolve(uri)
	if target != nil && !target.Address.MaySee(caller) {
		return errNoResource()
	}
	if err != nil {
		return err
	}
	s := snap.sources[target.Address.Source]
	w, ok := s.adapter.(Watcher)
	if !ok {
		return errNotWatched()
	}
	_, rest, _ := strings.Cut(uri, "://")
	_, path, _ := strings.Cut(rest, "/")
	if caller, err = b.callerFor(ctx, s.name, caller, headerOf(r.Extra)); err != nil {
		return err
	}
	return b.watchResource(r.Session, s, caller.ID, uri, func(ctx context.Context, changed func()) error {
		return s.watch(ctx, w, path, caller, changed)
	})
}

// follow remembers a subscription until it or its session ends. The error says
// that there are too many.
func (b *Bridge) follow(session *mcp.ServerSession, owner, uri string, cancel context.CancelFunc) (known bool, err error) {
	most := b.options.Limits.Subscriptions
	first, known, full := b.watches.add(session, owner, uri, most, cancel)
	if full {
		return false, &mapping.Error{
			Code:    mapping.Exhausted,
			Problem: fmt.Sprintf("you are subscribed to as many resources as is allowed (%d)", most),
			Next:    "unsubscribe from one first",
		}
	}
	if first {
		go func() {
			session.Wait() // however it ended
			b.watches.end(session, "")
		}()
	}
	return known, nil
}

// watchResource runs a watch until the session unsubscribes or ends. It returns
// an error if the watch is refused at once.
func (b *Bridge) watchResource(session *mcp.ServerSession, s *source, owner, uri string, watch func(context.Context, func()) error) error {
	ctx, cancel := context.WithCancel(s.life)
	if known, err := b.follow(session, owner, uri, cancel); known || err != nil {
		cancel()
		return err
	}
	refused := make(chan error, 1)
	go func() {
		err := watch(ctx, func() {
			b.watches.gather(uri, func() {
				b.server.ResourceUpdated(b.life, &mcp.ResourceUpdatedNotificationParams{URI: uri}) // sessions may be gone
			})
		})
		b.watches.end(session, uri)
		if err != nil && !errors.Is(err, context.Canceled) {
			b.log.Warn("watch of a resource ended", append(b.failure(err), "source", s.name)...)
		}
		refused <- err
	}()
	patience := time.NewTimer(refusalTime)
	defer patience.Stop()
	select {
	case err := <-refused:
		if mapping.CodeOf(err) == mapping.Unsupported {
			return err
		}
		return errNotWatched()
	case <-patience.C:
		return nil
	}
}

func errNotWatched() error {
	return &mapping.Error{
		Code:    mapping.Unsupported,
		Problem: "changes of this resource are not announced",
		Next:    "read it again when its newest content is needed",
	}
}
