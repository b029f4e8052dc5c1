package githubfake

import "net/http"

// A Request is one that reached the fake.
type Request struct {
	Method, Host string
	Path         string // as it was sent, with its escapes
	Query        string
	Header       http.Header
	Body         []byte
	// Blob is a request to the server of logs.
	Blob bool
}

// Token says whether the request carried credentials of any kind.
func (r Request) Token() bool {
	return r.Header.Get("Authorization") != "" || r.Header.Get("Cookie") != ""
}

func (g *GitHub) note(r *http.Request, body []byte, blob bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.log = append(g.log, Request{
		Method: r.Method, Host: r.Host, Path: r.URL.EscapedPath(), Query: r.URL.RawQuery, Header: r.Header.Clone(), Body: body, Blob: blob,
	})
}

// Requests returns what has reached the fake so far, in order.
func (g *GitHub) Requests() []Request {
	g.mu.Lock()
	defer g.mu.Unlock()
	return append([]Request(nil), g.log...)
}

// Forget begins a new record.
func (g *GitHub) Forget() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.log = nil
}
