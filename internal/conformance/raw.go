package main

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// A rawTool is a fixture that no catalog can express: it asks the client for
// something, answers with a protocol error, or has a schema to be kept verbatim.
type rawTool struct {
	name, about string
	schema      string // "" takes no arguments
	handle      mcp.ToolHandler
}

// addRaw registers the raw fixtures with the server that an embedder is given.
func addRaw(s *mcp.Server, key stateKey) {
	for _, list := range [][]rawTool{clientTools(), inputTools(key), schemaTools()} {
		for _, t := range list {
			schema := t.schema
			if schema == "" {
				schema = `{"type":"object","additionalProperties":false}`
			}
			s.AddTool(&mcp.Tool{Name: t.name, Description: t.about, InputSchema: json.RawMessage(schema)}, t.handle)
		}
	}
	addResources(s)
	addPrompts(s)
}

// say is a tool's answer in one sentence.
func say(format string, args ...any) *mcp.CallToolResult {
	return &mcp.CallToolResult{Content: []mcp.Content{&mcp.TextContent{Text: fmt.Sprintf(format, args...)}}}
}

// addResources registers resources whose URIs have no path below a source.
func addResources(s *mcp.Server) {
	add := func(name, mime string, contents mcp.ResourceContents) {
		uri := "test://" + name
		contents.URI, contents.MIMEType = uri, mime
		s.AddResource(&mcp.Resource{URI: uri, Name: name, MIMEType: mime, Description: "A fixed resource."},
			func(context.Context, *mcp.ReadResourceRequest) (*mcp.ReadResourceResult, error) {
				return &mcp.ReadResourceResult{Contents: []*mcp.ResourceContents{&contents}}, nil
			})
	}
	add("static-text", "text/plain", mcp.ResourceContents{Text: "This is the content of the static text resource."})
	add("static-binary", "image/png", mcp.ResourceContents{Blob: pixel()})
	add("watched-resource", "text/plain", mcp.ResourceContents{Text: "This resource can be subscribed to."})
}

// addPrompts registers prompts whose messages depend on more than text.
func addPrompts(s *mcp.Server) {
	s.AddPrompt(&mcp.Prompt{
		Name:        "test_prompt_with_embedded_resource",
		Description: "A prompt that embeds the resource it is given.",
		Arguments:   []*mcp.PromptArgument{{Name: "resourceUri", Description: "The URI to embed.", Required: true}},
	}, embed)
	s.AddPrompt(&mcp.Prompt{
		Name:        "test_input_required_result_prompt",
		Description: "A prompt that asks the user for its context.",
	}, promptInput)
}

func embed(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{
		{Role: "user", Content: &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{
			URI: req.Params.Arguments["resourceUri"], MIMEType: "text/plain", Text: "Embedded resource content for testing.",
		}}},
		{Role: "user", Content: &mcp.TextContent{Text: "Please process the embedded resource above."}},
	}}, nil
}
