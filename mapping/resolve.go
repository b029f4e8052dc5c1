package mapping

import (
	"fmt"
	"strings"
)

// Resolve finds what a URI leads to. Characters beyond ASCII may stand in it as
// they are, and the query's variables in any order; everything else is exact
// (RFC 3986). A variable holds what one segment holds, decoded, except for
// {+x} and {/x*}. The order of the catalog makes no difference.
//
// The error is a *Error: NotFound where nothing in the surface has this URI,
// Invalid where the URI is malformed or a variable does not fit its operation's
// schema. In that last case the Target is not nil and names the Address, so that
// who may not see it can be told that it was not found.
func (s *Surface) Resolve(uri string) (*Target, error) {
	u, err := splitURI(uri)
	if err != nil {
		return nil, err
	}
	src := s.sources[u.authority]
	if src == nil || src.catalog.Scheme != u.scheme {
		return nil, notFound(uri)
	}
	address, held := src.routes.match(strings.Split(u.path, "/"))
	if address == nil {
		return nil, notFound(uri)
	}
	vars, err := address.route.values(uri, held, u.query)
	if err != nil {
		return nil, err
	}
	target := &Target{URI: uri, Address: address}
	if address.Tool == nil {
		target.Read = &Read{Path: address.Path, Vars: vars}
		return target, nil
	}
	args, err := address.Tool.plan.bindVars(vars)
	if err != nil {
		return target, err
	}
	target.Call = &Call{Key: address.Tool.Key, Args: args}
	return target, nil
}

// A splitted URI has its scheme and authority in small letters, the rest as it
// was written.
type splitted struct {
	scheme, authority, path string
	query                   string // with its ?, "" if there is none
}

func splitURI(uri string) (u splitted, err error) {
	var found bool
	u.scheme, u.path, found = strings.Cut(uri, "://")
	if !found {
		return u, malformed(uri, "it does not have the form scheme://source/path")
	}
	if strings.Contains(u.path, "#") {
		return u, malformed(uri, "a resource has no fragment; a # that belongs to a value is written %23")
	}
	if i := strings.IndexByte(u.path, '?'); i >= 0 {
		u.path, u.query = u.path[:i], u.path[i:]
	}
	u.authority, u.path, _ = strings.Cut(u.path, "/")
	u.scheme, u.authority = strings.ToLower(u.scheme), strings.ToLower(u.authority)
	return u, nil
}

// values decodes what the path's variables held, and takes the others from the
// query. What the URI does not give is absent.
func (r *route) values(uri string, held []string, query string) (map[string]string, error) {
	vars := make(map[string]string, len(r.vars))
	for i, text := range held {
		if text == absent {
			continue
		}
		value, ok := unescape(text)
		if !ok {
			return nil, malformed(uri, "a % in it does not begin the code of a byte of UTF-8 text")
		}
		vars[r.vars[i].own] = value
	}
	if query == "" {
		return vars, nil
	}
	if r.query == 0 {
		return nil, notFound(uri)
	}
	for pair := range strings.SplitSeq(query[1:], "&") {
		name, text, _ := strings.Cut(pair, "=")
		name, ok := unescape(name)
		value, fine := unescape(text)
		if !ok || !fine {
			return nil, malformed(uri, "a % in it does not begin the code of a byte of UTF-8 text")
		}
		own := r.queryVar(name)
		if own == "" {
			return nil, notFound(uri)
		}
		if _, twice := vars[own]; twice {
			return nil, malformed(uri, fmt.Sprintf("%s stands in its query twice", name))
		}
		vars[own] = value
	}
	return vars, nil
}

// queryVar returns the backend's name of a query variable, "" if there is none.
func (r *route) queryVar(public string) string {
	for _, v := range r.vars[len(r.vars)-r.query:] {
		if v.public == public {
			return v.own
		}
	}
	return ""
}

// Variable returns the backend's name of a variable of the template, "" if the
// template has no such variable. Completions are asked for by this name.
func (a *Address) Variable(name string) string {
	for _, v := range a.route.vars {
		if v.public == name {
			return v.own
		}
	}
	return ""
}

// Address returns the resource or template with exactly this URI or template,
// nil if there is none.
func (s *Surface) Address(uri string) *Address { return s.byURI[uri] }

// notFound says the same of whatever has no answer, so that nobody learns what
// exists from the words.
func notFound(uri string) *Error {
	return &Error{
		Code:    NotFound,
		Problem: fmt.Sprintf("there is no resource %q", clip(uri)),
		Next:    "take a URI from the list of resources, or fill in one of the resource templates",
	}
}

func malformed(uri, why string) *Error {
	return &Error{Code: Invalid, Problem: fmt.Sprintf("%q is not a URI that can be read: %s", clip(uri), why)}
}

// clip keeps a quoted URI short in a message.
func clip(uri string) string {
	const enough = 200
	if len(uri) <= enough {
		return uri
	}
	return strings.ToValidUTF8(uri[:enough], "") + "…"
}
