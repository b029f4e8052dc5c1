package main

import (
	"cmp"
	"context"
	"crypto/sha256"
	"crypto/subtle"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// An authConfig says who may use the server over HTTP. The zero one asks nobody.
type authConfig struct {
	Tokens   map[string]tokenConfig `json:"tokens,omitempty" jsonschema:"Bearer tokens that are good until they are taken out of here, by a name for whoever holds one."`
	JWT      *jwtConfig             `json:"jwt,omitempty" jsonschema:"JSON Web Tokens of an authorization server."`
	Resource string                 `json:"resource,omitempty" jsonschema:"The URL at which clients reach the server, such as https://mcp.example.com/mcp. Required with jwt."`
	Scopes   []string               `json:"scopes,omitempty" jsonschema:"Scopes that a token must have for any request at all."`
	StepUp   bool                   `json:"stepUp,omitempty" jsonschema:"Show what a token lacks only scopes for, and answer its use with 403 and the scopes, so that a client can ask its user for more. Default: it does not exist for that caller."`
}

// A tokenConfig is a bearer token that is not given away by the file that it
// stands in.
type tokenConfig struct {
	SHA256 digest           `json:"sha256" jsonschema:"The SHA-256 of the token, in hexadecimal digits; mcp-bridge token makes a token and prints both."`
	Scopes []string         `json:"scopes,omitempty" jsonschema:"What the token may do, where rules ask for scopes."`
	Claims map[string]claim `json:"claims,omitempty" jsonschema:"What is known of whoever holds the token, where rules ask for claims: each is a text, or a list of texts."`
}

// A claim is one text or several.
type claim []string

func (c *claim) UnmarshalText(b []byte) error {
	*c = claim{string(b)}
	return nil
}

// json returns the claim as a JSON Web Token would make it.
func (c claim) json() json.RawMessage {
	var value any = []string(c)
	if len(c) == 1 {
		value = c[0]
	}
	raw, err := json.Marshal(value)
	if err != nil {
		return nil // strings always marshal
	}
	return raw
}

// A digest is a SHA-256 in hexadecimal digits.
type digest string

func (d *digest) UnmarshalText(b []byte) error {
	raw, err := hex.DecodeString(string(b))
	if err != nil || len(raw) != sha256.Size {
		return errors.New("must be the SHA-256 of a token, 64 hexadecimal digits; mcp-bridge token makes one")
	}
	*d = digest(hex.EncodeToString(raw))
	return nil
}

// An accessConfig lets some callers see a part of what there is.
type accessConfig struct {
	Scopes  []string            `json:"scopes,omitempty" jsonschema:"Scopes that the caller's token must have, all of them."`
	Claims  map[string][]string `json:"claims,omitempty" jsonschema:"Claims that the caller's token must make, all of them: each is one of the texts, or a list that has one. A dot leads into a claim that is an object: realm_access.roles."`
	Sources []string            `json:"sources,omitempty" jsonschema:"Names of sources; * stands for any characters. Default: all."`
	Allow   []string            `json:"allow,omitempty" jsonschema:"What of them, as in rules.allow. Default: everything."`
}

func (r rulesConfig) access() []mapping.Access {
	var all []mapping.Access
	for _, a := range r.Access {
		all = append(all, mapping.Access(a))
	}
	return all
}

// Check refuses an auth that would let nobody in, or cannot work.
func (a authConfig) Check() error {
	if len(a.Tokens) == 0 && a.JWT == nil {
		return errors.New("has neither tokens nor jwt, so nobody could get in; leave auth out to ask nobody")
	}
	holders := map[digest]string{}
	for _, name := range sorted(a.Tokens) {
		sum := a.Tokens[name].SHA256
		if strings.TrimSpace(name) == "" {
			return errors.New("tokens has one without a name; name whoever holds it, which the log and the audit show")
		}
		if sum == "" {
			return fmt.Errorf("tokens.%s: sha256 is missing; mcp-bridge token makes one", name)
		}
		if other, taken := holders[sum]; taken {
			return fmt.Errorf("tokens.%s and tokens.%s have the same sha256, so nobody could tell whose it is; make another with mcp-bridge token", other, name)
		}
		holders[sum] = name
	}
	if a.JWT != nil && a.Resource == "" {
		return errors.New("resource is missing; it is the URL at which clients reach the server, and jwt is good for that alone")
	}
	return nil
}

// auth returns what the core has to ask, nil for nobody.
func (c *config) auth() *core.Auth {
	a := c.HTTP.Auth
	if a == nil {
		return nil
	}
	asked := &core.Auth{Resource: a.Resource, Scopes: a.Scopes, StepUp: a.StepUp}
	asked.Verify = c.door.verify
	if a.JWT == nil {
		return asked
	}
	asked.AuthorizationServers = []string{a.JWT.Issuer}
	jwts := newJWTs(*a.JWT, cmp.Or(a.JWT.Audience, a.Resource), c.proxy)
	asked.Verify = func(ctx context.Context, token string) (core.Identity, error) {
		if who, err := c.door.verify(ctx, token); err == nil {
			return who, nil
		}
		return jwts.verify(ctx, token)
	}
	return asked
}

// ownPrefix begins the IDs of callers with a token of the config file. No subject
// of an issuer may, so that no two callers share an ID.
const ownPrefix = "token:"

// knownTokens are the tokens of a config file.
type knownTokens []knownToken

type knownToken struct {
	digest []byte
	who    core.Identity
}

func (a *authConfig) known() knownTokens {
	var all knownTokens
	for _, name := range sorted(a.Tokens) {
		t := a.Tokens[name]
		raw, err := hex.DecodeString(string(t.SHA256))
		if err != nil {
			continue // a digest has been decoded before
		}
		who := core.Identity{Caller: mapping.Caller{ID: ownPrefix + name, Scopes: t.Scopes, Claims: map[string]json.RawMessage{}}}
		for name, texts := range t.Claims {
			who.Caller.Claims[name] = texts.json()
		}
		all = append(all, knownToken{raw, who})
	}
	return all
}

// verify compares a token with all that are known, in a time that does not tell
// how much of it is right.
func (k knownTokens) verify(_ context.Context, token string) (core.Identity, error) {
	sum := sha256.Sum256([]byte(token))
	found := -1
	for i, known := range k {
		if subtle.ConstantTimeCompare(sum[:], known.digest) == 1 {
			found = i
		}
	}
	if found < 0 {
		return core.Identity{}, badToken("the token is unknown")
	}
	return k[found].who, nil
}

// badToken refuses a token; its client is told why.
func badToken(why string) error {
	return &mapping.Error{Code: mapping.Unauthenticated, Problem: why}
}
