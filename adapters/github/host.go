package github

import (
	"fmt"
	"net"
	"net/http"
	"net/url"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/internal/outbound"
)

// A host is where one GitHub's API is.
type host struct {
	api *url.URL // ends in a slash
	// domain is whose names are trusted to be wherever they are: an Enterprise
	// Server stands in a private network. "" is nobody.
	domain string
}

// hostOf works out where the API is. Go-github's own rule for enterprise URLs is
// wrong for ghe.com, so it is not used.
func hostOf(o Options) (host, error) {
	if o.BaseURL != "" {
		api, err := parseHost("baseURL", o.BaseURL)
		if err != nil {
			return host{}, err
		}
		api.Path = strings.TrimSuffix(api.Path, "/") + "/"
		return host{api: api}, nil
	}
	if o.Host == "" {
		o.Host = "github.com"
	}
	text := o.Host
	if !strings.Contains(text, "://") {
		text = "https://" + text
	}
	web, err := parseHost("host", text)
	if err != nil {
		return host{}, err
	}
	name := strings.ToLower(web.Host)
	switch {
	case name == "github.com" || name == "www.github.com" || name == "api.github.com":
		return host{api: &url.URL{Scheme: "https", Host: "api.github.com", Path: "/"}}, nil
	case strings.HasSuffix(name, ".ghe.com"):
		return host{api: &url.URL{Scheme: "https", Host: "api." + strings.TrimPrefix(name, "api."), Path: "/"}}, nil
	}
	return host{api: &url.URL{Scheme: web.Scheme, Host: web.Host, Path: "/api/v3/"}, domain: web.Hostname()}, nil
}

// parseHost reads a URL that a token may be sent to: https, or http on the same
// machine.
func parseHost(option, text string) (*url.URL, error) {
	u, err := url.Parse(text)
	if err != nil || u.Host == "" {
		return nil, fmt.Errorf("%s: it is not a URL such as https://github.example.com", option)
	}
	if u.User != nil || u.RawQuery != "" || u.Fragment != "" {
		return nil, fmt.Errorf("%s: a user, a query or a fragment does not belong in it", option)
	}
	if u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Hostname())) {
		return nil, fmt.Errorf("%s: it must be https, because a token is sent there", option)
	}
	return u, nil
}

func isLoopback(name string) bool {
	ip := net.ParseIP(name)
	return name == "localhost" || ip != nil && ip.IsLoopback()
}

// transport connects to the API wherever it is, and to public addresses besides:
// logs are kept elsewhere.
func (h host) transport(proxy outbound.Proxy) *http.Transport {
	return outbound.Transport(func(hostPort string) bool {
		name, _, err := net.SplitHostPort(hostPort)
		return err == nil && (strings.EqualFold(name, h.api.Hostname()) ||
			h.domain != "" && strings.HasSuffix(strings.ToLower(name), "."+strings.ToLower(h.domain)))
	}, proxy)
}

// operators reports whether a search for issues knows OR: an Enterprise Server does
// not, or not for long.
func (h host) operators() bool { return !strings.HasSuffix(h.api.Path, "/api/v3/") }

// isAPI reports whether a URL is below the API's own.
func (h host) isAPI(u *url.URL) bool {
	return u.Scheme == h.api.Scheme && strings.EqualFold(u.Host, h.api.Host) && strings.HasPrefix(u.EscapedPath(), h.api.Path)
}
