package openapi

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

const callerSpec = `
openapi: 3.0.3
info: {title: t, version: '1'}
servers: [{url: 'http://api.test'}]
paths:
  /own: {get: {security: [{own: []}], responses: {'200': {description: ok}}}}
  /shared: {get: {security: [{shared: []}], responses: {'200': {description: ok}}}}
  /both: {get: {security: [{own: [], shared: []}], responses: {'200': {description: ok}}}}
  /oauth: {get: {security: [{machine: []}], responses: {'200': {description: ok}}}}
components:
  securitySchemes:
    own: {type: apiKey, in: header, name: X-Own}
    shared: {type: apiKey, in: header, name: X-Shared}
    machine: {type: oauth2, flows: {clientCredentials: {tokenUrl: /token, scopes: {}}}}
`

// A caller's credential is sent for the scheme that is said, in place of the
// operator's, and for no other.
func TestCallersCredential(t *testing.T) {
	var got http.Header
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		got = r.Header
		if r.Header.Get("X-Own") == "" && r.URL.Path == "/own" {
			w.WriteHeader(http.StatusUnauthorized)
		}
		w.Header().Set("Content-Type", "text/plain")
		fmt.Fprint(w, "you sent ", r.Header.Get("X-Own"), r.Header.Get("Authorization"))
	})
	for _, c := range []struct {
		name, key, scheme, operators, callers string
		header, want                          string
		says                                  string // part of the answer or the error
	}{
		{"the caller's", "GET /own", "own", "", "anns-own-key", "X-Own", "anns-own-key", "you sent [hidden]"},
		{"rather than the operator's", "GET /own", "own", "the-operators", "anns-own-key", "X-Own", "anns-own-key", "[hidden]"},
		{"the operator's where the caller has none", "GET /own", "own", "the-operators", "", "X-Own", "the-operators", "[hidden]"},
		{"nobody's", "GET /own", "own", "", "", "X-Own", "", "ask the user to look at the credential that the client sends"},
		{"not for another scheme", "GET /shared", "own", "", "anns-own-key", "X-Own", "", "you sent "},
		{"not for a scheme that is not said", "GET /own", "", "the-operators", "anns-own-key", "X-Own", "the-operators", "[hidden]"},
		{"beside the operator's", "GET /both", "own", "", "anns-own-key", "X-Shared", "shared-key", "[hidden]"},
		{"a token as it is, not exchanged", "GET /oauth", "machine", "", "id:anns-secret", "Authorization", "Bearer id:anns-secret", "you sent Bearer [hidden]"},
		{"with a line break", "GET /own", "own", "", "a\r\nX-Evil: 1", "", "", "ask the user to mend it"},
	} {
		t.Run(c.name, func(t *testing.T) {
			got = nil
			credentials := map[string]string{"shared": "shared-key"}
			if c.operators != "" {
				credentials[c.scheme] = c.operators
				if c.scheme == "" {
					credentials["own"] = c.operators
				}
			}
			a := New(Bytes([]byte(callerSpec)), Options{Handler: api, CallerScheme: c.scheme, Credentials: credentials})
			defer a.Close()
			if _, err := a.Catalog(t.Context()); err != nil {
				t.Fatal(err)
			}
			r, err := a.Call(t.Context(), mapping.Call{Key: c.key, Caller: mapping.Caller{ID: "ann", Credential: c.callers},
				MaxBytes: 1 << 20, Budget: 60_000, Log: func(string, string) {}, Progress: func(float64, float64, string) {}})
			said := fmt.Sprint(err)
			if err == nil && len(r.Blocks) > 0 {
				said = r.Blocks[0].Text
			}
			if !strings.Contains(said, c.says) {
				t.Errorf("the answer is %q, want …%s…", said, c.says)
			}
			if strings.Contains(said, "anns-") || strings.Contains(said, "the-operators") {
				t.Errorf("the answer shows the credential: %q", said)
			}
			if c.header != "" && got.Get(c.header) != c.want {
				t.Errorf("%s is %q, want %q", c.header, got.Get(c.header), c.want)
			}
		})
	}
}
