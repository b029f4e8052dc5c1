package demo_test

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"
	"github.com/getkin/kin-openapi/routers/legacy"

	"github.com/mcp-bridge/mcp-bridge/internal/demo"
)

// A client sends requests to one shop and holds every request that succeeds and
// every answer against the shop's document, as kin-openapi reads it.
type client struct {
	shop   http.Handler
	router routers.Router
	seen   map[string]bool // "operationId status", what was answered so far
}

func newClient(t *testing.T) *client {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(demo.Document())
	if err != nil {
		t.Fatalf("kin-openapi cannot load the document: %v", err)
	}
	router, err := legacy.NewRouter(doc)
	if err != nil {
		t.Fatalf("kin-openapi cannot route by the document: %v", err)
	}
	return &client{demo.Handler(), router, map[string]bool{}}
}

// do sends one request. The body, if not empty, is JSON.
func (c *client) do(t *testing.T, method, target, body string, header ...string) *httptest.ResponseRecorder {
	t.Helper()
	request := httptest.NewRequestWithContext(t.Context(), method, target, strings.NewReader(body))
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	if method == http.MethodPatch {
		request.Header.Set("Content-Type", "application/merge-patch+json")
	}
	for i := 0; i < len(header); i += 2 {
		request.Header.Set(header[i], header[i+1])
	}
	answer := httptest.NewRecorder()
	c.shop.ServeHTTP(answer, request)
	request.Body = io.NopCloser(strings.NewReader(body))
	c.hold(t, request, answer)
	return answer
}

func (c *client) hold(t *testing.T, request *http.Request, answer *httptest.ResponseRecorder) {
	t.Helper()
	route, vars, err := c.router.FindRoute(request)
	if err != nil {
		t.Fatalf("%s %s is not in the document: %v", request.Method, request.URL, err)
	}
	options := &openapi3filter.Options{
		AuthenticationFunc:    openapi3filter.NoopAuthenticationFunc,
		IncludeResponseStatus: true,
		MultiError:            true,
	}
	in := &openapi3filter.RequestValidationInput{Request: request, PathParams: vars, Route: route, Options: options}
	if answer.Code < 300 {
		if err := openapi3filter.ValidateRequest(t.Context(), in); err != nil {
			t.Errorf("%s %s was accepted, against the document: %v", request.Method, request.URL, err)
		}
	}
	err = openapi3filter.ValidateResponse(t.Context(), &openapi3filter.ResponseValidationInput{
		RequestValidationInput: in,
		Status:                 answer.Code,
		Header:                 answer.Header(),
		Body:                   io.NopCloser(bytes.NewReader(answer.Body.Bytes())),
		Options:                options,
	})
	if err != nil {
		t.Errorf("%s %s answered %d, against the document: %v\n%s", request.Method, request.URL, answer.Code, err, answer.Body)
	}
	c.seen[route.Operation.OperationID+" "+http.StatusText(answer.Code)] = true
}

func TestDocumentIsValid(t *testing.T) {
	doc, err := openapi3.NewLoader().LoadFromData(demo.Document())
	if err != nil {
		t.Fatal(err)
	}
	if err := doc.Validate(t.Context()); err != nil {
		t.Error(err)
	}
}
