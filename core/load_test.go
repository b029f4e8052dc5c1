package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// inBubble runs a test in its own time. It fails if a goroutine outlives the
// bridges and sessions that the test closes.
func inBubble(t *testing.T, test func(t *testing.T)) {
	t.Helper()
	synctest.Test(t, test)
}

// later loads a catalog after some time.
func later(after time.Duration) func(context.Context) error {
	return func(ctx context.Context) error {
		select {
		case <-time.After(after):
			return nil
		case <-ctx.Done():
			return ctx.Err()
		}
	}
}

// failing fails a number of times before it loads.
func failing(times int, err error) func(context.Context) error {
	var n atomic.Int64
	return func(context.Context) error {
		if n.Add(1) <= int64(times) {
			return err
		}
		return nil
	}
}

func away() error {
	return &mapping.Error{Code: mapping.Unavailable, Problem: "the backend is away"}
}

// greeting is how long loading leaves the processors to a handshake that has not
// come.
const greeting = 50 * time.Millisecond

func TestReadyWaitsForEverySource(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBridge(t, core.Options{}, core.Sources{
			"fast": &adaptertest.Fake{Offer: shop()},
			"slow": &adaptertest.Fake{Offer: shop(), Load: later(3 * time.Second)},
		})
		begin := time.Now()
		if b.Surface() != nil {
			t.Error("there is a surface before anything is loaded")
		}
		if err := b.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took != greeting+3*time.Second {
			t.Errorf("Ready took %s, want 3s after the greeting", took)
		}
		for _, s := range b.Status() {
			if s.Tools != 3 || s.Resources != 1 || s.Templates != 1 || s.Prompts != 1 || s.Err != nil {
				t.Errorf("status %+v, want 3 tools, 1 resource, 1 template, 1 prompt", s)
			}
		}
	})
}

// A source that has not answered after FirstPublish joins later, and names do
// not depend on it.
func TestFirstPublishDoesNotWaitForever(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBridge(t, core.Options{}, core.Sources{
			"fast": &adaptertest.Fake{Offer: shop()},
			"slow": &adaptertest.Fake{Offer: shop(), Load: later(20 * time.Second)},
		})
		changed := make(chan struct{}, 1)
		begin := time.Now()
		c := connect(t, b, &mcp.ClientOptions{ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { changed <- struct{}{} }})
		tools, err := c.ListTools(t.Context(), nil)
		if err != nil {
			t.Fatal(err)
		}
		if took := time.Since(begin); took != 5*time.Second {
			t.Errorf("the list took %s, want 5s", took)
		}
		if got, want := toolNames(tools.Tools), "fast_list_orders fast_get_order fast_delete_order"; got != want {
			t.Errorf("tools = %s, want %s", got, want)
		}
		if err := b.Ready(t.Context()); err == nil || !strings.Contains(err.Error(), "source slow: the source has not answered yet") {
			t.Errorf("Ready = %v, want that slow has not answered", err)
		}
		<-changed
		tools, err = c.ListTools(t.Context(), nil)
		if err != nil || len(tools.Tools) != 6 {
			t.Errorf("tools = %+v, %v, want 6", tools, err)
		}
		if err := b.Ready(t.Context()); err != nil {
			t.Errorf("Ready = %v after both have answered", err)
		}
	})
}

func toolNames(tools []*mcp.Tool) string {
	var names []string
	for _, t := range tools {
		names = append(names, t.Name)
	}
	return strings.Join(names, " ")
}

// The handshake waits no longer than a document on disk takes, and ping never;
// everything else waits for the first publish, because many clients list once and
// never again.
func TestRequestsWaitForTheFirstPublish(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBridge(t, core.Options{}, core.Sources{"odd": &adaptertest.Fake{Offer: oddities().Offer, Load: later(time.Second)}})
		begin := time.Now()
		here, there := mcp.NewInMemoryTransports()
		if _, err := b.SDK().Connect(t.Context(), there, nil); err != nil {
			t.Fatal(err)
		}
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
		c, err := client.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
		if err != nil {
			t.Fatal(err)
		}
		defer c.Close()
		if err := c.Ping(t.Context(), nil); err != nil {
			t.Fatal(err)
		}
		if waited := time.Since(begin); waited > 30*time.Millisecond {
			t.Errorf("handshake and ping waited %s, want at most 30ms", waited)
		}
		result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "echo"})
		if err != nil || result.IsError {
			t.Errorf("call: %+v, %v", result, err)
		}
		if waited := time.Since(begin); waited != time.Second {
			t.Errorf("the call waited %s, want 1s", waited)
		}
	})
}

