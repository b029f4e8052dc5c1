//lint:file-ignore SA1019 the suite still asks for sampling and roots, which 2026-07-28 deprecates

package main

import (
	"context"
	"encoding/json"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

func sample(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	prompt, err := argument(req, "prompt")
	if err != nil {
		return nil, err
	}
	answer, err := req.Session.CreateMessage(ctx, question(prompt, 100))
	if err != nil {
		return nil, err
	}
	text, ok := answer.Content.(*mcp.TextContent)
	if !ok {
		return say("LLM response: not text"), nil
	}
	return say("LLM response: %s", text.Text), nil
}

// needSampling refuses a client that did not declare what the tool relies on.
func needSampling(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if c := req.ClientCapabilities(); c != nil && c.Sampling != nil {
		return say("The client can sample."), nil
	}
	data, err := json.Marshal(mcp.MissingRequiredClientCapabilityData{
		RequiredCapabilities: &mcp.ClientCapabilities{Sampling: &mcp.SamplingCapabilities{}},
	})
	if err != nil {
		return nil, err
	}
	return nil, &jsonrpc.Error{
		Code:    mcp.CodeMissingRequiredClientCapabilities,
		Message: "this tool needs a client that declares sampling",
		Data:    data,
	}
}

// question asks the client's model.
func question(text string, tokens int64) *mcp.CreateMessageParams {
	return &mcp.CreateMessageParams{
		Messages:  []*mcp.SamplingMessage{{Role: "user", Content: &mcp.TextContent{Text: text}}},
		MaxTokens: tokens,
	}
}

// sampled is the text that the client's model answered.
func sampled(answers mcp.InputResponseMap, key string) (string, bool) {
	answer, ok := answers[key].(*mcp.CreateMessageWithToolsResult)
	if !ok {
		return "", false
	}
	for _, c := range answer.Content {
		if text, ok := c.(*mcp.TextContent); ok {
			return text.Text, true
		}
	}
	return "", false
}

// listRoots asks for the client's roots.
func listRoots() *mcp.ListRootsParams { return &mcp.ListRootsParams{} }

// roots are the URIs that the client answered.
func roots(answers mcp.InputResponseMap, key string) ([]string, bool) {
	answer, ok := answers[key].(*mcp.ListRootsResult)
	if !ok {
		return nil, false
	}
	var uris []string
	for _, r := range answer.Roots {
		uris = append(uris, r.URI)
	}
	return uris, true
}

// answerable asks all that a client says it can answer.
func answerable(c *mcp.ClientCapabilities) mcp.InputRequestMap {
	wanted := mcp.InputRequestMap{}
	if c == nil {
		return wanted
	}
	if c.Elicitation != nil {
		wanted["user_name"] = form("What is your name?", askName)
	}
	if c.Sampling != nil {
		wanted["greeting"] = question("Generate a greeting", 50)
	}
	if c.RootsV2 != nil {
		wanted["client_roots"] = listRoots()
	}
	return wanted
}
