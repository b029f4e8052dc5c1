package demo_test

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"image/png"
	"io"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"

	"github.com/mcp-bridge/mcp-bridge/adapters/openapi"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/internal/demo"
)

// TestShopOverMCP tells one story over HTTP and over a pipe, as a client of each
// era does: look around, order, change one's mind.
func TestShopOverMCP(t *testing.T) {
	for name, transport := range map[string]func(*testing.T, *core.Bridge) mcp.Transport{"http": overHTTP, "pipe": overPipe} {
		for _, revision := range []string{"2026-07-28", "2025-11-25"} {
			t.Run(name+"/"+revision, func(t *testing.T) {
				client := mcp.NewClient(&mcp.Implementation{Name: "shopper", Version: "1"}, nil)
				session, err := client.Connect(t.Context(), transport(t, bridgeToShop(t)), &mcp.ClientSessionOptions{ProtocolVersion: revision})
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { session.Close() })
				if got := session.InitializeResult().ProtocolVersion; got != revision {
					t.Fatalf("negotiated revision %s, want %s", got, revision)
				}
				s := &shopper{session}
				s.looksAround(t)
				s.orders(t)
				s.isToldWhatIsWrong(t)
				s.reads(t, revision)
			})
		}
	}
}

func bridgeToShop(t *testing.T) *core.Bridge {
	shop := openapi.New(openapi.Bytes(demo.Document()), openapi.Options{Handler: demo.Handler()})
	b, err := core.New(core.Options{Name: "shop"}, core.Sources{"shop": shop})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	return b
}

func overHTTP(t *testing.T, b *core.Bridge) mcp.Transport {
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	return &mcp.StreamableClientTransport{Endpoint: server.URL}
}

func overPipe(t *testing.T, b *core.Bridge) mcp.Transport {
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		ended <- b.Run(context.Background(), inRead, outWrite)
		outWrite.Close()
	}()
	t.Cleanup(func() {
		inWrite.Close()
		if err := <-ended; err != nil {
			t.Errorf("Run ended with %v, want nil at the end of its input", err)
		}
	})
	return &mcp.IOTransport{Reader: outRead, Writer: inWrite}
}

// A shopper is a client with a plan.
type shopper struct{ session *mcp.ClientSession }

// call returns the text and the error mark of an answer.
func (s *shopper) call(t *testing.T, tool, arguments string) (*mcp.CallToolResult, string) {
	t.Helper()
	result, err := s.session.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(arguments)})
	if err != nil {
		t.Fatalf("%s %s: %v", tool, arguments, err)
	}
	var all strings.Builder
	for _, c := range result.Content {
		if c, ok := c.(*mcp.TextContent); ok {
			all.WriteString(c.Text)
		}
	}
	return result, all.String()
}

// works makes a call that must say each of these.
func (s *shopper) works(t *testing.T, tool, arguments string, says ...string) {
	t.Helper()
	result, text := s.call(t, tool, arguments)
	if result.IsError {
		t.Errorf("%s %s failed: %s", tool, arguments, text)
	}
	for _, part := range says {
		if !strings.Contains(text, part) {
			t.Errorf("%s %s does not say %q: %s", tool, arguments, part, text)
		}
	}
}

func (s *shopper) fails(t *testing.T, tool, arguments string, says ...string) {
	t.Helper()
	result, text := s.call(t, tool, arguments)
	if !result.IsError {
		t.Errorf("%s %s worked, want a failure: %s", tool, arguments, text)
	}
	for _, part := range says {
		if !strings.Contains(text, part) {
			t.Errorf("%s %s does not say %q: %s", tool, arguments, part, text)
		}
	}
}

