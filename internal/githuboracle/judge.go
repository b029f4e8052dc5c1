package githuboracle

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"net/url"
	"slices"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
)

// An Exchange is a request and its answer.
type Exchange struct {
	Method string
	URL    *url.URL
	Sent   http.Header
	Asked  []byte // the body of the request

	Status   int
	Header   http.Header
	Answered []byte
	// Cut says that the connection broke before the answer was whole.
	Cut bool
}

// record lets a handler answer and keeps both sides.
func record(w http.ResponseWriter, r *http.Request, h http.Handler) (Exchange, error) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return Exchange{}, err
	}
	again := r.Clone(r.Context())
	again.Body = io.NopCloser(bytes.NewReader(body))
	kept := httptest.NewRecorder()
	h.ServeHTTP(kept, again)
	for k, v := range kept.Header() {
		w.Header()[k] = v
	}
	e := Exchange{
		Method: r.Method, URL: r.URL, Sent: r.Header, Asked: body,
		Status: kept.Code, Header: kept.Header(), Answered: kept.Body.Bytes(),
	}
	if n := kept.Header().Get("Content-Length"); n != "" && n != fmt.Sprint(kept.Body.Len()) {
		e.Cut = true
	}
	if r.Context().Err() != nil { // nobody is there to be answered
		e.Cut = true
		return e, nil
	}
	w.WriteHeader(kept.Code)
	_, _ = w.Write(kept.Body.Bytes())
	return e, nil
}

// Judge says what GitHub's description does not allow in an exchange.
func (o *Oracle) Judge(ctx context.Context, e Exchange) []error {
	path := strings.TrimPrefix(e.URL.EscapedPath(), "/api/v3")
	if id, isNumber := strings.CutPrefix(path, "/repositories/"); isNumber {
		// The address that GitHub itself redirects and links to, which its
		// description does not mention.
		_, rest, _ := strings.Cut(id, "/")
		path = strings.TrimSuffix("/repos/owner/repo/"+rest, "/")
	}
	if root := strings.TrimSuffix(path, "/"); strings.HasSuffix(root, "/contents") {
		path = root + "/." // the root of a repository: the description knows only what is below it
	}
	r, args, found := o.find(e.Method, path)
	if !found {
		return []error{errUnknown{e.Method, path}}
	}
	o.mu.Lock()
	o.seen[r.method+" "+r.path]++
	o.mu.Unlock()
	in, err := o.input(ctx, e, r, args)
	if err != nil {
		return []error{err}
	}
	all := unknownQuery(r, e.URL.Query())
	// A request that was refused may have been wrong on purpose.
	if e.Status != http.StatusUnprocessableEntity && e.Status != http.StatusBadRequest {
		all = append(all, flat("request", openapi3filter.ValidateRequest(ctx, in))...)
	}
	if e.Cut {
		return all
	}
	return append(all, o.answer(ctx, e, in)...)
}

func (o *Oracle) input(ctx context.Context, e Exchange, r route, args map[string]string) (*openapi3filter.RequestValidationInput, error) {
	req, err := http.NewRequestWithContext(ctx, e.Method, e.URL.String(), bytes.NewReader(e.Asked))
	if err != nil {
		return nil, err
	}
	req.Header = e.Sent.Clone()
	for name, value := range args {
		if args[name], err = url.PathUnescape(value); err != nil {
			return nil, err
		}
	}
	return &openapi3filter.RequestValidationInput{
		Request: req, PathParams: args,
		Route:   &routers.Route{Spec: o.doc, Path: r.path, PathItem: r.item, Method: r.method, Operation: r.operation},
		Options: &openapi3filter.Options{MultiError: true, SkipSettingDefaults: true, AuthenticationFunc: openapi3filter.NoopAuthenticationFunc},
	}, nil
}

