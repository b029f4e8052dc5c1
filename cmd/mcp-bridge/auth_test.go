package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// digestOfSecret is what sha256sum says of "secret".
const digestOfSecret = "2bb80d537b1da3e38bd30361aa855686bde0eacd7162fef6a25fe97bf527a25b"

// A token that the program makes is good where its digest stands in the config,
// and nothing but it is.
func TestTokens(t *testing.T) {
	var out bytes.Buffer
	p := &process{out: &out, err: io.Discard}
	if code := p.run([]string{"token"}); code != 0 {
		t.Fatal(code)
	}
	made := regexp.MustCompile(`^token   (mcp_[A-Z2-7]{26})\nsha256  ([0-9a-f]{64})\n$`).FindStringSubmatch(out.String())
	if made == nil {
		t.Fatalf("token prints %q", &out)
	}
	r := start(t, "serve", "--http=0.0.0.0:0", "--config", write(t, t.TempDir(), "bridge.json", fmt.Sprintf(
		`{"sources": {"shop": {"kind": "demo-api"}}, "http": {"auth": {"tokens": {"ci": {"sha256": %q, "scopes": ["mcp"]}, "other": {"sha256": %q}}, "scopes": ["mcp"]}}}`,
		made[2], strings.ToUpper(digestOfSecret))))
	endpoint := strings.Replace(r.endpoint(), "[::]", "127.0.0.1", 1)
	for _, c := range []struct {
		token  string
		status int
	}{
		{made[1], http.StatusOK},
		{"secret", http.StatusForbidden},
		{"", http.StatusUnauthorized},
		{made[2], http.StatusUnauthorized},
		{made[1][:29], http.StatusUnauthorized},
	} {
		if status, _ := send(t, endpoint, c.token); status != c.status {
			t.Errorf("token %q: %d, want %d", c.token, status, c.status)
		}
	}
}

// send asks a server for its tools with a token.
func send(t *testing.T, endpoint, token string) (status int, body string) {
	t.Helper()
	r, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint, strings.NewReader(
		`{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`))
	if err != nil {
		t.Fatal(err)
	}
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/list"},
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	response, err := http.DefaultClient.Do(r)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return response.StatusCode, string(text)
}

// A client that is turned away finds the authorization server (RFC 9728).
func TestServeTellsWhereTokensAre(t *testing.T) {
	r := start(t, "serve", "--http=127.0.0.1:0", "--config", write(t, t.TempDir(), "bridge.json",
		`{"sources": {"shop": {"kind": "demo-api"}}, "http": {"auth": {"resource": "https://mcp.example.com/mcp", "jwt": {"issuer": "https://issuer.example.com", "jwks": "https://issuer.example.com/keys"}}}}`))
	endpoint := r.endpoint()
	if status, _ := send(t, endpoint, ""); status != http.StatusUnauthorized {
		t.Errorf("without a token: %d", status)
	}
	for _, path := range []string{"/.well-known/oauth-protected-resource/mcp", "/.well-known/oauth-protected-resource"} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, strings.TrimSuffix(endpoint, "/mcp")+path, nil)
		if err != nil {
			t.Fatal(err)
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		var got struct {
			Resource string   `json:"resource"`
			Servers  []string `json:"authorization_servers"`
		}
		err = json.NewDecoder(response.Body).Decode(&got)
		response.Body.Close()
		if err != nil || got.Resource != "https://mcp.example.com/mcp" || len(got.Servers) != 1 || got.Servers[0] != "https://issuer.example.com" {
			t.Errorf("%s: %d %+v %v", path, response.StatusCode, got, err)
		}
	}
}

