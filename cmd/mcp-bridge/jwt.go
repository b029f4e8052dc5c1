package main

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"strings"
	"time"

	"github.com/golang-jwt/jwt/v5"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/internal/outbound"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A jwtConfig says which JSON Web Tokens are good.
type jwtConfig struct {
	Issuer     string      `json:"issuer" jsonschema:"The authorization server, exactly as its tokens name it in iss. Clients are sent there for a token."`
	JWKS       string      `json:"jwks" jsonschema:"The URL of the issuer's public keys, https unless it is on this machine."`
	Audience   string      `json:"audience,omitempty" jsonschema:"What aud must name. Default: auth.resource."`
	Algorithms []algorithm `json:"algorithms,omitempty" jsonschema:"The algorithms of signatures that are accepted: RS256, RS384, RS512, PS256, PS384, PS512, ES256, ES384, ES512, EdDSA. Default: all of these."`
}

// Check refuses what no token could pass, or what could let a wrong one pass.
func (j jwtConfig) Check() error {
	if j.Issuer == "" {
		return errors.New("issuer is missing; it is what iss of a token must say")
	}
	u, err := url.Parse(j.JWKS)
	if err != nil || u.Host == "" || u.Scheme != "https" && (u.Scheme != "http" || !isLoopback(u.Host+":0") && !isLoopback(u.Host)) {
		return errors.New("jwks must be the URL of the issuer's keys, with https unless they are on this machine")
	}
	return nil
}

// An algorithm signs tokens with a key that only the issuer has.
type algorithm string

func (a *algorithm) UnmarshalText(b []byte) error {
	*a = algorithm(b)
	return oneOf(string(b), algorithms[:])
}

var algorithms = [...]string{"RS256", "RS384", "RS512", "PS256", "PS384", "PS512", "ES256", "ES384", "ES512", "EdDSA"}

// clockSkew is how far the clock of an issuer may be off.
const clockSkew = 30 * time.Second

// jwts judges JSON Web Tokens.
type jwts struct {
	parser *jwt.Parser
	keys   *keySet
}

func newJWTs(c jwtConfig, audience string, proxy outbound.Proxy) *jwts {
	methods := algorithms[:]
	if len(c.Algorithms) > 0 {
		methods = nil
		for _, a := range c.Algorithms {
			methods = append(methods, string(a))
		}
	}
	return &jwts{
		parser: jwt.NewParser(
			jwt.WithValidMethods(methods),
			jwt.WithIssuer(c.Issuer),
			jwt.WithAudience(audience),
			jwt.WithExpirationRequired(),
			jwt.WithLeeway(clockSkew),
		),
		keys: newKeySet(c.JWKS, proxy, time.Now),
	}
}

// claims are what a token says: what is checked of it, and everything as it is
// written.
type claims struct {
	jwt.RegisteredClaims
	all map[string]json.RawMessage
}

func (c *claims) UnmarshalJSON(b []byte) error {
	if err := json.Unmarshal(b, &c.all); err != nil {
		return err
	}
	return json.Unmarshal(b, &c.RegisteredClaims)
}

// errCritical is for a token that may not be judged by who does not know
// something that it says (RFC 7515 section 4.1.11); this knows none of it.
var errCritical = errors.New("the token has critical parameters")

// verify is a [core.Auth]'s Verify.
func (j *jwts) verify(ctx context.Context, token string) (core.Identity, error) {
	said := &claims{}
	_, err := j.parser.ParseWithClaims(token, said, func(t *jwt.Token) (any, error) {
		if t.Header["crit"] != nil {
			return nil, errCritical
		}
		return j.keys.find(ctx, t)
	})
	var down *unreachable
	switch {
	case errors.As(err, &down):
		return core.Identity{}, down
	case err != nil:
		return core.Identity{}, badToken(why(err))
	case said.Subject == "":
		return core.Identity{}, badToken("the token names no subject (sub)")
	case strings.HasPrefix(said.Subject, ownPrefix):
		return core.Identity{}, badToken("the token's subject is a name that only this server gives")
	}
	return core.Identity{
		Caller:  mapping.Caller{ID: said.Subject, Scopes: scopesOf(said.all), Claims: said.all},
		Expires: said.ExpiresAt.Time,
	}, nil
}

// why says in our own words what is wrong with a token: the library's may hold
// parts of it.
func why(err error) string {
	for _, known := range []struct {
		is   error
		text string
	}{
		{jwt.ErrTokenMalformed, "this is no JSON Web Token"},
		{errUnknownKey, "the token is signed with a key that its issuer does not have"},
		{jwt.ErrTokenUnverifiable, "the signature of the token cannot be checked"},
		{jwt.ErrTokenSignatureInvalid, "the signature of the token is wrong, or of a kind that is not accepted"},
		{jwt.ErrTokenExpired, "the token has expired"},
		{jwt.ErrTokenNotValidYet, "the token is not valid yet"},
		{jwt.ErrTokenInvalidAudience, "the token is not for this server"},
		{jwt.ErrTokenInvalidIssuer, "the token is of another issuer"},
		{jwt.ErrTokenRequiredClaimMissing, "the token lacks exp, iss or aud"},
	} {
		if errors.Is(err, known.is) {
			return known.text
		}
	}
	return "the token is not valid"
}

// scopesOf reads scope (RFC 8693 section 4.2: words in one string) or scp, which
// some issuers write, as a string or a list.
func scopesOf(all map[string]json.RawMessage) []string {
	for _, name := range []string{"scope", "scp"} {
		var text string
		if json.Unmarshal(all[name], &text) == nil && text != "" {
			return strings.Fields(text)
		}
		var list []string
		if json.Unmarshal(all[name], &list) == nil && len(list) > 0 {
			return list
		}
	}
	return nil
}
