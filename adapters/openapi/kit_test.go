package openapi_test

import (
	"context"
	"encoding/json"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/adapters/openapi"
	"github.com/mcp-bridge/mcp-bridge/internal/demo"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// staffKey is a secret that the adapter sends and nobody may see.
const staffKey = "key-5d20c9e1-for-staff"

// TestKit holds the adapter against the conformance kit, on the demo shop in
// this process.
func TestKit(t *testing.T) {
	adaptertest.Run(t, shopHarness(openInProcess))
}

// TestKitOverHTTP does the same with a socket in between. The address of the
// backend is for nobody to see.
func TestKitOverHTTP(t *testing.T) {
	shop := &switching{}
	server := httptest.NewServer(shop)
	t.Cleanup(server.Close)
	h := shopHarness(func() (*openapi.Adapter, http.Handler) {
		fresh := demo.Handler()
		shop.set(neverSearching(fresh))
		return openapi.New(openapi.Bytes(demo.Document()), openapi.Options{
			BaseURL:     server.URL,
			Credentials: map[string]string{"staffKey": staffKey},
		}), fresh
	})
	h.Addresses = []string{strings.TrimPrefix(server.URL, "http://")}
	adaptertest.Run(t, h)
}

// switching is a handler that changes with each adapter that is opened.
type switching struct{ now atomic.Pointer[http.Handler] }

func (s *switching) set(h http.Handler) { s.now.Store(&h) }

func (s *switching) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	(*s.now.Load()).ServeHTTP(w, r)
}

// shopHarness is what is known of the demo shop. Open returns the adapter and
// the fresh shop behind it.
func shopHarness(open func() (*openapi.Adapter, http.Handler)) adaptertest.Harness {
	path := func(name, value string) mapping.Arg {
		return mapping.Arg{In: "path", Name: name, Value: json.RawMessage(value)}
	}
	query := func(name, value string) mapping.Arg {
		return mapping.Arg{In: "query", Name: name, Value: json.RawMessage(value)}
	}
	return adaptertest.Harness{
		Open: func(context.Context) (*adaptertest.Subject, error) {
			adapter, shop := open()
			return &adaptertest.Subject{Adapter: adapter, State: stateOf(shop)}, nil
		},
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
	}
}

func openInProcess() (*openapi.Adapter, http.Handler) {
	shop := demo.Handler()
	return openapi.New(openapi.Bytes(demo.Document()), openapi.Options{
		Handler:     neverSearching(shop),
		Credentials: map[string]string{"staffKey": staffKey},
	}), shop
}

// neverSearching is the shop with a search that does not end.
func neverSearching(shop http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/search" {
			<-r.Context().Done()
			return
		}
		shop.ServeHTTP(w, r)
	})
}

// stateOf tells everything that the shop keeps.
func stateOf(shop http.Handler) func(context.Context) (string, error) {
	return func(ctx context.Context) (string, error) {
		var all strings.Builder
		for _, list := range []string{"/products", "/customers", "/orders"} {
			answer := httptest.NewRecorder()
			shop.ServeHTTP(answer, httptest.NewRequestWithContext(ctx, "GET", list+"?limit=50", nil))
			all.WriteString(answer.Body.String())
		}
		return all.String(), nil
	}
}
