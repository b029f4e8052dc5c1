package clients

import (
	"context"
	"testing"

	mcpclient "github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

type mcpGo struct {
	client  *mcpclient.Client
	modern  bool
	lists   chan string
	changed chan string
}

// yes accepts every question.
type yes struct{}

func (yes) Elicit(context.Context, mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{
		Action: mcp.ElicitationResponseActionAccept, Content: map[string]any{},
	}}, nil
}

func dialMCPGo(t *testing.T, revision string, at door, confirms bool) goClient {
	t.Helper()
	c := &mcpGo{modern: revision >= "2026-07-28", lists: make(chan string, 100), changed: make(chan string, 100)}
	options := []mcpclient.ClientOption{mcpclient.WithProtocolVersion(revision)}
	if confirms {
		options = append(options, mcpclient.WithElicitationHandler(yes{}))
	}
	c.client = mcpclient.NewClient(transportOfMCPGo(t, c.modern, at), options...)
	c.client.OnNotification(func(n mcp.JSONRPCNotification) {
		switch n.Method {
		case "notifications/tools/list_changed":
			c.lists <- ""
		case "notifications/resources/updated":
			uri, _ := n.Params.AdditionalFields["uri"].(string)
			c.changed <- uri
		}
	})
	if err := c.client.Start(context.WithoutCancel(t.Context())); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.client.Close() })
	hello := mcp.InitializeRequest{}
	hello.Params.ClientInfo = mcp.Implementation{Name: "clients", Version: "1"}
	result, err := c.client.Initialize(t.Context(), hello)
	if err != nil {
		t.Fatal(err)
	}
	if result.ProtocolVersion != revision {
		t.Errorf("negotiated %s, want %s", result.ProtocolVersion, revision)
	}
	return c
}

func transportOfMCPGo(t *testing.T, modern bool, at door) (by transport.Interface) {
	t.Helper()
	var err error
	switch at.transport {
	case overStdio:
		by = transport.NewStdio(at.command[0], nil, at.command[1:]...)
	case overHTTP:
		var options []transport.StreamableHTTPCOption
		if !modern { // to listen became a request of its own
			//lint:ignore SA1019 deprecated since 2026-07-28, and part of the revisions before it
			options = append(options, transport.WithContinuousListening())
		}
		by, err = transport.NewStreamableHTTP(at.url, options...)
	case overSSE:
		by, err = transport.NewSSE(at.url)
	}
	if err != nil {
		t.Fatal(err)
	}
	return by
}

func (c *mcpGo) tools(ctx context.Context) (names []string, err error) {
	result, err := c.client.ListTools(ctx, mcp.ListToolsRequest{})
	if err != nil {
		return nil, err
	}
	for _, tool := range result.Tools {
		names = append(names, tool.Name)
	}
	return names, nil
}

func (c *mcpGo) call(ctx context.Context, name string, args map[string]any) (text string, failed bool, err error) {
	request := mcp.CallToolRequest{}
	request.Params.Name, request.Params.Arguments = name, args
	result, err := c.client.CallTool(ctx, request)
	if err != nil {
		return "", false, err
	}
	for _, block := range result.Content {
		if t, ok := block.(mcp.TextContent); ok {
			text += t.Text
		}
	}
	return text, result.IsError, nil
}

func (c *mcpGo) read(ctx context.Context, uri string) (text string, err error) {
	request := mcp.ReadResourceRequest{}
	request.Params.URI = uri
	result, err := c.client.ReadResource(ctx, request)
	if err != nil {
		return "", err
	}
	for _, part := range result.Contents {
		if t, ok := part.(mcp.TextResourceContents); ok {
			text += t.Text
		}
	}
	return text, nil
}

func (c *mcpGo) subscribe(ctx context.Context, uri string) error {
	if c.modern { // each Listen ends the one before
		filter := mcp.SubscriptionFilter{ToolsListChanged: uri == ""}
		if uri != "" {
			filter.ResourceSubscriptions = []string{uri}
		}
		go c.client.Listen(context.WithoutCancel(ctx), filter) // until the client is closed
		return nil
	}
	if uri == "" {
		return nil
	}
	//lint:ignore SA1019 deprecated since 2026-07-28, and part of the revisions before it
	return c.client.Subscribe(ctx, mcp.SubscribeRequest{Params: mcp.SubscribeParams{URI: uri}})
}

func (c *mcpGo) listed() <-chan string { return c.lists }

func (c *mcpGo) updated() <-chan string { return c.changed }
