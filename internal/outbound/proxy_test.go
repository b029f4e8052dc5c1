package outbound

import (
	"crypto/tls"
	"crypto/x509"
	"errors"
	"io"
	"net"
	"net/http"
	"net/http/httptest"
	"net/url"
	"strings"
	"sync"
	"testing"
)

// A relay is a proxy that leads every host to one server, and notes what it was
// asked for.
type relay struct {
	*httptest.Server
	to     string // host:port
	refuse int    // a status, 0 for none

	mu   sync.Mutex
	seen []string
}

func newRelay(t *testing.T, to string) *relay {
	r := &relay{to: to}
	r.Server = httptest.NewServer(r)
	t.Cleanup(r.Close)
	return r
}

func (r *relay) ServeHTTP(w http.ResponseWriter, req *http.Request) {
	r.mu.Lock()
	r.seen = append(r.seen, req.Method+" "+req.Host+" "+req.Header.Get("Proxy-Authorization"))
	r.mu.Unlock()
	if r.refuse != 0 {
		w.WriteHeader(r.refuse)
		return
	}
	if req.Method != http.MethodConnect {
		_, _ = io.WriteString(w, "through "+req.URL.String())
		return
	}
	there, err := (&net.Dialer{}).DialContext(req.Context(), "tcp", r.to)
	if err != nil {
		w.WriteHeader(http.StatusBadGateway)
		return
	}
	defer there.Close()
	w.WriteHeader(http.StatusOK)
	here, buffered, err := http.NewResponseController(w).Hijack()
	if err != nil {
		return
	}
	defer here.Close()
	go func() { _, _ = io.Copy(there, buffered) }()
	_, _ = io.Copy(here, there)
}

func (r *relay) took() []string {
	r.mu.Lock()
	defer r.mu.Unlock()
	defer func() { r.seen = nil }()
	return r.seen
}

