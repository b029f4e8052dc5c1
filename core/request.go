package core

import (
	"context"
	"encoding/json"
	"net/http"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/auth"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A request is what the flows know of one request beside its own arguments: who
// asks, under which revision, and how to talk back. The zero request is a
// program in this process, which may see everything a caller without scopes may.
type request struct {
	caller   mapping.Caller
	header   http.Header // of HTTP, nil elsewhere
	trace    string
	revision string
	progress func(done, total float64, note string)
	tell     func(level, message string) // the client's log; nil is none
	consent  consent
	counted  string // the source for whose rate it has been counted
}

// The revisions that this package tells apart.
const (
	revision20250326 = "2025-03-26" // audio content, batches, completions declared
	revision20250618 = "2025-06-18" // resource links, structured content
	revision20251125 = "2025-11-25" // the newest with a handshake
	revision20260728 = "2026-07-28" // stateless; no -32002, no logging capability
)

// revisionOf returns the revision under which a request came. A session that
// asked for a revision without handshakes was given the newest with one.
func revisionOf(session *mcp.ServerSession, meta map[string]any) string {
	if v, ok := meta[mcp.MetaKeyProtocolVersion].(string); ok && v >= revision20260728 {
		return v
	}
	if session != nil {
		if p := session.InitializeParams(); p != nil && p.ProtocolVersion < revision20251125 {
			return p.ProtocolVersion
		}
	}
	return revision20251125
}

// before reports whether the request came under a revision older than this one.
func (r request) before(revision string) bool { return r.revision != "" && r.revision < revision }

// newRequest reads what every kind of request has. Params must not be nil. Without
// a session nothing but the answer can be told.
func newRequest(ctx context.Context, session *mcp.ServerSession, params mcp.Params, extra *mcp.RequestExtra) request {
	meta := params.GetMeta()
	r := request{
		caller:   callerOf(extra),
		header:   headerOf(extra),
		trace:    traceparent(ctx),
		revision: revisionOf(session, meta),
		progress: func(float64, float64, string) {},
	}
	if token := meta["progressToken"]; token != nil {
		r.progress = newProgress(ctx, session, token).report
	}
	if session != nil {
		r.tell = func(level, message string) { tellClient(ctx, session, level, message) }
	}
	return r
}

func headerOf(extra *mcp.RequestExtra) http.Header {
	if extra == nil {
		return nil
	}
	return extra.Header
}

// callerOf returns who showed the token of a request; without one it is the zero
// Caller.
func callerOf(extra *mcp.RequestExtra) mapping.Caller {
	if extra == nil || extra.TokenInfo == nil {
		return mapping.Caller{}
	}
	return callerFrom(extra.TokenInfo)
}

// callerIn returns who showed the token of an HTTP request.
func callerIn(ctx context.Context) mapping.Caller {
	if info := auth.TokenInfoFromContext(ctx); info != nil {
		return callerFrom(info)
	}
	return mapping.Caller{}
}

func callerFrom(info *auth.TokenInfo) mapping.Caller {
	if c, ok := info.Extra[callerKey].(mapping.Caller); ok {
		return c
	}
	c := mapping.Caller{ID: info.UserID, Scopes: info.Scopes}
	for name, value := range info.Extra {
		text, err := json.Marshal(value)
		if err != nil {
			continue // not a claim: a verifier may keep anything here
		}
		if c.Claims == nil {
			c.Claims = map[string]json.RawMessage{}
		}
		c.Claims[name] = text
	}
	return c
}
