package main

import (
	"context"
	_ "embed"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

var (
	//go:embed schemas/defaults.json
	elicitDefaults string
	//go:embed schemas/choices.json
	elicitChoices string
	//go:embed schemas/vocabulary.json
	vocabulary string
	//go:embed schemas/header.json
	mirrored string
)

// schemaTools are tools whose schemas have to reach the client as they stand.
func schemaTools() []rawTool {
	return []rawTool{
		{"json_schema_2020_12_tool", "Uses much of JSON Schema 2020-12.", vocabulary, echo},
		{"test_x_mcp_header", "Has an argument that is repeated in a header.", mirrored, echo},
	}
}

func echo(_ context.Context, req *mcp.CallToolRequest) (*mcp.CallToolResult, error) {
	return say("Called with %s", req.Params.Arguments), nil
}
