package core

import (
	"net/http/httptest"
	"strings"
	"testing"
)

// Sessions are bounded: a client that never closes its own must not fill memory.
func TestSessionsAreBounded(t *testing.T) {
	b, err := New(Options{}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	rt := b.newRouter()
	rt.most = 2
	for i, want := range []int{200, 200, 503, 503} {
		if i == 3 { // a closed bridge opens no session at all
			b.Close()
		}
		r := httptest.NewRequestWithContext(t.Context(), "POST", "http://localhost/mcp", strings.NewReader(
			`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`))
		r.Header.Set("Content-Type", "application/json")
		r.Header.Set("Accept", "application/json, text/event-stream")
		w := httptest.NewRecorder()
		rt.ServeHTTP(w, r)
		if w.Code != want {
			t.Errorf("handshake %d: status %d, want %d: %s", i, w.Code, want, w.Body)
		}
	}
}
