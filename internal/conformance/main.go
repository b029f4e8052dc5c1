// Command conformance is the server that the official MCP conformance suite is
// run against. It offers the fixtures which the suite looks for by name: what a
// catalog can express comes from sources of a bridge (contents.go), the rest is
// added to the bridge's SDK server, as an embedder would (raw.go).
//
//	go run ./internal/conformance --http 127.0.0.1:3103
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log/slog"
	"net"
	"net/http"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

func main() {
	addr := flag.String("http", "127.0.0.1:0", "serve at this address, below /mcp")
	plain := flag.Bool("plain", false, "leave out what only an embedder can add, so that the bridge answers common requests itself")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *addr, *plain); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves until the context ends. When it is ready it prints the endpoint.
func run(ctx context.Context, addr string, plain bool) error {
	bridge, err := newBridge(slog.New(slog.NewTextHandler(os.Stderr, nil)))
	if err != nil {
		return err
	}
	defer bridge.Close()
	if !plain {
		addRaw(bridge.Server(), newStateKey())
	}
	if err := bridge.Ready(ctx); err != nil {
		return err
	}
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/mcp", bridge.Handler())
	server := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	context.AfterFunc(ctx, func() { server.Close() })
	fmt.Printf("http://%s/mcp\n", listener.Addr())
	if err := server.Serve(listener); !errors.Is(err, http.ErrServerClosed) {
		return err
	}
	return nil
}

// newBridge puts together the fixtures that a catalog can express.
func newBridge(log *slog.Logger) (*core.Bridge, error) {
	c := &changes{}
	unprefixed := mapping.SourceRules{Prefix: new(string)}
	b, err := core.New(
		core.Options{
			Name:   "conformance",
			Logger: log,
			Rules:  mapping.Rules{Sources: map[string]mapping.SourceRules{"contents": unprefixed, "functions": unprefixed, "template": unprefixed}},
		},
		core.Sources{"contents": contents(c), "functions": functions(), "template": template()},
	)
	if err != nil {
		return nil, err
	}
	c.bridge = b
	return b, nil
}
