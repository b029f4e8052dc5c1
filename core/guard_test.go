package core_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// onOne makes a source with one operation, "do".
func onOne(call adaptertest.CallFunc) *adaptertest.Fake {
	return &adaptertest.Fake{
		Offer: mapping.Catalog{Scheme: "one", Operations: []mapping.Operation{
			{Key: "do", Name: "do", Summary: "Does it.", Effect: mapping.Reads},
		}, Resources: []mapping.Resource{{Path: "note", Name: "note"}}},
		Calls: map[string]adaptertest.CallFunc{"do": call},
	}
}

// do calls "do" and returns the text of the answer.
func do(t *testing.T, b *core.Bridge) (says string, failed bool) {
	t.Helper()
	result, err := b.CallTool(t.Context(), "do", nil)
	if err != nil {
		t.Fatal(err)
	}
	block, ok := result.Content[0].(*mcp.TextContent)
	if !ok {
		t.Fatalf("no text: %s", text(t, result))
	}
	return block.Text, result.IsError
}

func TestCallsHaveADeadline(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		for _, c := range []struct {
			limits core.Limits
			want   time.Duration
		}{
			{core.Limits{}, 30 * time.Second},
			{core.Limits{Timeout: time.Second}, time.Second},
			{core.Limits{Timeout: time.Second, SourceTimeouts: map[string]time.Duration{"one": time.Minute}}, time.Minute},
		} {
			var left time.Duration
			b := newBridge(t, core.Options{Limits: c.limits}, core.Sources{"one": onOne(
				func(ctx context.Context, call mapping.Call) (*mapping.Result, error) {
					deadline, ok := ctx.Deadline()
					left = time.Until(deadline)
					if !ok || call.Budget <= 0 || call.MaxBytes <= 0 || call.Progress == nil || call.Log == nil {
						t.Errorf("a call without limits: %+v", call)
					}
					call.Progress(1, 2, "half")
					call.Log("info", "half")
					<-ctx.Done()
					return nil, ctx.Err()
				})})
			begin := time.Now()
			if says, failed := do(t, b); !failed || !strings.Contains(says, "longer than "+c.want.String()) {
				t.Errorf("answer %q, want one about the deadline", says)
			}
			if took := time.Since(begin); took != c.want || left != c.want {
				t.Errorf("%+v: took %s, the adapter had %s, want %s", c.limits, took, left, c.want)
			}
		}
	})
}

// An adapter may use its last moments to say what was slow.
func TestDeadlineInTheAdaptersWords(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBridge(t, core.Options{}, core.Sources{"one": onOne(func(ctx context.Context, _ mapping.Call) (*mapping.Result, error) {
			<-ctx.Done()
			time.Sleep(100 * time.Millisecond)
			return nil, &mapping.Error{Code: mapping.Timeout, Problem: "the query is too slow"}
		})})
		if says, failed := do(t, b); !failed || says != "the query is too slow." {
			t.Errorf("answer %q", says)
		}
	})
}

// A model gets its answer even from an adapter that does not heed its deadline.
func TestDeadlineOfADeafAdapter(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		finish := make(chan struct{})
		b := newBridge(t, core.Options{}, core.Sources{"one": onOne(func(context.Context, mapping.Call) (*mapping.Result, error) {
			<-finish
			return nil, nil
		})})
		begin := time.Now()
		if says, failed := do(t, b); !failed {
			t.Errorf("answer %q", says)
		}
		if took := time.Since(begin); took != 31*time.Second {
			t.Errorf("took %s, want 30s and 1s for last words", took)
		}
		close(finish)
	})
}

func TestConcurrencyIsBounded(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		var now, most atomic.Int64
		finish := make(chan struct{})
		b := newBridge(t, core.Options{Limits: core.Limits{Concurrent: 2}}, core.Sources{"one": onOne(
			func(context.Context, mapping.Call) (*mapping.Result, error) {
				most.Store(max(most.Load(), now.Add(1)))
				defer now.Add(-1)
				<-finish
				return nil, nil
			})})
		var done, busy atomic.Int64
		var group sync.WaitGroup
		for range 20 {
			group.Go(func() {
				switch says, failed := do(t, b); {
				case !failed:
					done.Add(1)
				case strings.Contains(says, "busy"):
					busy.Add(1)
				default:
					t.Errorf("answer %q", says)
				}
			})
		}
		synctest.Wait()
		// Two work and eight wait; the rest is told at once.
		if n := busy.Load(); n != 10 {
			t.Errorf("%d calls were told that the source is busy, want 10", n)
		}
		close(finish)
		group.Wait()
		if done.Load() != 10 || most.Load() != 2 {
			t.Errorf("%d calls done, %d at a time; want 10, 2", done.Load(), most.Load())
		}
	})
}

// Waiting for a slot ends with the call's deadline.
func TestWaitingEnds(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		finish := make(chan struct{})
		b := newBridge(t, core.Options{Limits: core.Limits{Concurrent: 1, Timeout: time.Second}}, core.Sources{"one": onOne(
			func(context.Context, mapping.Call) (*mapping.Result, error) {
				<-finish
				return nil, nil
			})})
		var group sync.WaitGroup
		group.Go(func() { do(t, b) })
		synctest.Wait()
		if says, failed := do(t, b); !failed || !strings.Contains(says, "busy") {
			t.Errorf("answer %q, want busy", says)
		}
		close(finish)
		group.Wait()
	})
}

