package openapi

import (
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// sendTo makes one call of a plain operation.
func sendTo(ctx context.Context, t *testing.T, method string, o Options, c mapping.Call) (*mapping.Result, error) {
	t.Helper()
	a := New(Bytes(nil), o)
	defer a.Close()
	return sendBy(ctx, t, a, method, c)
}

// sendBy does the same by an adapter that was made before.
func sendBy(ctx context.Context, t *testing.T, a *Adapter, method string, c mapping.Call) (*mapping.Result, error) {
	t.Helper()
	op := &operation{key: method + " /x", method: method, path: "/x", doc: &document{}, body: &openapi3.RequestBody{}, mediaType: "application/json", media: &openapi3.MediaType{}}
	if c.MaxBytes == 0 {
		c.MaxBytes = 1 << 20
	}
	if c.Log == nil {
		c.Log = func(string, string) {}
	}
	c.Budget = 60_000
	req, err := a.request(ctx, op, c)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := a.send(req, op, c)
	if err != nil {
		return nil, err
	}
	return a.result(op, answer, c)
}

// TestRetries counts how often an API sees a call: reads come again after 429 and
// 503, at most twice; nothing else does.
func TestRetries(t *testing.T) {
	for _, c := range []struct {
		method     string
		status     int
		retryAfter string
		want       int
		waited     time.Duration
	}{
		{"GET", 503, "", 3, 750 * time.Millisecond},
		{"GET", 429, "2", 3, 4 * time.Second},
		{"HEAD", 503, "1", 3, 2 * time.Second},
		{"OPTIONS", 503, "1", 3, 2 * time.Second},
		{"QUERY", 503, "1", 3, 2 * time.Second},
		{"GET", 429, "60", 1, 0}, // ends after the call's deadline
		{"GET", 500, "", 1, 0},
		{"GET", 502, "", 1, 0},
		{"GET", 404, "", 1, 0},
		{"POST", 503, "1", 1, 0},
		{"POST", 429, "1", 1, 0},
		{"PUT", 503, "1", 1, 0},
		{"DELETE", 503, "1", 1, 0},
		{"PATCH", 503, "1", 1, 0},
	} {
		t.Run(fmt.Sprintf("%s %d %s", c.method, c.status, c.retryAfter), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				seen := 0
				api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					seen++
					if c.retryAfter != "" {
						w.Header().Set("Retry-After", c.retryAfter)
					}
					w.WriteHeader(c.status)
				})
				ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
				defer cancel()
				start := time.Now()
				_, err := sendTo(ctx, t, c.method, Options{Handler: api}, mapping.Call{})
				if err == nil {
					t.Error("the call succeeded")
				}
				if seen != c.want {
					t.Errorf("the API saw %d requests, want %d", seen, c.want)
				}
				if waited := time.Since(start); waited != c.waited {
					t.Errorf("it took %s, want %s", waited, c.waited)
				}
			})
		})
	}
}

// TestRetrySucceeds has an API recover, and the retry told to the operator.
func TestRetrySucceeds(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		seen := 0
		api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if seen++; seen == 1 {
				w.Header().Set("Retry-After", "3")
				w.WriteHeader(http.StatusServiceUnavailable)
				return
			}
			fmt.Fprint(w, `{"ok":true}`)
		})
		var logged []string
		r, err := sendTo(t.Context(), t, "GET", Options{Handler: api}, mapping.Call{Log: func(level, message string) { logged = append(logged, level+": "+message) }})
		if err != nil {
			t.Fatal(err)
		}
		if string(r.Blocks[0].Text) != `{"ok":true}` && string(r.JSON) != `{"ok":true}` {
			t.Errorf("result %+v", r)
		}
		want := "warning: GET /x: the API answered 503 Service Unavailable; trying again in 3s (1 of 2)"
		if len(logged) != 1 || logged[0] != want {
			t.Errorf("log is %q, want %q", logged, want)
		}
	})
}

// TestRetryAfterABrokenConnection closes the first connection without an answer.
func TestRetryAfterABrokenConnection(t *testing.T) {
	for _, c := range []struct {
		method string
		want   int
	}{{"GET", 2}, {"POST", 1}} {
		t.Run(c.method, func(t *testing.T) {
			seen := make(chan struct{}, 10)
			api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				seen <- struct{}{}
				if len(seen) == 1 {
					panic(http.ErrAbortHandler)
				}
			}))
			defer api.Close()
			_, err := sendTo(t.Context(), t, c.method, Options{BaseURL: api.URL}, mapping.Call{Body: []byte(`{}`)})
			if len(seen) != c.want {
				t.Errorf("the API saw %d requests, want %d", len(seen), c.want)
			}
			if c.want == 1 {
				wantError(t, err, mapping.Unavailable, "the connection to the API broke before it had answered. it may have been carried out all the same; look before you call again")
			}
		})
	}
}

