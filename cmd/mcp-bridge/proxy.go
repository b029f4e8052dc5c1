package main

import (
	"cmp"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"golang.org/x/net/http/httpproxy"
)

// proxyOff is what proxy is where no proxy is wanted, whatever the environment
// says.
const proxyOff = "off"

// A proxyAddress is where the proxy of all outgoing requests is; "" is what the
// environment says.
type proxyAddress string

// Check refuses what is no address of a proxy, and a bare word, which rather means
// that there is to be none. The address may hold a password, so that it is not
// repeated.
func (p proxyAddress) Check() error {
	if p == "" || p == proxyOff {
		return nil
	}
	u, err := parseProxy(string(p))
	if err == nil && u.Port() == "" && !strings.Contains(string(p), "://") {
		return errors.New("it is a name without a port; write the address of a proxy, such as http://proxy.example:3128, or off")
	}
	return err
}

// parseProxy reads an address as the variables have it: a URL, or a host and port
// of a proxy that speaks HTTP.
func parseProxy(text string) (*url.URL, error) {
	if !strings.Contains(text, "://") {
		text = "http://" + text
	}
	u, err := url.Parse(text)
	if err != nil || u.Hostname() == "" || !slices.Contains([]string{"http", "https", "socks5", "socks5h"}, u.Scheme) {
		return nil, errors.New("it is not the address of a proxy, such as http://proxy.example:3128")
	}
	return u, nil
}

// readProxy sets the proxy that the config or the environment names. The words of
// the environment are those that most programs read, a lower-case one first.
// Requests to this machine never go through it.
func (c *config) readProxy(lookup func(string) (string, bool)) error {
	env := func(name string) string {
		lower, _ := lookup(strings.ToLower(name))
		upper, _ := lookup(name)
		return cmp.Or(lower, upper)
	}
	if c.Proxy == proxyOff {
		return nil
	}
	words := httpproxy.Config{HTTPProxy: string(c.Proxy), HTTPSProxy: string(c.Proxy), NoProxy: env("NO_PROXY")}
	if c.Proxy == "" {
		words.HTTPProxy, words.HTTPSProxy = env("HTTP_PROXY"), env("HTTPS_PROXY")
	}
	for _, v := range []struct{ name, text string }{{"HTTP_PROXY", words.HTTPProxy}, {"HTTPS_PROXY", words.HTTPSProxy}} {
		if v.text == "" {
			continue
		}
		u, err := parseProxy(v.text)
		if err != nil {
			return fmt.Errorf("%s: %w", v.name, err)
		}
		if password, has := u.User.Password(); has {
			c.found.values = append(c.found.values, password)
		}
	}
	if words.HTTPProxy == "" && words.HTTPSProxy == "" {
		return nil
	}
	choose := words.ProxyFunc()
	c.proxy = func(r *http.Request) (*url.URL, error) { return choose(r.URL) }
	return nil
}