// A panic behind an adapter, such as a handler's of the embedding program, is an
// error to the log, and where it happened is said.
func TestPanicBehindAnAdapterIsLogged(t *testing.T) {
	log := &logLines{}
	fake := oddities()
	fake.Calls["fails"] = func(context.Context, mapping.Call) (*mapping.Result, error) {
		return nil, &mapping.Error{Code: mapping.Unavailable, Problem: "the API failed", Err: handlerPanic("main.go:7")}
	}
	b := newBridge(t, core.Options{Logger: log.logger()}, core.Sources{"odd": fake})
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	log.take()
	if _, err := b.CallTool(t.Context(), "fails", nil); err != nil {
		t.Fatal(err)
	}
	lines := log.take()
	if len(lines) != 1 || !strings.Contains(lines[0], `"level":"ERROR"`) || !strings.Contains(lines[0], `"stack":"main.go:7"`) || !strings.Contains(lines[0], `"code":"unavailable"`) {
		t.Errorf("the log has %s", lines)
	}
}

type handlerPanic string

func (p handlerPanic) Error() string { return "it panicked" }
func (p handlerPanic) Stack() []byte { return []byte(p) }

// Each call leaves one line in the log, with no argument, answer or secret.
func TestLogLines(t *testing.T) {
	log := &logLines{}
	b := newBridge(t, core.Options{Logger: log.logger()}, core.Sources{"odd": oddities()})
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	log.take()
	for _, c := range []struct {
		tool, args string
		want       map[string]any
	}{
		{"echo", `{"s":"hush"}`, map[string]any{"level": "INFO", "msg": "call", "method": "tools/call", "source": "odd", "tool": "echo", "key": "echo", "outcome": "done"}},
		{"echo", `{"m":"hush"}`, map[string]any{"level": "INFO", "tool": "echo", "outcome": "failed", "code": "invalid"}},
		{"fails", ``, map[string]any{"level": "ERROR", "tool": "fails", "outcome": "failed", "code": "internal", "cause": "a *errors.errorString"}},
		{"panics", ``, map[string]any{"level": "ERROR", "tool": "panics", "outcome": "failed", "cause": "a panic with a string"}},
	} {
		if _, err := b.CallTool(t.Context(), c.tool, json.RawMessage(c.args)); err != nil {
			t.Fatal(err)
		}
		lines := log.take()
		if len(lines) != 1 {
			t.Errorf("%s left %d lines: %s", c.tool, len(lines), lines)
			continue
		}
		if strings.Contains(lines[0], "hush") || strings.Contains(lines[0], "secret") {
			t.Errorf("an argument or an adapter's words are in the log: %s", lines[0])
		}
		want := map[string]any{}
		for k, v := range c.want {
			want[k] = v
		}
		if problem := holds(decode(t, lines[0]), want); problem != "" {
			t.Errorf("%s: %s in %s", c.tool, problem, lines[0])
		}
	}
	if _, err := b.ReadResource(t.Context(), "odd://odd/things/x"); err == nil {
		t.Error("a missing thing was read")
	}
	if lines := log.take(); len(lines) != 1 || !strings.Contains(lines[0], `"resource":"odd://odd/things/{name}"`) || !strings.Contains(lines[0], `"code":"not_found"`) {
		t.Errorf("a failed read left %s", lines)
	}
}

// An embedder may ask for the words.
func TestLogErrors(t *testing.T) {
	log := &logLines{}
	b := newBridge(t, core.Options{Logger: log.logger(), LogErrors: true}, core.Sources{"odd": oddities()})
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	for tool, want := range map[string]string{"fails": "dial tcp 10.0.0.1: secret", "panics": "panic: secret of the adapter"} {
		log.take()
		if _, err := b.CallTool(t.Context(), tool, nil); err != nil {
			t.Fatal(err)
		}
		if lines := log.take(); len(lines) != 1 || !strings.Contains(lines[0], want) {
			t.Errorf("%s left %s, want %q", tool, lines, want)
		}
	}
}

// A client's mistakes are no errors of the server, and connections no news.
func TestLogIsQuietAboutClients(t *testing.T) {
	log := &logLines{}
	b := newBridge(t, core.Options{Logger: log.logger()}, core.Sources{"odd": oddities()})
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	log.take()
	p := startPipe(t, b)
	p.send(modernBody("ping", "")) // removed in 2026-07-28
	p.next()
	p.end()
	if lines := log.take(); len(lines) != 1 || lines[0] != "" {
		t.Errorf("logged %s", lines)
	}
}

func TestProgressIncreases(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBridge(t, core.Options{}, core.Sources{"one": onOne(func(_ context.Context, c mapping.Call) (*mapping.Result, error) {
			for _, done := range []float64{0, 50, 50, 20, 100} {
				c.Progress(done, 100, "")
			}
			go func() { // after the answer: to nobody
				time.Sleep(time.Second)
				c.Progress(200, 0, "")
			}()
			return nil, nil
		})})
		sent := make(chan float64, 10)
		c := connect(t, b, &mcp.ClientOptions{ProgressNotificationHandler: func(_ context.Context, r *mcp.ProgressNotificationClientRequest) {
			sent <- r.Params.Progress
		}})
		p := &mcp.CallToolParams{Name: "do"}
		p.SetProgressToken("t")
		if _, err := c.CallTool(t.Context(), p); err != nil {
			t.Fatal(err)
		}
		time.Sleep(2 * time.Second)
		var got []float64
		for len(sent) > 0 {
			got = append(got, <-sent)
		}
		if got, want := fmt.Sprint(got), "[0 50 100]"; got != want {
			t.Errorf("progress %s, want %s", got, want)
		}
	})
}