func TestProxy(t *testing.T) {
	server := httptest.NewTLSServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/away" {
			http.Redirect(w, r, r.URL.Query().Get("to"), http.StatusFound)
			return
		}
		_, _ = io.WriteString(w, "served "+r.Host)
	}))
	defer server.Close()
	proxy := newRelay(t, server.Listener.Addr().String())
	via, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	via.User = url.UserPassword("me", "secret")
	direct := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer direct.Close()
	past := strings.TrimPrefix(direct.URL, "http://")

	const basic = "Basic bWU6c2VjcmV0"
	for _, c := range []struct {
		name, url, trusted string
		want, asked        string // "" is refused, and nobody is asked
	}{
		{"over TLS", "https://example.com/", "", "served example.com", "CONNECT example.com:443 " + basic},
		{"in the clear", "http://example.com/x", "", "through http://example.com/x", "GET example.com " + basic},
		{"a redirect to a public name", "https://example.com/away?to=http://example.com/y", "", "through http://example.com/y", "CONNECT example.com:443 " + basic + ",GET example.com " + basic},
		{"a trusted name that is private", "http://api.corp/", "api.corp:80", "through http://api.corp/", "GET api.corp " + basic},
		{"a trusted address", "http://10.1.2.3/", "10.1.2.3:80", "through http://10.1.2.3/", "GET 10.1.2.3 " + basic},
		{"a private address", "http://10.1.2.3/", "10.1.2.3:81", "", ""},
		{"a cloud's metadata", "http://169.254.169.254/", "", "", ""},
		{"the same by name", "http://metadata.google.internal/", "", "", ""},
		{"the same with a dot", "http://metadata.google.internal./", "", "", ""},
		{"the same as one number", "http://2852039166/", "", "", ""},
		{"the same in hex", "http://0xa9fea9fe/", "", "", ""},
		{"loopback in short", "http://127.1/", "", "", ""},
		{"loopback in octal", "http://0177.0.0.1/", "", "", ""},
		{"loopback of IPv6", "http://[::ffff:127.0.0.1]/", "", "", ""},
		{"a machine next door", "http://printer/", "", "", ""},
		{"a name below localhost", "http://api.LOCALHOST/", "", "", ""},
		{"loopback in wide digits", "https://127.0.0.\uff11/", "", "", ""},
		{"the same in the clear", "http://127.0.0.\uff11/", "", "", ""},
		{"loopback with another full stop", "https://127.0.0\u30021/", "", "", ""},
		{"localhost in wide letters", "https://api.\uff4cocalhost/", "", "", ""},
		{"localhost with a letter that vanishes", "https://api.local\u00adhost/", "", "", ""},
		{"a name that is none", "https://api.\u2028example.com/", "", "", ""},
		{"a name in another script", "http://b\u00fccher.example/", "", "through http://xn--bcher-kva.example/", "GET xn--bcher-kva.example " + basic},
		{"a trusted one", "http://b\u00fccher.corp/", "xn--bcher-kva.corp:80", "through http://xn--bcher-kva.corp/", "GET xn--bcher-kva.corp " + basic},
		{"the proxy past itself", "http://" + via.Host + "/past", "", "", ""},
		{"what is past the proxy", "http://" + past + "/past", "", "", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			transport := Transport(func(hostPort string) bool { return hostPort == c.trusted }, func(r *http.Request) (*url.URL, error) {
				if strings.HasSuffix(r.URL.Path, "/past") {
					return nil, nil
				}
				return via, nil
			})
			defer transport.CloseIdleConnections()
			transport.TLSClientConfig = &tls.Config{RootCAs: x509.NewCertPool()}
			transport.TLSClientConfig.RootCAs.AddCert(server.Certificate())
			if c.name == "the proxy past itself" { // after it has been used
				if _, err := get(t, transport, "http://example.com/"); err != nil {
					t.Fatal(err)
				}
				proxy.took()
			}
			got, err := get(t, transport, c.url)
			var refused *Refused
			if got != c.want || (c.want == "") != errors.As(err, &refused) {
				t.Errorf("%q, %v; want %q", got, err, c.want)
			}
			if asked := strings.Join(proxy.took(), ","); asked != c.asked {
				t.Errorf("the proxy was asked for %q, want %q", asked, c.asked)
			}
		})
	}
}

func get(t *testing.T, transport *http.Transport, from string) (string, error) {
	t.Helper()
	req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, from, nil)
	if err != nil {
		t.Fatal(err)
	}
	resp, err := (&http.Client{Transport: transport}).Do(req)
	if err != nil {
		return "", err
	}
	defer resp.Body.Close()
	body, err := io.ReadAll(resp.Body)
	return string(body), err
}

// A failure of the proxy is told from one of the host.
func TestAProxyThatFails(t *testing.T) {
	proxy := newRelay(t, "")
	via, err := url.Parse(proxy.URL)
	if err != nil {
		t.Fatal(err)
	}
	through := func(*http.Request) (*url.URL, error) { return via, nil }
	transport := Transport(nil, through)
	defer transport.CloseIdleConnections()
	proxy.refuse = http.StatusProxyAuthRequired
	if _, err := get(t, transport, "https://example.com/"); !AtProxy(err) || !strings.Contains(err.Error(), "407") {
		t.Errorf("a proxy that wants a password: %v", err)
	}
	proxy.Close()
	if _, err := get(t, transport, "https://example.com/"); !AtProxy(err) {
		t.Errorf("a proxy that is down: %v", err)
	}
	if _, err := get(t, transport, "http://example.com/"); !AtProxy(err) {
		t.Errorf("a proxy that is down, in the clear: %v", err)
	}
	server := httptest.NewServer(nil)
	server.Close()
	if _, err := get(t, Transport(func(string) bool { return true }, nil), server.URL); err == nil || AtProxy(err) {
		t.Errorf("a host that is down: %v", err)
	}
}
