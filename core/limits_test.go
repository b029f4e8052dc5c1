package core_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// twoCallers are known by tokens that are their names.
func twoCallers() *core.Auth {
	return &core.Auth{Verify: identities(map[string]core.Identity{"ann": named("ann"), "bob": named("bob")})}
}

// askAs sends a request of 2026-07-28 by a caller, "" for nobody, to the handler
// itself.
func askAs(t *testing.T, b *core.Bridge, caller, method, name, params string) *httptest.ResponseRecorder {
	t.Helper()
	p := post{header: modernHeader(method, name), body: modernBody(method, params)}
	if caller != "" {
		p.header["Authorization"] = "Bearer " + caller
	}
	w := httptest.NewRecorder()
	b.Handler().ServeHTTP(w, p.request(t, "http://localhost/mcp"))
	return w
}

// call calls a tool without arguments.
func call(t *testing.T, b *core.Bridge, caller, tool string) string {
	t.Helper()
	return askAs(t, b, caller, "tools/call", tool, fmt.Sprintf(`"name":%q`, tool)).Body.String()
}

func quick(context.Context, mapping.Call) (*mapping.Result, error) { return nil, nil }

// Each caller may call each source so often, and is told when to come again.
func TestRate(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBridge(t, core.Options{Auth: twoCallers(), Limits: core.Limits{
			Rate:        core.Rate{Calls: 60, Burst: 2},
			SourceRates: map[string]core.Rate{"c": {Calls: 1, Per: time.Hour}},
		}}, core.Sources{"a": onOne(quick), "b": onOne(quick), "c": onOne(quick)})
		const busy = "this source is busy: one caller may call it 60 in 1m0s, and that is used up"
		for i, step := range []struct {
			sleep      time.Duration
			who, tool  string
			told, wait string // "" goes through
		}{
			{0, "ann", "a_do", "", ""},
			{0, "ann", "a_do", "", ""},
			{0, "ann", "a_do", busy, "wait 1s,"},
			{0, "ann", "a_do", busy, "wait 1s,"}, // what is refused uses nothing up
			{0, "ann", "b_do", "", ""},           // another source
			{0, "bob", "a_do", "", ""},           // another caller
			{time.Second, "ann", "a_do", "", ""}, // one a second
			{0, "ann", "a_do", busy, "wait 1s,"},
			{time.Minute, "ann", "a_do", "", ""}, // no more than the burst is saved up
			{0, "ann", "a_do", "", ""},
			{0, "ann", "a_do", busy, "wait 1s,"},
			{0, "ann", "c_do", "", ""},
			{time.Minute, "ann", "c_do", "this source is busy: one caller may call it 1 in 1h0m0s", "wait 59 min,"},
		} {
			time.Sleep(step.sleep)
			answer := call(t, b, step.who, step.tool)
			if failed := strings.Contains(answer, `"isError":true`); failed != (step.told != "") || !strings.Contains(answer, step.told) || !strings.Contains(answer, step.wait) {
				t.Errorf("step %d, %s %s: %s\nwant %q, %q", i, step.who, step.tool, answer, step.told, step.wait)
			}
		}
	})
}

// Reads count as calls do.
func TestRateOfReads(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		shop := newKeen()
		b := newBridge(t, core.Options{Auth: twoCallers(), Limits: core.Limits{Rate: core.Rate{Calls: 1}}}, core.Sources{"shop": shop})
		const uri = "shop://shop/readme"
		for i, want := range []string{`"contents":[`, "one caller may call it 1 in 1m0s"} {
			if got := askAs(t, b, "ann", "resources/read", uri, fmt.Sprintf(`"uri":%q`, uri)).Body.String(); !strings.Contains(got, want) {
				t.Errorf("read %d: %s, want %s", i, got, want)
			}
		}
	})
}

// A completion asks the backend too, and counts.
func TestRateOfCompletions(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBridge(t, core.Options{Auth: twoCallers(), Limits: core.Limits{Rate: core.Rate{Calls: 1}}}, core.Sources{"shop": newKeen()})
		for i, want := range []string{`"completion":{`, "one caller may call it 1 in 1m0s"} {
			got := askAs(t, b, "ann", "completion/complete", "", `"ref":{"type":"ref/resource","uri":"shop://shop/orders/{id}"},"argument":{"name":"id","value":""}`).Body.String()
			if !strings.Contains(got, want) {
				t.Errorf("completion %d: %s, want %s", i, got, want)
			}
		}
	})
}

