package openapi

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// paramQuerystring is the location that OpenAPI 3.2 adds; its arguments are
// called query.
const paramQuerystring = "querystring"

// request builds what a call sends, but for credentials, which each sending adds
// anew. Every problem of the arguments is in the error.
func (a *Adapter) request(ctx context.Context, op *operation, c mapping.Call) (*http.Request, error) {
	server, err := a.server(op)
	if err != nil {
		return nil, err
	}
	a.trust(op.doc, server)
	w := &writer{op: op, call: c, header: http.Header{}}
	path := w.path()
	w.parameters()
	body := w.body()
	if len(w.problems) > 0 {
		return nil, &mapping.Error{Code: mapping.Invalid, Problem: strings.Join(w.problems, "; "), Next: "call again with these mended"}
	}
	u, err := join(server, path, strings.Join(w.query, "&"))
	if err != nil {
		return nil, &mapping.Error{Code: mapping.Internal, Problem: "these arguments make no URL", Err: err}
	}
	req, err := http.NewRequestWithContext(ctx, op.method, u.String(), bytes.NewReader(body))
	if err != nil {
		return nil, &mapping.Error{Code: mapping.Internal, Problem: "this operation cannot be sent as an HTTP request", Err: err}
	}
	if body == nil {
		req.Body, req.GetBody = http.NoBody, nil
	}
	a.dress(req, op, w.header, c.Trace)
	return req, nil
}

// dress sets the headers: what the bridge says of itself, the arguments, then
// what the operator wants, which wins.
func (a *Adapter) dress(req *http.Request, op *operation, arguments http.Header, trace string) {
	req.Header.Set("Accept", accept(op.accepts))
	req.Header.Set("User-Agent", "mcp-bridge")
	if trace != "" {
		req.Header.Set("Traceparent", trace)
	}
	for name, values := range arguments {
		req.Header[name] = values
	}
	for name, values := range a.options.Headers {
		switch name = http.CanonicalHeaderKey(name); {
		case name == "Host" && len(values) > 0:
			req.Host = values[0]
		case name == "Cookie" && arguments.Get(name) != "":
			req.Header.Set(name, strings.Join(append(slices.Clone(values), arguments.Get(name)), "; "))
		default:
			req.Header[name] = values
		}
	}
}

// accept asks for the best of what an operation answers, and takes anything, for
// failures come in other types than answers.
func accept(types []string) string {
	var best string
	for _, t := range types {
		if !strings.Contains(t, "*") && (best == "" || compareMedia(t, best) < 0) {
			best = t
		}
	}
	switch best {
	case "":
		return "application/json, */*;q=0.8"
	case "application/json":
		return "application/json, */*;q=0.1"
	}
	return best + ", application/json;q=0.5, */*;q=0.1"
}

// A writer turns the arguments of one call into the parts of a request, and
// gathers what is wrong with them.
type writer struct {
	op       *operation
	call     mapping.Call
	query    []string // parts to be joined by "&"
	cookies  []pair
	header   http.Header
	problems []string
}

// fail adds a problem; a nil error is none.
func (w *writer) fail(err error) {
	if err != nil {
		w.problems = append(w.problems, err.Error())
	}
}

// argument returns what was sent for a parameter.
func (w *writer) argument(p *openapi3.Parameter) (value, bool) {
	in := p.In
	if in == paramQuerystring {
		in = openapi3.ParameterInQuery
	}
	raw := w.call.Arg(in, p.Name)
	if raw == nil {
		return value{}, false
	}
	v, err := parseValue(raw)
	if err != nil {
		w.fail(fmt.Errorf("%s is not valid JSON", p.Name))
		return value{}, false
	}
	return v, true
}

// path returns the operation's path with its arguments.
func (w *writer) path() string {
	path, query, err := expandPath(w.op.path, w.op.params, w.argument)
	w.fail(err)
	w.addQuery(query)
	return path
}

func (w *writer) addQuery(text string) {
	if text != "" {
		w.query = append(w.query, text)
	}
}

// parameters writes query, header and cookie parameters.
func (w *writer) parameters() {
	for _, p := range w.op.params {
		if p.In == openapi3.ParameterInPath {
			continue
		}
		if v, sent := w.argument(p); sent {
			if err := w.parameter(p, v); err != nil {
				w.fail(fmt.Errorf("%s: %w", p.Name, err))
			}
		}
	}
	if len(w.cookies) > 0 {
		w.header.Set("Cookie", joinPairs(w.cookies, "; "))
	}
}

func (w *writer) parameter(p *openapi3.Parameter, v value) error {
	switch p.In {
	case openapi3.ParameterInHeader:
		return setHeader(w.header, p, v)
	case openapi3.ParameterInCookie:
		pairs, err := writeCookie(p, v)
		w.cookies = append(w.cookies, pairs...)
		return err
	case paramQuerystring:
		text, err := writeQuerystring(p, v)
		w.addQuery(text)
		return err
	}
	pairs, err := writeQuery(p, v)
	w.addQuery(joinPairs(pairs, "&"))
	return err
}

// body writes the call's body and sets its Content-Type; nil is no body.
func (w *writer) body() []byte {
	switch {
	case w.op.body == nil:
		return nil
	case w.call.Body == nil && w.op.body.Required:
		w.fail(errors.New("the body is missing"))
		return nil
	case w.call.Body == nil:
		return nil
	}
	v, err := parseValue(w.call.Body)
	if err != nil {
		w.fail(errors.New("the body is not valid JSON"))
		return nil
	}
	b := body{doc: w.op.doc, name: w.op.mediaType, media: w.op.media}
	text, contentType, err := b.write(w.call.Body, v)
	w.fail(err)
	w.header.Set("Content-Type", contentType)
	return text
}
