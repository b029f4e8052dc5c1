// Package outbound is the one way out: every HTTP request that the bridge itself
// makes goes through a transport of this package. A transport decides when it
// dials, on the address that a name has at that moment, so that neither a
// redirect nor a name that changes its address leads past the decision.
package outbound

import (
	"context"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"syscall"
	"time"
)

const (
	dialTimeout = 10 * time.Second // for one connection, and again for its TLS handshake
	idleTimeout = 90 * time.Second
	idlePerHost = 32 // as many as a source's calls at once, and some
	idleInAll   = 256
)

// Transport returns a transport that connects to every host that trusted names,
// wherever it is, and to any other host only at public addresses. Trusted is
// asked with "host:port" and may be called from any goroutine; nil trusts
// nobody. Proxy is as [http.Transport] has it; nil is no proxy, and nothing is
// read from the environment. What a proxy connects to it decides itself: see
// proxy.go for what is decided here.
func Transport(trusted func(hostPort string) bool, proxy Proxy) *http.Transport {
	free := &net.Dialer{Timeout: dialTimeout}
	public := &net.Dialer{Timeout: dialTimeout, ControlContext: refusePrivate}
	w := &way{trusted: trusted, proxy: proxy}
	t := &http.Transport{
		DialContext: func(ctx context.Context, network, addr string) (net.Conn, error) {
			if w.trusts(addr) || w.isProxy(addr) {
				return free.DialContext(ctx, network, addr)
			}
			return public.DialContext(ctx, network, addr)
		},
		ForceAttemptHTTP2:   true,
		TLSHandshakeTimeout: dialTimeout,
		IdleConnTimeout:     idleTimeout,
		MaxIdleConns:        idleInAll,
		MaxIdleConnsPerHost: idlePerHost,
	}
	if proxy != nil {
		t.Proxy, t.OnProxyConnectResponse = w.choose, proxyAnswered
	}
	return t
}

// A Refused is an address that a request may not go to.
type Refused struct{ Address string }

func (e *Refused) Error() string {
	return fmt.Sprintf("the address %s is not public, and nobody trusted its host", e.Address)
}

// refusePrivate is called with each address before it is connected to.
func refusePrivate(_ context.Context, _, addr string, _ syscall.RawConn) error {
	to, err := netip.ParseAddrPort(addr)
	if err != nil {
		return fmt.Errorf("read address %q: %w", addr, err)
	}
	if !Public(to.Addr()) {
		return &Refused{Address: addr}
	}
	return nil
}

// Public tells addresses that anybody on the internet can reach from those of a
// machine, a network, a cloud's metadata service or nobody at all (IANA's
// special-purpose registries, RFC 6890).
func Public(a netip.Addr) bool {
	a = a.Unmap().WithZone("")
	if !a.IsGlobalUnicast() || a.IsPrivate() {
		return false
	}
	for _, p := range special() {
		if p.Contains(a) {
			return false
		}
	}
	return true
}

// special are the ranges that netip does not tell apart.
func special() []netip.Prefix {
	var all []netip.Prefix
	for _, s := range []string{
		"0.0.0.0/8",        // this network
		"100.64.0.0/10",    // behind a carrier's NAT; also a cloud's metadata
		"168.63.129.16/32", // a cloud's metadata
		"192.0.0.0/24",     // protocol assignments; also a cloud's metadata
		"192.0.2.0/24",     // documentation
		"192.88.99.0/24",   // 6to4 relays
		"198.18.0.0/15",    // benchmarks
		"198.51.100.0/24",  // documentation
		"203.0.113.0/24",   // documentation
		"240.0.0.0/4",      // reserved
		"::/96",            // IPv4 written as IPv6
		"64:ff9b::/96",     // IPv4 behind NAT64
		"64:ff9b:1::/48",   // the same, locally
		"100::/64",         // discard
		"2001::/23",        // protocol assignments, Teredo
		"2001:db8::/32",    // documentation
		"2002::/16",        // IPv4 in 6to4
		"3fff::/20",        // documentation
		"5f00::/16",        // segment routing
		"fec0::/10",        // site-local
	} {
		all = append(all, netip.MustParsePrefix(s))
	}
	return all
}
