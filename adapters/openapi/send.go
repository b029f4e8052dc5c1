package openapi

import (
	"context"
	"errors"
	"io"
	"net/http"
	"net/url"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// errHandler marks the failure of a handler in this process.
var errHandler = errors.New("in-process handler failed")

// A reply is an answer that was read: all of it, or as much as the call allows.
type reply struct {
	status int
	header http.Header
	body   []byte
	cut    bool     // there was more than the call's MaxBytes
	url    *url.URL // what was asked, after redirects, without credentials
}

// send sends a request that request made and reads the answer.
func (a *Adapter) send(req *http.Request, op *operation, c mapping.Call) (*reply, error) {
	resp, err := a.client.Do(req)
	if err != nil {
		return nil, sendFailure(req.Context(), op, err)
	}
	defer resp.Body.Close()
	r, err := readReply(resp, c.MaxBytes)
	if err != nil {
		return nil, sendFailure(req.Context(), op, err)
	}
	return r, nil
}

// newClient makes the way out of an adapter.
func newClient(o Options) *http.Client {
	if o.Handler != nil {
		return &http.Client{Transport: inProcess{o.Handler}}
	}
	return &http.Client{Transport: &http.Transport{Proxy: http.ProxyFromEnvironment, ForceAttemptHTTP2: true}}
}

// readReply reads an answer of at most limit bytes.
func readReply(resp *http.Response, limit int64) (*reply, error) {
	// One byte past the limit tells "exactly full" from "cut".
	body, err := io.ReadAll(io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, err
	}
	r := &reply{status: resp.StatusCode, header: resp.Header, body: body, url: resp.Request.URL}
	if int64(len(body)) > limit {
		r.body, r.cut = body[:limit], true
	}
	return r, nil
}

// sendFailure says why no answer came, without the address: it may hold a
// credential.
func sendFailure(ctx context.Context, op *operation, err error) error {
	var e *url.Error
	if errors.As(err, &e) {
		err = e.Err
	}
	switch {
	case errors.Is(err, context.Canceled):
		return &mapping.Error{Code: mapping.Canceled, Problem: "the call was canceled", Err: err}
	case errors.Is(err, context.DeadlineExceeded), ctx.Err() != nil:
		return &mapping.Error{Code: mapping.Timeout, Problem: "the API did not answer in time", Err: err}
	case errors.Is(err, errHandler):
		return &mapping.Error{Code: mapping.Unavailable, Problem: "the API failed while it answered", Err: err}
	}
	return &mapping.Error{Code: mapping.Unavailable, Problem: "the API cannot be reached", Err: err}
}