func TestAuthMistakes(t *testing.T) {
	jwt := func(more string) string {
		return `{"resource": "https://mcp.example.com/mcp", "jwt": {"issuer": "https://i.example.com"` + more + `}}`
	}
	for _, c := range []struct{ auth, want string }{
		{`{}`, `http.auth: has neither tokens nor jwt, so nobody could get in; leave auth out to ask nobody`},
		{`{"tokens": {"ci": {}}}`, `http.auth: tokens.ci: sha256 is missing; mcp-bridge token makes one`},
		{`{"tokens": {"ci": {"sha256": "hidden"}}}`, `http.auth.tokens.ci.sha256: must be the SHA-256 of a token, 64 hexadecimal digits; mcp-bridge token makes one`},
		{`{"tokens": {"ci": {"token": "hidden"}}}`, `http.auth.tokens.ci: unknown key "token"; the keys here are sha256, scopes, claims`},
		{`{"tokens": {"": {"sha256": "` + digestOfSecret + `"}}}`, `http.auth: tokens has one without a name; name whoever holds it, which the log and the audit show`},
		{`{"tokens": {"ci": {"sha256": "` + digestOfSecret + `"}, "me": {"sha256": "` + strings.ToUpper(digestOfSecret) + `"}}}`, `http.auth: tokens.ci and tokens.me have the same sha256, so nobody could tell whose it is; make another with mcp-bridge token`},
		{`{"tokens": {"ci": {"sha256": "` + digestOfSecret + `", "claims": {"groups": [1]}}}}`, `http.auth.tokens.ci.claims.groups[0]: must be a string, not 1`},
		{`{"tokens": {"ci": {"sha256": "` + digestOfSecret + `", "claims": {"groups": {}}}}}`, `http.auth.tokens.ci.claims.groups: must be a string, not an object`},
		{`{"jwt": {"issuer": "https://i.example.com", "jwks": "https://i.example.com/k"}}`, `http.auth: resource is missing; it is the URL at which clients reach the server, and jwt is good for that alone`},
		{`{"resource": "https://mcp.example.com/mcp", "jwt": {"jwks": "https://i.example.com/k"}}`, `http.auth.jwt: issuer is missing; it is what iss of a token must say`},
		{jwt(``), `http.auth.jwt: jwks must be the URL of the issuer's keys, with https unless they are on this machine`},
		{jwt(`, "jwks": "http://i.example.com/k"`), `http.auth.jwt: jwks must be the URL of the issuer's keys, with https unless they are on this machine`},
		{jwt(`, "jwks": "https://i.example.com/k", "algorithms": ["HS256"]`), `"HS256" is not one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA`},
		{jwt(`, "jwks": "https://i.example.com/k", "algorithms": ["none"]`), `"none" is not one of RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA`},
	} {
		_, err := load(t, `{"sources": {"d": {"kind": "demo-api"}}, "http": {"auth": `+c.auth+`}}`)
		if err == nil || !strings.HasSuffix(err.Error(), c.want) || strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s\n got %v\nwant …%s", c.auth, err, c.want)
		}
	}
	for _, jwks := range []string{"http://127.0.0.1:9/k", "http://localhost/k", "http://[::1]:9/k", "https://i.example.com/k"} {
		if _, err := load(t, `{"sources": {"d": {"kind": "demo-api"}}, "http": {"auth": `+jwt(`, "jwks": "`+jwks+`"`)+`}}`); err != nil {
			t.Errorf("%s: %v", jwks, err)
		}
	}
}

// allowRemote says in the file what --allow-remote says on the command line.
func TestAllowRemoteInTheConfig(t *testing.T) {
	r := start(t, "serve", "--http", "--config", write(t, t.TempDir(), "bridge.json",
		`{"sources": {"shop": {"kind": "demo-api"}}, "http": {"listen": "0.0.0.0:0", "allowRemote": true}}`))
	r.endpoint()
}

// What a token of the config file claims has the forms that rules.access matches.
func TestClaimsOfTokens(t *testing.T) {
	c, err := load(t, `{"sources": {"d": {"kind": "demo-api"}}, "http": {"auth": {"tokens": {
		"ci": {"sha256": "`+digestOfSecret+`", "claims": {"team": "shop", "groups": ["a", "b"], "realm_access.roles": ["c"]}}}}}}`)
	if err != nil {
		t.Fatal(err)
	}
	who, err := c.HTTP.Auth.known().verify(t.Context(), "secret")
	if err != nil {
		t.Fatal(err)
	}
	want := map[string]json.RawMessage{"team": json.RawMessage(`"shop"`), "groups": json.RawMessage(`["a","b"]`), "realm_access.roles": json.RawMessage(`"c"`)}
	if diff := cmp.Diff(want, who.Caller.Claims); diff != "" {
		t.Error(diff)
	}
}

func TestAccessInTheConfig(t *testing.T) {
	c, err := load(t, `{"sources": {"d": {"kind": "demo-api"}}, "rules": {
		"access": [{"scopes": ["a"], "claims": {"groups": ["x", "y"]}, "sources": ["d"], "allow": ["effect:reads"]}, {}],
		"scopes": {"effect:destroys": ["b"]}}}`)
	if err != nil {
		t.Fatal(err)
	}
	want := []mapping.Access{
		{Scopes: []string{"a"}, Claims: map[string][]string{"groups": {"x", "y"}}, Sources: []string{"d"}, Allow: []string{"effect:reads"}},
		{},
	}
	if diff := cmp.Diff(want, c.rules().Access); diff != "" {
		t.Error(diff)
	}
	if diff := cmp.Diff(map[string][]string{"effect:destroys": {"b"}}, c.rules().Scopes); diff != "" {
		t.Error(diff)
	}
}
