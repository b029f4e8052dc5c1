package examples_test

import (
	"context"
	"log"

	"github.com/mcp-bridge/mcp-bridge/adapters/openapi"
	"github.com/mcp-bridge/mcp-bridge/core"
)

// An OpenAPI document becomes an MCP server on standard input and output.
func Example_stdio() {
	ctx := context.Background()

	pets := openapi.New(openapi.File("petstore.yaml"), openapi.Options{BaseURL: "http://localhost:8080/v1"})
	b, err := core.New(core.Options{Name: "petstore"}, core.Sources{"pets": pets})
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	if err := b.RunStdio(ctx); err != nil {
		log.Fatal(err)
	}
	// Output:
}
