package core_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcp-bridge/mcp-bridge/core"
)

// A newcomer takes the place of the session that has been idle longest, but not of
// one that was just used, listens, or is another caller's where its own bound is
// reached.
func TestIdleSessionsMakeRoom(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBridge(t, core.Options{Auth: twoCallers(), Limits: core.Limits{Sessions: 3, CallerSessions: 2, SessionIdle: time.Hour}}, core.Sources{"one": onOne(quick)})
		do := func(ctx context.Context, who, session string, p post) *httptest.ResponseRecorder {
			p.header = map[string]string{"Authorization": "Bearer " + who}
			if session != "" {
				p.header["Mcp-Session-Id"], p.header["Mcp-Protocol-Version"] = session, "2025-11-25"
			}
			w := httptest.NewRecorder()
			b.Handler().ServeHTTP(w, p.request(t, "http://localhost/mcp").WithContext(ctx))
			return w
		}
		open := func(who string) (int, string) {
			w := do(t.Context(), who, "", post{body: handshake})
			return w.Code, w.Header().Get("Mcp-Session-Id")
		}
		alive := func(who, session string) bool {
			return do(t.Context(), who, session, post{body: `{"jsonrpc":"2.0","id":7,"method":"ping"}`}).Code == http.StatusOK
		}
		_, first := open("ann")
		time.Sleep(time.Second)
		_, second := open("ann")
		if status, _ := open("ann"); status != http.StatusServiceUnavailable {
			t.Errorf("beside sessions that were just opened: %d, want 503", status)
		}
		listening, hangUp := context.WithCancel(t.Context())
		ended := make(chan struct{})
		go func() {
			defer close(ended)
			do(listening, "ann", first, post{method: http.MethodGet})
		}()
		synctest.Wait()
		time.Sleep(2 * time.Minute)
		status, third := open("ann")
		if status != http.StatusOK || alive("ann", second) || !alive("ann", first) {
			t.Errorf("beside one that listens and one that is idle: %d, want the idle one to make room", status)
		}
		_, bobs := open("bob")
		time.Sleep(2 * time.Minute)
		if !alive("ann", third) { // and so it was used last
			t.Error("the third session has ended")
		}
		if status, _ := open("ann"); status != http.StatusServiceUnavailable || !alive("bob", bobs) {
			t.Errorf("at the bound of one caller, beside an idle session of another: %d, want 503 and the other left alone", status)
		}
		time.Sleep(2 * time.Minute)
		if !alive("ann", third) {
			t.Error("the third session has ended")
		}
		if status, _ := open("bob"); status != http.StatusOK || alive("bob", bobs) {
			t.Errorf("at the bound of all: %d, want the longest idle session to make room", status)
		}
		hangUp()
		<-ended
	})
}