// One caller's calls take so many places, so that another finds some free.
func TestCallerConcurrent(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		release := make(chan struct{})
		b := newBridge(t, core.Options{Auth: twoCallers(), Limits: core.Limits{CallerConcurrent: 2}}, core.Sources{
			"slow":  onOne(func(context.Context, mapping.Call) (*mapping.Result, error) { <-release; return nil, nil }),
			"quick": onOne(quick),
		})
		var group sync.WaitGroup
		for range 2 + 2*4 {
			group.Go(func() {
				if answer := call(t, b, "ann", "slow_do"); strings.Contains(answer, `"isError":true`) {
					t.Errorf("ann's call: %s", answer)
				}
			})
		}
		synctest.Wait()
		if answer := call(t, b, "ann", "quick_do"); !strings.Contains(answer, "you have as many calls under way as one caller may have (2)") || !strings.Contains(answer, "wait a few seconds") {
			t.Errorf("one call more: %s", answer)
		}
		if answer := call(t, b, "bob", "quick_do"); strings.Contains(answer, `"isError":true`) {
			t.Errorf("another caller: %s", answer)
		}
		close(release)
		group.Wait()
		if answer := call(t, b, "ann", "quick_do"); strings.Contains(answer, `"isError":true`) {
			t.Errorf("afterwards: %s", answer)
		}
	})
}

func TestArgumentBytes(t *testing.T) {
	b := newBridge(t, core.Options{Auth: twoCallers(), Limits: core.Limits{ArgumentBytes: 100}}, core.Sources{"one": onOne(quick)})
	for _, c := range []struct {
		args string
		want string
	}{
		{`{"x":"` + strings.Repeat("y", 92) + `"}`, "x is not an argument"}, // 100 bytes: read, and found wrong
		{`{"x":"` + strings.Repeat("y", 93) + `"}`, "the arguments have 101 bytes. at most 100 are taken. send less, or in several calls"},
	} {
		if answer := askAs(t, b, "ann", "tools/call", "do", `"name":"do","arguments":`+c.args).Body.String(); !strings.Contains(strings.ToLower(answer), c.want) {
			t.Errorf("%d bytes: %s, want %s", len(c.args), answer, c.want)
		}
	}
}

func TestBodyBytes(t *testing.T) {
	b := newBridge(t, core.Options{Limits: core.Limits{BodyBytes: 1000}}, core.Sources{"one": onOne(quick)})
	for size, want := range map[int]int{1000: http.StatusOK, 1001: http.StatusRequestEntityTooLarge} {
		body := modernBody("tools/list", "")
		p := post{header: modernHeader("tools/list", ""), body: body + strings.Repeat(" ", size-len(body))}
		w := httptest.NewRecorder()
		b.Handler().ServeHTTP(w, p.request(t, "http://localhost/mcp"))
		if w.Code != want {
			t.Errorf("a body of %d bytes: %d %s, want %d", size, w.Code, w.Body, want)
		}
	}
}

