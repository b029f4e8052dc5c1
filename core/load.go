package core

import (
	"context"
	"errors"
	"log/slog"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

const (
	// catalogTimeout bounds one Catalog. A source with a longer timeout for its
	// calls has that.
	catalogTimeout = 30 * time.Second
	// greeting is how long loading waits for the handshake. A large document keeps
	// every processor busy, and a host that has just started the program is
	// waiting for its first answer.
	greeting = 50 * time.Millisecond
	// Temporary failures are retried after firstRetry, then twice as long each
	// time, up to lastRetry.
	firstRetry = 500 * time.Millisecond
	lastRetry  = 30 * time.Second
)

// startLoading asks every source for its catalog at once and publishes when all
// have answered or failed for good, or when FirstPublish is over.
func (b *Bridge) startLoading() {
	var settled sync.WaitGroup
	for _, s := range b.sources {
		settled.Add(1)
		once := sync.OnceFunc(settled.Done)
		b.work.Go(func() {
			defer once()
			b.awaitGreeting()
			b.keepLoading(s, once)
		})
	}
	all := make(chan struct{})
	b.work.Go(func() {
		settled.Wait()
		close(all)
	})
	b.work.Go(func() {
		late := time.NewTimer(b.options.Limits.FirstPublish)
		defer late.Stop()
		select {
		case <-all:
		case <-late.C:
			b.log.Warn("publishing without the sources that have not answered yet")
		case <-b.life.Done():
			return
		}
		b.mu.Lock()
		defer b.mu.Unlock()
		b.publish()
	})
}

// awaitGreeting returns when a handshake has been answered, when somebody waits
// for what is loaded, or after a moment.
func (b *Bridge) awaitGreeting() {
	moment := time.NewTimer(greeting)
	defer moment.Stop()
	select {
	case <-b.greeted:
	case <-moment.C:
	case <-b.life.Done():
	}
}

// keepLoading asks one source until it is loaded, has failed for good, or is
// retired. One that has failed for good is asked again when its adapter says that
// something has changed. settled is called when it is loaded or has failed; then
// the catalog is watched.
func (b *Bridge) keepLoading(s *source, settled func()) {
	for wait := firstRetry; !b.loaded(s); wait = min(2*wait, lastRetry) {
		catalog, err := b.ask(s.life, s)
		b.arrived(s, catalog, err)
		if err == nil {
			break
		}
		if !temporary(err) {
			settled()
			if !s.changes() {
				return
			}
			wait = firstRetry / 2
			continue
		}
		retry := time.NewTimer(wait)
		select {
		case <-retry.C:
		case <-s.life.Done():
			retry.Stop()
			return
		}
	}
	s.answered() // a reload may have been faster
	settled()
	b.watchCatalog(s)
}

// ask gets one catalog within its deadline. A panic is an error.
func (b *Bridge) ask(ctx context.Context, s *source) (*mapping.Catalog, error) {
	if !s.hold() {
		return nil, errClosed
	}
	defer s.release()
	ctx, cancel := context.WithTimeout(ctx, max(catalogTimeout, s.timeout))
	defer cancel()
	defer context.AfterFunc(s.life, cancel)()
	begin := time.Now()
	catalog, err := caught(func() (*mapping.Catalog, error) { return s.adapter.Catalog(ctx) })
	if err == nil && catalog == nil {
		err = errors.New("the adapter returned no catalog")
	}
	if err != nil && s.life.Err() != nil {
		return nil, errClosed // nobody waits for it any more
	}
	if err != nil {
		about := failure(err, slog.String("source", s.name), slog.Bool("temporary", temporary(err)))
		if b.loaded(s) {
			b.log.Error("source not loaded, what it offered before stays", about...)
		} else {
			b.log.Error("source not loaded", about...)
		}
		return nil, err
	}
	b.log.Info("source loaded", "source", s.name, "operations", len(catalog.Operations), "took", time.Since(begin))
	return catalog, nil
}

// arrived notes what became of an attempt to load s, unless a reload was faster,
// and publishes a catalog that comes after the first publish.
func (b *Bridge) arrived(s *source, catalog *mapping.Catalog, err error) {
	defer s.answered()
	b.mu.Lock()
	defer b.mu.Unlock()
	if s.life.Err() != nil || s.state.catalog != nil {
		return
	}
	s.state = sourceState{catalog, err}
	if err == nil && b.current.Load() != nil {
		b.publish()
	}
}

func (b *Bridge) loaded(s *source) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return s.state.catalog != nil
}

// temporary reports whether a failed Catalog is worth trying again.
func temporary(err error) bool {
	code := mapping.CodeOf(err)
	return code == mapping.Unavailable || code == mapping.Timeout || errors.Is(err, context.DeadlineExceeded)
}

// Ready waits for the first publish: until every source has answered or failed
// for good, or [Limits.FirstPublish] is over. The error joins what went wrong,
// each naming its source; sources that did load are served all the same.
func (b *Bridge) Ready(ctx context.Context) error {
	if _, err := b.wait(ctx); err != nil {
		return err
	}
	var errs []error
	for _, s := range b.Status() {
		if s.Err != nil {
			errs = append(errs, &sourceError{s.Name, s.Err})
		}
	}
	return errors.Join(errs...)
}

// A sourceError is what an operator is told of a source that failed.
type sourceError struct {
	source string
	err    error
}

func (e *sourceError) Error() string { return "source " + e.source + ": " + mapping.ForOperator(e.err) }

func (e *sourceError) Unwrap() error { return e.err }

// published returns the newest snapshot, waiting for the first.
func (b *Bridge) published(ctx context.Context) (*snapshot, error) {
	b.greet()
	return b.wait(ctx)
}

// wait returns the newest snapshot, waiting for the first. Unlike a request, it
// does not hurry loading: a host's handshake comes before it.
func (b *Bridge) wait(ctx context.Context) (*snapshot, error) {
	select {
	case <-b.first:
		return b.current.Load(), nil
	default:
	}
	select {
	case <-b.first:
		return b.current.Load(), nil
	case <-ctx.Done():
		return nil, ctx.Err()
	case <-b.life.Done():
		return nil, errClosed
	}
}

// askAll gets the catalogs of several sources at once. The error joins every
// failure, each naming its source.
func (b *Bridge) askAll(ctx context.Context, sources map[string]*source) (map[string]*mapping.Catalog, error) {
	var (
		mu       sync.Mutex
		group    sync.WaitGroup
		catalogs = map[string]*mapping.Catalog{}
		failed   = map[string]error{}
	)
	for name, s := range sources {
		group.Go(func() {
			catalog, err := b.ask(ctx, s)
			mu.Lock()
			defer mu.Unlock()
			if err != nil {
				failed[name] = &sourceError{name, err}
				return
			}
			catalogs[name] = catalog
		})
	}
	group.Wait()
	var errs []error
	for _, name := range slices.Sorted(maps.Keys(failed)) {
		errs = append(errs, failed[name])
	}
	return catalogs, errors.Join(errs...)
}
