package core_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"

	"github.com/google/go-cmp/cmp"
	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A pair is two bridges that differ in one thing: one answers the common requests
// itself, the other leaves all to the SDK.
type pair struct {
	short, sdk http.Handler
	seen       *atomic.Int64 // what the SDK passed to its middleware of what was sent to short
}

func newPair(t testing.TB, make func() *core.Bridge) pair {
	t.Helper()
	short, sdk := make(), make()
	sdk.Server()
	p := pair{short.Handler(), sdk.Handler(), new(atomic.Int64)}
	short.SDK().AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, r mcp.Request) (mcp.Result, error) {
			p.seen.Add(1)
			return next(ctx, method, r)
		}
	})
	for _, b := range []*core.Bridge{short, sdk} {
		if err := b.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	return p
}

// An answer is what a client makes of one.
type answer struct {
	Status int
	Header http.Header
	Body   any // JSON, alone or in one event, else text
}

func answerTo(t testing.TB, h http.Handler, r *http.Request) answer {
	t.Helper()
	w := httptest.NewRecorder()
	h.ServeHTTP(w, r)
	a := answer{Status: w.Code, Header: http.Header{}}
	if w.Header().Get("Mcp-Session-Id") != "" {
		a.Header.Set("Mcp-Session-Id", "one") // which differs
	}
	for _, name := range []string{"Cache-Control", "Content-Type", "Retry-After", "Www-Authenticate"} {
		if v := w.Header().Values(name); v != nil {
			a.Header[name] = v
		}
	}
	text := w.Body.String()
	if w.Header().Get("Content-Type") == "text/event-stream" {
		a.Header.Set("Content-Type", "application/json") // which may be chosen freely
		text = strings.TrimPrefix(strings.TrimSuffix(text, "\n\n"), "event: message\ndata: ")
	}
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if d.Decode(&a.Body) != nil {
		a.Body = text
	}
	return a
}

// asked has both answer a request and compares. It reports whether it did not come
// to the SDK's middleware: what the SDK itself refuses does not either.
func (p pair) asked(t testing.TB, request post, sessions [2]string) (short bool) {
	t.Helper()
	before := p.seen.Load()
	var got [2]answer
	for i, h := range []http.Handler{p.short, p.sdk} {
		r := request.request(t, "http://localhost/mcp")
		if sessions[i] != "" {
			r.Header.Set("Mcp-Session-Id", sessions[i])
		}
		got[i] = answerTo(t, h, r)
	}
	if diff := cmp.Diff(got[1], got[0]); diff != "" {
		t.Errorf("%v\n%s\nthe SDK's answer is -, that of the short front +:\n%s", request.header, request.body, diff)
	}
	return p.seen.Load() == before
}

