package openapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A trip is one parameter whose value kin-openapi's request decoder, which shares
// nothing with this package, has to read back. The decoder splits lists after it
// has decoded them, so a value may not hold what separates in its style.
type trip struct {
	in, style string
	explode   bool
	types     []string // of "string", "integer", "array", "object"
	separator string
}

func trips() []trip {
	all := []string{"string", "integer", "boolean", "array", "object"}
	return []trip{
		{"path", "simple", false, all, ","},
		{"path", "simple", true, all, ",="},
		{"path", "label", false, all, ","},
		{"path", "label", true, []string{"array", "object"}, ".="},
		{"path", "matrix", false, all, ","},
		{"path", "matrix", true, []string{"array", "object"}, ";=p"},
		{"query", "form", true, all, ""},
		{"query", "form", false, all, ","},
		{"query", "spaceDelimited", false, []string{"array", "object"}, " "},
		{"query", "pipeDelimited", false, []string{"array", "object"}, "|"},
		{"query", "deepObject", true, []string{"object"}, ""},
		{"header", "simple", false, all, ", "},
		{"header", "simple", true, []string{"object"}, ",= "},
	}
}

// FuzzDecodedByAnother sends arguments of every style and compares what
// openapi3filter reads from the request with them.
func FuzzDecodedByAnother(f *testing.F) {
	f.Add("blue", "black", int64(7), true)
	f.Add("a b&c=d", "../%2e?x#y", int64(9007199254740993), false)
	f.Add("Zoë 😀", "{}[]|\\^`<>\"", int64(-1), true)
	f.Fuzz(func(t *testing.T, a, b string, n int64, yes bool) {
		for _, trip := range trips() {
			for _, typ := range trip.types {
				trip.check(t, typ, a, b, n, yes)
			}
		}
	})
}

func (trip trip) check(t *testing.T, typ, a, b string, n int64, yes bool) {
	a, b = trip.clean(a), trip.clean(b)
	if a == "" || b == "" || a == "." || a == ".." {
		return // not a value in a path; and the decoder takes an empty text for none
	}
	want, schema := trip.value(typ, a, b, n, yes)
	p := &openapi3.Parameter{In: trip.in, Name: "p", Style: trip.style, Explode: &trip.explode, Required: true, Schema: openapi3.NewSchemaRef("", schema)}
	// The decoded value has to be the only one that the schema allows.
	schema.Enum = []any{want}
	raw, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	op := &operation{key: "GET /p/{p}", method: http.MethodGet, path: "/p/{p}/end", doc: &document{}, params: []*openapi3.Parameter{p}}
	if trip.in != "path" {
		op.path = "/p"
	}
	adapter := New(Bytes(nil), Options{BaseURL: "http://api.test"})
	req, err := adapter.request(t.Context(), op, mapping.Call{Args: []mapping.Arg{{In: trip.in, Name: "p", Value: raw}}})
	if err != nil {
		t.Fatalf("%+v %s %s: %v", trip, typ, raw, err)
	}
	input := &openapi3filter.RequestValidationInput{
		Request: req, QueryParams: req.URL.Query(), PathParams: map[string]string{},
		Route: &routers.Route{Spec: &openapi3.T{}, PathItem: &openapi3.PathItem{}, Operation: &openapi3.Operation{Parameters: openapi3.Parameters{{Value: p}}}},
	}
	if trip.in == "path" {
		input.PathParams["p"] = segment(t, req.URL)
	}
	if err := openapi3filter.ValidateParameter(t.Context(), input, p); err != nil {
		t.Errorf("%s %s explode=%v %s: sent %s, got %s\n%v", trip.in, trip.style, trip.explode, typ, raw, req.URL.RequestURI(), err)
	}
}

// segment is the part of the path between /p/ and /end, decoded once.
func segment(t *testing.T, u *url.URL) string {
	t.Helper()
	parts := strings.Split(u.EscapedPath(), "/")
	if len(parts) != 4 || parts[1] != "p" || parts[3] != "end" {
		t.Fatalf("the value left its segment: %s", u.EscapedPath())
	}
	s, err := url.PathUnescape(parts[2])
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// clean drops what the style or the decoder cannot carry; the decoder uses the
// unit separator for itself.
func (trip trip) clean(s string) string {
	if !utf8.ValidString(s) {
		return ""
	}
	return strings.Map(func(r rune) rune {
		if r == 0x1f || strings.ContainsRune(trip.separator, r) || trip.in == "header" && (r < ' ' || r == 0x7f) || r == utf8.RuneError {
			return -1
		}
		return r
	}, s)
}

// value returns a value of a type and its schema.
func (trip trip) value(typ, a, b string, n int64, yes bool) (any, *openapi3.Schema) {
	text, number := openapi3.NewStringSchema(), openapi3.NewInt64Schema()
	switch typ {
	case "integer":
		return n, number
	case "boolean":
		return yes, openapi3.NewBoolSchema()
	case "array":
		return []any{a, b}, openapi3.NewArraySchema().WithItems(text)
	case "object":
		object := openapi3.NewObjectSchema().WithProperty("text", text).WithProperty("number", number)
		return map[string]any{"text": a, "number": n}, object
	}
	return a, text
}

// FuzzBody sends bodies as JSON and as a form and compares what openapi3filter
// reads with them.
func FuzzBody(f *testing.F) {
	f.Add("blue", "a b&c=d", int64(7))
	f.Add("Zoë 😀", "+%2B\r\n--x", int64(9007199254740993))
	f.Fuzz(func(t *testing.T, a, b string, n int64) {
		if !utf8.ValidString(a) || !utf8.ValidString(b) || a == "" || b == "" || strings.ContainsRune(a+b, utf8.RuneError) {
			return
		}
		for _, media := range []string{"application/json", "application/x-www-form-urlencoded", "multipart/form-data"} {
			checkBody(t, media, map[string]any{"text": a, "number": n, "list": []any{a, b}})
		}
	})
}

func checkBody(t *testing.T, media string, want map[string]any) {
	t.Helper()
	only := func(s *openapi3.Schema, v any) *openapi3.Schema { s.Enum = []any{v}; return s }
	schema := openapi3.NewObjectSchema().
		WithProperty("text", only(openapi3.NewStringSchema(), want["text"])).
		WithProperty("number", only(openapi3.NewInt64Schema(), want["number"])).
		WithProperty("list", only(openapi3.NewArraySchema().WithItems(openapi3.NewStringSchema()), want["list"]))
	schema.Required = []string{"text", "number", "list"}
	body := openapi3.NewRequestBody().WithContent(openapi3.NewContentWithSchema(schema, []string{media}))
	op := &operation{key: "POST /p", method: http.MethodPost, path: "/p", doc: &document{}, body: body, mediaType: media, media: body.Content[media]}
	raw, err := json.Marshal(want)
	if err != nil {
		t.Fatal(err)
	}
	adapter := New(Bytes(nil), Options{BaseURL: "http://api.test"})
	req, err := adapter.request(t.Context(), op, mapping.Call{Body: raw})
	if err != nil {
		t.Fatalf("%s %s: %v", media, raw, err)
	}
	input := &openapi3filter.RequestValidationInput{Request: req, Options: &openapi3filter.Options{}}
	if err := openapi3filter.ValidateRequestBody(t.Context(), input, body); err != nil {
		t.Errorf("%s: sent %s: %v", media, raw, fmt.Sprint(err))
	}
}
