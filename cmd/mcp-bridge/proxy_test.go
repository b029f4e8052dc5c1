package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"
)

// A relay is a proxy that answers every host itself, and refuses to connect.
type relay struct {
	*httptest.Server
	mu   sync.Mutex
	seen []string
}

func newRelay(t *testing.T) *relay {
	r := &relay{}
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.mu.Lock()
		r.seen = append(r.seen, req.Method+" "+req.URL.Host+req.URL.Path)
		r.mu.Unlock()
		switch {
		case req.Method == http.MethodConnect:
			w.WriteHeader(http.StatusForbidden)
		case strings.HasSuffix(req.URL.Path, ".yaml"):
			_, _ = io.WriteString(w, "{openapi: 3.1.0, info: {title: Pets, version: '1'}, servers: [{url: 'http://api.example.com'}], paths: {/pets: {get: {operationId: pets, responses: {}}}}}")
		default:
			w.Header().Set("Content-Type", "application/json")
			_, _ = io.WriteString(w, `["rex"]`)
		}
	}))
	t.Cleanup(r.Close)
	return r
}

func (r *relay) took() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.seen = nil }()
	return r.seen
}

// Every request of the bridge's own goes through the proxy that the environment
// or the config file names, but for those that NO_PROXY takes out.
func TestRequestsGoThroughTheProxy(t *testing.T) {
	r := newRelay(t)
	pets := func(more string) string {
		return `{"sources": {"pets": {"kind": "openapi", "location": "http://docs.example.com/pets.yaml", "prefix": ""}}` + more + `}`
	}
	const github = `{"sources": {"gh": {"kind": "github", "repositories": ["octo/hello"], "token": "t", "prefix": ""}}}`
	both := []string{"GET docs.example.com/pets.yaml", "GET api.example.com/pets"}
	for _, c := range []struct {
		name, config, tool string
		env                []string
		want               []string
		out                string
	}{
		{"from the environment", pets(""), "pets", []string{"HTTP_PROXY", r.URL}, both, "rex"},
		{"in lower case, without a scheme", pets(""), "pets", []string{"http_proxy", r.Listener.Addr().String(), "HTTP_PROXY", "http://127.0.0.1:1"}, both, "rex"},
		{"from the config file", pets(`, "proxy": "${env:CORPORATE}"`), "pets", []string{"CORPORATE", r.URL, "HTTP_PROXY", "http://127.0.0.1:1"}, both, "rex"},
		{"to GitHub", github, "get_repository", []string{"HTTPS_PROXY", r.URL}, []string{"CONNECT api.github.com:443", "CONNECT api.github.com:443"}, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			config := write(t, t.TempDir(), "bridge.json", c.config)
			var out, errs bytes.Buffer
			p := &process{in: strings.NewReader(""), out: &out, err: &errs, lookup: environ(c.env...)}
			code := p.run([]string{"call", c.tool, "--config", config})
			if got := r.took(); !slices.Equal(got, c.want) {
				t.Errorf("the proxy was asked for %q, want %q: %s", got, c.want, &errs)
			}
			if !strings.Contains(out.String(), c.out) || (code == exitOK) != (c.out != "") {
				t.Errorf("it ends with %d: %s%s", code, &out, &errs)
			}
		})
	}

	c := &config{}
	if err := c.readProxy(environ("HTTP_PROXY", r.URL)); err != nil {
		t.Fatal(err)
	}
	_, err := newKeySet("http://issuer.example.com/keys", c.proxy, time.Now).get(t.Context())
	if got := r.took(); !slices.Equal(got, []string{"GET issuer.example.com/keys"}) {
		t.Errorf("for an issuer's keys the proxy was asked for %q: %v", got, err)
	}
}

func TestWhatGoesThroughAProxy(t *testing.T) {
	for _, c := range []struct {
		proxy proxyAddress
		env   []string
		to    string
		want  string // "" is past every proxy
	}{
		{"", nil, "https://api.example.com", ""},
		{"", []string{"HTTPS_PROXY", "http://p.example:1"}, "https://api.example.com", "http://p.example:1"},
		{"", []string{"HTTPS_PROXY", "http://p.example:1"}, "http://api.example.com", ""},
		{"", []string{"HTTP_PROXY", "http://p.example:1"}, "https://api.example.com", ""},
		{"", []string{"HTTPS_PROXY", "http://p.example:1", "NO_PROXY", "example.com,10.0.0.0/8"}, "https://api.example.com", ""},
		{"", []string{"HTTPS_PROXY", "http://p.example:1", "no_proxy", "example.com,10.0.0.0/8"}, "https://10.1.2.3", ""},
		{"", []string{"HTTPS_PROXY", "http://p.example:1", "NO_PROXY", "*"}, "https://api.example.org", ""},
		{"", []string{"HTTP_PROXY", "http://p.example:1"}, "http://127.0.0.1:8080", ""},
		{"", []string{"HTTP_PROXY", "http://p.example:1"}, "http://localhost:8080", ""},
		{"off", []string{"HTTPS_PROXY", "http://p.example:1"}, "https://api.example.com", ""},
		{"q.example:2", []string{"HTTPS_PROXY", "http://p.example:1"}, "https://api.example.com", "http://q.example:2"},
		{"q.example:2", nil, "http://api.example.com", "http://q.example:2"},
		{"q.example:2", []string{"NO_PROXY", ".example.com"}, "http://api.example.com", ""},
	} {
		conf := &config{Proxy: c.proxy}
		if err := conf.readProxy(environ(c.env...)); err != nil {
			t.Fatal(err)
		}
		got := ""
		if conf.proxy != nil {
			via, err := conf.proxy(httptest.NewRequestWithContext(t.Context(), http.MethodGet, c.to, nil))
			if err != nil {
				t.Fatal(err)
			}
			if via != nil {
				got = via.String()
			}
		}
		if got != c.want {
			t.Errorf("proxy %q with %q: %s goes by %q, want %q", c.proxy, c.env, c.to, got, c.want)
		}
	}
}

// What is no address of a proxy is an error, not a way past it, and a password in
// it is shown nowhere.
func TestAddressesOfProxies(t *testing.T) {
	for _, address := range []string{"ftp://p.example:21", "http://", "http://me:pa55word@p.example:x", "://pa55word@x", "http://%zz"} {
		err := (&config{}).readProxy(environ("HTTPS_PROXY", address))
		if err == nil || !strings.HasPrefix(err.Error(), "HTTPS_PROXY: it is not the address of a proxy") || strings.Contains(err.Error(), "pa55word") {
			t.Errorf("%s: %v", address, err)
		}
		if _, err := load(t, `{"proxy": "`+address+`", "sources": {"shop": {"kind": "demo-api"}}}`); err == nil || strings.Contains(err.Error(), "pa55word") {
			t.Errorf("%s in a config file: %v", address, err)
		}
	}
	for word, ok := range map[string]bool{"off": true, "OFF": false, "none": false, "false": false, "proxy:3128": true, "http://proxy": true} {
		_, err := load(t, `{"proxy": "`+word+`", "sources": {"shop": {"kind": "demo-api"}}}`)
		if (err == nil) != ok || err != nil && !strings.Contains(err.Error(), ", or off") {
			t.Errorf("%s in a config file: %v", word, err)
		}
	}
	c := &config{}
	if err := c.readProxy(environ("https_proxy", "socks5://me:pa55word@p.example")); err != nil || !slices.Contains(c.found.values, "pa55word") {
		t.Errorf("%v; the password is not hidden", err)
	}
}