// rich is a bridge with something of each kind to call, to read and to list.
func rich(t testing.TB, o core.Options) *core.Bridge {
	t.Helper()
	fake := oddities()
	work := func(key string, effect mapping.Effect, result *mapping.Result, err error) {
		fake.Offer.Operations = append(fake.Offer.Operations, mapping.Operation{Key: key, Name: key, Summary: "Does " + key + ".", Effect: effect, Group: key})
		fake.Calls[key] = func(context.Context, mapping.Call) (*mapping.Result, error) { return result, err }
	}
	work("numbers", mapping.Reads, &mapping.Result{JSON: json.RawMessage(`{"id":9007199254740993,"x":1.10,"e":1e400}`)}, nil)
	work("letters", mapping.Reads, &mapping.Result{JSON: json.RawMessage(`["<b>&amp;é\u2028😀\u0000\n", "\\"]`)}, nil)
	work("much", mapping.Reads, &mapping.Result{JSON: json.RawMessage(`["` + strings.Repeat(`long","`, 20_000) + `"]`)}, nil)
	work("empty", mapping.Reads, nil, nil)
	work("shows", mapping.Reads, &mapping.Result{Blocks: []mapping.Block{
		{Kind: mapping.Text, Text: "<seen>", Meta: map[string]any{"a": 1}},
		{Kind: mapping.Image, Data: []byte("png"), MIME: "image/png"},
		{Kind: mapping.Audio, Data: []byte("wav"), MIME: "audio/wav"},
		{Kind: mapping.TextResource, Text: "noted", URI: "odd://odd/note", MIME: "text/plain"},
		{Kind: mapping.TextResource, URI: "odd://odd/none", MIME: "text/plain"},
		{Kind: mapping.Blob, Data: []byte{0, 255}, URI: "odd://odd/blob"},
		{Kind: mapping.Link, Text: "note", URI: "odd://odd/note", MIME: "text/plain"},
	}}, nil)
	work("denied", mapping.Reads, nil, &mapping.Error{Code: mapping.Denied, Problem: "<no>", Next: "call [[echo]] instead"})
	work("removes", mapping.Destroys, &mapping.Result{}, nil)
	work("secret", mapping.Reads, &mapping.Result{}, nil)
	fake.Offer.Resources = append(fake.Offer.Resources, mapping.Resource{Path: "picture", Name: "picture", MIME: "image/png"})
	fake.Reads["picture"] = func(context.Context, mapping.Read) (*mapping.Result, error) {
		return &mapping.Result{Blocks: []mapping.Block{{Kind: mapping.Blob, Data: []byte{1, 2, 255}, MIME: "image/png", URI: "odd://odd/picture"}}}, nil
	}
	o.Name, o.Title, o.Version = "rich", "Rich & <odd>", "1"
	o.Rules.Confirm = []string{"effect:destroys"}
	o.Rules.Scopes = map[string][]string{"tag:secret": {"more"}}
	b, err := core.New(o, core.Sources{"odd": fake})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

// A wish is a request without what the revisions say differently.
type wish struct {
	method, params string // params without braces
	name           string // the header's, where it differs from what params name
	left           bool   // to the SDK
	asks           bool   // the user, first
}

// wishes are requests that are alike at every revision.
func wishes() []wish {
	call := func(name, args string) wish {
		return wish{method: "tools/call", params: fmt.Sprintf(`"name":%q,"arguments":%s`, name, args), name: name}
	}
	read := func(uri string) wish {
		return wish{method: "resources/read", params: fmt.Sprintf(`"uri":%q`, uri), name: uri}
	}
	return []wish{
		call("echo", `{"n":9007199254740993,"s":"é\u00e9 <&>"}`),
		call("echo", `{ "n" : 1.0 }`),
		call("echo", `{}`),
		call("echo", `null`),
		{method: "tools/call", params: `"name":"echo"`, name: "echo"},
		{method: "tools/call", params: `"name":"e\u0063ho","arguments":{}`, name: "echo"},
		{method: "tools/call", params: `"name":"echo","name":"numbers"`, name: "numbers"},
		{method: "tools/call", params: `"name":"echo","Name":"numbers"`, name: "echo"},
		call("echo", `{"n":"no","s":1,"x":2}`),
		call("echo", `[]`),
		call("echo", `{"s":"`+strings.Repeat("x", 2<<20)+`"}`),
		call("numbers", `{}`), call("letters", `{}`), call("much", `{}`), call("empty", `{}`), call("shows", `{}`),
		call("denied", `{}`), call("fails", `{}`), call("panics", `{}`), call("secret", `{}`), call("no_such", `{}`), call("", `{}`),
		{method: "tools/call", params: `"name":"removes"`, name: "removes", left: true, asks: true},
		{method: "tools/call", params: `"name":"mcp-bridge.front"`, name: "mcp-bridge.front", left: true},
		{method: "tools/call", params: `"name":"echo","inputResponses":{},"requestState":"x"`, name: "echo", left: true},
		{method: "tools/call", params: `"name":"echo","arguments":{"s":` + strings.Repeat("[", 600) + strings.Repeat("]", 600) + `}`, name: "echo"},
		{method: "tools/call", params: `"name":"echo","arguments":{"s":` + strings.Repeat("[", 1001) + strings.Repeat("]", 1001) + `}`, name: "echo", left: true},
		{method: "no/such", left: true},
		{method: "tools/call", left: true},
		read("odd://odd/note"), read("odd://odd/picture"), read("odd://odd/broken"), read("odd://odd/none"), read("odd://odd/things/%C3%A9%2Fx"),
		read("odd://odd/things/no"), read("odd://odd/th%ings"), read("odd://no/note"), read("mailto:a@b"), read("é <>"), read("a b"), read(""),
		{method: "resources/read", params: `"uri":"mcp-bridge://front"`, name: "mcp-bridge://front", left: true},
		{method: "resources/read", params: `"uri":"odd://odd/note","requestState":"x"`, name: "odd://odd/note", left: true},
		{method: "tools/list"}, {method: "resources/list"}, {method: "resources/templates/list"}, {method: "prompts/list"},
		{method: "tools/list", params: `"cursor":""`}, {method: "tools/list", params: `"cursor":null`}, {method: "tools/list", params: `"cursor":"no"`},
		{method: "resources/list", params: `"cursor":"YWVjaG8"`}, {method: "tools/list", params: `"cursor":"YWVjaG8"`}, {method: "tools/list", params: `"cursor":"YnRlc3Q"`, left: true},
		{method: "tools/list", params: `"cursor":1`, left: true}, {method: "tools/list", name: "tools/list"},
		{method: "prompts/get", params: `"name":"greet","arguments":{"who":"<you>é"}`, name: "greet"}, {method: "prompts/get", params: `"name":"greet","arguments":null`, name: "greet"},
		{method: "prompts/get", params: `"name":"greet","arguments":{"who":"you","x":"y"}`, name: "greet"}, {method: "prompts/get", params: `"name":"no"`, name: "no"},
		{method: "prompts/get", params: `"name":"greet","arguments":{"who":1}`, name: "greet", left: true}, {method: "ping", left: true},
	}
}

// ids are ids of all kinds, as they are written.
func ids() []string {
	return []string{`1`, `0`, `-7`, `9007199254740993`, `123456789012345678901234567890`, `""`, `"a\"b"`, `"é<\u00e9"`, `null`, `1.5`, `{}`}
}

// modern is the wish as a request of 2026-07-28.
func (w wish) modern(id, meta string) post {
	params := w.params
	if params != "" {
		params += ","
	}
	return post{header: modernHeader(w.method, w.name), body: fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s"_meta":{%s}}}`, id, w.method, params, meta)}
}

const modernMeta = `"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}`

// in is the wish as a request of a revision.
func (w wish) in(revision, id, meta string) post {
	if revision == "2026-07-28" {
		return w.modern(id, modernMeta+meta)
	}
	params := w.params
	if meta != "" {
		params = strings.TrimPrefix(params+`,"_meta":{`+strings.TrimPrefix(meta, ",")+`}`, ",")
	}
	return post{header: map[string]string{"Mcp-Protocol-Version": revision}, body: fmt.Sprintf(`{"jsonrpc":"2.0","id":%s,"method":%q,"params":{%s}}`, id, w.method, params)}
}

// open opens a session with both.
func (p pair) open(t testing.TB, revision string, header map[string]string) (sessions [2]string) {
	t.Helper()
	for i, h := range []http.Handler{p.short, p.sdk} {
		hello := post{header: header, body: fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":%q,"capabilities":{"elicitation":{}},"clientInfo":{"name":"c","version":"1"}}}`, revision)}
		w := httptest.NewRecorder()
		h.ServeHTTP(w, hello.request(t, "http://localhost/mcp"))
		sessions[i] = w.Header().Get("Mcp-Session-Id")
		if sessions[i] == "" {
			t.Fatalf("%s: no session", revision)
		}
	}
	return sessions
}

// What the short front answers is what the SDK would have answered.
func TestShortFrontAnswersAsTheSDK(t *testing.T) {
	for _, revision := range mcp.SupportedProtocolVersions() {
		t.Run(revision, func(t *testing.T) {
			p := newPair(t, func() *core.Bridge { return rich(t, core.Options{}) })
			var sessions [2]string
			if revision != "2026-07-28" {
				sessions = p.open(t, revision, nil)
			}
			for _, w := range wishes() {
				if w.asks && revision != "2026-07-28" {
					continue // the question goes over the stream
				}
				short := p.asked(t, w.in(revision, "1", ""), sessions)
				if !short && !w.left {
					t.Errorf("%s %.100s was left to the SDK", w.method, w.params)
				}
			}
			echo := wish{method: "tools/call", params: `"name":"echo","arguments":{"s":"x"}`, name: "echo"}
			for _, id := range ids() {
				p.asked(t, echo.in(revision, id, ""), sessions)
			}
		})
	}
}

// What a request of 2026-07-28 says of itself, in its headers and in its _meta.
func TestShortFrontChecksAsTheSDK(t *testing.T) {
	p := newPair(t, func() *core.Bridge { return rich(t, core.Options{}) })
	echo := wish{method: "tools/call", params: `"name":"echo","arguments":{"s":"x"}`, name: "echo"}
	const version = `"io.modelcontextprotocol/protocolVersion":"2026-07-28",`
	const able = `"io.modelcontextprotocol/clientCapabilities":`
	const client = `"io.modelcontextprotocol/clientInfo":`
	for meta, left := range map[string]bool{
		modernMeta: false,
		version + able + `{"roots":{"listChanged":true},"sampling":{},"elicitation":{"form":{}}}`:               false,
		modernMeta + `,` + client + `{"name":"c","version":"1"}`:                                                false,
		modernMeta + `,` + client + `{}`:                                                                        false,
		modernMeta + `,"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01","x":[1,{"y":2}]`: false,
		modernMeta + `,` + client + `null`:                                                                      true,
		modernMeta + `,` + client + `"c"`:                                                                       true,
		modernMeta + `,` + client + `{"name":1}`:                                                                true,
		modernMeta + `,"progressToken":1`:                                                                       true,
		modernMeta + `,"progressToken":null`:                                                                    true,
		version + able + `null`:                                                                                 true,
		version + able + `[]`:                                                                                   true,
		version + able + `{"roots":1}`:                                                                          true,
		version + `"x":1`:                                                                                       true,
		able + `{}`:                                                                                             true,
		`"io.modelcontextprotocol/protocolVersion":"2026-07-29",` + able + `{}`:                                 true,
		`"io.modelcontextprotocol/protocolVersion":20260728,` + able + `{}`:                                     true,
		`"IO.modelcontextprotocol/protocolVersion":"2026-07-28",` + able + `{}`:                                 true,
		``: true,
	} {
		for range 2 { // the second is like one that is known
			if short := p.asked(t, echo.modern("1", meta), [2]string{}); !short && !left {
				t.Errorf("%s was left to the SDK", meta)
			}
		}
	}
	for _, change := range [][]string{
		{"Mcp-Method", "tools/list"}, {"Mcp-Method", ""}, {"Mcp-Name", "fails"}, {"Mcp-Name", ""}, {"Mcp-Name", "=?base64?ZWNobw==?="}, {"Mcp-Name", "ECHO"},
		{"Mcp-Protocol-Version", ""}, {"Mcp-Protocol-Version", "2025-11-25"}, {"Mcp-Protocol-Version", "2099-01-01"}, {"Mcp-Protocol-Version", "1900-01-01"},
		{"Content-Type", "text/plain"}, {"Content-Type", "application/json; charset=utf-8"}, {"Content-Type", "APPLICATION/JSON"}, {"Content-Type", ""}, {"Content-Type", "application/json;"}, {"Content-Type", "application/json; x"}, {"Content-Type", "application/json; a=b; a=c"},
		{"Accept", ""}, {"Accept", "*/*"}, {"Accept", "text/*"}, {"Accept", "application/json"}, {"Accept", "application/json;q=0.1"}, {"Accept", "text/event-stream"},
		{"Accept", "application/*, text/event-stream"}, {"Accept", "text/html"}, {"Accept", "APPLICATION/JSON,text/*"}, {"Accept", "application/jsonx"},
		{"Last-Event-Id", "1"}, {"Mcp-Session-Id", "none"}, {"X-Other", "y"}, {"Mcp-Param-S", "y"},
	} {
		request := echo.modern("1", modernMeta)
		request.header = with(request.header, change...)
		p.asked(t, request, [2]string{})
	}
	for _, body := range []string{`[]`, `[{"jsonrpc":"2.0","id":1,"method":"tools/call"}]`, `{"jsonrpc":"2.0","method":"tools/call","params":{}}`,
		`{"jsonrpc":"2.0","id":1,"method":"tools/call"}`, `{"jsonrpc":"1.0","id":1,"method":"tools/call"}`, `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":[]}`} {
		p.asked(t, post{header: modernHeader("tools/call", "echo"), body: body}, [2]string{})
	}
	if short := p.asked(t, post{header: modernHeader("tools/call", "echo"), body: echo.modern("1", modernMeta).body + " "}, [2]string{}); !short {
		t.Error("white space behind a message keeps the short front from answering")
	}
}

// What a request of a session says of itself.
func TestShortFrontChecksSessionsAsTheSDK(t *testing.T) {
	for _, revision := range []string{"2025-11-25", "2025-03-26", "2026-07-28", "1900-01-01"} { // that is asked for
		p := newPair(t, func() *core.Bridge { return rich(t, core.Options{}) })
		sessions := p.open(t, revision, nil)
		echo := wish{method: "tools/call", params: `"name":"echo","arguments":{"s":"x"}`, name: "echo"}
		for _, change := range [][]string{
			{}, {"Mcp-Protocol-Version", ""}, {"Mcp-Protocol-Version", "2024-11-05"}, {"Mcp-Protocol-Version", "1900-01-01"},
			{"Content-Type", "text/plain"}, {"Content-Type", "application/json; charset=utf-8"}, {"Accept", ""}, {"Accept", "*/*"}, {"Accept", "application/json"},
			{"Accept", "text/event-stream"}, {"Accept", "application/*, text/event-stream"}, {"Last-Event-Id", "1"}, {"Mcp-Method", "x"}, {"Mcp-Name", "x"},
			{"Mcp-Session-Id", "none"},
		} {
			request := echo.in("2025-11-25", "1", "")
			request.header = with(request.header, change...)
			p.asked(t, request, sessions)
		}
		for _, meta := range []string{`"x":1`, `"progressToken":null`, `"io.modelcontextprotocol/protocolVersion":"2026-07-28"`, `"io.modelcontextprotocol/protocolVersion":1`, `"io.modelcontextprotocol/logLevel":"info"`} {
			p.asked(t, echo.in("2025-11-25", "1", meta), sessions)
		}
		for _, body := range []string{
			`{"jsonrpc":"2.0","id":1,"method":"logging/setLevel","params":{"level":"loud"}}`, `{"jsonrpc":"2.0","id":1,"method":"ping"}`,
			`{"jsonrpc":"2.0","method":"notifications/initialized"}`, `{"jsonrpc":"2.0","id":3,"result":{}}`, `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{}}`,
		} {
			p.asked(t, post{body: body}, sessions)
		}
	}
}

// Who may do what, and how often, is the same.
func TestShortFrontKeepsRights(t *testing.T) {
	for _, stepUp := range []bool{false, true} {
		p := newPair(t, func() *core.Bridge {
			return rich(t, core.Options{
				Auth:   &core.Auth{StepUp: stepUp, Verify: identities(map[string]core.Identity{"ann": named("ann"), "bob": named("bob", "more")})},
				Limits: core.Limits{Rate: core.Rate{Calls: 3}},
			})
		})
		for _, who := range []string{"", "eve", "ann", "bob"} {
			for _, name := range []string{"secret", "echo", "secret", "echo", "echo"} {
				request := wish{method: "tools/call", params: fmt.Sprintf(`"name":%q`, name), name: name}.modern("1", modernMeta)
				if who != "" {
					request.header["Authorization"] = "Bearer " + who
				}
				p.asked(t, request, [2]string{})
			}
		}
		if seen := p.seen.Load(); seen > 0 {
			t.Errorf("the SDK saw %d requests", seen)
		}
	}
}

// What is told of a call to the one who watches is the same.
func TestShortFrontIsAudited(t *testing.T) {
	var events [2][]core.Event
	i := 0
	p := newPair(t, func() *core.Bridge {
		to := &events[i]
		i++
		return rich(t, core.Options{Audit: func(e core.Event) {
			e.Time, e.Duration = e.Time.Truncate(1<<62), 0
			*to = append(*to, e)
		}})
	})
	for _, w := range wishes() {
		p.asked(t, w.modern("1", modernMeta+`,"io.modelcontextprotocol/clientInfo":{"name":"c","version":"1"},"traceparent":"00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01"`), [2]string{})
	}
	if len(events[1]) < 15 || !slices.EqualFunc(events[1], events[0], func(a, b core.Event) bool { return cmp.Equal(a, b) }) {
		t.Errorf("the SDK's events are -, those of the short front +:\n%s", cmp.Diff(events[1], events[0]))
	}
}

// A program that has asked for the SDK's server may have put anything in the way
// of requests, so from then on all go there.
func TestShortFrontStepsAside(t *testing.T) {
	b := rich(t, core.Options{})
	request := wish{method: "tools/call", params: `"name":"echo","arguments":{"s":"x"}`, name: "echo"}.modern("1", modernMeta)
	if status, _ := ask(t, b.Handler(), request.header, request.body); status != http.StatusOK {
		t.Fatalf("status %d", status)
	}
	b.Server().AddReceivingMiddleware(func(mcp.MethodHandler) mcp.MethodHandler {
		return func(context.Context, string, mcp.Request) (mcp.Result, error) {
			return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "in the way"}}}, nil
		}
	})
	if _, body := ask(t, b.Handler(), request.header, request.body); !strings.Contains(body, "in the way") {
		t.Errorf("middleware did not see the request: %s", body)
	}
}

