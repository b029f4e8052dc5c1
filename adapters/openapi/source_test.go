package openapi

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

const minimal = `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"paths":{"/a":{"get":{"operationId":"a"}}}}`

// TestUnreadableFiles end in one sentence with the file's name, for good.
func TestUnreadableFiles(t *testing.T) {
	folder := t.TempDir()
	for _, c := range []struct {
		name, content string
		code          mapping.Code
		want          string
	}{
		{"missing.yaml", "", mapping.NotFound, "there is no such file"},
		{".", "", mapping.Invalid, "it is a directory; name the document in it"},
		{"empty.yaml", "\n", mapping.Invalid, "it is empty"},
		{"page.html", "<!DOCTYPE html><html>", mapping.Invalid, "it is HTML, not an OpenAPI document; perhaps a page that asks who you are, or one about the document"},
		{"shop.proto", "// The shop.\nsyntax = \"proto3\";\npackage shop;\n", mapping.Invalid, "it is a gRPC service definition (protobuf), not an OpenAPI document"},
		{"notes.md", "# Notes\n\nSome text.\n", mapping.Invalid, "it is not an OpenAPI document: it holds no object with a field openapi or swagger"},
		{"package.json", `{"name": "x"}`, mapping.Invalid, "it is not an OpenAPI document: it has no field openapi or swagger"},
		{"events.yaml", "asyncapi: 2.0.0", mapping.Invalid, "it is an AsyncAPI document, not an OpenAPI document"},
		{"old.json", `{"swaggerVersion": "1.2"}`, mapping.Invalid, "it is a Swagger 1.x document, not an OpenAPI document"},
		{"v4.yaml", "openapi: 4.0.0", mapping.Invalid, "OpenAPI 4.0.0 is not supported: 3.0, 3.1, 3.2 and Swagger 2.0 are"},
		{"broken.yaml", "openapi: 3.0.3\ninfo:\n  title: a: b\n", mapping.Invalid, "line 3, column 11: mapping values are not allowed in this context"},
		{"broken.json", "{\"openapi\": \"3.0.3\",\n \"info\" 1}", mapping.Invalid, "line 2, column 9: there should be a colon after a key instead of '1'"},
	} {
		t.Run(c.name, func(t *testing.T) {
			path := filepath.Join(folder, c.name)
			if c.content != "" {
				if err := os.WriteFile(path, []byte(c.content), 0o600); err != nil {
					t.Fatal(err)
				}
			}
			_, err := New(File(path), Options{}).Catalog(t.Context())
			wantError(t, err, c.code, path+": "+c.want)
		})
	}
}

// TestURL loads documents over the web: what is final, what is worth another try,
// and what may be fetched.
func TestURL(t *testing.T) {
	other := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		fmt.Fprint(w, `{"q": {"name": "q", "in": "query", "schema": {"type": "string"}}}`)
	}))
	defer other.Close()
	mux := http.NewServeMux()
	server := httptest.NewServer(mux)
	defer server.Close()
	page := func(path, text string) {
		mux.HandleFunc(path, func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, text) })
	}
	page("/api/openapi.json", `{"openapi":"3.0.3","info":{"title":"t","version":"1"},"servers":[{"url":"v1"}],"paths":{
		"/a":{"get":{"operationId":"a","parameters":[{"$ref":"../shared/p.json#/p"}]}},
		"/b":{"get":{"operationId":"b","parameters":[{"$ref":"`+other.URL+`/x.json#/q"}]}}}}`)
	page("/shared/p.json", `{"p":{"$ref":"more.json"}}`)
	page("/shared/more.json", `{"name":"p","in":"query","schema":{"$ref":"../api/openapi.json#/info"}}`)
	page("/signin", "<!doctype html><title>Sign in</title>")
	mux.Handle("/busy", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(503) }))
	mux.Handle("/limit", http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(429) }))
	mux.Handle("/moved", http.RedirectHandler("/api/openapi.json", http.StatusFound))
	mux.Handle("/away", http.RedirectHandler(other.URL, http.StatusFound))

	t.Run("a document of several files", func(t *testing.T) {
		for _, path := range []string{"/api/openapi.json", "/moved"} {
			a := New(URL(server.URL+path), Options{})
			c, err := a.Catalog(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if len(c.Operations) != 1 || len(c.Operations[0].Params) != 1 {
				t.Errorf("%s: operations %+v, want one with a parameter; lost %+v", path, c.Operations, c.Lost)
			}
			if base := a.doc.base.String(); base != server.URL+"/api/openapi.json" {
				t.Errorf("%s: base is %s", path, base)
			}
		}
	})
	t.Run("a host that is allowed", func(t *testing.T) {
		o := Options{Fetch: []string{strings.TrimPrefix(other.URL, "http://")}}
		c, err := New(URL(server.URL+"/api/openapi.json"), o).Catalog(t.Context())
		if err != nil || len(c.Operations) != 2 {
			t.Errorf("catalog %+v, error %v, want two operations", c, err)
		}
	})
	gone := httptest.NewServer(nil)
	gone.Close()
	for _, c := range []struct {
		name, url string
		code      mapping.Code
		want      string
	}{
		{"a sign-in page", "/signin", mapping.Invalid, "it is HTML, not an OpenAPI document; perhaps a page that asks who you are, or one about the document"},
		{"nothing there", "/nothing", mapping.NotFound, "its server answered 404 Not Found"},
		{"busy", "/busy", mapping.Unavailable, "its server answered 503 Service Unavailable"},
		{"too often", "/limit", mapping.Unavailable, "its server answered 429 Too Many Requests"},
		{"a redirect into a private network", "/away", mapping.Denied, "it leads to an address that is not public"},
	} {
		t.Run(c.name, func(t *testing.T) {
			_, err := New(URL(server.URL+c.url+"?token=hunter22"), Options{}).Catalog(t.Context())
			wantError(t, err, c.code, server.URL+c.url+": "+c.want)
		})
	}
	t.Run("no server", func(t *testing.T) {
		_, err := New(URL(gone.URL), Options{}).Catalog(t.Context())
		wantError(t, err, mapping.Unavailable, gone.URL+": its server cannot be reached")
	})
	t.Run("no proxy", func(t *testing.T) {
		via, err := url.Parse(gone.URL)
		if err != nil {
			t.Fatal(err)
		}
		proxy := func(*http.Request) (*url.URL, error) { return via, nil }
		_, err = New(URL("http://api.example/x.yaml"), Options{Proxy: proxy}).Catalog(t.Context())
		wantError(t, err, mapping.Unavailable, "http://api.example/x.yaml: its server cannot be reached: the proxy on the way to it is down or refuses")
	})
}

