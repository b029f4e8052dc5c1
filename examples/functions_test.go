package examples_test

import (
	"context"
	"encoding/json"
	"fmt"
	"log"

	"github.com/mcp-bridge/mcp-bridge/adapters/openapi"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A refundRequest is what a model has to say; its schema comes of the type.
type refundRequest struct {
	Order int `json:"order" jsonschema:"Number of the order."`
}

type refunded struct {
	Cents int `json:"cents"`
}

func refund(_ context.Context, r refundRequest) (refunded, error) {
	return refunded{Cents: 100 * r.Order}, nil
}

// Go functions stand beside an API in one server.
func Example_functions() {
	ctx := context.Background()

	pets := openapi.New(openapi.Bytes(spec), openapi.Options{Handler: petAPI()})
	b, err := core.New(core.Options{Name: "petshop"}, core.Sources{
		"pets": pets,
		"desk": core.Funcs(core.Func("refund_order", "Refund an order in full.", mapping.Destroys, refund)),
	})
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()

	if err := b.Ready(ctx); err != nil {
		log.Fatal(err)
	}
	answer, err := b.CallTool(ctx, "desk_refund_order", json.RawMessage(`{"order": 7}`))
	if err != nil {
		log.Fatal(err)
	}
	structured, err := json.Marshal(answer.StructuredContent)
	if err != nil {
		log.Fatal(err)
	}
	fmt.Println(string(structured))
	// Output: {"cents":700}
}
