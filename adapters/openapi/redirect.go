package openapi

import (
	"net/http"
	"net/url"
	"slices"
	"strings"
)

// maxRedirects is how many redirects one request follows.
const maxRedirects = 5

// redirect decides whether a redirect is followed, for http.Client; what is not
// followed is an answer like any other. Within its origin a request follows as
// long as it stays what it was, or becomes the read that 303 asks for. To another
// origin only a GET or HEAD follows, without credentials, without the operator's
// headers and without the arguments that were headers. A handler in this process
// has no other origin.
func redirect(req *http.Request, via []*http.Request, local bool) error {
	first := via[0]
	same := sameOrigin(req.URL, first.URL)
	seeOther := req.Response != nil && req.Response.StatusCode == http.StatusSeeOther
	switch {
	case len(via) > maxRedirects,
		req.URL.Scheme != "http" && req.URL.Scheme != "https",
		req.Method != first.Method && !seeOther,
		!same && (local || first.Method != http.MethodGet && first.Method != http.MethodHead):
		return http.ErrUseLastResponse
	}
	req.Header.Del("Referer") // the URL before may hold a credential
	if same {
		return nil
	}
	for name := range req.Header {
		if !slices.Contains([]string{"Accept", "User-Agent", "Traceparent"}, name) {
			req.Header.Del(name)
		}
	}
	req.Host = ""
	return nil
}

// safe says that a method only reads (RFC 9110 section 9.2.1, and QUERY).
func safe(method string) bool {
	return slices.Contains([]string{http.MethodGet, http.MethodHead, http.MethodOptions, "QUERY"}, method)
}

func sameOrigin(a, b *url.URL) bool {
	return strings.EqualFold(a.Scheme, b.Scheme) && strings.EqualFold(a.Hostname(), b.Hostname()) && port(a) == port(b)
}

func port(u *url.URL) string {
	switch {
	case u.Port() != "":
		return u.Port()
	case u.Scheme == "https":
		return "443"
	}
	return "80"
}