// A client of 2026-07-28 that hangs up has its call canceled, and Close waits for
// calls.
func TestShortFrontCallsEnd(t *testing.T) {
	request := wish{method: "tools/call", params: `"name":"do"`, name: "do"}.modern("1", modernMeta)
	for name, end := range map[string]func(b *core.Bridge, hangUp func()){
		"hangs up": func(_ *core.Bridge, hangUp func()) { hangUp() },
		"close":    func(b *core.Bridge, _ func()) { b.Close() },
	} {
		t.Run(name, func(t *testing.T) {
			inBubble(t, func(t *testing.T) {
				returned := false
				b := newBridge(t, core.Options{}, core.Sources{"one": onOne(func(ctx context.Context, _ mapping.Call) (*mapping.Result, error) {
					<-ctx.Done()
					return nil, ctx.Err()
				})})
				if err := b.Ready(t.Context()); err != nil {
					t.Fatal(err)
				}
				ctx, hangUp := context.WithCancel(t.Context())
				w := httptest.NewRecorder()
				go func() {
					b.Handler().ServeHTTP(w, request.request(t, "http://localhost/mcp").WithContext(ctx))
					returned = true
				}()
				synctest.Wait()
				if returned {
					t.Fatalf("the call did not wait: %s", w.Body)
				}
				end(b, hangUp)
				synctest.Wait()
				if !returned || !strings.Contains(w.Body.String(), "this was canceled") {
					t.Errorf("returned: %v, with %s", returned, w.Body)
				}
				hangUp()
			})
		})
	}
}

// Lists whose text is kept are those of the newest sources.
func TestShortFrontListsAgain(t *testing.T) {
	var bridges []*core.Bridge
	var fakes []*adaptertest.Fake
	p := newPair(t, func() *core.Bridge {
		fakes = append(fakes, oddities())
		b := newBridge(t, core.Options{}, core.Sources{"odd": fakes[len(fakes)-1]})
		bridges = append(bridges, b)
		return b
	})
	sessions := p.open(t, "2025-11-25", nil)
	lists := func() {
		for range 2 {
			for _, method := range []string{"tools/list", "resources/list", "resources/templates/list", "prompts/list"} {
				if !p.asked(t, wish{method: method}.in("2026-07-28", "1", ""), [2]string{}) || !p.asked(t, wish{method: method}.in("2025-11-25", `"a"`, ""), sessions) {
					t.Errorf("%s was left to the SDK", method)
				}
			}
		}
	}
	lists()
	for i, fake := range fakes {
		offer := fake.Offer
		offer.Operations, offer.Resources, offer.Prompts = offer.Operations[1:], offer.Resources[1:], nil
		fake.Change(offer)
		if err := bridges[i].Reload(t.Context()); err != nil {
			t.Fatal(err)
		}
	}
	lists()
}
