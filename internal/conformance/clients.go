package main

import (
	"context"
	"encoding/json"
	"fmt"
	"time"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// clientTools are tools that ask the client during a call, as revisions up to
// 2025-11-25 allow, or that need a capability of it.
func clientTools() []rawTool {
	return []rawTool{
		{"test_sampling", "Asks the client's model.", textSchema("prompt"), sample},
		{"test_elicitation", "Asks the user for a name.", textSchema("message"), elicitName},
		{"test_elicitation_sep1034_defaults", "Asks the user with defaults filled in.", "", elicit("Please check these values.", elicitDefaults)},
		{"test_elicitation_sep1330_enums", "Asks the user to choose from lists.", "", elicit("Please choose.", elicitChoices)},
		{"test_missing_capability", "Needs a client that can sample.", "", needSampling},
		{"test_streaming_elicitation", "Answers without asking back on the stream.", "", answerAtOnce},
		{"test_reconnection", "Closes the stream and answers on the next one.", "", reconnect},
	}
}

// textSchema takes one required string.
func textSchema(name string) string {
	return fmt.Sprintf(`{"type":"object","properties":{%q:{"type":"string","description":"What to ask."}},"required":[%q],"additionalProperties":false}`, name, name)
}

// argument returns one string argument of a call.
func argument(req *mcp.CallToolRequest, name string) (string, error) {
	var args map[string]any
	if err := json.Unmarshal(req.Params.Arguments, &args); err != nil {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: err.Error()}
	}
	text, ok := args[name].(string)
	if !ok {
		return "", &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: name + " is required"}
	}
	return text, nil
}

func elicitName(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	message, err := argument(req, "message")
	if err != nil {
		return nil, err
	}
	return elicit(message, `{"type":"object","properties":{"username":{"type":"string"},"email":{"type":"string"}},"required":["username"]}`)(ctx, req)
}

// elicit asks the user with a form.
func elicit(message, schema string) mcp.ToolHandler {
	return func(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
		answer, err := req.Session.Elicit(ctx, form(message, schema))
		if err != nil {
			return nil, err
		}
		return say("Elicitation completed: action=%s, content=%v", answer.Action, answer.Content), nil
	}
}

func answerAtOnce(context.Context, *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return say("Nothing was asked on this stream."), nil
}

// reconnect ends the event stream while the call runs; the client has to come
// back for the answer.
func reconnect(ctx context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if req.Extra == nil || req.Extra.CloseSSEStream == nil {
		return say("There is no stream to close."), nil
	}
	req.Extra.CloseSSEStream(mcp.CloseSSEStreamArgs{RetryAfter: 10 * time.Millisecond})
	if err := pause(ctx, 100*time.Millisecond); err != nil {
		return nil, err
	}
	return say("The answer came after the stream was closed."), nil
}

// pause waits, since the suite wants time to pass between messages.
func pause(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
