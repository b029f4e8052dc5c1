package openapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/adapters/openapi"
	"github.com/mcp-bridge/mcp-bridge/internal/demo"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// staffKey is a secret that the adapter sends and nobody may see.
const staffKey = "key-5d20c9e1-for-staff"

// TestKit holds the adapter against the conformance kit, on the demo shop.
func TestKit(t *testing.T) {
	path := func(name, value string) mapping.Arg {
		return mapping.Arg{In: "path", Name: name, Value: json.RawMessage(value)}
	}
	query := func(name, value string) mapping.Arg {
		return mapping.Arg{In: "query", Name: name, Value: json.RawMessage(value)}
	}
	adaptertest.Run(t, adaptertest.Harness{
		Open: openShop,
		Calls: []adaptertest.KnownCall{
			{
				Call: mapping.Call{Key: "GET /products/{sku}", Args: []mapping.Arg{path("sku", `"MUG-01"`)}},
				Want: adaptertest.JSON(`{"sku": "MUG-01", "name": "Enamel mug", "description": "0.35 litres, blue with white specks.",
					"category": "kitchen", "price_cents": 1290, "stock": 60, "updated_at": "2026-04-07T09:00:00Z"}`),
			},
			{
				Call: mapping.Call{Key: "GET /products", Args: []mapping.Arg{query("limit", "5"), query("sort", `"-price"`)}},
				Want: adaptertest.Holds(`"TENT-4P"`, `"total"`),
			},
			{
				Call: mapping.Call{Key: "GET /orders", Args: []mapping.Arg{query("status", `["placed", "packed"]`), query("limit", "2")}},
				Want: adaptertest.Holds("9007199254741009"),
			},
			{
				Call: mapping.Call{Key: "GET /orders/{order_id}", Args: []mapping.Arg{path("order_id", "9007199254740993")}},
				Want: adaptertest.Holds("9007199254740993", `"TENT-2P"`),
			},
			{
				Call: mapping.Call{Key: "GET /orders/{order_id}/invoice", Args: []mapping.Arg{path("order_id", "9007199254740993")}},
				Want: adaptertest.Holds("Invoice for order 9007199254740993"),
			},
			{
				Call: mapping.Call{Key: "GET /products/{sku}/image", Args: []mapping.Arg{path("sku", `"MUG-01"`)}},
				Want: adaptertest.Holds("\x89PNG"),
			},
			{
				Call: mapping.Call{Key: "POST /orders",
					Args: []mapping.Arg{{In: "header", Name: "Idempotency-Key", Value: json.RawMessage(`"kit-basket-1"`)}},
					Body: json.RawMessage(`{"customer_id": "c-1001", "lines": [{"sku": "MUG-01", "quantity": 2}]}`)},
				Want: adaptertest.Holds(`9007199254741011`, `2580`),
			},
			{
				Call: mapping.Call{Key: "POST /orders", Body: json.RawMessage(`{"customer_id": "c-1001", "lines": [{"sku": "TARP-01", "quantity": 1}]}`)},
				Want: adaptertest.Fails(mapping.Conflict),
			},
			{
				Call: mapping.Call{Key: "PATCH /products/{sku}", Args: []mapping.Arg{path("sku", `"MUG-01"`)}, Body: json.RawMessage(`{"category": "mugs"}`)},
				Want: adaptertest.Fails(mapping.Invalid),
			},
			{
				Call: mapping.Call{Key: "DELETE /products/{sku}", Args: []mapping.Arg{path("sku", `"TARP-01"`)}},
				Want: adaptertest.Works(),
			},
		},
		Reads: []adaptertest.KnownRead{
			{Path: "products/TENT-2P", Want: adaptertest.Holds("Ridge 2 trail tent")},
			{Path: "products?category=kitchen&limit=1", Want: adaptertest.Holds("Enamel mug")},
			{Path: "products/TENT-2P/image", Want: adaptertest.Holds("\x89PNG")},
			{Path: "orders/9007199254740993", Want: adaptertest.Holds("9007199254740993")},
			{Path: "orders/9007199254740993/invoice", Want: adaptertest.Holds("Total in euros")},
			{Path: "customers/c-1002", Want: adaptertest.Holds("Emmy Noether")},
		},
		MissingCalls: []mapping.Call{
			{Key: "GET /products/{sku}", Args: []mapping.Arg{path("sku", `"NONE-1"`)}},
			{Key: "DELETE /products/{sku}", Args: []mapping.Arg{path("sku", `"NONE-1"`)}},
		},
		MissingReads: []string{"products/NONE-1", "orders/9007199254740992", "stock"},
		Slow:         &mapping.Call{Key: "GET /search", Args: []mapping.Arg{query("q", `"slow"`)}},
		Secrets:      []string{staffKey},
	})
}

// openShop returns the adapter on a fresh shop whose search never ends.
func openShop(context.Context) (*adaptertest.Subject, error) {
	shop := demo.Handler()
	handler := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/search" {
			<-r.Context().Done()
			return
		}
		shop.ServeHTTP(w, r)
	})
	return &adaptertest.Subject{
		Adapter: openapi.New(openapi.Bytes(demo.Document()), openapi.Options{
			Handler:     handler,
			Credentials: map[string]string{"staffKey": staffKey},
		}),
		State: func(ctx context.Context) (string, error) {
			var all strings.Builder
			for _, list := range []string{"/products", "/customers", "/orders"} {
				answer := httptest.NewRecorder()
				shop.ServeHTTP(answer, httptest.NewRequestWithContext(ctx, "GET", list+"?limit=50", nil))
				all.WriteString(answer.Body.String())
			}
			return all.String(), nil
		},
	}, nil
}
