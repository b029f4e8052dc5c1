package clients

import (
	"context"
	"os/exec"
	"testing"
	"time"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type goSDK struct {
	session *mcp.ClientSession
	changed chan struct{}
}

func dialGoSDK(t *testing.T, revision, url string, command *exec.Cmd) goClient {
	t.Helper()
	c := &goSDK{changed: make(chan struct{}, 100)}
	client := mcp.NewClient(&mcp.Implementation{Name: "clients", Version: "1"}, &mcp.ClientOptions{
		ElicitationHandler: func(context.Context, *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
			return &mcp.ElicitResult{Action: "accept", Content: map[string]any{}}, nil
		},
		ToolListChangedHandler: func(context.Context, *mcp.ToolListChangedRequest) { c.changed <- struct{}{} },
	})
	var transport mcp.Transport = &mcp.StreamableClientTransport{Endpoint: url}
	if command != nil {
		transport = &mcp.CommandTransport{Command: command}
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

func (c *goSDK) told() <-chan struct{} { return c.changed }

// moment is how long a change may take to be told before it is made again.
func moment() <-chan time.Time { return time.After(300 * time.Millisecond) }
