package main

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// An eavesdropper is an API that keeps what it is sent.
type eavesdropper struct {
	mu    sync.Mutex
	heard []string
}

func (e *eavesdropper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	e.mu.Lock()
	defer e.mu.Unlock()
	e.heard = append(e.heard, fmt.Sprint(r.Method, r.URL, r.Host, r.Header, string(body), err))
	w.Header().Set("Content-Type", "application/json")
	fmt.Fprint(w, `{"id":3,"name":"Rex"}`)
}

func (e *eavesdropper) all() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return strings.Join(e.heard, "\n")
}

const petSpec = `openapi: 3.0.3
info: {title: pets, version: '1'}
paths:
  /pets/{id}:
    get:
      operationId: getPet
      security: [{key: []}]
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: A pet.}}
components: {securitySchemes: {key: {type: apiKey, in: header, name: X-API-Key}}}
`

// The token of a caller goes to no API, wherever in the request it stands; what
// the caller brings for one API goes to that one alone.
func TestTheTokenGoesNoFurther(t *testing.T) {
	mine, other := &eavesdropper{}, &eavesdropper{}
	mineAPI, otherAPI := httptest.NewServer(mine), httptest.NewServer(other)
	t.Cleanup(mineAPI.Close)
	t.Cleanup(otherAPI.Close)
	dir := t.TempDir()
	write(t, dir, "pets.yaml", petSpec)
	r := start(t, "serve", "--http=127.0.0.1:0", "--config", write(t, dir, "bridge.json", fmt.Sprintf(`{
		"sources": {
			"mine": {"kind": "openapi", "location": "pets.yaml", "baseURL": %q, "callerHeader": "X-Pets-Key", "callerScheme": "key"},
			"other": {"kind": "openapi", "location": "pets.yaml", "baseURL": %q, "credentials": {"key": "operators-key"}}
		},
		"http": {"auth": {"tokens": {"ci": {"sha256": %q}}}}}`, mineAPI.URL, otherAPI.URL, digestOfSecret)))
	endpoint := r.endpoint()
	for _, source := range []string{"mine", "other"} {
		for method, name := range map[string]string{"tools/call": source + "_get_pet", "resources/read": "api://" + source + "/pets/3"} {
			params := fmt.Sprintf(`"name":%q,"arguments":{"id":3}`, name)
			if method == "resources/read" {
				params = fmt.Sprintf(`"uri":%q`, name)
			}
			request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, endpoint+"?access_token=secret", strings.NewReader(fmt.Sprintf(
				`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, method, params)))
			if err != nil {
				t.Fatal(err)
			}
			request.Header = http.Header{
				"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
				"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {method}, "Mcp-Name": {name},
				"Authorization": {"Bearer secret"}, "X-Pets-Key": {"anns-own-key"}, "Cookie": {"session=secret"},
			}
			response, err := http.DefaultClient.Do(request)
			if err != nil {
				t.Fatal(err)
			}
			text, err := io.ReadAll(response.Body)
			response.Body.Close()
			if err != nil || !strings.Contains(string(text), "Rex") {
				t.Fatalf("%s of %s: %d %s %v", method, source, response.StatusCode, text, err)
			}
		}
	}
	for _, c := range []struct {
		api   *eavesdropper
		sent  string
		never string
	}{{mine, "anns-own-key", "operators-key"}, {other, "operators-key", "anns-own-key"}} {
		heard := c.api.all()
		if strings.Contains(heard, "secret") || strings.Contains(heard, c.never) || strings.Count(heard, "X-Api-Key:["+c.sent+"]") != 2 {
			t.Errorf("an API that is to hear %s twice heard:\n%s", c.sent, heard)
		}
	}
}

func TestCallerHeaderMistakes(t *testing.T) {
	for _, c := range []struct{ keys, want string }{
		{`"callerHeader": "X-Key"`, `callerHeader and callerScheme go together: where the credential comes from, and what it is for`},
		{`"callerScheme": "key"`, `callerHeader and callerScheme go together: where the credential comes from, and what it is for`},
		{`"callerScheme": "key", "callerHeader": "Authorization"`, `sources.p.callerHeader: Authorization has another meaning; name a header that is for this alone, such as X-Upstream-Key`},
		{`"callerScheme": "key", "callerHeader": "cookie"`, `sources.p.callerHeader: cookie has another meaning; name a header that is for this alone, such as X-Upstream-Key`},
		{`"callerScheme": "key", "callerHeader": "Mcp-Session-Id"`, `sources.p.callerHeader: Mcp-Session-Id has another meaning; name a header that is for this alone, such as X-Upstream-Key`},
		{`"callerScheme": "key", "callerHeader": "a b"`, `sources.p.callerHeader: "a b" cannot be the name of a header`},
	} {
		_, err := load(t, `{"sources": {"p": {"kind": "openapi", "location": "x", `+c.keys+`}}}`)
		if err == nil || !strings.HasSuffix(err.Error(), c.want) {
			t.Errorf("%s\n got %v\nwant …%s", c.keys, err, c.want)
		}
	}
}

// A token that is taken out of the file is good no longer, and a new one is, once
// the file has been read again.
func TestTokensChangeOnHangup(t *testing.T) {
	config := func(token, digest string) string {
		return fmt.Sprintf(`{"sources": {"shop": {"kind": "demo-api"}}, "http": {"auth": {"tokens": {%q: {"sha256": %q}}}}}`, token, digest)
	}
	dir := t.TempDir()
	file := write(t, dir, "bridge.json", config("old", digestOfSecret))
	r := start(t, "serve", "--http=127.0.0.1:0", "--config", file)
	endpoint := r.endpoint()
	if status, body := send(t, endpoint, "secret"); status != http.StatusOK {
		t.Fatalf("before: %d %s", status, body)
	}
	// What sha256sum says of "other".
	write(t, dir, "bridge.json", config("new", "d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa"))
	r.cmd.Process.Signal(syscall.SIGHUP)
	r.told("reloaded")
	for token, want := range map[string]int{"secret": http.StatusUnauthorized, "other": http.StatusOK} {
		if status, body := send(t, endpoint, token); status != want {
			t.Errorf("%s: %d %s, want %d", token, status, body, want)
		}
	}
}

// A token that is taken out is refused also where a source keeps everything else
// from being read again.
func TestTokensAreWithdrawnWhateverFails(t *testing.T) {
	dir := t.TempDir()
	config := func(tokens, location string) {
		write(t, dir, "bridge.json", fmt.Sprintf(`{"sources": {"shop": {"kind": "demo-api"}%s}, "http": {"auth": {"tokens": {%s}}}}`, location, tokens))
	}
	// What sha256sum says of "other".
	const other = `"new": {"sha256": "d9298a10d1b0735837dc4bd85dac641b0f3cef27a47e5d53a54f2f3f5b2fcffa"}`
	config(other+`, "old": {"sha256": "`+digestOfSecret+`"}`, "")
	r := start(t, "serve", "--http=127.0.0.1:0", "--config", filepath.Join(dir, "bridge.json"))
	endpoint := r.endpoint()
	if status, body := send(t, endpoint, "secret"); status != http.StatusOK {
		t.Fatalf("before: %d %s", status, body)
	}
	config(other, `, "pets": {"kind": "openapi", "location": "missing.yaml"}`)
	r.cmd.Process.Signal(syscall.SIGHUP)
	r.told("not reloaded")
	for token, want := range map[string]int{"secret": http.StatusUnauthorized, "other": http.StatusOK} {
		if status, body := send(t, endpoint, token); status != want {
			t.Errorf("%s: %d %s, want %d", token, status, body, want)
		}
	}
}

// A caller's token for GitHub has a header that nobody needs to name.
func TestWhereCallersBringWhat(t *testing.T) {
	c, err := load(t, `{"sources": {
		"gh": {"kind": "github"}, "own": {"kind": "github", "callerHeader": "X-Own"}, "shop": {"kind": "demo-api"},
		"pets": {"kind": "openapi", "location": "x", "callerHeader": "X-Pets", "callerScheme": "key"}, "open": {"kind": "openapi", "location": "x"}}}`)
	if err != nil {
		t.Fatal(err)
	}
	header := http.Header{"X-Github-Token": {"a"}, "X-Own": {"b"}, "X-Pets": {"c"}, "Authorization": {"d"}}
	for source, want := range map[string]string{"gh": "a", "own": "b", "pets": "c", "shop": "", "open": "", "none": ""} {
		if got, err := newDoor(c).credential(t.Context(), source, mapping.Caller{}, header); got != want || err != nil {
			t.Errorf("%s is brought %q, %v; want %q", source, got, err, want)
		}
	}
}