// A model is told what a source says of itself where that is known soon enough.
func TestHandshakeTellsOfSourcesThatLoadAtOnce(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		for load, want := range map[time.Duration]bool{0: true, 20 * time.Millisecond: true, time.Minute: false} {
			offer := shop()
			offer.About = "Everything for tents."
			b := newBridge(t, core.Options{}, core.Sources{"shop": &adaptertest.Fake{Offer: offer, Load: later(load)}})
			told := connect(t, b, nil).InitializeResult().Instructions
			if strings.Contains(told, "Everything for tents.") != want {
				t.Errorf("with a source that takes %s the handshake told %q", load, told)
			}
		}
	})
}

func TestTemporaryFailuresAreRetried(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBridge(t, core.Options{}, core.Sources{"shop": &adaptertest.Fake{Offer: shop(), Load: failing(2, away())}})
		begin := time.Now()
		if err := b.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		// 0.5 s after the first attempt and 1 s after the second.
		if took := time.Since(begin); took != greeting+1500*time.Millisecond {
			t.Errorf("loading took %s, want 1.5s after the greeting", took)
		}
	})
}

func TestFinalFailuresAreNotRetried(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		broken := errors.New("read petstore.yaml: line 3: no paths")
		b := newBridge(t, core.Options{}, core.Sources{
			"bad":  &adaptertest.Fake{Load: failing(1, broken)},
			"shop": &adaptertest.Fake{Offer: shop()},
		})
		begin := time.Now()
		err := b.Ready(t.Context())
		if !errors.Is(err, broken) || !strings.Contains(err.Error(), "source bad: ") {
			t.Errorf("Ready = %v, want the failure of bad", err)
		}
		if took := time.Since(begin); took != greeting {
			t.Errorf("a final failure took %s, want no longer than the greeting", took)
		}
		time.Sleep(time.Minute)
		status := b.Status()
		if status[0].Err == nil || status[0].Temporary || status[1].Err != nil {
			t.Errorf("status = %+v, want bad to have failed for good", status)
		}
		if err := b.Reload(t.Context()); err != nil {
			t.Errorf("Reload = %v, but bad is mended", err)
		}
		if status := b.Status(); status[0].Err != nil {
			t.Errorf("status = %+v after the reload", status)
		}
	})
}

func TestReadyEndsWithItsContext(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBridge(t, core.Options{}, core.Sources{"slow": &adaptertest.Fake{Load: later(time.Minute)}})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if err := b.Ready(ctx); !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("Ready = %v, want DeadlineExceeded", err)
		}
	})
}

func TestPanicInCatalogIsAFailure(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"bad": &adaptertest.Fake{Load: func(context.Context) error { panic("no") }}})
	if err := b.Ready(t.Context()); err == nil {
		t.Error("Ready = nil")
	}
}

func TestNewSaysWhatCannotBe(t *testing.T) {
	fake := &adaptertest.Fake{}
	for _, c := range []struct {
		options core.Options
		sources core.Sources
		want    string
	}{
		{core.Options{}, core.Sources{"Shop": fake}, "sources.Shop: "},
		{core.Options{}, core.Sources{"a-name-of-17-chars": fake}, "sources.a-name-of-17-chars: "},
		{core.Options{}, core.Sources{"shop": nil}, "sources.shop: the adapter is nil"},
		{core.Options{Limits: core.Limits{Timeout: -1}}, nil, "limits.timeout is negative"},
		{core.Options{Limits: core.Limits{SourceTimeouts: map[string]time.Duration{"x": -1}}}, nil, "sources.x.timeout is negative"},
		{core.Options{Rules: mapping.Rules{Confirm: []string{"colour:red"}}}, nil, "rules.confirm[0]"},
	} {
		if _, err := core.New(c.options, c.sources); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("New(%+v, %v) = %v, want %q", c.options, c.sources, err, c.want)
		}
	}
}

// Without sources a bridge serves what its embedder adds.
func TestNoSources(t *testing.T) {
	b := newBridge(t, core.Options{}, nil)
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	c := connect(t, b, nil)
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil || tools.Tools == nil || len(tools.Tools) != 0 {
		t.Errorf("tools = %+v, %v", tools, err)
	}
}

func TestReloadKeepsTheOldWhenOneFails(t *testing.T) {
	bad := &adaptertest.Fake{Offer: shop()}
	good := &adaptertest.Fake{Offer: shop()}
	b := newBridge(t, core.Options{}, core.Sources{"bad": bad, "good": good})
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	good.Change(mapping.Catalog{})
	bad.Load = func(context.Context) error { return errors.New("line 1: no") }
	err := b.Reload(t.Context())
	if err == nil || err.Error() != "source bad: line 1: no" {
		t.Errorf("Reload = %v, want source bad: line 1: no", err)
	}
	if n := len(b.Surface().Tools()); n != 6 {
		t.Errorf("%d tools after a failed reload, want the old 6", n)
	}
}

