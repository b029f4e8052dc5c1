package core

import (
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
)

// checkSite returns why a request may not come from where it comes from, "" if
// it may. A browser that was made to send it carries a foreign host (its page
// has rebound its own name to this machine) or a foreign origin.
func (o Options) checkSite(r *http.Request) string {
	host := hostname(r.Host)
	if !isLocal(host) && !isAddress(host) && !allows(o.Hosts, host) {
		return fmt.Sprintf("this server is not called %q; allow the name in http.hosts of the config file, or in Options.Hosts", host)
	}
	origin := r.Header.Get("Origin")
	if origin == "" || allows(o.Origins, origin) {
		return ""
	}
	u, err := url.Parse(origin)
	own := err == nil && u.Host != "" && (isLocal(u.Hostname()) || u.Host == r.Host)
	if own && !isPreflight(r) {
		return ""
	}
	return fmt.Sprintf("pages of %q may not use this server; allow the origin in http.origins of the config file, or in Options.Origins", origin)
}

func allows(list []string, s string) bool {
	return slices.ContainsFunc(list, func(entry string) bool { return entry == "*" || strings.EqualFold(entry, s) })
}

// hostname cuts the port off.
func hostname(hostport string) string {
	if host, _, err := net.SplitHostPort(hostport); err == nil {
		return host
	}
	return strings.Trim(hostport, "[]")
}

// isLocal reports whether a host is this machine by name or loopback address.
func isLocal(host string) bool {
	if strings.EqualFold(host, "localhost") {
		return true
	}
	addr, err := netip.ParseAddr(host)
	return err == nil && addr.Unmap().IsLoopback()
}

// isAddress reports whether a host is an address in digits, which nobody can
// rebind.
func isAddress(host string) bool {
	_, err := netip.ParseAddr(host)
	return err == nil
}
