package core_test

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/mcp-bridge/mcp-bridge/adapters/openapi"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// faultyDocument has one operation for each way in which a backend can fail.
func faultyDocument(ways []string) []byte {
	paths := map[string]any{}
	for _, way := range ways {
		paths["/"+way] = map[string]any{"get": map[string]any{
			"operationId": way,
			"summary":     "Is " + way + ".",
			"responses":   map[string]any{"200": map[string]any{"description": "ok", "content": map[string]any{"application/json": map[string]any{}}}},
		}}
	}
	text, err := json.Marshal(map[string]any{"openapi": "3.1.0", "info": map[string]any{"title": "Faulty", "version": "1"}, "paths": paths})
	if err != nil {
		return nil // a map of strings always marshals
	}
	return text
}

// faultyBackend does to each request what its path says. What it blocks ends
// with the request.
func faultyBackend(w http.ResponseWriter, r *http.Request) {
	w.Header().Set("Content-Type", "application/json")
	switch strings.TrimPrefix(r.URL.Path, "/") {
	case "well":
		io.WriteString(w, `{"well":true}`)
	case "silent":
		<-r.Context().Done()
	case "hanging":
		io.WriteString(w, `{"half":`)
		http.NewResponseController(w).Flush()
		<-r.Context().Done()
	case "resetting":
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		if tcp, ok := conn.(*net.TCPConn); ok {
			tcp.SetLinger(0) // closing sends RST
		}
		io.WriteString(conn, "HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{")
		conn.Close()
	case "garbage":
		conn, _, err := http.NewResponseController(w).Hijack()
		if err != nil {
			return
		}
		io.WriteString(conn, "\x16\x03\x01 this is not HTTP\r\n\r\n")
		conn.Close()
	case "lying":
		io.WriteString(w, `{"this is": not JSON`)
	case "endless":
		io.WriteString(w, "[1")
		for block := strings.Repeat(",1", 32<<10); ; {
			if _, err := io.WriteString(w, block); err != nil {
				return
			}
		}
	case "overloaded":
		w.Header().Set("Retry-After", "40")
		w.WriteHeader(http.StatusServiceUnavailable)
	default:
		w.WriteHeader(http.StatusInternalServerError)
		io.WriteString(w, "secret stack of the backend")
	}
}

// A backend that is down, slow, hangs, resets, lies or is overloaded costs the
// calls to it, in words, within their deadline; the bridge and other calls go
// on, and nothing is left behind.
func TestFaultBackends(t *testing.T) {
	before, memory := runtime.NumGoroutine(), heap()
	ways := []string{"well", "silent", "hanging", "resetting", "garbage", "lying", "endless", "overloaded", "failing"}
	backend := httptest.NewServer(http.HandlerFunc(faultyBackend))
	down := httptest.NewServer(nil)
	down.Close()
	func() {
		b := newBridgeToClose(t, core.Options{Limits: core.Limits{
			SourceTimeouts: map[string]time.Duration{"slow": 500 * time.Millisecond},
			MaxBytes:       1 << 20,
		}}, core.Sources{
			"slow": openapi.New(openapi.Bytes(faultyDocument(ways)), openapi.Options{BaseURL: backend.URL}),
			"a":    openapi.New(openapi.Bytes(faultyDocument(ways)), openapi.Options{BaseURL: backend.URL}),
			"down": openapi.New(openapi.Bytes(faultyDocument(ways[:1])), openapi.Options{BaseURL: down.URL}),
		})
		defer b.Close()
		if err := b.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		for _, c := range []struct{ tool, says string }{
			{"slow_silent", "in time"},
			{"slow_hanging", "in time"},
			{"a_resetting", "try again"},
			{"a_garbage", "try"},
			{"a_lying", "not JSON"},
			{"a_endless", "truncated"},
			{"a_overloaded", "40s"},
			{"a_failing", "500"},
			{"down_well", "cannot be reached"},
		} {
			result := callText(t, b, c.tool)
			if !strings.Contains(result, c.says) || strings.Contains(result, "127.0.0.1") {
				t.Errorf("%s answers %.400s; want %q in it, and no address", c.tool, result, c.says)
			}
			if well := callText(t, b, "a_well"); !strings.Contains(well, `{"well":true}`) {
				t.Errorf("after %s a good call answers %s", c.tool, well)
			}
		}
		// A storm: every slot is taken by calls that fail or hang, and good calls
		// between them are answered or told to wait, never lost.
		var storm sync.WaitGroup
		for i := range 90 {
			storm.Go(func() { callText(t, b, "slow_"+ways[i%len(ways)]) })
		}
		storm.Wait()
		if well := callText(t, b, "a_well"); !strings.Contains(well, `{"well":true}`) {
			t.Errorf("after the storm a good call answers %s", well)
		}
	}()
	backend.CloseClientConnections()
	backend.Close()
	wantGoroutines(t, before)
	wantHeap(t, memory)
}

func newBridgeToClose(t *testing.T, o core.Options, s core.Sources) *core.Bridge {
	t.Helper()
	b, err := core.New(o, s)
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// callText calls a tool and returns all text of the answer.
func callText(t *testing.T, b *core.Bridge, tool string) string {
	result, err := b.CallTool(context.WithoutCancel(t.Context()), tool, nil)
	if err != nil {
		t.Errorf("%s: %v", tool, err)
		return ""
	}
	var text strings.Builder
	for _, block := range result.Content {
		if part, ok := block.(*mcp.TextContent); ok {
			fmt.Fprintln(&text, part.Text)
		}
	}
	return text.String()
}
