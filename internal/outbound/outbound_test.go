package outbound

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/netip"
	"strings"
	"testing"
)

func TestPublic(t *testing.T) {
	for _, c := range []struct {
		addr string
		want bool
	}{
		{"8.8.8.8", true},
		{"2606:4700::1111", true},
		{"::ffff:8.8.8.8", true},
		{"127.0.0.1", false},
		{"127.8.9.1", false},
		{"::1", false},
		{"::ffff:127.0.0.1", false},
		{"0.0.0.0", false},
		{"::", false},
		{"10.1.2.3", false},
		{"172.31.0.1", false},
		{"172.32.0.1", true},
		{"192.168.1.1", false},
		{"169.254.169.254", false},
		{"fe80::1%eth0", false},
		{"fd00:ec2::254", false},
		{"100.100.100.200", false},
		{"100.128.0.1", true},
		{"168.63.129.16", false},
		{"192.0.0.192", false},
		{"224.0.0.1", false},
		{"ff02::1", false},
		{"255.255.255.255", false},
		{"64:ff9b::a00:1", false},
		{"2002:7f00:1::", false},
		{"::7f00:1", false},
	} {
		if got := Public(netip.MustParseAddr(c.addr)); got != c.want {
			t.Errorf("Public(%s) = %v, want %v", c.addr, got, c.want)
		}
	}
}

func TestTransport(t *testing.T) {
	inner := httptest.NewServer(http.HandlerFunc(func(http.ResponseWriter, *http.Request) {}))
	defer inner.Close()
	outer := httptest.NewServer(http.RedirectHandler(inner.URL, http.StatusFound))
	defer outer.Close()
	host := func(server *httptest.Server) string { return strings.TrimPrefix(server.URL, "http://") }

	for _, c := range []struct {
		name, url string
		trusted   []string
		refused   bool
	}{
		{"nobody is trusted", inner.URL, nil, true},
		{"a trusted host", inner.URL, []string{host(inner)}, false},
		{"another port of it", outer.URL, []string{host(inner)}, true},
		{"a name that leads to loopback", strings.Replace(inner.URL, "127.0.0.1", "localhost", 1), []string{host(inner)}, true},
		{"a redirect to a private address", outer.URL, []string{host(outer)}, true},
		{"a redirect to a trusted one", outer.URL, []string{host(outer), host(inner)}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			transport := Transport(func(hostPort string) bool {
				for _, h := range c.trusted {
					if h == hostPort {
						return true
					}
				}
				return false
			}, nil)
			defer transport.CloseIdleConnections()
			req, err := http.NewRequestWithContext(t.Context(), http.MethodGet, c.url, nil)
			if err != nil {
				t.Fatal(err)
			}
			resp, err := (&http.Client{Transport: transport}).Do(req)
			if err == nil {
				resp.Body.Close()
			}
			var refused *Refused
			if errors.As(err, &refused) != c.refused || (err == nil) == c.refused {
				t.Errorf("request ended in %v, want it refused: %v", err, c.refused)
			}
		})
	}
}

func TestTransportReadsNoEnvironment(t *testing.T) {
	if Transport(nil, nil).Proxy != nil {
		t.Error("the transport has a proxy, which would connect on its behalf")
	}
}
