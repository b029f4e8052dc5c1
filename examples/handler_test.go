package examples_test

import (
	"context"
	_ "embed"
	"fmt"
	"log"
	"net/http"

	"github.com/mcp-bridge/mcp-bridge/adapters/openapi"
	"github.com/mcp-bridge/mcp-bridge/core"
)

//go:embed petstore.yaml
var spec []byte

// petAPI is the service that the document describes.
func petAPI() http.Handler {
	api := http.NewServeMux()
	api.HandleFunc("GET /v1/pets/{id}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id": %s, "name": "Rex", "kind": "dog"}`, r.PathValue("id"))
	})
	return api
}

// A service serves its own API to models: no socket, no second port.
func Example_handler() {
	ctx := context.Background()
	api := petAPI()
	mux := http.NewServeMux()

	pets := openapi.New(openapi.Bytes(spec), openapi.Options{Handler: api})
	b, err := core.New(core.Options{Name: "petstore"}, core.Sources{"pets": pets})
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()
	mux.Handle("/mcp", b.Handler())

	if err := b.Ready(ctx); err != nil {
		log.Fatal(err)
	}
	answer, err := b.ReadResource(ctx, "api://pets/pets/3")
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(answer.Contents[0].Text)
	// Output: {"id":3,"name":"Rex","kind":"dog"}
}
