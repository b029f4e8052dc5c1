package outbound

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"golang.org/x/net/idna"
)

// A Proxy says which proxy carries a request; nil is none.
type Proxy = func(*http.Request) (*url.URL, error)

// A way is how one transport gets to hosts. A proxy looks up names itself, and
// often alone can: so what leaves for a proxy is held against the name that stands
// in the request, which must be no private address, nor one of those names that
// are private by definition. The others are the proxy's to judge.
type way struct {
	trusted func(hostPort string) bool
	proxy   Proxy
	proxies sync.Map // "host:port" of those that were used
}

func (w *way) trusts(hostPort string) bool { return w.trusted != nil && w.trusted(hostPort) }

func (w *way) isProxy(hostPort string) bool {
	_, known := w.proxies.Load(hostPort)
	return known
}

// choose is the Proxy of a transport.
func (w *way) choose(req *http.Request) (*url.URL, error) {
	via, err := w.proxy(req)
	if err != nil {
		return nil, err
	}
	to := HostPort(req.URL)
	if via == nil {
		if w.isProxy(to) && !w.trusts(to) { // a proxy's own address is open to proxying alone
			return nil, &Refused{Address: to}
		}
		return nil, nil
	}
	if !w.trusts(to) && !publicName(dialled(req.URL)) {
		return nil, &Refused{Address: to}
	}
	w.proxies.Store(HostPort(via), true)
	return via, nil
}

// HostPort is what a transport dials for a URL, and asks trust for.
func HostPort(u *url.URL) string {
	port := u.Port()
	if port == "" {
		port = map[string]string{"http": "80", "https": "443", "socks5": "1080", "socks5h": "1080"}[u.Scheme]
	}
	return net.JoinHostPort(dialled(u), port)
}

// dialled is the host of a URL as [http.Transport] dials it: a name in other
// letters than ASCII's is mapped to those first, which makes 127.0.0.1 of one in
// wide digits. What is no name stays as it is.
func dialled(u *url.URL) string {
	host := u.Hostname()
	if isASCII(host) {
		return host
	}
	if mapped, err := idna.Lookup.ToASCII(host); err == nil {
		return mapped
	}
	return host
}

func isASCII(text string) bool {
	return !strings.ContainsFunc(text, func(r rune) bool { return r >= utf8.RuneSelf })
}

// publicName reports whether a host may be public, as far as its name tells. A
// name whose last part is a number is an address in some form, a name of one part
// is none of the internet's, and one in other letters than ASCII's is none at all.
func publicName(host string) bool {
	if addr, err := netip.ParseAddr(host); err == nil {
		return Public(addr)
	}
	labels := strings.Split(strings.ToLower(strings.TrimSuffix(host, ".")), ".")
	last := labels[len(labels)-1]
	switch {
	case !isASCII(host), len(labels) < 2, last == "", last[0] >= '0' && last[0] <= '9':
		return false
	}
	// RFC 6761, RFC 6762 with its appendix G, and RFC 8375.
	return !slices.Contains([]string{"localhost", "local", "arpa", "intranet", "internal", "private", "corp", "home", "lan"}, last)
}

// proxyAnswered says what a proxy answered that does not connect.
func proxyAnswered(_ context.Context, _ *url.URL, _ *http.Request, resp *http.Response) error {
	if resp.StatusCode == http.StatusOK {
		return nil
	}
	return &net.OpError{Op: "proxyconnect", Net: "tcp", Err: fmt.Errorf("the proxy answered %d %s", resp.StatusCode, http.StatusText(resp.StatusCode))}
}

// AtProxy reports whether a request failed before its proxy had connected it.
func AtProxy(err error) bool {
	var op *net.OpError
	return errors.As(err, &op) && op.Op == "proxyconnect"
}
