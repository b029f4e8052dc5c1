// Command shop serves the demo's API on a loopback port, for programs that need
// it as a server of its own. Its OpenAPI document is at /openapi.yaml.
//
//	go run ./bench/shop [-addr 127.0.0.1:8099]
//
// Port 0 takes a free one. The address is printed once the port is open.
package main

import (
	"context"
	"flag"
	"fmt"
	"net"
	"net/http"
	"os"
	"time"

	"github.com/mcp-bridge/mcp-bridge/internal/demo"
)

func main() {
	addr := flag.String("addr", "127.0.0.1:8099", "where to listen")
	flag.Parse()
	if err := serve(context.Background(), *addr); err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

func serve(ctx context.Context, addr string) error {
	var config net.ListenConfig
	l, err := config.Listen(ctx, "tcp", addr)
	if err != nil {
		return err
	}
	mux := http.NewServeMux()
	mux.Handle("/", demo.Handler())
	mux.HandleFunc("GET /openapi.yaml", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/yaml")
		w.Write(demo.Document())
	})
	fmt.Printf("http://%s\n", l.Addr())
	s := &http.Server{Handler: mux, ReadHeaderTimeout: 10 * time.Second}
	return s.Serve(l)
}
