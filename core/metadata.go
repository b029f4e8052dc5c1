package core

import (
	"maps"
	"net/http"
	"net/url"
	"slices"

	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/oauthex"
)

// Metadata tells clients where to get a token (RFC 9728), if [Options.Auth] names
// authorization servers; else there is nothing. It answers at two paths and must
// be mounted at both: /.well-known/oauth-protected-resource, and below that the
// path of [Auth.Resource]. Pages of every origin may read it.
func (b *Bridge) Metadata() http.Handler {
	return answerAnyPage(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		a := b.options.Auth
		if a == nil || len(a.AuthorizationServers) == 0 || !slices.Contains(a.metadataPaths(), r.URL.Path) {
			http.NotFound(w, r)
			return
		}
		auth.ProtectedResourceMetadataHandler(&oauthex.ProtectedResourceMetadata{
			Resource:               a.Resource,
			AuthorizationServers:   a.AuthorizationServers,
			ScopesSupported:        b.scopes(),
			BearerMethodsSupported: []string{"header"},
			ResourceName:           b.options.Name,
		}).ServeHTTP(w, r)
	}))
}

// scopes returns every scope that a token can need here, sorted.
func (b *Bridge) scopes() []string {
	all := map[string]bool{}
	add := func(scopes []string) {
		for _, scope := range scopes {
			all[scope] = true
		}
	}
	add(b.options.Auth.Scopes)
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, scopes := range b.rules.Scopes {
		add(scopes)
	}
	for _, access := range b.rules.Access {
		add(access.Scopes)
	}
	return slices.Sorted(maps.Keys(all))
}

// metadataPaths are the paths at which metadata is looked for: that of the
// resource first.
func (a *Auth) metadataPaths() []string {
	u, err := url.Parse(a.Resource)
	if err != nil || u.Path == "" || u.Path == "/" {
		return []string{wellKnown}
	}
	return []string{wellKnown + u.Path, wellKnown}
}

// metadataURL is where a client finds the metadata, "" if there is none.
func (a *Auth) metadataURL() string {
	u, err := url.Parse(a.Resource)
	if err != nil || len(a.AuthorizationServers) == 0 {
		return ""
	}
	u.Path = a.metadataPaths()[0]
	return u.String()
}
