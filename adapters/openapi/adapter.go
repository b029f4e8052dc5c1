package openapi

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// Options say how the API is reached. The zero Options call the first server that
// the document names, without credentials.
type Options struct {
	// BaseURL stands in place of every server that the document names. "" uses the
	// document's own.
	BaseURL string
	// Handler answers requests in this process, without a socket. It wins over
	// BaseURL's host.
	Handler http.Handler
	// Headers are sent with every request.
	Headers http.Header
	// Credentials are secrets by the name of the document's security scheme.
	Credentials map[string]string
	// Secrets are texts that no answer may show, beside Credentials and the values of
	// Headers whose names say that they are secret. What is shorter than six bytes
	// is not hidden: it stands in answers by chance.
	Secrets []string
	// CallerScheme is the security scheme of which callers bring a credential of
	// their own (Caller.Credential). That of Credentials is then sent for those who
	// bring none. "" is no scheme.
	CallerScheme string
	// Authorize, if set, may add to a request what one caller brought. An error
	// keeps the request from being sent.
	Authorize func(*http.Request, mapping.Caller) error
	// Outputs asks for the schemas of answers.
	Outputs bool
	// Variables are values of server variables by name, in place of the document's
	// defaults.
	Variables map[string]string
	// Media picks the media type of a request body, by operation key, where the
	// document offers several.
	Media map[string]string
	// Fixed are arguments that are always sent with one value and never asked for,
	// by operation key and parameter name. The key "*" is every operation.
	Fixed map[string]map[string]json.RawMessage
	// Outside lets a document on disk refer to files outside its folder.
	Outside bool
	// Fetch are the hosts, with a port where it is not the usual one, from which
	// files that a document refers to may be fetched. The host of a document that
	// came from a URL is always one of them.
	Fetch []string
	// Proxy says which proxy carries a request, as [http.Transport] has it; nil is
	// none. [http.ProxyFromEnvironment] is one. A proxy decides itself where it
	// connects to, so it should not reach what is private.
	Proxy func(*http.Request) (*url.URL, error)
}

// An Adapter speaks for one HTTP API. It is made by [New] and is safe for use by
// many goroutines.
type Adapter struct {
	source  Document
	options Options
	client  *http.Client
	tokens  tokens
	trusted sync.Map // "host:port" that requests may go to wherever it is

	closed atomic.Bool

	mu    sync.Mutex // guards what follows
	doc   *document  // the newest that was read, nil before the first
	began time.Time  // when reading it began; of the newest try that failed, if that was later
}

// New checks options only; the document is read in the first Catalog.
func New(doc Document, o Options) *Adapter {
	a := &Adapter{source: doc, options: o}
	a.client = a.newClient()
	return a
}

// Call sends one request and returns what came back.
func (a *Adapter) Call(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
	if a.closed.Load() {
		return nil, &mapping.Error{Code: mapping.Unavailable, Problem: "this API has been shut off from here", Next: "list the tools again"}
	}
	op, err := a.operation(ctx, c.Key)
	if err != nil {
		return nil, err
	}
	c.Args = slices.Concat(op.fixed, c.Args)
	req, err := a.request(ctx, op, c)
	if err != nil {
		return nil, err
	}
	answer, err := a.send(req, op, c)
	if err != nil {
		return nil, err
	}
	return a.result(op, answer, c)
}

// Read answers nothing: every resource of this adapter is an operation's answer.
func (a *Adapter) Read(_ context.Context, r mapping.Read) (*mapping.Result, error) {
	return nil, &mapping.Error{Code: mapping.NotFound, Problem: "there is no such resource"}
}

// Close closes the connections that the adapter opened, and lets nothing be
// called any more. Handler stays open.
func (a *Adapter) Close() error {
	a.closed.Store(true)
	a.client.CloseIdleConnections()
	return nil
}
