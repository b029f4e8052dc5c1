package github

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math"
	"net/http"
	"net/url"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// maxClients bounds how many callers' tokens have a client of their own.
const maxClients = 256

// A client speaks for one token. Rate limits and cached answers are never shared
// between two.
type client struct {
	api    *github.Client
	gate   *gate
	logged bool // it has a token
}

// clientFor returns the client of a caller.
func (a *Adapter) clientFor(caller mapping.Caller) (*client, error) {
	token := a.options.Token
	if caller.Credential != "" {
		token = caller.Credential
	} else if a.options.CallerTokens {
		return nil, &mapping.Error{Code: mapping.Unauthenticated, Problem: "no token for GitHub came with the request", Next: "ask the user to give their client a token for GitHub"}
	}
	sum := sha256.Sum256([]byte(token))
	key := string(sum[:])
	a.mu.Lock()
	defer a.mu.Unlock()
	if c := a.clients[key]; c != nil {
		return c, nil
	}
	if len(a.clients) >= maxClients {
		for other := range a.clients { // any: what is lost is a cache
			delete(a.clients, other)
			break
		}
	}
	c := a.newClient(token)
	a.clients[key] = c
	return c, nil
}

func (a *Adapter) newClient(token string) *client {
	g := &gate{host: a.host, allow: a.allow, token: token, wire: a.wire, names: map[string]string{}}
	api := github.NewClient(&http.Client{Transport: g, CheckRedirect: checkRedirect})
	base := *a.host.api
	api.BaseURL, api.UploadURL = &base, &base
	api.UserAgent = "mcp-bridge"
	return &client{api: api, gate: g, logged: token != ""}
}

// maxHops bounds redirects.
const maxHops = 3

// checkRedirect lets reads be redirected; the gate looks at where to. A write is
// never sent to another place than it was meant for, and a redirect would turn
// some into reads.
func checkRedirect(to *http.Request, via []*http.Request) error {
	if len(via) > maxHops {
		return &mapping.Error{Code: mapping.Unavailable, Problem: "GitHub redirects in a circle"}
	}
	if via[0].Method != http.MethodGet && via[0].Method != http.MethodHead {
		return errMoved()
	}
	return nil
}

func errMoved() error {
	return &mapping.Error{Code: mapping.Conflict, Problem: "the repository was renamed or moved", Next: "use its new name; if it is not known, ask the user"}
}

// An exchange is one request to the API. Its path is relative and escaped.
type exchange struct {
	method, path string
	query        url.Values
	body         any
	accept       string // "" is JSON
	max          int64  // bytes of the answer
}

// do sends a request and decodes the answer into v, which may be an io.Writer or
// nil. Failures are as the gate words them.
func (c *client) do(ctx context.Context, x exchange, v any) (*github.Response, error) {
	req, err := c.request(x)
	if err != nil {
		return nil, err
	}
	req.Header.Set("Accept", "application/vnd.github+json")
	if x.accept != "" {
		req.Header.Set("Accept", x.accept)
	}
	resp, err := c.api.BareDo(withLimit(ctx, x.max), req)
	var accepted *github.AcceptedError
	if errors.As(err, &accepted) { // GitHub goes on with it by itself
		return resp, nil
	}
	if err != nil {
		return resp, err
	}
	defer resp.Body.Close()
	return resp, decode(resp, v)
}

// decode reads an answer. Go-github's own call takes an empty one for an empty
// object.
func decode(resp *github.Response, v any) error {
	if v == nil {
		return nil
	}
	if w, isWriter := v.(io.Writer); isWriter {
		_, err := io.Copy(w, resp.Body)
		return err
	}
	err := json.NewDecoder(resp.Body).Decode(v)
	if !errors.Is(err, io.EOF) {
		return err
	}
	if resp.StatusCode == http.StatusOK {
		return &mapping.Error{Code: mapping.Unavailable, Problem: "GitHub answered with nothing", Next: "try again later"}
	}
	return nil
}

// request makes the request of an exchange. A segment of dots would be resolved
// before the gate sees it, and lead to another operation.
func (c *client) request(x exchange) (*http.Request, error) {
	if hasDots(x.path) {
		return nil, errHostile()
	}
	path := x.path
	if len(x.query) > 0 {
		path += "?" + x.query.Encode()
	}
	req, err := c.api.NewRequest(x.method, path, x.body)
	if err != nil {
		return nil, fmt.Errorf("make a request: %w", err)
	}
	return req, nil
}

type (
	limitKey struct{}
	logKey   struct{}
)

// withLog has the gate tell of waits and repetitions.
func withLog(ctx context.Context, log func(level, message string)) context.Context {
	if log == nil {
		return ctx
	}
	return context.WithValue(ctx, logKey{}, log)
}

func tell(ctx context.Context, format string, args ...any) {
	if log, ok := ctx.Value(logKey{}).(func(level, message string)); ok {
		log("info", fmt.Sprintf(format, args...))
	}
}

// withLimit bounds the bytes that the gate lets through of the answer.
func withLimit(ctx context.Context, most int64) context.Context {
	return context.WithValue(ctx, limitKey{}, most)
}

func limitOf(ctx context.Context) int64 {
	if most, ok := ctx.Value(limitKey{}).(int64); ok && most > 0 {
		return most
	}
	return 16 << 20
}

// A bounded body fails behind its limit instead of ending as if it were whole.
type bounded struct {
	io.ReadCloser
	left, most int64
}

func (b *bounded) Read(p []byte) (int, error) {
	if b.left < 0 {
		return 0, errTooLarge(b.most)
	}
	if b.left < math.MaxInt64 && int64(len(p)) > b.left+1 {
		p = p[:b.left+1] // one byte more tells "exactly full" from "cut"
	}
	n, err := b.ReadCloser.Read(p)
	if b.left -= int64(n); b.left < 0 {
		return n + int(b.left), errTooLarge(b.most)
	}
	return n, err
}

func errTooLarge(most int64) error {
	return &mapping.Error{Code: mapping.Exhausted, Problem: fmt.Sprintf("the answer is larger than the %d bytes that are allowed", most), Next: "ask for less"}
}

// worded gives an error that is not GitHub's own a code: the context's end, a
// connection that failed, an answer that is none.
func (a *Adapter) worded(ctx context.Context, err error) error {
	var known *mapping.Error
	if errors.As(err, &known) {
		return err
	}
	if ctx.Err() != nil {
		return fmt.Errorf("ask GitHub: %w", ctx.Err())
	}
	return &mapping.Error{Code: mapping.Unavailable, Problem: "GitHub cannot be reached, or its answer broke off", Next: "try again later", Err: err}
}
