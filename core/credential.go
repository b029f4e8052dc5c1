package core

import (
	"context"
	"net/http"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A Credential returns what a caller brought for one source: it becomes
// Caller.Credential there, and no other source sees it. header is that of the
// request, without the token that the caller showed to the bridge and without
// cookies; it is nil where the request did not come over HTTP. "" is nothing. An
// error fails the call; a *mapping.Error is told in its words.
type Credential func(ctx context.Context, source string, caller mapping.Caller, header http.Header) (string, error)

// callerFor returns the caller as one source may know it.
func (b *Bridge) callerFor(ctx context.Context, source string, caller mapping.Caller, header http.Header) (mapping.Caller, error) {
	caller.Credential = ""
	if b.options.Credential == nil {
		return caller, nil
	}
	header = header.Clone()
	for _, name := range []string{"Authorization", "Proxy-Authorization", "Cookie"} {
		header.Del(name)
	}
	var err error
	caller.Credential, err = b.options.Credential(ctx, source, caller, header)
	return caller, err
}
