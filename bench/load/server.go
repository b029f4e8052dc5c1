package main

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// serve serves a bridge until its input ends. It prints the endpoint.
func serve(ctx context.Context, f flags) error {
	// No call is to be told that the source is busy: they are all meant to come at
	// once, and take no time.
	b, err := core.New(core.Options{Limits: core.Limits{Concurrent: f.clients}}, sources(0))
	if err != nil {
		return err
	}
	defer b.Close()
	listener, err := new(net.ListenConfig).Listen(ctx, "tcp", "127.0.0.1:0")
	if err != nil {
		return err
	}
	server := &http.Server{Handler: b.Handler(), ReadHeaderTimeout: 10 * time.Second}
	go server.Serve(listener)
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	if f.reload > 0 {
		go replace(ctx, b, f.reload)
	}
	fmt.Printf("http://%s/\n", listener.Addr())
	_, err = io.Copy(io.Discard, os.Stdin)
	return err
}

// replace replaces the sources again and again.
func replace(ctx context.Context, b *core.Bridge, every time.Duration) {
	ticker := time.NewTicker(every)
	defer ticker.Stop()
	for n := 1; ; n++ {
		select {
		case <-ctx.Done():
			return
		case <-ticker.C:
		}
		if err := b.Replace(ctx, sources(n)); err != nil {
			fmt.Fprintln(os.Stderr, "replace:", err)
		}
	}
}

// sources is one source with a tool that echoes. Other numbers give other lists.
func sources(n int) core.Sources {
	return core.Sources{"echo": &adaptertest.Fake{Offer: mapping.Catalog{Scheme: "echo", Operations: []mapping.Operation{{
		Key: "echo", Name: "echo", Summary: fmt.Sprintf("Says the same, as source %d.", n), Effect: mapping.Reads,
		Params: []mapping.Param{{Name: "n", Required: true, Schema: json.RawMessage(`{"type":"integer"}`)}},
	}}}}}
}
