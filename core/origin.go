package core

import (
	"errors"
	"fmt"
	"net"
	"net/http"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"unicode"
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

// hostEntry returns an entry of Options.Hosts as a request's Host is compared with
// it, or says why none could ever be equal.
func hostEntry(entry string) (string, error) {
	host := strings.Trim(entry, "[]")
	switch {
	case host == "*" || isAddress(host):
		return host, nil
	case strings.Contains(host, "://") || strings.ContainsAny(host, "/?#@ "):
		return "", fmt.Errorf("http.hosts: %q is more than a host name; write it without scheme and path, as in mcp.example.com", entry)
	case strings.Contains(host, ":"):
		return "", fmt.Errorf("http.hosts: %q has a port; a host is allowed at every port, so write it without, as in mcp.example.com", entry)
	case strings.Contains(host, "*"):
		return "", fmt.Errorf("http.hosts: %q: a * stands for all hosts and for no part of one; name each host", entry)
	case host == "" || !isASCII(host):
		return "", fmt.Errorf("http.hosts: %q is no host name as clients send it; write it in ASCII, as in mcp.example.com or xn--bcher-kva.example", entry)
	}
	return host, nil
}

// originEntry returns an entry of Options.Origins as a browser writes an origin, or
// says why no browser ever writes it.
func originEntry(entry string) (string, error) {
	if entry == "*" {
		return entry, nil
	}
	const like = "https://app.example.com"
	u, err := url.Parse(entry)
	switch {
	case entry == "null":
		return "", errors.New(`http.origins: "null" is what a browser sends for any page that hides its origin; serve the page from an origin of its own, or allow all with "*"`)
	case err != nil || u.Scheme == "" || u.Host == "" || u.Opaque != "":
		return "", fmt.Errorf("http.origins: %q is no origin; write scheme and host, and the port if it is not the usual one, as in %s", entry, like)
	case u.User != nil || u.RawQuery != "" || u.Fragment != "" || u.Path != "" && u.Path != "/":
		return "", fmt.Errorf("http.origins: %q is more than an origin, which is all that a browser sends; write %s://%s", entry, u.Scheme, u.Host)
	case strings.Contains(u.Host, "*"):
		return "", fmt.Errorf("http.origins: %q: a * stands for all origins and for no part of one; name each origin", entry)
	case !isASCII(u.Host):
		return "", fmt.Errorf("http.origins: %q: browsers write host names in ASCII; write it as in https://xn--bcher-kva.example", entry)
	}
	host := strings.ToLower(u.Host)
	if usual := map[string]string{"http": ":80", "https": ":443"}[u.Scheme]; usual != "" {
		host = strings.TrimSuffix(host, usual)
	}
	return u.Scheme + "://" + host, nil
}

func isASCII(s string) bool {
	return !strings.ContainsFunc(s, func(r rune) bool { return r > unicode.MaxASCII })
}

// checked returns every entry as form has it, and what is wrong with the others.
func checked(entries []string, form func(string) (string, error)) (good []string, err error) {
	var errs []error
	for _, entry := range entries {
		text, err := form(entry)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		good = append(good, text)
	}
	return good, errors.Join(errs...)
}