func wantError(t *testing.T, err error, code mapping.Code, text string) {
	t.Helper()
	var e *mapping.Error
	if !errors.As(err, &e) {
		t.Fatalf("error is %v, want a mapping.Error", err)
	}
	if e.Code != code || e.Error() != text {
		t.Errorf("error is %s: %s\nwant %s: %s", e.Code, e.Error(), code, text)
	}
}

// TestUnreachable says in words why an API cannot be reached, without its address.
func TestUnreachable(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	refusing := "http://" + listener.Addr().String() + "/?key=hunter22"
	listener.Close()
	_, err = sendTo(t.Context(), t, "POST", Options{BaseURL: refusing}, mapping.Call{})
	wantError(t, err, mapping.Unavailable, "the API cannot be reached: it refuses connections. try again later, or tell the user that the API is down")
	if text := fmt.Sprint(errors.Unwrap(err)); strings.Contains(text, "hunter22") {
		t.Errorf("the cause for the log holds the query: %s", text)
	}

	untrusted := httptest.NewUnstartedServer(http.NotFoundHandler())
	untrusted.Config.ErrorLog = log.New(io.Discard, "", 0)
	untrusted.StartTLS()
	defer untrusted.Close()
	_, err = sendTo(t.Context(), t, "GET", Options{BaseURL: untrusted.URL}, mapping.Call{})
	wantError(t, err, mapping.Unavailable, "the API's certificate is not trusted, so nothing was sent. do not retry; ask the operator to look at the API's certificate")
}

// TestDeadlineAndCancel end a call whose API does not answer.
func TestDeadlineAndCancel(t *testing.T) {
	hang := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { <-r.Context().Done() })
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := sendTo(ctx, t, "POST", Options{Handler: hang}, mapping.Call{})
		wantError(t, err, mapping.Timeout, "the API did not answer in time. it may have been carried out all the same; look before you call again")
		if !errors.Is(err, context.DeadlineExceeded) {
			t.Errorf("cause is %v", errors.Unwrap(err))
		}
	})
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(time.Second, cancel)
		_, err := sendTo(ctx, t, "GET", Options{Handler: hang}, mapping.Call{})
		wantError(t, err, mapping.Canceled, "the call was canceled. try again later")
	})
	synctest.Test(t, func(t *testing.T) { // in the middle of the body
		half := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			fmt.Fprint(w, `{"a":`)
			<-r.Context().Done()
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		_, err := sendTo(ctx, t, "GET", Options{Handler: half}, mapping.Call{})
		wantError(t, err, mapping.Timeout, "the API did not answer in time. try again later")
	})
}

// TestGzip unpacks what a handler packs though nobody asked, within the limit.
func TestGzip(t *testing.T) {
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		w.Header().Set("Content-Encoding", "gzip")
		z := gzip.NewWriter(w)
		fmt.Fprint(z, "["+strings.Repeat(`"0123456789",`, 1000)+"1]")
		z.Close()
	})
	r, err := sendTo(t.Context(), t, "GET", Options{Handler: api}, mapping.Call{})
	if err != nil || len(r.JSON) != 13003 || r.Truncated {
		t.Errorf("got %d bytes of JSON, truncated %v, %v", len(r.JSON), r.Truncated, err)
	}
	r, err = sendTo(t.Context(), t, "GET", Options{Handler: api}, mapping.Call{MaxBytes: 40})
	if err != nil || string(r.JSON) != `["0123456789","0123456789","0123456789"]` || !r.Truncated {
		t.Errorf("got %s, truncated %v, %v", r.JSON, r.Truncated, err)
	}
}

// TestMaxBytes stops an API that never stops.
func TestMaxBytes(t *testing.T) {
	stopped := make(chan error, 1)
	endless := func(contentType, chunk string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", contentType)
			for {
				if _, err := io.WriteString(w, chunk); err != nil {
					stopped <- err
					return
				}
			}
		})
	}
	for _, c := range []struct{ contentType, chunk, want string }{
		{"text/plain", "é", "text ééé\ntruncated\nnote The answer was cut, for it is more than can be passed on."},
		{"image/png", "x", "truncated\nnote The answer is image/png of more than 7 bytes, which is more than can be passed on; it was left out."},
		{"application/x-ndjson", "{\"a\":1}\n", "json [{\"a\":1}]\ntruncated\nnote The answer was cut, for it is more than can be passed on."},
	} {
		r, err := sendTo(t.Context(), t, "GET", Options{Handler: endless(c.contentType, c.chunk)}, mapping.Call{MaxBytes: 7})
		if got := resultText(t, r, err); got != c.want {
			t.Errorf("%s: got %s\nwant %s", c.contentType, got, c.want)
		}
		if err := <-stopped; err == nil {
			t.Error("the handler was not stopped")
		}
	}
}

