package openapi

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/getkin/kin-openapi/openapi3"
	"golang.org/x/oauth2"
	"golang.org/x/oauth2/clientcredentials"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// tokenTimeout bounds the fetching of a token, which outlives the call that
// started it because other calls may wait for the same.
const tokenTimeout = 30 * time.Second

// Tokens are the client-credentials tokens of an adapter (RFC 6749 section 4.4),
// one for each scheme, endpoint and set of scopes. They belong to the operator, so
// all callers share them.
type tokens struct {
	mu      sync.Mutex
	sources map[string]*tokenSource
}

// source returns the source under key, made by make if it is new.
func (t *tokens) source(key string, make func() *clientcredentials.Config) *tokenSource {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.sources == nil {
		t.sources = map[string]*tokenSource{}
	}
	if t.sources[key] == nil {
		t.sources[key] = &tokenSource{config: make()}
	}
	return t.sources[key]
}

// A tokenSource fetches one token at a time and keeps it until it ends.
type tokenSource struct {
	config *clientcredentials.Config // remembers how the endpoint wants the secret

	mu      sync.Mutex
	current *fetch
}

// A fetch is one request for a token; done is closed when the rest is set.
type fetch struct {
	done  chan struct{}
	token *oauth2.Token
	err   error
}

// over says that a fetch has ended and its token cannot be used.
func (f *fetch) over() bool {
	select {
	case <-f.done:
		return f.err != nil || !f.token.Valid()
	default:
		return false
	}
}

// token returns a valid token. Callers that come while one is fetched wait for it.
func (s *tokenSource) token(ctx context.Context, client *http.Client) (*oauth2.Token, error) {
	s.mu.Lock()
	f := s.current
	if f == nil || f.over() {
		f = &fetch{done: make(chan struct{})}
		s.current = f
		go s.run(context.WithoutCancel(ctx), client, f)
	}
	s.mu.Unlock()
	select {
	case <-f.done:
		return f.token, f.err
	case <-ctx.Done():
		return nil, ctx.Err()
	}
}

func (s *tokenSource) run(ctx context.Context, client *http.Client, f *fetch) {
	defer close(f.done)
	ctx, cancel := context.WithTimeout(ctx, tokenTimeout)
	defer cancel()
	f.token, f.err = s.config.Token(context.WithValue(ctx, oauth2.HTTPClient, client))
}

// drop forgets a token that the API refused, unless it was replaced already.
func (s *tokenSource) drop(token *oauth2.Token) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.current != nil && s.current.token == token {
		s.current = nil
	}
}

func clientCredentials(scheme *openapi3.SecurityScheme) *openapi3.OAuthFlow {
	if scheme.Flows == nil {
		return nil
	}
	return scheme.Flows.ClientCredentials
}

// applyToken adds a token with the scopes that the operation asks for.
func (a *Adapter) applyToken(req *http.Request, op *operation, name string, flow *openapi3.OAuthFlow, g *grant) error {
	endpoint, err := a.tokenURL(op, flow)
	if err != nil {
		return secret{name: name}.problem("has no token endpoint that can be reached")
	}
	id, password, _ := strings.Cut(a.options.Credentials[name], ":")
	scopes := scopesOf(op.security, name)
	key := strings.Join(append([]string{name, endpoint}, scopes...), "\x00")
	source := a.tokens.source(key, func() *clientcredentials.Config {
		return &clientcredentials.Config{ClientID: id, ClientSecret: password, TokenURL: endpoint, Scopes: scopes}
	})
	token, err := source.token(req.Context(), a.client)
	if err != nil {
		return tokenFailure(req.Context(), op, name, err)
	}
	g.secrets.add(token.AccessToken)
	g.tokens = append(g.tokens, usedToken{source, token})
	token.SetAuthHeader(req)
	return nil
}

// tokenURL is where tokens are fetched; a relative one is below the server.
func (a *Adapter) tokenURL(op *operation, flow *openapi3.OAuthFlow) (string, error) {
	u, err := url.Parse(flow.TokenURL)
	if err != nil || flow.TokenURL == "" {
		return "", errors.New("no token endpoint")
	}
	if u.Host == "" {
		server, err := a.server(op)
		if err != nil {
			return "", err
		}
		u = server.ResolveReference(u)
	}
	a.trust(op.doc, u)
	return u.String(), nil
}

// scopesOf returns the scopes that the requirements name for a scheme.
func scopesOf(asked openapi3.SecurityRequirements, name string) []string {
	for _, requirement := range asked {
		if scopes, ok := requirement[name]; ok {
			return slices.Sorted(slices.Values(scopes))
		}
	}
	return nil
}

// tokenFailure says why there is no token, without what the endpoint said: it may
// repeat the secret.
func tokenFailure(ctx context.Context, op *operation, name string, err error) error {
	var refused *oauth2.RetrieveError
	if !errors.As(err, &refused) {
		return sendFailure(ctx, op, err)
	}
	status := 0
	if refused.Response != nil {
		status = refused.Response.StatusCode
	}
	return &mapping.Error{
		Code:    mapping.Unauthenticated,
		Problem: fmt.Sprintf("the API's token endpoint refused the bridge's credential %q", name),
		Next:    "do not retry; ask the operator to mend it",
		Err:     fmt.Errorf("token endpoint answered %d, error code %q", status, refused.ErrorCode),
	}
}
