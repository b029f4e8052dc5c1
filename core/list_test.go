package core_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// many is a catalog of so many operations, each with a summary of some length.
func many(n, length int) mapping.Catalog {
	c := mapping.Catalog{Scheme: "many"}
	for i := range n {
		name := fmt.Sprintf("do_%04d", i)
		c.Operations = append(c.Operations, mapping.Operation{
			Key: name, Name: name, Summary: strings.Repeat("x", length), Effect: mapping.Reads,
		})
	}
	return c
}

// pages lists the tools and returns how many each page has.
func pages(t *testing.T, c *mcp.ClientSession) (sizes []int, names []string) {
	t.Helper()
	for cursor := ""; ; {
		page, err := c.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: cursor})
		if err != nil {
			t.Fatal(err)
		}
		sizes = append(sizes, len(page.Tools))
		for _, tool := range page.Tools {
			names = append(names, tool.Name)
		}
		if cursor = page.NextCursor; cursor == "" {
			return sizes, names
		}
	}
}

// Some clients read one page only: 2,000 tools or 2 MB fit on it.
func TestPages(t *testing.T) {
	for _, c := range []struct {
		tools, length int
		want          string
	}{
		{0, 1, "[0]"},
		{1, 1, "[1]"},
		{2000, 1, "[2000]"},
		{2001, 1, "[2000 1]"},
	} {
		b := newBridge(t, core.Options{}, core.Sources{"many": &adaptertest.Fake{Offer: many(c.tools, c.length)}})
		sizes, names := pages(t, connect(t, b, nil))
		if got := fmt.Sprint(sizes); got != c.want {
			t.Errorf("%d tools come in pages of %s, want %s", c.tools, got, c.want)
		}
		if len(names) != c.tools || c.tools > 0 && names[c.tools-1] != fmt.Sprintf("do_%04d", c.tools-1) {
			t.Errorf("%d tools: %d names, not in their order", c.tools, len(names))
		}
	}
}

func TestPagesAreBoundedInBytes(t *testing.T) {
	offer := many(1500, 10)
	var properties []string
	for i := range 20 {
		properties = append(properties, fmt.Sprintf(`"p%d":{"type":"string","description":"%s"}`, i, strings.Repeat("x", 50)))
	}
	schema := json.RawMessage(`{"type":"object","properties":{` + strings.Join(properties, ",") + `}}`)
	for i := range offer.Operations {
		offer.Operations[i].Body = &mapping.Body{Schema: schema}
	}
	b := newBridge(t, core.Options{}, core.Sources{"many": &adaptertest.Fake{Offer: offer}})
	sizes, names := pages(t, connect(t, b, nil))
	if len(sizes) != 2 || sizes[0] < 800 || sizes[0] > 1200 || len(names) != 1500 {
		t.Errorf("1,500 tools of 2 kB come in pages of %v, want two of about 2 MB", sizes)
	}
}

// A cursor survives a reload that keeps the tool it stands at, and is refused
// after one that does not.
func TestCursors(t *testing.T) {
	fake := &adaptertest.Fake{Offer: many(2001, 1)}
	b := newBridge(t, core.Options{}, core.Sources{"many": fake})
	c := connect(t, b, nil)
	page, err := c.ListTools(t.Context(), nil)
	if err != nil || page.NextCursor == "" {
		t.Fatalf("no second page: %v", err)
	}
	second := func() ([]*mcp.Tool, error) {
		p, err := c.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: page.NextCursor})
		if err != nil {
			return nil, err
		}
		return p.Tools, nil
	}
	offer := many(2001, 1)
	offer.Operations = append(offer.Operations[1:], many(2002, 1).Operations[2001])
	fake.Change(offer)
	if err := b.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	tools, err := second()
	if err != nil || toolNames(tools) != "do_2000 do_2001" {
		t.Errorf("the second page is %s, %v; want do_2000 do_2001", toolNames(tools), err)
	}
	fake.Change(many(5, 1))
	if err := b.Reload(t.Context()); err != nil {
		t.Fatal(err)
	}
	_, err = second()
	wantCode(t, "a cursor at a tool that is gone", err, jsonrpc.CodeInvalidParams)
	for _, cursor := range []string{"x", "AA", "YQ", "????", "YmFk"} { // not base64, "\x00", "a", not base64, "bad"
		_, err := c.ListTools(t.Context(), &mcp.ListToolsParams{Cursor: cursor})
		wantCode(t, "cursor "+cursor, err, jsonrpc.CodeInvalidParams)
	}
}

