package core_test

import (
	"context"
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// newBridge makes a bridge that is closed with the test.
func newBridge(t *testing.T, o core.Options, s core.Sources) *core.Bridge {
	t.Helper()
	b, err := core.New(o, s)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("Close: %v", err)
		}
	})
	return b
}

// connect connects the SDK's client in memory, which speaks the newest revision.
func connect(t *testing.T, b *core.Bridge, o *mcp.ClientOptions) *mcp.ClientSession {
	t.Helper()
	here, there := mcp.NewInMemoryTransports()
	server, err := b.SDK().Connect(t.Context(), there, nil)
	if err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
	session, err := client.Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		session.Close()
		server.Wait()
	})
	return session
}

// shop is a catalog with a bit of everything.
func shop() mapping.Catalog {
	return mapping.Catalog{
		Scheme: "shop",
		About:  "A small shop.",
		Operations: []mapping.Operation{
			{
				Key: "list", Name: "listOrders", Summary: "Lists orders.", Noun: "order", Verb: "list",
				Effect: mapping.Reads, Idempotent: true,
				Params: []mapping.Param{{Name: "limit", Schema: json.RawMessage(`{"type":"integer"}`)}},
			},
			{
				Key: "get", Name: "getOrder", Summary: "Gets an order.", Noun: "order", Verb: "get",
				Effect: mapping.Reads, Idempotent: true,
				Params: []mapping.Param{{In: "path", Name: "id", Required: true, Schema: json.RawMessage(`{"type":"integer"}`)}},
			},
			{
				Key: "delete", Name: "deleteOrder", Summary: "Deletes an order.", Noun: "order", Verb: "delete",
				Effect: mapping.Destroys, Idempotent: true,
				Params: []mapping.Param{{In: "path", Name: "id", Required: true, Schema: json.RawMessage(`{"type":"integer"}`)}},
			},
		},
		Resources: []mapping.Resource{
			{Path: "readme", Name: "readme", MIME: "text/plain"},
			{Path: "orders/{id}", Name: "order", MIME: "application/json", Operation: "get"},
		},
		Prompts: []mapping.Prompt{{
			Name: "greet", Text: "Greets somebody.",
			Args:     []mapping.PromptArg{{Name: "who", Required: true}},
			Messages: []mapping.PromptMessage{{Role: "user", Text: "Say hello to {{who}}."}},
		}},
	}
}

func TestOneOfEach(t *testing.T) {
	fake := &adaptertest.Fake{
		Offer: shop(),
		Reads: map[string]adaptertest.ReadFunc{
			"readme": adaptertest.Content(mapping.Block{Kind: mapping.Text, Text: "Read me."}),
		},
	}
	b := newBridge(t, core.Options{Name: "shop"}, core.Sources{"shop": fake})
	c := connect(t, b, nil)

	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	if got, want := text(t, names), `["list_orders","get_order","delete_order"]`; got != want {
		t.Errorf("tools = %s, want %s", got, want)
	}

	result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_order", Arguments: map[string]any{"id": 7}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := text(t, result.StructuredContent), `{"args":{"id":7}}`; got != want {
		t.Errorf("answer = %s, want %s", got, want)
	}

	read, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "shop://shop/readme"})
	if err != nil {
		t.Fatal(err)
	}
	if got := read.Contents[0]; got.Text != "Read me." || got.URI != "shop://shop/readme" {
		t.Errorf("contents = %+v", got)
	}

	prompt, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "greet", Arguments: map[string]string{"who": "Ann"}})
	if err != nil {
		t.Fatal(err)
	}
	if got, want := text(t, prompt.Messages[0].Content), `{"type":"text","text":"Say hello to Ann."}`; got != want {
		t.Errorf("message = %s, want %s", got, want)
	}
	if err := b.Ready(context.Background()); err != nil {
		t.Errorf("Ready: %v", err)
	}
}

// text returns v as JSON.
func contains(s, part string) bool { return strings.Contains(s, part) }

func text(t *testing.T, v any) string {
	t.Helper()
	b, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}
