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
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	if err := run(ctx, *addr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// run serves until the context ends. When it is ready it prints the endpoint.
func run(ctx context.Context, addr string) error {
	bridge, err := newBridge(slog.New(slog.NewTextHandler(os.Stderr, nil)))
	if err != nil {
		return err
	}
	defer bridge.Close()
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

// newBridge puts all fixtures together.
func newBridge(log *slog.Logger) (*core.Bridge, error) {
	c := &changes{}
	plain := mapping.SourceRules{Prefix: new(string)}
	b, err := core.New(
		core.Options{
			Name:   "conformance",
			Logger: log,
			Rules:  mapping.Rules{Sources: map[string]mapping.SourceRules{"contents": plain, "functions": plain, "template": plain}},
		},
		core.Sources{"contents": contents(c), "functions": functions(), "template": template()},
	)
	if err != nil {
		return nil, err
	}
	c.bridge = b
	addRaw(b.Server(), newStateKey())
	return b, nil
}
