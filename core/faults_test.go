package core_test

import (
	"bytes"
	"context"
	"io"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// heap returns how much memory is in use.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}

// wantHeap wants that memory is back to what it was, but for a little.
func wantHeap(t *testing.T, before uint64) {
	t.Helper()
	const little = 8 << 20
	if after := heap(); after > before+little {
		t.Errorf("memory went from %d to %d bytes", before, after)
	}
}

// bubbleGoroutines returns how many goroutines the caller's bubble has.
// [runtime.NumGoroutine] also counts the runtime's own while it runs a finalizer.
func bubbleGoroutines(t *testing.T) int {
	t.Helper()
	stacks := make([]byte, 1<<20)
	n := bytes.Count(stacks[:runtime.Stack(stacks, true)], []byte("synctest bubble"))
	if n == 0 {
		t.Fatal("the runtime does not say which goroutines are in a bubble")
	}
	return n
}

// wantGoroutines waits until no more goroutines are left than there were.
func wantGoroutines(t *testing.T, before int) {
	t.Helper()
	late := time.After(30 * time.Second)
	again := time.NewTicker(10 * time.Millisecond)
	defer again.Stop()
	for runtime.NumGoroutine() > before {
		select {
		case <-again.C:
		case <-late:
			stacks := make([]byte, 1<<20)
			t.Fatalf("%d goroutines are left of %d:\n%s", runtime.NumGoroutine(), before, stacks[:runtime.Stack(stacks, true)])
		}
	}
}

// An adapter that panics, whatever it was asked, costs that answer and nothing
// else.
func TestFaultPanics(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var broken bool
		burst := func() {
			if broken {
				panic("secret of the adapter")
			}
		}
		fake := oddities()
		fake.Load = func(context.Context) error { burst(); return nil }
		fake.Reads["note"] = func(context.Context, mapping.Read) (*mapping.Result, error) { panic("secret of the adapter") }
		b := newBridge(t, core.Options{}, core.Sources{"odd": struct {
			*adaptertest.Fake
			core.Watcher
			core.Completer
		}{fake, panicWatcher{}, adaptertest.CompleteFunc(func(context.Context, mapping.Completion) (mapping.Completions, error) {
			panic("secret of the adapter")
		})}})
		if err := b.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		p := startPipe(t, b)
		p.send(handshake)
		p.next()
		for _, request := range []string{
			`"tools/call","params":{"name":"panics"}`,
			`"resources/read","params":{"uri":"odd://odd/note"}`,
			`"completion/complete","params":{"ref":{"type":"ref/prompt","name":"greet"},"argument":{"name":"who","value":""}}`,
			`"resources/subscribe","params":{"uri":"odd://odd/note"}`,
		} {
			p.send(`{"jsonrpc":"2.0","id":2,"method":` + request + `}`)
			if got := p.next(); strings.Contains(got, "secret") || !strings.Contains(got, "error") && !strings.Contains(got, "isError") {
				t.Errorf("%s: a panic is answered with %s", request, got)
			}
			p.send(`{"jsonrpc":"2.0","id":3,"method":"tools/call","params":{"name":"echo","arguments":{"n":1}}}`)
			if got := p.next(); !strings.Contains(got, `{"args":{"n":1}}`) {
				t.Errorf("after %s: %s", request, got)
			}
		}
		broken = true
		if err := b.Reload(t.Context()); err == nil {
			t.Error("a panic in Catalog is no error of Reload")
		}
		if b.Surface().Tool("echo") == nil {
			t.Error("what was served before the reload is gone")
		}
		p.end()
	})
}

type panicWatcher struct{}

func (panicWatcher) Watch(ctx context.Context, path string, _ mapping.Caller, _ func()) error {
	if path != "" {
		panic("secret of the adapter")
	}
	<-ctx.Done()
	return ctx.Err()
}

// zeros is a body without end, which counts what is taken of it.
type zeros struct{ taken int64 }

func (z *zeros) Read(p []byte) (int, error) {
	z.taken += int64(len(p))
	for i := range p {
		p[i] = '0'
	}
	return len(p), nil
}

// A body of a gigabyte is refused when the limit is passed, and not kept.
func TestFaultHugeBody(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"odd": oddities()})
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	before := heap()
	for _, h := range []http.Handler{b.Handler(), b.SSEHandler()} {
		body := &zeros{}
		r := httptest.NewRequestWithContext(t.Context(), "POST", "http://localhost/mcp", io.LimitReader(body, 1<<30))
		r.Header.Set("Content-Type", "application/json")
		w := httptest.NewRecorder()
		h.ServeHTTP(w, r)
		if w.Code != http.StatusRequestEntityTooLarge && w.Code != http.StatusNotFound {
			t.Errorf("status %d, want 413, or 404 where there is no session", w.Code)
		}
		if body.taken > 5<<20 {
			t.Errorf("%d bytes were read before the refusal", body.taken)
		}
	}
	wantHeap(t, before)
}

// A line of a gigabyte is passed over, and the next one is answered.
func TestFaultHugeLine(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"odd": oddities()})
	before := heap()
	p := startPipe(t, b)
	go func() {
		io.Copy(p.in, io.LimitReader(&zeros{}, 1<<30))
		io.WriteString(p.in, "\n"+handshake+"\n")
	}()
	if got := p.next(); !strings.Contains(got, "-32700") {
		t.Errorf("the line is answered with %s", got)
	}
	if got := p.next(); !strings.Contains(got, `"serverInfo"`) {
		t.Errorf("the next line is answered with %s", got)
	}
	p.end()
	wantHeap(t, before)
}

// Ten thousand sessions that are opened and left: no more than the limit are
// kept, and all are gone when they have been idle for long.
func TestFaultAbandonedSessions(t *testing.T) {
	before := heap()
	inBubble(t, func(t *testing.T) {
		b := newBridge(t, core.Options{}, core.Sources{"odd": oddities()})
		if err := b.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		h := b.Handler()
		goroutines := bubbleGoroutines(t)
		count := map[int]int{}
		for range 10_000 {
			status, _ := ask(t, h, nil, handshake)
			count[status]++
		}
		if count[200] != 1000 || count[503] != 9000 {
			t.Errorf("statuses %v, want 1000 sessions and 9000 times 503", count)
		}
		time.Sleep(31 * time.Minute)
		left := 0
		for range b.SDK().Sessions() {
			left++
		}
		if left > 0 {
			t.Errorf("%d sessions are left after half an hour", left)
		}
		if n := bubbleGoroutines(t); n > goroutines {
			t.Errorf("%d goroutines are left of %d", n, goroutines)
		}
		if status, _ := ask(t, h, nil, handshake); status != 200 {
			t.Errorf("a new session is answered with %d", status)
		}
	})
	wantHeap(t, before)
}
