package main

import (
	"context"
	"encoding/json"
	"strings"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	askName    = `{"type":"object","properties":{"name":{"type":"string"}},"required":["name"]}`
	askColour  = `{"type":"object","properties":{"color":{"type":"string"}},"required":["color"]}`
	askOK      = `{"type":"object","properties":{"ok":{"type":"boolean"}},"required":["ok"]}`
	askContext = `{"type":"object","properties":{"context":{"type":"string"}},"required":["context"]}`
)

// inputTools are tools that answer "input required" until the client has sent
// everything (2026-07-28, multi-round-trip requests).
func inputTools(key stateKey) []rawTool {
	const prefix = "test_input_required_result_"
	return []rawTool{
		{prefix + "elicitation", "Asks for a name.", "", nameInput},
		{prefix + "sampling", "Asks the client's model.", "", samplingInput},
		{prefix + "list_roots", "Asks for the client's roots.", "", rootsInput},
		{prefix + "request_state", "Asks to confirm, with a state.", "", key.confirmInput},
		{prefix + "tampered_state", "Asks to confirm and refuses a changed state.", "", key.confirmInput},
		{prefix + "multiple_inputs", "Asks three things at once.", "", key.threeInputs},
		{prefix + "multi_round", "Asks twice, one thing after the other.", "", key.twoRounds},
		{prefix + "capabilities", "Asks only what the client can answer.", "", capableInputs},
	}
}

// ask answers with what is still wanted.
func ask(state string, wanted mcp.InputRequestMap) (*mcp.CallToolResult, error) {
	return &mcp.CallToolResult{InputRequests: wanted, RequestState: state}, nil
}

func nameInput(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	name, ok := accepted(req.Params.InputResponses, "user_name", "name").(string)
	if !ok {
		return ask("", mcp.InputRequestMap{"user_name": form("What is your name?", askName)})
	}
	return say("Hello, %s!", name), nil
}

func samplingInput(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	text, ok := sampled(req.Params.InputResponses, "capital_question")
	if !ok {
		return ask("", mcp.InputRequestMap{"capital_question": question("What is the capital of France?", 100)})
	}
	return say("The model said: %s", text), nil
}

func rootsInput(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	uris, ok := roots(req.Params.InputResponses, "client_roots")
	if !ok {
		return ask("", mcp.InputRequestMap{"client_roots": listRoots()})
	}
	return say("%d roots: %s", len(uris), strings.Join(uris, ", ")), nil
}

func (k stateKey) confirmInput(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	tool, state := req.Params.Name, req.Params.RequestState
	if state != "" {
		if _, ok := k.open(tool, state); !ok {
			return nil, tampered()
		}
		if accepted(req.Params.InputResponses, "confirm", "ok") != nil {
			return say("state-ok: the state came back unchanged"), nil
		}
	}
	return ask(k.seal(tool, "asked"), mcp.InputRequestMap{"confirm": form("Please confirm", askOK)})
}

func (k stateKey) threeInputs(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	answers := req.Params.InputResponses
	name, named := accepted(answers, "user_name", "name").(string)
	greeting, greeted := sampled(answers, "greeting")
	uris, rooted := roots(answers, "client_roots")
	if !named || !greeted || !rooted {
		return ask(k.seal(req.Params.Name, "asked"), mcp.InputRequestMap{
			"user_name":    form("What is your name?", askName),
			"greeting":     question("Generate a greeting", 50),
			"client_roots": listRoots(),
		})
	}
	return say("%s, %s! %d roots.", greeting, name, len(uris)), nil
}

// twoRounds keeps what the first round answered in the state, for the server
// remembers nothing.
func (k stateKey) twoRounds(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	tool := req.Params.Name
	if req.Params.RequestState == "" {
		return ask(k.seal(tool, ""), mcp.InputRequestMap{"step1": form("What is your name?", askName)})
	}
	name, ok := k.open(tool, req.Params.RequestState)
	if !ok {
		return nil, tampered()
	}
	if colour, ok := accepted(req.Params.InputResponses, "step2", "color").(string); ok && name != "" {
		return say("%s likes %s.", name, colour), nil
	}
	if first, ok := accepted(req.Params.InputResponses, "step1", "name").(string); ok {
		name = first
	}
	return ask(k.seal(tool, name), mcp.InputRequestMap{"step2": form("What is your favorite color?", askColour)})
}

func capableInputs(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	if len(req.Params.InputResponses) > 0 {
		return say("Thank you."), nil
	}
	wanted := answerable(req.ClientCapabilities())
	if len(wanted) == 0 {
		return say("The client can answer nothing."), nil
	}
	return ask("", wanted)
}

func promptInput(_ context.Context, req *mcp.GetPromptRequest) (*mcp.GetPromptResult, error) {
	text, ok := accepted(req.Params.InputResponses, "user_context", "context").(string)
	if !ok {
		return &mcp.GetPromptResult{InputRequests: mcp.InputRequestMap{"user_context": form("What is it about?", askContext)}}, nil
	}
	return &mcp.GetPromptResult{Messages: []*mcp.PromptMessage{{Role: "user", Content: &mcp.TextContent{Text: "It is about: " + text}}}}, nil
}

func tampered() error {
	return &jsonrpc.Error{Code: jsonrpc.CodeInvalidParams, Message: "requestState is not one that this server gave out for this tool"}
}

// form asks the user for values of a schema.
func form(message, schema string) *mcp.ElicitParams {
	return &mcp.ElicitParams{Message: message, RequestedSchema: json.RawMessage(schema)}
}

// accepted is one value of a form that the user filled in, nil if there is none.
func accepted(answers mcp.InputResponseMap, key, property string) any {
	form, ok := answers[key].(*mcp.ElicitResult)
	if !ok || form.Action != "accept" {
		return nil
	}
	return form.Content[property]
}
