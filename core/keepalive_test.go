package core

import (
	"io"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"
)

// A stream that has begun is kept alive between its events, and nothing is sent
// before it begins or after it ends.
func TestKeepAlive(t *testing.T) {
	for _, c := range []struct{ mime, want string }{
		{"text/event-stream", "data: 1\n\n: alive\n\n: alive\n\ndata: 2\n\n"},
		{"application/json", "data: 1\n\ndata: 2\n\n"},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := httptest.NewRecorder()
			serveAlive(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
				time.Sleep(20 * time.Second)
				w.Header().Set("Content-Type", c.mime)
				io.WriteString(w, "data: 1\n\n")
				if err := http.NewResponseController(w).Flush(); err != nil {
					t.Error(err)
				}
				time.Sleep(30 * time.Second)
				io.WriteString(w, "data: 2\n\n")
			}), w, httptest.NewRequestWithContext(t.Context(), "GET", "/", nil))
			time.Sleep(time.Minute)
			if got := w.Body.String(); got != c.want {
				t.Errorf("%s: sent %q, want %q", c.mime, got, c.want)
			}
		})
	}
}
