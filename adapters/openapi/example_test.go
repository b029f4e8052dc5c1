package openapi_test

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"

	"github.com/mcp-bridge/mcp-bridge/adapters/openapi"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A service hands in its own handler, so calls need no socket and no second port.
func ExampleNew() {
	api := http.NewServeMux()
	api.HandleFunc("GET /pets/{id}", func(w http.ResponseWriter, r *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		fmt.Fprintf(w, `{"id":%s}`, r.PathValue("id"))
	})
	document := []byte(`
openapi: 3.1.0
info: {title: Pets, version: '1'}
paths:
  /pets/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: integer}}]
      responses: {'200': {description: a pet}}
`)
	adapter := openapi.New(openapi.Bytes(document), openapi.Options{Handler: api})
	defer adapter.Close()

	result, err := adapter.Call(context.Background(), mapping.Call{
		Key:      "GET /pets/{id}",
		Args:     []mapping.Arg{{In: "path", Name: "id", Value: json.RawMessage("9007199254740993")}},
		Budget:   60_000,
		MaxBytes: 16 << 20,
		Log:      func(level, message string) {},
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(string(result.JSON))
	// Output: {"id":9007199254740993}
}
