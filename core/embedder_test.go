package core_test

import (
	"context"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// An embedder's resource may share the scheme of a source. Its changes are the
// embedder's to tell.
func TestEmbeddersResourceCanBeSubscribedTo(t *testing.T) {
	const uri = "shop://opening-hours"
	b := newBridge(t, core.Options{Name: "test"}, core.Sources{"shop": &adaptertest.Fake{Offer: shop()}})
	b.Server().AddResource(&mcp.Resource{URI: uri, Name: "opening hours"},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{URI: uri, Text: "always"}}}, nil
		})
	updated := make(chan string, 1)
	here, there := mcp.NewInMemoryTransports()
	if _, err := b.SDK().Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { updated <- r.Params.URI },
	})
	session, err := client.Connect(t.Context(), here, &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	if err := session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	if err := b.Server().ResourceUpdated(t.Context(), &mcp.ResourceUpdatedNotificationParams{URI: uri}); err != nil {
		t.Fatal(err)
	}
	if got := <-updated; got != uri {
		t.Errorf("%s was updated, want %s", got, uri)
	}
	for _, uri := range []string{"shop://shop/nothing", "shop://closing-hours", "shop://nobody/readme", "other://x", "mcp-bridge://front"} {
		wantCode(t, uri, session.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}), -32002) // as reading it is answered
	}
}
