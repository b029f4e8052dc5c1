package core_test

import (
	"context"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// watchedShop is a shop whose readme can be watched, and nothing else.
func watchedShop() (core.Adapter, *adaptertest.Bell) {
	bell := &adaptertest.Bell{Paths: []string{"readme"}}
	return struct {
		*adaptertest.Fake
		core.Watcher
	}{&adaptertest.Fake{Offer: shop()}, bell}, bell
}

func TestSubscribe(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		adapter, bell := watchedShop()
		b := newBridge(t, core.Options{}, core.Sources{"shop": adapter})
		updated := make(chan string, 10)
		client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
			ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) { updated <- r.Params.URI },
		})
		c, err := client.Connect(t.Context(), memoryTransport(t, b), &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
		if err != nil {
			t.Fatal(err)
		}
		const uri = "shop://shop/readme"
		for range 2 { // the second changes nothing
			if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
				t.Fatal(err)
			}
		}
		if n := bell.Ring("readme"); n != 1 {
			t.Errorf("%d watches, want 1", n)
		}
		if got := <-updated; got != uri {
			t.Errorf("%s was updated, want %s", got, uri)
		}
		for _, other := range []string{"shop://shop/orders/7", "shop://shop/no-such"} {
			err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: other})
			want := int64(jsonrpc.CodeInvalidParams)
			if other == "shop://shop/no-such" {
				want = -32002
			}
			wantCode(t, other, err, want)
		}
		if err := c.Unsubscribe(t.Context(), &mcp.UnsubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
		synctest.Wait()
		if n := bell.Ring("readme"); n != 0 {
			t.Errorf("%d watches after unsubscribing, want none", n)
		}
		if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: uri}); err != nil {
			t.Fatal(err)
		}
		c.Close()
		synctest.Wait()
		if n := bell.Ring("readme"); n != 0 {
			t.Errorf("%d watches after the session, want none", n)
		}
	})
}

// However many sessions watch a resource, each is told of a change once.
func TestSubscribersAreToldOnce(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		adapter, bell := watchedShop()
		b := newBridge(t, core.Options{}, core.Sources{"shop": adapter})
		var told atomic.Int64
		for range 3 {
			client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
				ResourceUpdatedHandler: func(context.Context, *mcp.ResourceUpdatedNotificationRequest) { told.Add(1) },
			})
			c, err := client.Connect(t.Context(), memoryTransport(t, b), &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			if err := c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "shop://shop/readme"}); err != nil {
				t.Fatal(err)
			}
		}
		bell.Ring("readme")
		time.Sleep(time.Second)
		if n := told.Load(); n != 3 {
			t.Errorf("3 sessions were told %d times", n)
		}
	})
}

