package core_test

import (
	"context"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type refundArgs struct {
	Order int `json:"order" jsonschema:"number of the order"`
}

func refund(_ context.Context, a refundArgs) (string, error) {
	if a.Order != 7 {
		return "", &mapping.Error{
			Code:    mapping.NotFound,
			Problem: fmt.Sprintf("there is no order %d", a.Order),
			Next:    "list the orders to find its number",
		}
	}
	return "refunded", nil
}

// A Go function becomes a tool, here served over standard input and output. Run
// takes the place of RunStdio so that the example has its own pipes.
func ExampleFuncs() {
	b, err := core.New(core.Options{Name: "desk"}, core.Sources{
		"desk": core.Funcs(core.Func("refund_order", "Refund an order in full.", mapping.Destroys, refund)),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	in := strings.NewReader(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"refund_order","arguments":{"order":8},` +
		`"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`)
	if err := b.Run(context.Background(), in, os.Stdout); err != nil {
		fmt.Println(err)
	}
	// Output:
	// {"jsonrpc":"2.0","id":1,"result":{"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"desk","version":"devel"},"mcp-bridge/untrusted":true},"content":[{"type":"text","text":"there is no order 8. list the orders to find its number."}],"isError":true,"resultType":"complete"}}
}

// A service mounts the bridge beside its other handlers.
func ExampleBridge_Handler() {
	b, err := core.New(core.Options{Name: "desk"}, core.Sources{
		"desk": core.Funcs(core.Func("refund_order", "Refund an order in full.", mapping.Destroys, refund)),
	})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer b.Close()
	mux := http.NewServeMux()
	mux.Handle("/mcp", b.Handler())
	server := httptest.NewServer(mux)
	defer server.Close()

	ctx := context.Background()
	client := mcp.NewClient(&mcp.Implementation{Name: "example", Version: "1"}, nil)
	session, err := client.Connect(ctx, &mcp.StreamableClientTransport{Endpoint: server.URL + "/mcp"}, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	defer session.Close()
	tools, err := session.ListTools(ctx, nil)
	if err != nil {
		fmt.Println(err)
		return
	}
	for _, tool := range tools.Tools {
		fmt.Println(tool.Name)
	}
	// Output:
	// refund_order
}
