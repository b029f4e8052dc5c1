package sql

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// marked is an Engine of an empty database whose fingerprint a test sets.
type marked struct {
	Engine
	mark  atomic.Pointer[string]
	asked atomic.Int64
}

var errAway = errors.New("away")

func (m *marked) Fingerprint(context.Context) (string, error) {
	m.asked.Add(1)
	if mark := m.mark.Load(); mark != nil {
		return *mark, nil
	}
	return "", errAway
}

func (m *marked) Introspect(context.Context, []string) (*Database, error) { return &Database{}, nil }

func (m *marked) Audit(context.Context) ([]mapping.Finding, error) { return nil, nil }

func (m *marked) set(mark string) { m.mark.Store(&mark) }

func TestWatch(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		engine := new(marked)
		engine.set("a")
		a := New(engine, Options{Query: "off"})
		if _, err := a.Catalog(t.Context()); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(t.Context())
		var told atomic.Int64
		ended := make(chan error)
		go func() { ended <- a.Watch(ctx, "", mapping.Caller{}, func() { told.Add(1) }) }()
		later := func() int64 {
			time.Sleep(2 * watchEvery) // of the bubble's clock
			synctest.Wait()
			return told.Swap(0)
		}
		if n := later(); n != 0 || engine.asked.Load() < 2 {
			t.Errorf("told %d times of a schema that stayed, after %d looks", n, engine.asked.Load())
		}
		engine.set("b")
		if later() == 0 {
			t.Error("a changed schema was not told of")
		}
		if _, err := a.Catalog(t.Context()); err != nil {
			t.Fatal(err)
		}
		if n := later(); n != 0 {
			t.Errorf("told %d times after the catalog was read again", n)
		}
		engine.mark.Store(nil)
		if n := later(); n != 0 {
			t.Errorf("a server that was away was told of as a change, %d times", n)
		}
		engine.set("c")
		if later() == 0 {
			t.Error("a schema that changed while the server was away was not told of")
		}
		cancel()
		if err := <-ended; !errors.Is(err, context.Canceled) {
			t.Errorf("watching ended with %v", err)
		}
	})
	a := New(new(marked), Options{})
	if err := a.Watch(t.Context(), "public/t/1", mapping.Caller{}, func() {}); mapping.CodeOf(err) != mapping.Unsupported {
		t.Errorf("watching a row: %v", err)
	}
}
