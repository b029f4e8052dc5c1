package sql

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// An Adapter serves one database. The dialect's New makes it. It is a
// core.Watcher of its schema, a core.Completer and a core.Checker.
type Adapter struct {
	engine  Engine
	options Options
	invalid error // of the options; returned by the first Catalog

	closed atomic.Bool

	load  sync.Mutex // one introspection at a time
	mu    sync.Mutex
	state *state
	// each and adhoc are decided at the first catalog and kept, so that a growing
	// schema does not exchange all tools under a running client.
	decided     bool
	each, adhoc bool
	why         []mapping.Decision
}

// state is what one catalog was made from. It never changes.
type state struct {
	database *Database
	catalog  *mapping.Catalog
	runs     map[string]run // by Operation.Key
	mark     string         // the engine's fingerprint
}

// A run answers calls of one operation.
type run func(ctx context.Context, c mapping.Call) (*mapping.Result, error)

// New returns an adapter that speaks to a database through the engine and closes
// it. Nothing is reached before the first Catalog, and wrong options are its
// error.
func New(engine Engine, o Options) *Adapter {
	o, err := o.withDefaults()
	return &Adapter{engine: engine, options: o, invalid: err}
}

// Catalog introspects the database. An error of code Unavailable may be over the
// next time, and so may a deadline that passed.
func (a *Adapter) Catalog(ctx context.Context) (*mapping.Catalog, error) {
	c, err := a.introspect(ctx)
	var e *mapping.Error
	if errors.As(err, &e) && e.Code == mapping.Exhausted {
		later := *e // a connection may be free then
		later.Code = mapping.Unavailable
		return nil, &later
	}
	return c, err
}

func (a *Adapter) introspect(ctx context.Context) (*mapping.Catalog, error) {
	if a.invalid != nil {
		return nil, a.invalid
	}
	if a.closed.Load() {
		return nil, errClosed
	}
	a.load.Lock()
	defer a.load.Unlock()
	mark, err := a.engine.Fingerprint(ctx)
	if err != nil {
		return nil, err
	}
	if s := a.current(); s != nil && s.mark == mark {
		return s.catalog, nil
	}
	database, err := a.engine.Introspect(ctx, a.options.Schemas)
	if err != nil {
		return nil, fmt.Errorf("read the schema: %w", err)
	}
	lost := append(database.Lost, a.options.hide(database)...)
	if err := a.decide(ctx, database); err != nil {
		return nil, err
	}
	s := a.build(ctx, database)
	s.mark = mark
	s.catalog.Lost = append(append(lost, a.why...), s.catalog.Lost...)
	a.mu.Lock()
	a.state = s
	a.mu.Unlock()
	return s.catalog, nil
}

func (a *Adapter) current() *state {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.state
}

// loaded returns the newest state, introspecting if nobody asked for a catalog
// yet.
func (a *Adapter) loaded(ctx context.Context) (*state, error) {
	if a.closed.Load() {
		return nil, errClosed
	}
	if s := a.current(); s != nil {
		return s, nil
	}
	if _, err := a.introspect(ctx); err != nil {
		return nil, err
	}
	return a.current(), nil
}

// Call runs one operation.
func (a *Adapter) Call(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
	s, err := a.loaded(ctx)
	if err != nil {
		return nil, err
	}
	run := s.runs[c.Key]
	if run == nil {
		return nil, &mapping.Error{Code: mapping.NotFound, Problem: "there is no such operation here any more", Next: "list the tools again"}
	}
	c.Budget = min(c.Budget, c.MaxBytes)
	return within(c.MaxBytes)(run(ctx, c))
}

// within refuses what does not fit although rows and cells were cut: an answer of
// one piece, such as a row or a description.
func within(most int64) func(*mapping.Result, error) (*mapping.Result, error) {
	return func(r *mapping.Result, err error) (*mapping.Result, error) {
		if err == nil && int64(len(r.JSON)) > most {
			return nil, &mapping.Error{Code: mapping.Exhausted, Problem: "the answer is larger than is allowed", Next: "ask for fewer columns or rows"}
		}
		return r, err
	}
}

var errClosed = &mapping.Error{Code: mapping.Unavailable, Problem: "this database has been shut off from here", Next: "list the tools again"}

// Close closes the engine. Nothing works afterwards.
func (a *Adapter) Close() error {
	if a.closed.Swap(true) {
		return nil
	}
	return a.engine.Close()
}

// Check audits the privileges of the role that the database is reached with.
func (a *Adapter) Check(ctx context.Context) ([]mapping.Finding, error) {
	if a.invalid != nil {
		return nil, a.invalid
	}
	return a.engine.Audit(ctx)
}