// TestLocalDocumentsStayLocal loads a document that refers to the network with no
// host allowed.
func TestLocalDocumentsStayLocal(t *testing.T) {
	server := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {
		t.Error("a local document fetched something")
	}))
	defer server.Close()
	forbidNetwork(t)
	text := strings.Replace(minimal, `"operationId"`, `"parameters":[{"$ref":"`+server.URL+`/p.json"}],"operationId"`, 1)
	c, err := New(Bytes([]byte(text)), Options{}).Catalog(t.Context())
	if err != nil || len(c.Operations) != 0 || len(c.Lost) != 1 || !strings.Contains(c.Lost[0].Why, "from which nothing may be fetched") {
		t.Errorf("catalog %+v, error %v, want the operation dropped with the reason", c, err)
	}
}

// TestFolder keeps a document below its folder, links included, unless told
// otherwise.
func TestFolder(t *testing.T) {
	top := t.TempDir()
	secret := filepath.Join(top, "secret.json")
	if err := os.WriteFile(secret, []byte(`{"name":"s","in":"query","schema":{}}`), 0o600); err != nil {
		t.Fatal(err)
	}
	folder := filepath.Join(top, "api")
	if err := os.Mkdir(folder, 0o700); err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink(secret, filepath.Join(folder, "link.json")); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skipf("no links here: %v", err)
	}
	for _, ref := range []string{"../secret.json", "link.json", filepath.ToSlash(secret), "x/../../secret.json"} {
		path := filepath.Join(folder, "openapi.json")
		text := strings.Replace(minimal, `"operationId"`, `"parameters":[{"$ref":"`+ref+`"}],"operationId"`, 1)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		for _, outside := range []bool{false, true} {
			c, err := New(File(path), Options{Outside: outside}).Catalog(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			if served := len(c.Operations) == 1; served != outside {
				t.Errorf("%s with Outside %v: served is %v; lost %+v", ref, outside, served, c.Lost)
			}
		}
	}
}

func TestReaderIsReadOnce(t *testing.T) {
	a := New(Reader(strings.NewReader(minimal)), Options{})
	for range 2 {
		c, err := a.Catalog(t.Context())
		if err != nil || len(c.Operations) != 1 {
			t.Fatalf("catalog %+v, error %v", c, err)
		}
	}
}

func TestCatalogEndsWithItsContext(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	_, err := New(Bytes([]byte(minimal)), Options{}).Catalog(ctx)
	wantError(t, err, mapping.Canceled, "the document: it was not read in time")
}

// TestOperationsAtOnce makes operations and schemas while the catalog is read
// again; the race detector looks on.
func TestOperationsAtOnce(t *testing.T) {
	text := strings.Replace(minimal, `"operationId"`, `"parameters":[{"name":"p","in":"query","schema":{"$ref":"#/components/schemas/A"}}],"operationId"`, 1)
	text = strings.Replace(text, `"paths"`, `"components":{"schemas":{"A":{"type":"array","items":{"$ref":"#/components/schemas/A"}}}},"paths"`, 1)
	a := New(Bytes([]byte(text)), Options{})
	var group sync.WaitGroup
	for i := range 50 {
		group.Go(func() {
			if i%10 == 0 {
				if _, err := a.Catalog(t.Context()); err != nil {
					t.Error(err)
				}
				return
			}
			op, err := a.operation(t.Context(), "GET /a")
			if err != nil {
				t.Error(err)
				return
			}
			s := op.doc.schema(op.params[0].Schema)
			if items := op.doc.schema(s.Items); !items.Type.Is("array") {
				t.Errorf("items are %v, want an array", items.Type)
			}
		})
	}
	group.Wait()
}
