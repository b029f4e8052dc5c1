package openapi

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcp-bridge/mcp-bridge/internal/outbound"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

const (
	// fetchTimeout bounds one file, from the first connection to the last byte.
	fetchTimeout = 60 * time.Second
	maxFetchHops = 5 // redirects of one file
)

// newFetcher makes the client that fetches documents. A redirect may lead only to
// the hosts that trusted names and to public addresses, and never from https to
// http.
func newFetcher(trusted func(string) bool, proxy outbound.Proxy) *http.Client {
	return &http.Client{
		Transport: outbound.Transport(trusted, proxy),
		Timeout:   fetchTimeout,
		CheckRedirect: func(req *http.Request, via []*http.Request) error {
			if len(via) > maxFetchHops || via[0].URL.Scheme == "https" && req.URL.Scheme != "https" {
				return http.ErrUseLastResponse
			}
			return nil
		},
	}
}

// mayFetch says that the operator named this host ("host" or "host:port"): as the
// document's own, or as one that references may lead to.
func (l *loader) mayFetch(host string) bool {
	names := slices.Clone(l.options.Fetch)
	if u, err := url.Parse(l.source.url); err == nil && u.Host != "" {
		names = append(names, u.Host)
	}
	return slices.ContainsFunc(names, func(name string) bool {
		return strings.EqualFold(host, name) || strings.EqualFold(host, name+":443") || strings.EqualFold(host, name+":80")
	})
}

// fetch returns the bytes of a URL, and the URL that it was redirected to.
func (l *loader) fetch(ctx context.Context, from string) ([]byte, *url.URL, error) {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, from, nil)
	if err != nil {
		return nil, nil, errors.New("it is not a URL")
	}
	req.Header.Set("Accept", "application/json, application/yaml, */*;q=0.5")
	resp, err := l.client.Do(req)
	if err != nil {
		return nil, nil, fetchError(err)
	}
	defer resp.Body.Close()
	if resp.StatusCode != http.StatusOK {
		return nil, nil, fetchStatus(resp.StatusCode)
	}
	data, err := io.ReadAll(io.LimitReader(resp.Body, maxDocument+1))
	if err != nil {
		return nil, nil, fetchError(err)
	}
	return data, resp.Request.URL, nil
}

// fetchStatus says what a status means for a document.
func fetchStatus(status int) error {
	code := statusCode(status)
	text := fmt.Sprintf("its server answered %d %s", status, http.StatusText(status))
	switch {
	case status < 400:
		code = mapping.Invalid
	case status == http.StatusTooManyRequests:
		code = mapping.Unavailable // worth another try
	}
	return &mapping.Error{Code: code, Problem: text}
}

// fetchError says why nothing came. All but a refused address is worth another
// try.
func fetchError(err error) error {
	var refused *outbound.Refused
	var timeout interface{ Timeout() bool }
	switch {
	case errors.As(err, &refused):
		return &mapping.Error{Code: mapping.Denied, Problem: "it leads to an address that is not public", Err: err}
	case errors.As(err, &timeout) && timeout.Timeout():
		return &mapping.Error{Code: mapping.Timeout, Problem: "its server did not answer in time", Err: err}
	}
	problem := "its server cannot be reached"
	if outbound.AtProxy(err) {
		problem += ": the proxy on the way to it is down or refuses"
	}
	return &mapping.Error{Code: mapping.Unavailable, Problem: problem, Err: err}
}

// withoutSecrets is a URL that can be shown: user and query may hold secrets.
func withoutSecrets(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return "the URL of the document"
	}
	u.User, u.RawQuery, u.Fragment = nil, "", ""
	return u.String()
}