// TestCutJSON ends a text that a limit cut after its last whole item.
func TestCutJSON(t *testing.T) {
	for _, c := range []struct{ cut, want string }{
		{`[1,2,3`, `[1,2]`},
		{`[1,2,`, `[1,2]`},
		{`{"total":9,"items":[{"id":1},{"id":2},{"id":3,"na`, `{"total":9,"items":[{"id":1},{"id":2}]}`},
		{`{"items":[{"tags":["a","b"]},{"tags":["c","d`, `{"items":[{"tags":["a","b"]}]}`},
		{`{"items":[{"id":1,"text":"a very long `, `{"items":[{"id":1}]}`},
		{`{"a":1,"b":"x,]}","c":"y`, `{"a":1,"b":"x,]}"}`},
		{`["a\",","b\\","c`, `["a\",","b\\"]`},
		{`{"a":{"b":1,"c":2`, `{"a":{"b":1}}`},
		{`"no list`, ``},
		{`[`, ``},
	} {
		if got := string(cutJSON([]byte(c.cut))); got != c.want {
			t.Errorf("cutJSON(%s) = %s, want %s", c.cut, got, c.want)
		}
	}
}

// TestStreamOfEvents hands on what came of a stream that does not end.
func TestStreamOfEvents(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			w.Header().Set("Content-Type", "text/event-stream")
			for i := 0; ; i++ {
				if _, err := fmt.Fprintf(w, "data: %d\n\n", i); err != nil {
					return
				}
				select {
				case <-time.After(3 * time.Second):
				case <-r.Context().Done():
					return
				}
			}
		})
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		r, err := sendTo(ctx, t, "GET", Options{Handler: api}, mapping.Call{})
		want := "text text/event-stream data: 0\n\ndata: 1\n\ndata: 2\n\n\ntruncated\nnote The answer was cut, for it is more than can be passed on."
		if got := resultText(t, r, err); got != want {
			t.Errorf("got %s\nwant %s", got, want)
		}
	})
}

// TestHead tells what the header says.
func TestHead(t *testing.T) {
	api := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "text/csv")
		w.Header().Set("Etag", `"7"`)
		w.Header().Set("Content-Length", "1000")
	}))
	defer api.Close()
	r, err := sendTo(t.Context(), t, "HEAD", Options{BaseURL: api.URL}, mapping.Call{})
	if got, want := resultText(t, r, err), `note It worked: the API answered 200 OK without content; Content-Type: text/csv; Content-Length: 1000; Etag: "7".`; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

// TestBytesOnTheWire compares with what goes over a socket, byte for byte
// (RFC 9112 section 3).
func TestBytesOnTheWire(t *testing.T) {
	listener, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer listener.Close()
	raw := make(chan string, 1)
	go func() {
		conn, err := listener.Accept()
		if err != nil {
			raw <- err.Error()
			return
		}
		defer conn.Close()
		b := make([]byte, 4096)
		n, err := conn.Read(b)
		if err != nil {
			raw <- err.Error()
			return
		}
		raw <- string(b[:n])
		io.WriteString(conn, "HTTP/1.1 204 No Content\r\n\r\n")
	}()
	spec := `
openapi: 3.0.3
info: {title: t, version: '1'}
paths: {'/a b/{id}': {get: {parameters: [{name: id, in: path, required: true, schema: {type: string}}, {name: 'q[]', in: query, schema: {type: string}}, {name: X-N, in: header, schema: {type: integer}}], responses: {'204': {description: ok}}}}}
`
	a := New(Bytes([]byte(spec)), Options{BaseURL: "http://" + listener.Addr().String() + "/v1/"})
	defer a.Close()
	if _, err := a.Call(t.Context(), testCall(t, "GET /a b/{id}", `{"path": {"id": "../x?"}, "query": {"q[]": "ü+"}, "header": {"X-N": 9007199254740993}}`)); err != nil {
		t.Fatal(err)
	}
	want := "GET /v1/a%20b/..%2Fx%3F?q%5B%5D=%C3%BC%2B HTTP/1.1\r\nHost: " + listener.Addr().String() +
		"\r\nUser-Agent: mcp-bridge\r\nAccept: application/json, */*;q=0.8\r\nX-N: 9007199254740993\r\nAccept-Encoding: gzip\r\n\r\n"
	if got := <-raw; got != want {
		t.Errorf("sent\n%q\nwant\n%q", got, want)
	}
}
