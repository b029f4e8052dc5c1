package openapi

import (
	"errors"
	"fmt"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// localServer is the server of a handler in this process where nothing names one.
const localServer = "http://localhost/"

// server returns the URL that an operation's path is appended to, without a
// fragment. The first of its servers counts. Options.BaseURL stands in place of
// every absolute one; a relative server of an operation or path item is resolved
// against it. Variables come from Options.Variables and the document's defaults,
// never from a call.
func (a *Adapter) server(op *operation) (*url.URL, error) {
	base, err := a.root(op.doc)
	if err != nil {
		return nil, err
	}
	if a.options.BaseURL != "" && !op.ownServers {
		return ready(base)
	}
	first := &openapi3.Server{URL: "/"} // what the specification says of none
	if len(op.servers) > 0 && op.servers[0] != nil && op.servers[0].URL != "" {
		first = op.servers[0]
	}
	u, err := a.parse(first)
	switch {
	case a.options.BaseURL != "" && (err != nil || u.IsAbs() || u.Host != ""):
		return ready(base)
	case err != nil:
		return nil, err
	case base != nil:
		u = base.ResolveReference(u)
	}
	return ready(u)
}

// parse reads a server's URL with its variables filled in.
func (a *Adapter) parse(server *openapi3.Server) (*url.URL, error) {
	text, err := a.fill(server)
	if err != nil {
		return nil, err
	}
	u, err := parseURL(text)
	if err != nil {
		return nil, serverError("the server that the API's document names is not a URL", err)
	}
	return u, nil
}

// root is what relative servers are resolved against: the base URL, else where
// the document came from, else, because a document on disk came from nowhere, its
// own first server; nil if nothing is known.
func (a *Adapter) root(doc *document) (*url.URL, error) {
	switch {
	case a.options.BaseURL != "":
		u, err := parseURL(a.options.BaseURL)
		if err != nil {
			return nil, serverError("the base URL that the operator set is not a URL", err)
		}
		return u, nil
	case doc != nil && doc.base != nil:
		return doc.base, nil
	}
	if doc != nil && len(doc.servers) > 0 {
		if u, err := a.parse(doc.servers[0]); err == nil && u.Host != "" {
			return u, nil
		}
	}
	if a.options.Handler != nil {
		return url.Parse(localServer)
	}
	return nil, nil
}

// ready refuses what a request cannot be sent to.
func ready(u *url.URL) (*url.URL, error) {
	if u == nil || u.Host == "" {
		return nil, serverError("the API's document does not say where its server is", errors.New("no absolute server and no base URL"))
	}
	if u.Scheme != "http" && u.Scheme != "https" {
		return nil, serverError("the API's server is not reached over http or https", fmt.Errorf("scheme %q", u.Scheme))
	}
	plain := *u
	plain.Fragment, plain.RawFragment = "", ""
	return &plain, nil
}

// fill puts the variables into a server's URL.
func (a *Adapter) fill(server *openapi3.Server) (string, error) {
	var b strings.Builder
	rest := server.URL
	for {
		before, after, found := strings.Cut(rest, "{")
		name, tail, closed := strings.Cut(after, "}")
		if !found || !closed {
			return b.String() + rest, nil
		}
		v, err := a.variable(name, server.Variables[name])
		if err != nil {
			return "", err
		}
		b.WriteString(before + v)
		rest = tail
	}
}

func (a *Adapter) variable(name string, v *openapi3.ServerVariable) (string, error) {
	set, ok := a.options.Variables[name]
	switch {
	case !ok && v == nil:
		return "", serverError("the API's server has a part that is not set", fmt.Errorf("server variable %q has no default and is not set", name))
	case !ok:
		return v.Default, nil
	case v != nil && len(v.Enum) > 0 && !slices.Contains(v.Enum, set):
		return "", serverError("the API's server has a part that is set to something it may not be", fmt.Errorf("server variable %q is %q, not one of %q", name, set, v.Enum))
	}
	return set, nil
}

func serverError(problem string, err error) error {
	return &mapping.Error{Code: mapping.Unavailable, Problem: problem, Next: "do not retry; ask the operator to set the base URL of this API", Err: err}
}

// join appends a path that begins with "/" to a server's, with one slash between.
func join(server *url.URL, path, query string) (*url.URL, error) {
	base := *server
	base.RawQuery, base.ForceQuery = "", false
	text := strings.TrimRight(base.String(), "/") + path
	all := slices.DeleteFunc([]string{server.RawQuery, query}, func(s string) bool { return s == "" })
	if len(all) > 0 {
		text += "?" + strings.Join(all, "&")
	}
	return parseURL(text)
}

// parseURL keeps the URL out of the error: it may hold a password.
func parseURL(text string) (*url.URL, error) {
	u, err := url.Parse(text)
	var e *url.Error
	if errors.As(err, &e) {
		return nil, e.Err
	}
	return u, err
}
