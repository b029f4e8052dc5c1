package openapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"
	"strings"
	"time"

	"github.com/mcp-bridge/mcp-bridge/internal/outbound"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A reply is an answer that was read: all of it, or as much as the call allows.
type reply struct {
	status int
	header http.Header
	body   []byte
	cut    bool     // there was more than the call's MaxBytes
	coding string   // in which the body is and cannot be read; "" is none
	url    *url.URL // what was asked, without credentials

	secrets secrets // what must not be shown; body holds none as they are sent
}

// text is the body in UTF-8. What is a secret only then is hidden too.
func (r *reply) text() []byte {
	return r.secrets.hide([]byte(decodeText(r.body, r.header.Get("Content-Type"), r.cut)))
}

// send sends a request that request made and reads the answer, again where that
// cannot do harm.
func (a *Adapter) send(req *http.Request, op *operation, c mapping.Call) (*reply, error) {
	for try := 0; ; try++ {
		r, err := a.attempt(req, op, c)
		wait, again := retry(req, try, r, err)
		if !again {
			return r, err
		}
		c.Log("warning", retryWords(op, r, wait, try))
		if !sleep(req.Context(), wait) {
			return r, err
		}
	}
}

// attempt sends once, and once more with a new token where the API refused one
// that was fetched: a 401 says that nothing was carried out.
func (a *Adapter) attempt(req *http.Request, op *operation, c mapping.Call) (*reply, error) {
	r, g, err := a.once(req, op, c)
	if err != nil || r.status != http.StatusUnauthorized || len(g.tokens) == 0 {
		return r, err
	}
	for _, used := range g.tokens {
		used.source.drop(used.token)
	}
	c.Log("info", op.key+": the API refused the token; fetching a new one")
	r, _, err = a.once(req, op, c)
	return r, err
}

// once sends a copy of req with credentials.
func (a *Adapter) once(req *http.Request, op *operation, c mapping.Call) (*reply, grant, error) {
	ctx, cancel := context.WithCancel(req.Context())
	defer cancel()
	out := req.Clone(ctx)
	if req.GetBody != nil {
		body, err := req.GetBody()
		if err != nil {
			return nil, grant{}, err
		}
		out.Body = body
	}
	g, err := a.authorize(out, op, c.Caller)
	if err != nil {
		return nil, g, err
	}
	resp, err := a.client.Do(out)
	if err != nil {
		return nil, g, sendFailure(req.Context(), op, err)
	}
	defer resp.Body.Close()
	stop := endStream(resp, cancel)
	r, err := readReply(resp, c.MaxBytes)
	if stop() && errors.Is(err, context.Canceled) {
		r.cut, err = true, nil
	}
	if err != nil {
		return nil, g, sendFailure(req.Context(), op, err)
	}
	r.url, r.secrets = req.URL, g.secrets
	r.body = g.secrets.hide(r.body)
	g.secrets.hideHeader(r.header)
	return r, g, nil
}

// endStream ends an answer that is a stream of events, and may have no end, in
// time to hand on what came. The function that it returns says whether it did.
func endStream(resp *http.Response, cancel context.CancelFunc) func() bool {
	deadline, ok := resp.Request.Context().Deadline()
	if !ok || essence(resp.Header.Get("Content-Type")) != "text/event-stream" {
		return func() bool { return false }
	}
	timer := time.AfterFunc(time.Until(deadline)*4/5, cancel)
	return func() bool { return !timer.Stop() }
}

// readReply reads an answer of at most limit bytes, unpacked. What came before an
// error is in the reply.
func readReply(resp *http.Response, limit int64) (*reply, error) {
	r := &reply{status: resp.StatusCode, header: resp.Header}
	from, unknown, err := unpack(resp.Header, resp.Body)
	if r.coding = unknown; err != nil || unknown != "" {
		return r, err
	}
	// One byte past the limit tells "exactly full" from "cut".
	body, err := io.ReadAll(io.LimitReader(from, limit+1))
	if r.body = body; int64(len(body)) > limit {
		r.body, r.cut = body[:limit], true
	}
	return r, err
}

// newClient makes the way out of an adapter.
func (a *Adapter) newClient() *http.Client {
	local := a.options.Handler != nil
	client := &http.Client{CheckRedirect: func(req *http.Request, via []*http.Request) error {
		return redirect(req, via, local)
	}}
	if local {
		client.Transport = inProcess{a.options.Handler}
		return client
	}
	client.Transport = outbound.Transport(func(hostPort string) bool {
		_, known := a.trusted.Load(hostPort)
		return known
	}, a.options.Proxy)
	return client
}

// trust lets requests go to a host wherever it is. The operator named it by the
// base URL or by handing in the document; a document that came from a URL can
// only name the host that it came from, and others at public addresses.
func (a *Adapter) trust(doc *document, u *url.URL) {
	named := doc == nil || doc.base == nil || strings.EqualFold(doc.base.Host, u.Host)
	if base, err := url.Parse(a.options.BaseURL); err == nil && base.Host != "" {
		named = named || strings.EqualFold(base.Host, u.Host)
	}
	if named {
		a.trusted.Store(outbound.HostPort(u), true)
	}
}

// canceled turns the end of a context into words.
func canceled(ctx context.Context, op *operation, err error) *mapping.Error {
	if errors.Is(err, context.Canceled) || errors.Is(ctx.Err(), context.Canceled) {
		return &mapping.Error{Code: mapping.Canceled, Problem: "the call was canceled", Next: carriedOut(op), Err: err}
	}
	return &mapping.Error{Code: mapping.Timeout, Problem: "the API did not answer in time", Next: carriedOut(op), Err: err}
}
