package core_test

import (
	"context"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A visit is a session over HTTP with a bridge whose tool "do" waits until it may
// go on or is canceled.
type visit struct {
	t  *testing.T
	b  *core.Bridge
	id string
	on chan struct{}
}

func newVisit(t *testing.T, o core.Options) *visit {
	t.Helper()
	v := &visit{t: t, on: make(chan struct{})}
	v.b = newBridge(t, o, core.Sources{"one": onOne(func(ctx context.Context, _ mapping.Call) (*mapping.Result, error) {
		select {
		case <-v.on:
			return nil, nil
		case <-ctx.Done():
			return nil, ctx.Err()
		}
	})})
	if err := v.b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	w := recorded(t, v.b.Handler(), post{body: handshake})
	if v.id = w.Header().Get("Mcp-Session-Id"); v.id == "" {
		t.Fatalf("no session: %s", w.Body)
	}
	return v
}

// A sent request is one that may still be open.
type sent struct {
	*httptest.ResponseRecorder
	hangUp context.CancelFunc
	over   bool
}

// send sends a message and waits until nothing happens any more.
func (v *visit) send(method, body string, headers ...string) *sent {
	v.t.Helper()
	ctx, cancel := context.WithCancel(v.t.Context())
	p := post{method: method, header: with(map[string]string{"Mcp-Session-Id": v.id}, headers...), body: body}
	s := &sent{httptest.NewRecorder(), cancel, false}
	r := p.request(v.t, "http://localhost/mcp").WithContext(ctx)
	go func() {
		v.b.Handler().ServeHTTP(s, r)
		s.over = true
	}()
	synctest.Wait()
	return s
}

const (
	callDo = `{"jsonrpc":"2.0","id":7,"method":"tools/call","params":{"name":"do"}}`
	ping   = `{"jsonrpc":"2.0","id":8,"method":"ping"}`
)

// In a session only the client's word cancels a call: not that it hangs up.
func TestSessionCancels(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		v := newVisit(t, core.Options{})
		call := v.send("POST", callDo)
		call.hangUp()
		synctest.Wait()
		if call.over {
			t.Fatalf("the call ended when its client hung up: %s", call.Body)
		}
		v.send("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":"7"}}`)
		if call.over {
			t.Fatalf("the call was canceled under another id: %s", call.Body)
		}
		if told := v.send("POST", `{"jsonrpc":"2.0","method":"notifications/cancelled","params":{"requestId":7}}`); told.Code != http.StatusAccepted {
			t.Errorf("status %d", told.Code)
		}
		if !call.over || !strings.Contains(call.Body.String(), "this was canceled") {
			t.Errorf("canceled, and not over: %s", call.Body)
		}
	})
}

// An id belongs to one request at a time.
func TestSessionIDsInUse(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		v := newVisit(t, core.Options{})
		call := v.send("POST", callDo)
		again := v.send("POST", callDo)
		if again.Code != http.StatusBadRequest || !strings.Contains(again.Body.String(), `"id":7,"error":{"code":-32600,`) {
			t.Errorf("the second request is answered with %d: %s", again.Code, again.Body)
		}
		close(v.on)
		synctest.Wait()
		if !call.over || call.Code != http.StatusOK {
			t.Errorf("the first is answered with %d: %s", call.Code, call.Body)
		}
		if third := v.send("POST", callDo); third.Code != http.StatusOK {
			t.Errorf("the id is not free after the answer: %d: %s", third.Code, third.Body)
		}
	})
}

// A session ends when it has been idle, and is not idle while a call is under way.
func TestSessionIdles(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		v := newVisit(t, core.Options{Limits: core.Limits{SessionIdle: time.Minute, Timeout: time.Hour}})
		for range 3 {
			time.Sleep(50 * time.Second)
			if s := v.send("POST", ping); s.Code != http.StatusOK {
				t.Fatalf("a used session is answered with %d", s.Code)
			}
		}
		call := v.send("POST", callDo)
		time.Sleep(10 * time.Minute)
		close(v.on)
		synctest.Wait()
		if !call.over || call.Code != http.StatusOK {
			t.Errorf("a long call is answered with %d: %s", call.Code, call.Body)
		}
		for range 3 {
			time.Sleep(50 * time.Second)
			if s := v.send("POST", callDo); s.Code != http.StatusOK {
				t.Fatalf("a session in which calls are made is answered with %d", s.Code)
			}
		}
		stream := v.send("GET", "") // which is no use of the session
		time.Sleep(61 * time.Second)
		synctest.Wait()
		if s := v.send("POST", callDo); s.Code != http.StatusNotFound || !stream.over {
			t.Errorf("an idle session is answered with %d, its stream is over: %v", s.Code, stream.over)
		}
	})
}

// A session that its client has ended is gone at once.
func TestSessionEnds(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		v := newVisit(t, core.Options{})
		close(v.on)
		if s := v.send("POST", callDo); s.Code != http.StatusOK {
			t.Fatalf("status %d", s.Code)
		}
		if s := v.send("DELETE", ""); s.Code != http.StatusNoContent {
			t.Errorf("the end is answered with %d", s.Code)
		}
		if s := v.send("POST", callDo); s.Code != http.StatusNotFound {
			t.Errorf("a call after the end is answered with %d: %s", s.Code, s.Body)
		}
	})
}

// Close ends a call in a session and waits for it.
func TestSessionCallsEndWithTheBridge(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		v := newVisit(t, core.Options{})
		call := v.send("POST", callDo)
		v.b.Close()
		synctest.Wait()
		if !call.over || !strings.Contains(call.Body.String(), "this was canceled") {
			t.Errorf("over: %v, with %s", call.over, call.Body)
		}
	})
}

// A call that takes long becomes a stream that is kept alive; a short one is JSON.
func TestSessionSlowCalls(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		v := newVisit(t, core.Options{Limits: core.Limits{Timeout: time.Hour}})
		call := v.send("POST", callDo)
		time.Sleep(40 * time.Second)
		synctest.Wait()
		if got := call.Header().Get("Content-Type"); got != "text/event-stream" || call.Body.String() != ": alive\n\n: alive\n\n" {
			t.Errorf("after 40 s there is %s: %q", got, call.Body)
		}
		close(v.on)
		synctest.Wait()
		text, ok := strings.CutPrefix(call.Body.String(), ": alive\n\n: alive\n\nevent: message\ndata: ")
		if !ok || !strings.HasSuffix(text, "\n\n") || holds(decode(t, text), decode(t, `{"id":7,"result":{"content":[{"type":"text"}]}}`)) != "" {
			t.Errorf("at the end there is %q", call.Body)
		}
		length := call.Body.Len()
		time.Sleep(time.Minute)
		if call.Body.Len() > length {
			t.Errorf("something was sent after the end: %q", call.Body)
		}
		quick := v.send("POST", callDo)
		if got := quick.Header().Get("Content-Type"); got != "application/json" || holds(decode(t, quick.Body.String()), decode(t, `{"id":7,"result":{"content":[{"type":"text"}]}}`)) != "" {
			t.Errorf("a quick call is answered with %s: %s", got, quick.Body)
		}
	})
}

// deadlined notes the write deadlines that it is given.
type deadlined struct {
	*httptest.ResponseRecorder
	times []time.Time
}

func (d *deadlined) SetWriteDeadline(t time.Time) error {
	d.times = append(d.times, t)
	return nil
}

// The write timeout of a server does not end a call that takes longer.
func TestSessionCallsOutliveTheWriteTimeout(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		v := newVisit(t, core.Options{})
		w := &deadlined{ResponseRecorder: httptest.NewRecorder()}
		r := post{header: map[string]string{"Mcp-Session-Id": v.id}, body: callDo}.request(t, "http://localhost/mcp")
		go v.b.Handler().ServeHTTP(w, r)
		synctest.Wait()
		if len(w.times) != 1 || !w.times[0].IsZero() {
			t.Errorf("while the call is under way the deadlines are %v, want one that is none", w.times)
		}
		close(v.on)
		synctest.Wait()
		if w.Code != http.StatusOK || !w.times[len(w.times)-1].IsZero() {
			t.Errorf("status %d, with the deadlines %v", w.Code, w.times)
		}
	})
}

// A session belongs to whoever opened it.
func TestSessionsOfOthers(t *testing.T) {
	p := newPair(t, func() *core.Bridge {
		return rich(t, core.Options{Auth: &core.Auth{Verify: identities(map[string]core.Identity{"ann": named("ann"), "bob": named("bob", "more")})}})
	})
	ann := p.open(t, "2025-11-25", map[string]string{"Authorization": "Bearer ann"})
	for _, who := range []string{"ann", "bob", "eve", ""} {
		for _, name := range []string{"echo", "secret"} {
			request := wish{method: "tools/call", params: `"name":"` + name + `"`, name: name}.in("2025-11-25", "1", "")
			if who != "" {
				request.header["Authorization"] = "Bearer " + who
			}
			p.asked(t, request, ann)
			request.method = "DELETE"
			if who != "ann" {
				p.asked(t, request, ann)
			}
		}
	}
	bob := p.open(t, "2025-11-25", map[string]string{"Authorization": "Bearer bob"})
	p.asked(t, post{header: map[string]string{"Authorization": "Bearer bob"}, body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"secret"}}`}, bob)
}

// Once a session is being ended it takes no more requests, though what is under
// way in it may take a while to end.
func TestSessionsTakeNothingWhileTheyEnd(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		v := newVisit(t, core.Options{})
		slow := v.send("POST", strings.Replace(callDo, `"name"`, `"_meta":{"progressToken":1},"name"`, 1))
		end := v.send("DELETE", "")
		for _, body := range []string{ping, `{"jsonrpc":"2.0","id":9,"method":"tools/list"}`} {
			if s := v.send("POST", body); !s.over || s.Code != http.StatusNotFound {
				t.Errorf("%s is answered with %d, over: %v, the end with %d, the call over: %v: %s", body, s.Code, s.over, end.Code, slow.over, s.Body)
			}
		}
		close(v.on)
		synctest.Wait()
		if !end.over || end.Code != http.StatusNoContent || !slow.over {
			t.Errorf("the end is answered with %d", end.Code)
		}
	})
}
