package clients

import (
	"context"
	"os/exec"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type goSDK struct {
	session *mcp.ClientSession
	lists   chan string
	changed chan string
}

func dialGoSDK(t *testing.T, revision string, at door, confirms bool) goClient {
	t.Helper()
	c := &goSDK{lists: make(chan string, 100), changed: make(chan string, 100)}
	options := &mcp.ClientOptions{
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { c.lists <- "" },
		ResourceUpdatedHandler: func(_ context.Context, r *mcp.ResourceUpdatedNotificationRequest) {
			c.changed <- r.Params.URI
		},
	}
	if confirms {
		options.ElicitationHandler = func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
		}
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "clients", Version: "1"}, options)
	var transport mcp.Transport
	switch at.transport {
	case overStdio:
		transport = &mcp.CommandTransport{Command: exec.CommandContext(t.Context(), at.command[0], at.command[1:]...)}
	case overHTTP:
		transport = &mcp.StreamableClientTransport{Endpoint: at.url}
	case overSSE:
		transport = &mcp.SSEClientTransport{Endpoint: at.url}
	}
	session, err := client.Connect(t.Context(), transport, &mcp.ClientSessionOptions{ProtocolVersion: revision})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })
	if got := session.InitializeResult().ProtocolVersion; got != revision {
		t.Errorf("negotiated %s, want %s", got, revision)
	}
	c.session = session
	return c
}

func (c *goSDK) tools(ctx context.Context) (names []string, err error) {
	for tool, err := range c.session.Tools(ctx, nil) {
		if err != nil {
			return nil, err
		}
		names = append(names, tool.Name)
	}
	return names, nil
}

func (c *goSDK) call(ctx context.Context, name string, args map[string]any) (text string, failed bool, err error) {
	result, err := c.session.CallTool(ctx, &mcp.CallToolParams{Name: name, Arguments: args})
	if err != nil {
		return "", false, err
	}
	for _, block := range result.Content {
		if t, ok := block.(*mcp.TextContent); ok {
			text += t.Text
		}
	}
	return text, result.IsError, nil
}

func (c *goSDK) read(ctx context.Context, uri string) (text string, err error) {
	result, err := c.session.ReadResource(ctx, &mcp.ReadResourceParams{URI: uri})
	if err != nil {
		return "", err
	}
	for _, part := range result.Contents {
		text += part.Text
	}
	return text, nil
}

func (c *goSDK) subscribe(ctx context.Context, uri string) error {
	if uri == "" {
		return nil // it listens from the start
	}
	return c.session.Subscribe(ctx, &mcp.SubscribeParams{URI: uri})
}

func (c *goSDK) listed() <-chan string { return c.lists }

func (c *goSDK) updated() <-chan string { return c.changed }