// Sessions are so many, and an abandoned one makes room after a while.
func TestSessions(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBridge(t, core.Options{Limits: core.Limits{Sessions: 2, SessionIdle: time.Minute}}, core.Sources{"one": onOne(quick)})
		open := func() int {
			p := post{body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`}
			w := httptest.NewRecorder()
			b.Handler().ServeHTTP(w, p.request(t, "http://localhost/mcp"))
			return w.Code
		}
		for i, want := range []int{200, 200, 503} {
			if got := open(); got != want {
				t.Errorf("session %d: %d, want %d", i, got, want)
			}
		}
		time.Sleep(2 * time.Minute)
		if got := open(); got != 200 {
			t.Errorf("after the idle ones have ended: %d", got)
		}
	})
}

// Streams of notifications are so many for each caller.
func TestListens(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		b := newBridge(t, core.Options{Auth: twoCallers(), Limits: core.Limits{Listens: 1}}, core.Sources{"one": onOne(quick)})
		listen := func(who string) (end func(), code func() int) {
			ctx, cancel := context.WithCancel(t.Context())
			p := post{header: with(modernHeader("subscriptions/listen", ""), "Authorization", "Bearer "+who),
				body: modernBody("subscriptions/listen", `"notifications":{"toolsListChanged":true}`)}
			w := httptest.NewRecorder()
			done := make(chan struct{})
			go func() {
				defer close(done)
				b.Handler().ServeHTTP(w, p.request(t, "http://localhost/mcp").WithContext(ctx))
			}()
			synctest.Wait()
			return func() { cancel(); <-done }, func() int {
				select {
				case <-done:
					return w.Code
				default:
					return 0 // it stays open
				}
			}
		}
		end, code := listen("ann")
		if code() != 0 {
			t.Errorf("the first ends with %d", code())
		}
		if _, code := listen("ann"); code() != http.StatusServiceUnavailable {
			t.Errorf("the second: %d", code())
		}
		endBobs, code := listen("bob")
		if code() != 0 {
			t.Errorf("another caller's ends with %d", code())
		}
		end()
		endNext, code := listen("ann")
		if code() != 0 {
			t.Errorf("after the first has ended: %d", code())
		}
		endBobs()
		endNext()
	})
}

// Subscriptions are so many for each caller, in all sessions together, and
// whatever they are for.
func TestSubscriptions(t *testing.T) {
	adapter, _ := watchedShop()
	b := newBridge(t, core.Options{Auth: twoCallers(), Limits: core.Limits{Subscriptions: 2}}, core.Sources{"shop": adapter})
	b.Server().AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "other://x/{n}", Name: "other"},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{}}, nil
		})
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	one, two, bobs := dialAs(t, server.URL, "ann", "2025-11-25"), dialAs(t, server.URL, "ann", "2025-11-25"), dialAs(t, server.URL, "bob", "2025-11-25")
	const readme, full = "shop://shop/readme", "you are subscribed to as many resources as is allowed (2)"
	for i, step := range []struct {
		session  *mcp.ClientSession
		uri, err string
	}{
		{one, readme, ""}, {one, readme, ""}, {two, "other://x/1", ""}, {two, readme, full}, {one, "other://x/2", full}, {bobs, readme, ""},
	} {
		err := step.session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: step.uri})
		if (err == nil) != (step.err == "") || err != nil && !strings.Contains(err.Error(), step.err) {
			t.Errorf("step %d: %v, want %q", i, err, step.err)
		}
	}
	if err := two.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: "other://x/1"}); err != nil {
		t.Fatal(err)
	}
	if err := two.Subscribe(t.Context(), &mcp.SubscribeParams{URI: readme}); err != nil {
		t.Errorf("after one has ended: %v", err)
	}
}

// bodyOf sends a request to the handler itself and returns the answer's body.
func bodyOf(t *testing.T, b *core.Bridge, p post) string {
	t.Helper()
	w := httptest.NewRecorder()
	b.Handler().ServeHTTP(w, p.request(t, "http://localhost/mcp"))
	return w.Body.String()
}

// One caller's sessions leave room for those of others.
func TestSessionsOfOneCaller(t *testing.T) {
	b := newBridge(t, core.Options{Auth: twoCallers(), Limits: core.Limits{CallerSessions: 2}}, core.Sources{"one": onOne(quick)})
	open := func(who string) (status int, id, retry string) {
		p := post{header: map[string]string{"Authorization": "Bearer " + who},
			body: `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`}
		w := httptest.NewRecorder()
		b.Handler().ServeHTTP(w, p.request(t, "http://localhost/mcp"))
		return w.Code, w.Header().Get("Mcp-Session-Id"), w.Header().Get("Retry-After")
	}
	var last string
	for i, want := range []int{200, 200, 503} {
		status, id, retry := open("ann")
		if status != want || (retry != "") != (want == 503) {
			t.Errorf("session %d: %d, retry %q; want %d", i, status, retry, want)
		}
		if id != "" {
			last = id
		}
	}
	if status, _, _ := open("bob"); status != 200 {
		t.Errorf("another caller: %d", status)
	}
	p := post{method: http.MethodDelete, header: map[string]string{"Authorization": "Bearer ann", "Mcp-Session-Id": last}}
	b.Handler().ServeHTTP(httptest.NewRecorder(), p.request(t, "http://localhost/mcp"))
	if status, _, _ := open("ann"); status != 200 {
		t.Errorf("after one has ended: %d", status)
	}
}
