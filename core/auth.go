package core

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/auth"
)

// Auth says who may use a bridge over HTTP. Every request then carries a bearer
// token in its Authorization header; one without a good token is answered 401
// before its body is read.
type Auth struct {
	// Verify says whose a token is; it is required and may be called from any
	// goroutine. A *mapping.Error with code Unauthenticated refuses the token, and
	// the client is told its Problem. Any other error means that the token could
	// not be judged now: the client is told to try again later.
	Verify func(ctx context.Context, token string) (Identity, error)
	// Resource is the URL at which clients reach the handler, such as
	// "https://mcp.example.com/mcp". Clients ask for tokens that are good there,
	// and Verify must refuse any other. It is required with AuthorizationServers.
	Resource string
	// AuthorizationServers are the issuers that give tokens for Resource. None
	// means that clients come by their tokens in another way; there is no metadata
	// then.
	AuthorizationServers []string
	// Scopes are what a token must have for any request at all.
	Scopes []string
	// StepUp shows what a token lacks only scopes for, and answers a call of it with
	// 403 and the scopes, so that a client can ask its user for more. Without it,
	// what a caller has no scope for does not exist.
	StepUp bool
}

// An Identity is what a token says.
type Identity struct {
	// Caller must have an ID: sessions, limits and confirmations belong to it.
	Caller mapping.Caller
	// Expires is when the token ends, and with it streams that it opened; zero is
	// never.
	Expires time.Time
}

// clockSkew is how far the clock of an issuer may be off.
const clockSkew = 30 * time.Second

// wellKnown is where RFC 9728 puts metadata, before the path of the resource.
const wellKnown = "/.well-known/oauth-protected-resource"

// check reports what cannot be asked for.
func (a *Auth) check() error {
	if a == nil {
		return nil
	}
	var errs []error
	if a.Verify == nil {
		errs = append(errs, errors.New("auth: Verify is missing; it says whose a token is"))
	}
	u, err := url.Parse(a.Resource)
	switch {
	case a.Resource == "" && len(a.AuthorizationServers) > 0:
		errs = append(errs, errors.New("http.auth.resource is missing; it is the URL at which clients reach the server"))
	case a.Resource != "" && (err != nil || u.Scheme != "https" && u.Scheme != "http" || u.Host == "" || u.Fragment != "" || u.RawQuery != ""):
		errs = append(errs, fmt.Errorf("http.auth.resource: %q is not a URL such as https://mcp.example.com/mcp", a.Resource))
	}
	return errors.Join(errs...)
}

// A gatekeeper lets requests in whose token is good.
type gatekeeper struct {
	bridge *Bridge
	auth   Auth
	next   http.Handler
}

func (g *gatekeeper) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	token, refused := bearerToken(r)
	var who Identity
	if refused == nil {
		who, refused = g.identify(r.Context(), token)
	}
	if refused != nil {
		if refused.code != "" { // clients may ask without a token, to be told where to get one
			g.bridge.log.Info("a caller is refused", "status", refused.status, "reason", refused.text, "from", r.RemoteAddr)
		}
		g.auth.refuse(w, refused)
		return
	}
	// Only the SDK's own check can put an identity where the SDK looks for it.
	known := func(context.Context, string, *http.Request) (*auth.TokenInfo, error) { return who.info(), nil }
	options := &auth.RequireBearerTokenOptions{AllowMissingExpiration: true, ClockSkew: clockSkew}
	auth.RequireBearerToken(known, options)(http.HandlerFunc(g.enter)).ServeHTTP(w, r)
}

// enter takes the token off the request: nothing behind needs it, and what does
// not have it cannot pass it on to a backend.
func (g *gatekeeper) enter(w http.ResponseWriter, r *http.Request) {
	r = r.WithContext(r.Context()) // a copy: the caller's request stays as it is
	r.Header = r.Header.Clone()
	r.Header.Del("Authorization")
	g.next.ServeHTTP(w, r)
}