func (s *shopper) looksAround(t *testing.T) {
	tools, err := s.session.ListTools(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, tool := range tools.Tools {
		names = append(names, tool.Name)
	}
	want := []string{
		"get_shop", "list_products", "create_product", "get_product", "update_product", "delete_product", "set_stock",
		"get_product_image", "list_customers", "create_customer", "get_customer", "list_orders", "place_order",
		"get_order", "cancel_order", "get_invoice", "search_everything",
	}
	if !slices.Equal(names, want) {
		t.Errorf("tools %q, want %q", names, want)
	}
	s.works(t, "get_shop", `{}`, "Saturday")
	s.works(t, "list_products", `{"category": "kitchen", "sort": "price"}`, "Enamel mug", "Pocket gas stove")
	s.works(t, "list_customers", `{"q": "emmy"}`, "c-1002")
	s.works(t, "list_customers", `{"limit": 4}`, `call list_customers with {"limit":4,"offset":4}`)
	s.works(t, "list_orders", `{"status": ["placed", "packed"]}`, "9007199254741005", "9007199254741007", "9007199254741009")
	result, _ := s.call(t, "get_product_image", `{"sku": "MUG-01"}`)
	picture, ok := result.Content[0].(*mcp.ImageContent)
	if !ok {
		t.Fatalf("the picture is %T", result.Content[0])
	}
	if _, err := png.Decode(bytes.NewReader(picture.Data)); err != nil || picture.MIMEType != "image/png" {
		t.Errorf("the picture of type %q is no PNG: %v", picture.MIMEType, err)
	}
}

func (s *shopper) orders(t *testing.T) {
	basket := `{"customer_id": "c-1002", "lines": [{"sku": "MUG-01", "quantity": 2}], "shipping": "express", "Idempotency-Key": "basket-0001"}`
	s.works(t, "place_order", basket, "9007199254741011", "3480")
	s.works(t, "place_order", basket, "9007199254741011")
	s.works(t, "get_order", `{"order_id": 9007199254741011}`, "9007199254741011", "placed")
	s.works(t, "get_invoice", `{"order_id": 9007199254741011}`, "Invoice for order 9007199254741011", "34.80")
	s.fails(t, "delete_product", `{"sku": "MUG-01"}`, "409", "order 9007199254741009 waits for this product")
	s.works(t, "cancel_order", `{"order_id": 9007199254741011, "reason": "customer_request"}`, "cancelled")
	s.works(t, "get_product", `{"sku": "MUG-01"}`, "60")
	s.works(t, "update_product", `{"sku": "MUG-01", "price_cents": 1190, "description": null}`, "1190")
	s.works(t, "set_stock", `{"sku": "TARP-01", "quantity": 4}`, "4")
	s.works(t, "delete_product", `{"sku": "TARP-01"}`)
}

func (s *shopper) isToldWhatIsWrong(t *testing.T) {
	s.fails(t, "get_product", `{"sku": "TARP-01"}`, "404", `there is no product "TARP-01"`)
	s.fails(t, "list_products", `{"category": "boats", "colour": "red"}`, "category", "kitchen", "colour")
	s.fails(t, "place_order", `{"customer_id": "c-1001"}`, "lines")
	s.fails(t, "place_order", `{"customer_id": "c-1001", "lines": [{"sku": "ROPE-30", "quantity": 3}]}`, "ROPE-30 has only 1 in stock")
	_, err := s.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "sell_shop"})
	wantCode(t, "an unknown tool", err, jsonrpc.CodeInvalidParams)
}

func (s *shopper) reads(t *testing.T, revision string) {
	resources, err := s.session.ListResources(t.Context(), nil)
	if err != nil || len(resources.Resources) != 1 || resources.Resources[0].URI != "api://shop/shop" {
		t.Errorf("resources %+v, %v, want api://shop/shop", resources, err)
	}
	for uri, says := range map[string]string{
		"api://shop/shop":                            "Pine & Bramble",
		"api://shop/products/TENT-2P":                "Ridge 2 trail tent",
		"api://shop/products?q=tent&sort=-price":     "Ridge 4 family tent",
		"api://shop/customers/c-1001":                "Ada Lovelace",
		"api://shop/orders/9007199254740993":         "9007199254740993",
		"api://shop/orders/9007199254740993/invoice": "Total in euros",
		"api://shop/products/TENT-2P/image":          "\x89PNG",
	} {
		read, err := s.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Errorf("read %s: %v", uri, err)
			continue
		}
		content := read.Contents[0]
		if !strings.Contains(content.Text+string(content.Blob), says) || content.URI != uri {
			t.Errorf("read %s: %s is %q, want it to hold %q", uri, content.URI, content.Text, says)
		}
	}
	missing := int64(jsonrpc.CodeInvalidParams)
	if revision == "2025-11-25" {
		missing = -32002
	}
	for _, uri := range []string{"api://shop/products/NONE-1", "api://shop/cellar", "api://other/shop"} {
		_, err := s.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		wantCode(t, uri, err, missing)
	}
	_, err = s.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "api://shop/products/..%2Forders"})
	wantCode(t, "a way out of the products", err, jsonrpc.CodeInvalidParams)
}

func wantCode(t *testing.T, what string, err error, want int64) {
	t.Helper()
	var coded *jsonrpc.Error
	if !errors.As(err, &coded) || coded.Code != want {
		t.Errorf("%s: error %v, want code %d", what, err, want)
	}
}
