// Package github serves repositories of GitHub, of a GitHub Enterprise Server or
// of a ghe.com tenant: their files, issues, pull requests and workflow runs.
//
// What the adapter offers is data. Each operation is a [row] of a table (repos.go,
// issues.go, …) that says its path on the wire, its arguments, its effect and how
// GitHub's answer is trimmed to what a model needs; the catalog follows from the
// rows without a request. Every request passes one gate (gate.go), which sees the
// URL that leaves, so that no argument, redirect, cursor or search reaches a
// repository that was not allowed.
package github

import (
	"context"
	"net/http"
	"net/url"
	"sync"
	"sync/atomic"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// Options say which GitHub is served, and how much of it. The zero Options are
// the public repositories of github.com, without a token.
type Options struct {
	// Repositories are the ones that may be reached: OWNER/REPO in any case, with *
	// for any run of characters within either part. One with a ! before it is
	// denied, and a denial wins. Empty allows all public ones; whoever has a token
	// must say which ("*/*" is all).
	Repositories []string
	// Deny are further denials, in the same form without the !.
	Deny []string
	// Token is sent to GitHub's API and to no other host; "" is none.
	Token string
	// CallerTokens says that callers bring tokens of their own
	// ([mapping.Caller.Credential]). Token is then sent for nobody. Without it a
	// caller's token is used where there is one, and Token where not.
	CallerTokens bool
	// Host is the name or URL of a GitHub Enterprise Server or of a ghe.com tenant;
	// "" is github.com.
	Host string
	// BaseURL is the URL of the REST API where Host does not tell it; "" is what
	// Host says.
	BaseURL string
	// Toolsets choose operations by group: "repos", "issues", "pulls", "actions",
	// "search"; "default" is a choice of the most used, and "all" is all. Empty is
	// default.
	Toolsets []string
	// Tools are single operations, by name, on top of Toolsets.
	Tools []string
	// Transport carries the requests; nil is one that connects to Host wherever it
	// is, and to nothing private besides. It must not follow redirects.
	Transport http.RoundTripper
	// Proxy says which proxy carries a request where Transport is nil, as
	// [http.Transport] has it; nil is none.
	Proxy func(*http.Request) (*url.URL, error)
}

// An Adapter serves one GitHub. It is made by [New] and safe for concurrent use.
// It is a core.Watcher of its resources, a core.Completer and a core.Checker.
type Adapter struct {
	options Options
	invalid error // of the options; returned by the first Catalog
	host    host
	allow   *allowList
	catalog *mapping.Catalog
	all     []row          // the table
	rows    map[string]row // of the catalog, by Operation.Key
	wire    http.RoundTripper
	closed  atomic.Bool
	watches watches

	mu      sync.Mutex
	clients map[string]*client // by a hash of the token
}

// New returns an adapter. It reaches nothing, and wrong options are the error of
// the first Catalog.
func New(o Options) *Adapter {
	a := &Adapter{options: o, clients: map[string]*client{}}
	a.invalid = a.prepare()
	return a
}

func (a *Adapter) prepare() (err error) {
	if a.host, err = hostOf(a.options); err != nil {
		return err
	}
	if a.allow, err = newAllowList(a.options); err != nil {
		return err
	}
	a.wire = a.options.Transport
	if a.wire == nil {
		a.wire = a.host.transport(a.options.Proxy)
	}
	a.all = table()
	rows, err := chosen(a.options, a.all)
	if err != nil {
		return err
	}
	a.rows = make(map[string]row, len(rows))
	for _, r := range rows {
		a.rows[r.name] = r
	}
	a.catalog = a.newCatalog(rows)
	return nil
}

// Valid returns what is wrong with options, each problem with the option's name.
func Valid(o Options) error { return New(o).invalid }

// Catalog returns what the options offer. It needs no request.
func (a *Adapter) Catalog(context.Context) (*mapping.Catalog, error) {
	if a.invalid != nil {
		return nil, a.invalid
	}
	if a.closed.Load() {
		return nil, errClosed()
	}
	return a.catalog, nil
}

// Call runs one operation.
func (a *Adapter) Call(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
	if err := a.usable(); err != nil {
		return nil, err
	}
	row, found := a.rows[c.Key]
	if !found {
		return nil, &mapping.Error{Code: mapping.NotFound, Problem: "there is no such operation here any more", Next: "list the tools again"}
	}
	r, err := a.newRequest(row, c)
	if err != nil {
		return nil, err
	}
	result, err := row.shape.run(withLog(ctx, c.Log), r)
	if err != nil {
		return nil, a.worded(ctx, err)
	}
	return within(result, c.MaxBytes)
}

// within refuses an answer of one piece that is larger than is allowed.
func within(r *mapping.Result, most int64) (*mapping.Result, error) {
	size := int64(len(r.JSON))
	for _, b := range r.Blocks {
		size += int64(len(b.Text) + len(b.Data))
	}
	if size > most {
		return nil, errTooLarge(most)
	}
	return r, nil
}

func (a *Adapter) usable() error {
	if a.invalid != nil {
		return a.invalid
	}
	if a.closed.Load() {
		return errClosed()
	}
	return nil
}

func errClosed() error {
	return &mapping.Error{Code: mapping.Unavailable, Problem: "GitHub has been shut off from here", Next: "list the tools again"}
}

// Close drops idle connections. Nothing works afterwards.
func (a *Adapter) Close() error {
	if a.closed.Swap(true) || a.options.Transport != nil {
		return nil
	}
	if t, ok := a.wire.(*http.Transport); ok {
		t.CloseIdleConnections()
	}
	return nil
}