// A replaced adapter is closed when its last call has returned, not before.
func TestReplaceClosesWhenTheLastCallReturns(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		called, finish, closed := make(chan struct{}), make(chan struct{}), make(chan struct{})
		old := &adaptertest.Fake{
			Offer: shop(),
			Calls: map[string]adaptertest.CallFunc{"list": func(context.Context, mapping.Call) (*mapping.Result, error) {
				close(called)
				<-finish
				return &mapping.Result{JSON: json.RawMessage(`"old"`)}, nil
			}},
			Release: func() error { close(closed); return nil },
		}
		kept := &adaptertest.Fake{Offer: shop(), Release: func() error { t.Error("the kept adapter was closed"); return nil }}
		b := newBridge(t, core.Options{}, core.Sources{"shop": old, "kept": kept})
		answer := make(chan string, 1)
		go func() {
			result, err := b.CallTool(t.Context(), "shop_list_orders", nil)
			if err != nil {
				answer <- err.Error()
				return
			}
			answer <- text(t, result.StructuredContent)
		}()
		<-called
		err := b.Replace(t.Context(), core.Sources{
			"shop": &adaptertest.Fake{Offer: mapping.Catalog{Scheme: "shop", Operations: shop().Operations[1:]}},
			"kept": kept,
		})
		if err != nil {
			t.Fatal(err)
		}
		if b.Surface().Tool("shop_list_orders") != nil {
			t.Error("the old tool is still there")
		}
		synctest.Wait()
		select {
		case <-closed:
			t.Error("closed while a call was under way")
		default:
		}
		close(finish)
		if got, want := <-answer, `{"result":"old"}`; got != want {
			t.Errorf("answer %s, want %s", got, want)
		}
		<-closed
		kept.Release = nil
	})
}

func TestReplaceLeavesNewAdaptersToTheCallerWhenItFails(t *testing.T) {
	shut := func() error { t.Error("closed"); return nil }
	fresh := &adaptertest.Fake{Load: func(context.Context) error { return errors.New("no") }, Release: shut}
	b := newBridge(t, core.Options{}, core.Sources{"shop": &adaptertest.Fake{Offer: shop()}})
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.Replace(t.Context(), core.Sources{"shop": fresh}); err == nil || !strings.Contains(err.Error(), "source shop: no") {
		t.Errorf("Replace = %v", err)
	}
	if b.Surface().Tool("get_order") == nil {
		t.Error("the old source is gone")
	}
	if err := b.Replace(t.Context(), core.Sources{"!": fresh}); err == nil {
		t.Error("a bad name was taken")
	}
}

// An adapter that says its catalog has changed is asked again.
func TestWatchedCatalog(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		watched := make(chan string)
		fake, bell := &adaptertest.Fake{Offer: shop()}, &adaptertest.Bell{Watched: watched}
		b := newBridge(t, core.Options{}, core.Sources{"shop": struct {
			*adaptertest.Fake
			core.Watcher
		}{fake, bell}})
		<-watched
		if err := b.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		fake.Change(mapping.Catalog{Scheme: "shop", Operations: shop().Operations[:1]})
		bell.Ring("")
		synctest.Wait()
		if n := len(b.Surface().Tools()); n != 1 {
			t.Errorf("%d tools after the ring, want 1", n)
		}
		fake.Load = func(context.Context) error { return away() }
		bell.Ring("")
		synctest.Wait()
		if n := len(b.Surface().Tools()); n != 1 {
			t.Errorf("%d tools after a failed reload, want 1", n)
		}
	})
}

func TestClosedBridge(t *testing.T) {
	closes := 0
	b, err := core.New(core.Options{}, core.Sources{"shop": &adaptertest.Fake{
		Offer:   shop(),
		Release: func() error { closes++; return errors.New("stuck") },
	}})
	if err != nil {
		t.Fatal(err)
	}
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	if err := b.Close(); err == nil || !strings.Contains(err.Error(), "close source shop: stuck") {
		t.Errorf("Close = %v", err)
	}
	b.Close()
	if closes != 1 {
		t.Errorf("closed %d times", closes)
	}
	if err := b.Reload(t.Context()); err == nil {
		t.Error("Reload after Close succeeds")
	}
	if err := b.Replace(t.Context(), core.Sources{}); err == nil {
		t.Error("Replace after Close succeeds")
	}
	result, err := b.CallTool(t.Context(), "get_order", json.RawMessage(`{"id":1}`))
	if err == nil && !result.IsError {
		t.Errorf("a call after Close succeeds: %s", text(t, result))
	}
}

// Close cancels what is under way and waits for it.
func TestCloseCancelsCalls(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b, err := core.New(core.Options{}, core.Sources{"odd": oddities()})
		if err != nil {
			t.Fatal(err)
		}
		done := make(chan struct{})
		go func() {
			defer close(done)
			result, err := b.CallTool(t.Context(), "waits", nil)
			if err != nil || !result.IsError {
				t.Errorf("call = %+v, %v, want a canceled one", result, err)
			}
		}()
		synctest.Wait()
		if err := b.Close(); err != nil {
			t.Error(err)
		}
		<-done
	})
}
