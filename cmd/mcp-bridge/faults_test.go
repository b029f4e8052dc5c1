package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
)

// Every call that has reached the backend is answered, however the end comes in
// between: over HTTP new ones are refused, over pipes the input ends.
func TestSignalUnderLoadLosesNoAnswer(t *testing.T) {
	var reached, answered atomic.Int64
	enough := make(chan struct{})
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if reached.Add(1) == 200 {
			close(enough)
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"slow": true}`)
	}))
	defer backend.Close()
	document := write(t, t.TempDir(), "slow.json", slowDocument)

	r := start(t, "serve", document, "--base-url", backend.URL, "--http", "127.0.0.1:0", "--log-level", "error")
	endpoint := r.endpoint()
	var clients sync.WaitGroup
	for range 8 {
		clients.Go(func() {
			for callOnce(t, endpoint) {
				answered.Add(1)
			}
		})
	}
	<-enough
	r.cmd.Process.Signal(syscall.SIGTERM)
	clients.Wait()
	if code, _ := r.ended(); code != 0 {
		t.Errorf("the signal ends it with %d, want 0", code)
	}
	if reached.Load() != answered.Load() {
		t.Errorf("HTTP: %d calls reached the backend and %d were answered", reached.Load(), answered.Load())
	}
}

// callOnce makes a call on a connection of its own. It returns false when the
// call was not taken.
func callOnce(t *testing.T, endpoint string) bool {
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"get_slow","_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	req, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, strings.NewReader(body))
	if err != nil {
		t.Error(err)
		return false
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"MCP-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": "get_slow",
	} {
		req.Header.Set(name, value)
	}
	req.Close = true
	resp, err := new(http.Client).Do(req)
	if err != nil {
		return false
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	return err == nil && resp.StatusCode == http.StatusOK && strings.Contains(string(answer), `"slow":true`)
}

// The same over pipes.
func TestSignalUnderLoadLosesNoLine(t *testing.T) {
	var reached atomic.Int64
	enough := make(chan struct{})
	backend := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		if reached.Add(1) == 100 {
			close(enough)
		}
		w.Header().Set("Content-Type", "application/json")
		io.WriteString(w, `{"slow": true}`)
	}))
	defer backend.Close()
	r := start(t, "serve", write(t, t.TempDir(), "slow.json", slowDocument), "--base-url", backend.URL, "--log-level", "error")
	r.send(initialize)
	r.receive()
	r.send(ready)
	go func() {
		for id := 2; ; id++ {
			line := fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":"tools/call","params":{"name":"get_slow"}}`+"\n", id)
			if _, err := io.WriteString(r.in, line); err != nil {
				return // it has ended
			}
		}
	}()
	go func() {
		<-enough
		r.cmd.Process.Signal(syscall.SIGTERM)
	}()
	code, rest := r.ended()
	if code != 0 {
		t.Errorf("the signal ends it with %d, want 0", code)
	}
	if answered := strings.Count(rest, `"structuredContent":{"slow":true}`); int64(answered) != reached.Load() {
		t.Errorf("%d calls reached the backend and %d were answered", reached.Load(), answered)
	}
}
