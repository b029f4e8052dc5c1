package openapi

import (
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// TestCheck finds what is wrong with what an operator set, and only tells of
// credentials that may not be needed.
func TestCheck(t *testing.T) {
	const spec = `
openapi: 3.0.3
info: {title: t, version: '1'}
security: [{key: []}]
paths:
  /a: {get: {responses: {'200': {description: ok}}}, post: {security: [{key: [], other: []}], parameters: [{name: tenant, in: query, schema: {type: string}}], responses: {'200': {description: ok}}}}
  /b: {get: {security: [{}, {other: []}], responses: {'200': {description: ok}}}, put: {security: [], responses: {'200': {description: ok}}}}
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-Key}, other: {type: http, scheme: bearer}}}
`
	api := httptest.NewServer(http.NotFoundHandler())
	down := httptest.NewServer(http.NotFoundHandler())
	down.Close()
	defer api.Close()
	for _, c := range []struct {
		name string
		o    Options
		want []mapping.Finding
	}{
		{"all is well", Options{BaseURL: api.URL, Credentials: map[string]string{"key": "secret22", "other": "secret33"}}, []mapping.Finding{
			{OK: true, Text: "BASE answers"},
		}},
		{"no credentials", Options{Handler: http.NotFoundHandler()}, []mapping.Finding{
			{OK: true, Text: "the API answers in this process"},
			{OK: true, Text: `the credential "key" is not set; operations that ask for it, and are called without it: 2`, Mend: "set it if the API refuses them"},
			{OK: true, Text: `the credential "other" is not set; operations that ask for it, and are called without it: 1`, Mend: "set it if the API refuses them"},
		}},
		{"a name that is not there", Options{Handler: http.NotFoundHandler(), Credentials: map[string]string{"key": "secret22", "othr": "secret33"}, Media: map[string]string{"POST /z": "text/plain"}}, []mapping.Finding{
			{OK: true, Text: "the API answers in this process"},
			{Text: `there is a credential "othr", and the document has no security scheme of that name`, Mend: "name it after one of the document's schemes: key, other"},
			{Text: `there is a media type for "POST /z", and the document has no such operation`, Mend: "did you mean POST /a?"},
			{OK: true, Text: `the credential "other" is not set; operations that ask for it, and are called without it: 1`, Mend: "set it if the API refuses them"},
		}},
		{"names of what is set for all calls", Options{
			Handler: http.NotFoundHandler(), Credentials: map[string]string{"key": "secret22", "other": "secret33"},
			Variables: map[string]string{"zone": "eu"}, Media: map[string]string{"POST /a": "text/csv"},
			Fixed: map[string]map[string]json.RawMessage{
				"POST /a": {"tenant": []byte(`"secret44"`), "tenent": []byte(`"secret44"`)}, "*": {"tenant": []byte(`1`), "page": []byte(`1`)}, "POST /aa": {"x": []byte(`1`)},
			},
		}, []mapping.Finding{
			{OK: true, Text: "the API answers in this process"},
			{Text: "POST /a is to be sent as text/csv, and the document offers no such body", Mend: "name a media type that the document has there"},
			{Text: `"page" is fixed for *, and is the name of no parameter there`, Mend: "write the name as the document does"},
			{Text: `"tenent" is fixed for POST /a, and is the name of no parameter there`, Mend: "did you mean tenant?"},
			{Text: `there are fixed arguments for "POST /aa", and the document has no such operation`, Mend: "did you mean POST /a?"},
			{Text: `the variable "zone" is set, and no server of the document has it`, Mend: "name one of the document's variables: it has none"},
		}},
		{"a caller's scheme that is not there", Options{Handler: http.NotFoundHandler(), CallerScheme: "own", Credentials: map[string]string{"key": "secret22", "other": "secret33"}}, []mapping.Finding{
			{OK: true, Text: "the API answers in this process"},
			{Text: `callers bring credentials for "own", and the document has no security scheme of that name`, Mend: "name one of the document's schemes: key, other"},
		}},
		{"no server", Options{Credentials: map[string]string{"key": "secret22", "other": "secret33"}}, []mapping.Finding{
			{Text: "the API cannot be called: the API's document does not say where its server is (no absolute server and no base URL)", Mend: "set the base URL of the API"},
		}},
		{"a server that is down", Options{BaseURL: down.URL + "?key=secret22", Credentials: map[string]string{"key": "secret22", "other": "secret33"}}, []mapping.Finding{
			{Text: "DOWN does not answer: the API cannot be reached: it refuses connections (dial tcp DOWN: connect: connection refused)", Mend: "start the API, or set its base URL"},
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			a := New(Bytes([]byte(spec)), c.o)
			defer a.Close()
			got, err := a.Check(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			replace := strings.NewReplacer(api.URL, "BASE", down.URL, "DOWN", strings.TrimPrefix(down.URL, "http://"), "DOWN")
			for i := range got {
				got[i].Text = replace.Replace(got[i].Text)
				if strings.Contains(got[i].Text, "secret") {
					t.Errorf("a secret in %q", got[i].Text)
				}
			}
			if diff := cmp.Diff(c.want, got); diff != "" {
				t.Errorf("findings (-want +got):\n%s", diff)
			}
		})
	}
}
