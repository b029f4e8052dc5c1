package clients

import (
	"context"
	"os/exec"
	"testing"

	"github.com/mark3labs/mcp-go/client"
	"github.com/mark3labs/mcp-go/client/transport"
	"github.com/mark3labs/mcp-go/mcp"
)

type mcpGo struct {
	client  *client.Client
	changed chan struct{}
}

// yes accepts every question.
type yes struct{}

func (yes) Elicit(context.Context, mcp.ElicitationRequest) (*mcp.ElicitationResult, error) {
	return &mcp.ElicitationResult{ElicitationResponse: mcp.ElicitationResponse{
		Action: mcp.ElicitationResponseActionAccept, Content: map[string]any{},
	}}, nil
}

func dialMCPGo(t *testing.T, revision, url string, command *exec.Cmd) goClient {
	t.Helper()
	var by transport.Interface
	if command != nil {
		by = transport.NewStdio(command.Path, nil, command.Args[1:]...)
	} else {
		var options []transport.StreamableHTTPCOption
		if revision < "2026-07-28" { // when this became a request of its own
			//lint:ignore SA1019 deprecated since 2026-07-28, and part of the revisions before it
			options = append(options, transport.WithContinuousListening())
		}
		var err error
		if by, err = transport.NewStreamableHTTP(url, options...); err != nil {
			t.Fatal(err)
		}
	}
	c := &mcpGo{changed: make(chan struct{}, 100)}
	c.client = client.NewClient(by, client.WithProtocolVersion(revision), client.WithElicitationHandler(yes{}))
	c.client.OnNotification(func(n mcp.JSONRPCNotification) {
		if n.Method == "notifications/tools/list_changed" {
			c.changed <- struct{}{}
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
	if revision >= "2026-07-28" {
		go c.client.Listen(t.Context(), mcp.SubscriptionFilter{ToolsListChanged: true})
	}
	return c
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

func (c *mcpGo) told() <-chan struct{} { return c.changed }