// A source that cannot be watched says so.
func TestSubscribeWithoutWatcher(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"shop": &adaptertest.Fake{Offer: shop()}})
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	c, err := client.Connect(t.Context(), memoryTransport(t, b), &mcp.ClientSessionOptions{ProtocolVersion: "2025-11-25"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	err = c.Subscribe(t.Context(), &mcp.SubscribeParams{URI: "shop://shop/readme"})
	wantCode(t, "subscribe", err, jsonrpc.CodeInvalidParams)
}

// Completions come from the source that has the prompt or template.
func TestComplete(t *testing.T) {
	asked := make(chan mapping.Completion, 1)
	b := newBridge(t, core.Options{}, core.Sources{
		"shop": struct {
			*adaptertest.Fake
			core.Completer
		}{&adaptertest.Fake{Offer: shop()}, adaptertest.CompleteFunc(
			func(_ context.Context, c mapping.Completion) (mapping.Completions, error) {
				asked <- c
				values := make([]string, 150)
				return mapping.Completions{Values: values}, nil
			})},
		"mute": &adaptertest.Fake{Offer: shop()},
	})
	b.Server().AddPrompt(&mcp.Prompt{Name: "added"}, nil)
	b.Server().AddResourceTemplate(&mcp.ResourceTemplate{Name: "added", URITemplate: "added://{it}"}, nil)
	c := connect(t, b, nil)
	for _, test := range []struct {
		ref  *mcp.CompleteReference
		want string // what the adapter is asked, "" if it is not; or "refused"
	}{
		{&mcp.CompleteReference{Type: "ref/prompt", Name: "shop_greet"}, `{"Resource":"","Prompt":"greet","Argument":"who","Prefix":"A","Known":{"x":"y"},"Caller":{"ID":"","Scopes":null,"Claims":null,"Credential":""}}`},
		{&mcp.CompleteReference{Type: "ref/resource", URI: "shop://shop/orders/{id}"}, `{"Resource":"orders/{id}","Prompt":"","Argument":"who","Prefix":"A","Known":{"x":"y"},"Caller":{"ID":"","Scopes":null,"Claims":null,"Credential":""}}`},
		{&mcp.CompleteReference{Type: "ref/prompt", Name: "mute_greet"}, ""},
		{&mcp.CompleteReference{Type: "ref/prompt", Name: "no_such"}, "refused"},
		{&mcp.CompleteReference{Type: "ref/prompt", Name: "mcp-bridge.front"}, "refused"},
		{&mcp.CompleteReference{Type: "ref/resource", URI: "shop://shop/no-such"}, "refused"},
		{&mcp.CompleteReference{Type: "ref/resource", URI: "mcp-bridge://{+front}"}, "refused"},
		{&mcp.CompleteReference{Type: "ref/prompt", Name: "added"}, ""},
		{&mcp.CompleteReference{Type: "ref/resource", URI: "added://{it}"}, ""},
	} {
		result, err := c.Complete(t.Context(), &mcp.CompleteParams{
			Ref:      test.ref,
			Argument: mcp.CompleteParamsArgument{Name: "who", Value: "A"},
			Context:  &mcp.CompleteContext{Arguments: map[string]string{"x": "y"}},
		})
		if test.want == "refused" {
			wantCode(t, text(t, test.ref), err, jsonrpc.CodeInvalidParams)
			continue
		}
		if err != nil {
			t.Errorf("%+v: %v", test.ref, err)
			continue
		}
		if test.want == "" {
			if result.Completion.Values == nil || len(result.Completion.Values) != 0 {
				t.Errorf("%+v: proposed %v, want an empty list", test.ref, result.Completion.Values)
			}
			continue
		}
		if got := text(t, <-asked); got != test.want {
			t.Errorf("%+v: asked %s, want %s", test.ref, got, test.want)
		}
		if d := result.Completion; len(d.Values) != 100 || d.Total != 150 || !d.HasMore {
			t.Errorf("%+v: %d values of %d, more %t; want 100 of 150 and more", test.ref, len(d.Values), d.Total, d.HasMore)
		}
	}
}

// A source that has failed for good is asked again when it says that something
// has changed: an operator mends a document while the bridge runs.
func TestFailedSourceIsAskedAgainWhenItChanges(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		bell := &adaptertest.Bell{Paths: []string{""}}
		var mended atomic.Bool
		fake := &adaptertest.Fake{Offer: shop(), Load: func(context.Context) error {
			if mended.Load() {
				return nil
			}
			return &mapping.Error{Code: mapping.Invalid, Problem: "the document is broken"}
		}}
		b := newBridge(t, core.Options{}, core.Sources{"shop": struct {
			*adaptertest.Fake
			core.Watcher
		}{fake, bell}})
		if err := b.Ready(t.Context()); err == nil {
			t.Error("a broken source is ready")
		}
		synctest.Wait()
		bell.Ring("") // still broken
		synctest.Wait()
		if got := b.Status()[0]; got.Err == nil || got.Temporary {
			t.Errorf("the status is %+v", got)
		}
		mended.Store(true)
		if n := bell.Ring(""); n != 1 {
			t.Errorf("%d watches, want 1", n)
		}
		synctest.Wait()
		if got := b.Status()[0]; got.Err != nil || got.Tools == 0 {
			t.Errorf("the status is %+v, want a source that is served", got)
		}
	})
}