// unknownQuery finds parameters that the operation does not have, which GitHub
// ignores without a word.
func unknownQuery(r route, sent url.Values) []error {
	var all []error
	for name := range sent {
		known := slices.ContainsFunc(slices.Concat(r.item.Parameters, r.operation.Parameters), func(p *openapi3.ParameterRef) bool {
			return p.Value.In == openapi3.ParameterInQuery && p.Value.Name == name
		})
		if !known {
			all = append(all, fmt.Errorf("request: %s %s has no parameter %q", r.method, r.path, name))
		}
	}
	return all
}

// answer holds an answer against the description.
func (o *Oracle) answer(ctx context.Context, e Exchange, in *openapi3filter.RequestValidationInput) []error {
	mime := e.Header.Get("Content-Type")
	if special(mime, e.Sent.Get("Accept")) {
		return nil
	}
	described := in.Route.Operation.Responses.Status(e.Status)
	if described == nil {
		return o.undescribed(e)
	}
	if len(described.Value.Content) == 0 {
		if len(e.Answered) > 0 && e.Status/100 == 2 {
			return []error{fmt.Errorf("answer %d has a body, where none is described", e.Status)}
		}
		return nil
	}
	return flat("answer", openapi3filter.ValidateResponse(ctx, &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in, Status: e.Status, Header: e.Header, Body: io.NopCloser(bytes.NewReader(e.Answered)),
		Options: &openapi3filter.Options{MultiError: true, IncludeResponseStatus: true},
	}))
}

// special is an answer in a media type that the request asked for in place of
// JSON. The description has no schema for what it then is.
func special(mime, accept string) bool {
	mime, _, _ = strings.Cut(mime, ";")
	for _, kind := range []string{"raw", "diff", "patch", "sha", "html"} {
		if strings.HasPrefix(mime, "application/vnd.github.") && strings.Contains(mime, kind) && strings.Contains(accept, kind) {
			return true
		}
	}
	return false
}

// undescribed allows what any operation may answer: redirects, "not modified"
// and errors in GitHub's form.
func (o *Oracle) undescribed(e Exchange) []error {
	switch e.Status {
	case http.StatusMovedPermanently, http.StatusFound, http.StatusNotModified, http.StatusTemporaryRedirect, http.StatusPermanentRedirect:
		return nil
	}
	if e.Status < 400 {
		return []error{fmt.Errorf("answer %d is not described", e.Status)}
	}
	if !strings.Contains(e.Header.Get("Content-Type"), "json") {
		return nil
	}
	var body any
	if err := json.Unmarshal(e.Answered, &body); err != nil {
		return []error{fmt.Errorf("answer %d: %w", e.Status, err)}
	}
	return flat("answer", o.doc.Components.Schemas["basic-error"].Value.VisitJSON(body))
}

// flat makes one short error of each that kin-openapi joins.
func flat(side string, err error) []error {
	if err == nil {
		return nil
	}
	var all []error
	if many := (openapi3.MultiError)(nil); errors.As(err, &many) {
		for _, one := range many {
			all = append(all, flat(side, one)...)
		}
		return all
	}
	if one := (*openapi3.SchemaError)(nil); errors.As(err, &one) {
		// Where GitHub writes oneOf, it often lists forms that include each other.
		if one.SchemaField == "oneOf" && strings.Contains(one.Reason, "more than one") {
			return nil
		}
		if known(one) {
			return nil
		}
		return []error{fmt.Errorf("%s: /%s: %s (value %.100v)", side, strings.Join(one.JSONPointer(), "/"), one.Reason, one.Value)}
	}
	text, _, _ := strings.Cut(err.Error(), "\nSchema:")
	return []error{fmt.Errorf("%s: %s", side, text)}
}

// known tells the places where the description differs from itself, so that one
// side must be wrong.
func known(e *openapi3.SchemaError) bool {
	at := e.JSONPointer()
	// An issue may have no text, everywhere but in a search.
	return len(at) == 3 && at[0] == "items" && at[2] == "body" && e.Value == nil
}