// What an embedder adds is listed after ours, called where the name is not ours,
// and never hides one of ours.
func TestEmbedder(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"shop": &adaptertest.Fake{Offer: shop()}})
	add := func(name string) {
		b.Server().AddTool(&mcp.Tool{Name: name, InputSchema: json.RawMessage(`{"type":"object"}`)},
			func(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
				return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: "the embedder's " + name}}}, nil
			})
	}
	add("extra")
	add("get_order")
	b.Server().AddResource(&mcp.Resource{URI: "test://note", Name: "note"},
		func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
			return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{{Text: "noted"}}}, nil
		})
	b.Server().AddResourceTemplate(&mcp.ResourceTemplate{URITemplate: "test://{x}", Name: "x"}, nil)
	b.Server().AddPrompt(&mcp.Prompt{Name: "hint"}, func(context.Context, *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
		return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{}}, nil
	})
	c := connect(t, b, nil)

	_, names := pages(t, c)
	if got, want := strings.Join(names, " "), "list_orders get_order delete_order extra"; got != want {
		t.Errorf("tools = %s, want %s", got, want)
	}
	result, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "extra"})
	if err != nil || text(t, result.Content) != `[{"type":"text","text":"the embedder's extra"}]` {
		t.Errorf("extra = %s, %v", text(t, result), err)
	}
	result, err = c.CallTool(t.Context(), &mcp.CallToolParams{Name: "get_order", Arguments: map[string]any{"id": 1}})
	if err != nil || text(t, result.StructuredContent) != `{"args":{"id":1}}` {
		t.Errorf("get_order = %s, %v", text(t, result), err)
	}
	read, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "test://note"})
	if err != nil || read.Contents[0].Text != "noted" || read.CacheScope != "private" {
		t.Errorf("read = %s, %v", text(t, read), err)
	}
	resources, err := c.ListResources(t.Context(), nil)
	if err != nil || len(resources.Resources) != 2 || resources.Resources[1].URI != "test://note" {
		t.Errorf("resources = %s, %v", text(t, resources), err)
	}
	templates, err := c.ListResourceTemplates(t.Context(), nil)
	if err != nil || len(templates.ResourceTemplates) != 2 || templates.ResourceTemplates[1].URITemplate != "test://{x}" {
		t.Errorf("templates = %s, %v", text(t, templates), err)
	}
	prompts, err := c.ListPrompts(t.Context(), nil)
	if err != nil || len(prompts.Prompts) != 2 || prompts.Prompts[1].Name != "hint" {
		t.Errorf("prompts = %s, %v", text(t, prompts), err)
	}
	if _, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "hint"}); err != nil {
		t.Error(err)
	}
}

// Lists has the very objects that a client gets.
func TestListsAreWhatClientsGet(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"shop": &adaptertest.Fake{Offer: shop()}})
	if got, want := text(t, b.Lists()), `{"tools":[],"resources":[],"resourceTemplates":[],"prompts":[],"decisions":[]}`; b.Surface() == nil && got != want {
		t.Errorf("before the first publish: %s, want %s", got, want)
	}
	c := connect(t, b, nil)
	tools, err := c.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := decode(t, text(t, b.Lists().Tools)), decode(t, text(t, tools.Tools)); text(t, got) != text(t, want) {
		t.Errorf("Lists has %s, a client gets %s", text(t, got), text(t, want))
	}
}
