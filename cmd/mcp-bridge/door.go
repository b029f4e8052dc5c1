package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A door knows what the bridge asks about each request and a reload may change:
// which tokens are good, and in which header a caller brings something for a
// source.
type door struct{ now atomic.Pointer[known] }

type known struct {
	tokens  knownTokens
	headers map[string]string // by source
}

func newDoor(c *config) *door {
	d := &door{}
	d.change(c)
	return d
}

// change makes the door know what this config says.
func (d *door) change(c *config) {
	k := &known{headers: map[string]string{}}
	if c.HTTP.Auth != nil {
		k.tokens = c.HTTP.Auth.known()
	}
	for name, s := range c.sources {
		if s, ok := s.(interface{ bringsIn() string }); ok && s.bringsIn() != "" {
			k.headers[name] = s.bringsIn()
		}
	}
	d.now.Store(k)
}

// withdraw makes the door forget the tokens that this config does not have, whatever
// becomes of the rest of it.
func (d *door) withdraw(c *config) {
	if c.HTTP.Auth == nil {
		return // a config of another server than this
	}
	good := c.HTTP.Auth.known()
	k := *d.now.Load()
	k.tokens = slices.DeleteFunc(slices.Clone(k.tokens), func(old knownToken) bool {
		return !slices.ContainsFunc(good, func(t knownToken) bool { return bytes.Equal(t.digest, old.digest) })
	})
	d.now.Store(&k)
}

// verify says whose a token of the config is.
func (d *door) verify(ctx context.Context, token string) (core.Identity, error) {
	return d.now.Load().tokens.verify(ctx, token)
}

// credential is a [core.Credential].
func (d *door) credential(_ context.Context, source string, _ mapping.Caller, header http.Header) (string, error) {
	return header.Get(d.now.Load().headers[source]), nil
}

// A callerHeader is the request header in which a caller brings a credential of
// its own for a source.
type callerHeader string

func (h *callerHeader) UnmarshalText(b []byte) error {
	name := string(b)
	if err := checkHeader(name, ""); err != nil {
		return err
	}
	lower := strings.ToLower(name)
	if slices.Contains([]string{"authorization", "proxy-authorization", "cookie", "host", "origin"}, lower) || strings.HasPrefix(lower, "mcp-") {
		return fmt.Errorf("%s has another meaning; name a header that is for this alone, such as X-Upstream-Key", name)
	}
	*h = callerHeader(name)
	return nil
}

// callerConfig says how callers bring credentials of their own for an API.
type callerConfig struct {
	CallerHeader callerHeader `json:"callerHeader,omitempty" jsonschema:"The request header in which a caller brings its own credential for this API. Over HTTP only; never Authorization, which is the bridge's."`
	CallerScheme string       `json:"callerScheme,omitempty" jsonschema:"The security scheme that what comes in callerHeader is for. The operator's credential of that scheme is sent for callers who bring none."`
}

func (c callerConfig) bringsIn() string { return string(c.CallerHeader) }

func (c callerConfig) check() error {
	if (c.CallerHeader == "") != (c.CallerScheme == "") {
		return errors.New("callerHeader and callerScheme go together: where the credential comes from, and what it is for")
	}
	return nil
}