// identify asks whose a token is and whether it may do anything here.
func (g *gatekeeper) identify(ctx context.Context, token string) (Identity, *challenge) {
	who, err := caught(func() (Identity, error) { return g.auth.Verify(ctx, token) })
	var worded *mapping.Error
	switch {
	case errors.As(err, &worded) && worded.Code == mapping.Unauthenticated:
		return who, &challenge{status: http.StatusUnauthorized, code: "invalid_token", text: worded.Problem}
	case err != nil:
		g.bridge.log.Error("a token could not be checked", failure(err)...)
		return who, &challenge{status: http.StatusServiceUnavailable, text: "tokens cannot be checked now; try again later"}
	case who.Caller.ID == "":
		g.bridge.log.Error("a token could not be checked", "error", "the check returned a caller without ID")
		return who, &challenge{status: http.StatusInternalServerError, text: "internal error"}
	case !who.Expires.IsZero() && who.Expires.Add(clockSkew).Before(time.Now()):
		return who, &challenge{status: http.StatusUnauthorized, code: "invalid_token", text: "the token has expired"}
	}
	for _, scope := range g.auth.Scopes {
		if !slices.Contains(who.Caller.Scopes, scope) {
			return who, insufficient(g.auth.Scopes)
		}
	}
	return who, nil
}

// callerKey is where a token's Extra holds the whole caller, which is no claim.
const callerKey = "\x00caller"

func (i Identity) info() *auth.TokenInfo {
	return &auth.TokenInfo{
		UserID:     i.Caller.ID,
		Scopes:     i.Caller.Scopes,
		Expiration: i.Expires,
		Extra:      map[string]any{callerKey: i.Caller},
	}
}

// untilExpiry ends a request that stays open with the token that opened it. Calls
// under way may finish.
func untilExpiry(r *http.Request, msg message) (*http.Request, context.CancelFunc) {
	info := auth.TokenInfoFromContext(r.Context())
	endless := r.Method == http.MethodGet || msg.method == "subscriptions/listen"
	if info == nil || info.Expiration.IsZero() || !endless {
		return r, func() {}
	}
	ctx, cancel := context.WithDeadline(r.Context(), info.Expiration.Add(clockSkew))
	return r.WithContext(ctx), cancel
}

// bearerToken returns the token of a request. It is never looked for in the URL,
// which ends up in logs.
func bearerToken(r *http.Request) (string, *challenge) {
	fields := r.Header.Values("Authorization")
	if len(fields) == 0 {
		return "", &challenge{status: http.StatusUnauthorized, text: "this server wants a bearer token"}
	}
	scheme, token, _ := strings.Cut(fields[0], " ")
	token = strings.TrimLeft(token, " ")
	if len(fields) > 1 || !strings.EqualFold(scheme, "Bearer") || token == "" || strings.ContainsAny(token, " \t,") {
		return "", &challenge{status: http.StatusUnauthorized, code: "invalid_request", text: "send one header: Authorization: Bearer and the token"}
	}
	return token, nil
}

// A challenge is the answer to a request that is not let in (RFC 6750 section 3).
type challenge struct {
	status int
	code   string   // of the error; "" where the request carried no token
	text   string   // for a person
	scopes []string // what would be enough; nil is what every request needs
}

func insufficient(scopes []string) *challenge {
	return &challenge{
		status: http.StatusForbidden,
		code:   "insufficient_scope",
		text:   "the token lacks a scope; this needs " + strings.Join(scopes, ", "),
		scopes: scopes,
	}
}

func (a *Auth) refuse(w http.ResponseWriter, c *challenge) {
	if c.status == http.StatusUnauthorized || c.status == http.StatusForbidden {
		w.Header().Set("WWW-Authenticate", a.header(c))
	} else {
		w.Header().Set("Retry-After", "5")
	}
	http.Error(w, c.text, c.status)
}

// header is the WWW-Authenticate field of a challenge.
func (a *Auth) header(c *challenge) string {
	var params []string
	add := func(name, value string) {
		if value != "" {
			params = append(params, fmt.Sprintf(`%s="%s"`, name, quotable(value)))
		}
	}
	scopes := c.scopes
	if scopes == nil {
		scopes = a.Scopes
	}
	add("error", c.code)
	if c.code != "" {
		add("error_description", c.text)
	}
	add("scope", strings.Join(scopes, " "))
	add("resource_metadata", a.metadataURL())
	if len(params) == 0 {
		return "Bearer"
	}
	return "Bearer " + strings.Join(params, ", ")
}

// quotable replaces what RFC 6750 keeps out of the values of a challenge.
func quotable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' {
			return '\''
		}
		return r
	}, s)
}
