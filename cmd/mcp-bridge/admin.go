package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"runtime"
	"strings"

	sdkmetric "go.opentelemetry.io/otel/sdk/metric"

	"github.com/mcp-bridge/mcp-bridge/core"
)

// An admin answers operators and their machines. It asks nobody who they are, so
// it never shows what a caller sent or a backend answered, and it has an address
// of its own, apart from the one that clients use.
type admin struct {
	server   *http.Server
	listener net.Listener
	meter    *sdkmetric.MeterProvider
	reader   sdkmetric.Reader
}

// Check refuses what is no address.
func (a adminConfig) Check() error {
	if _, ok := parseAddress(a.Listen); !ok && a.Listen != "" {
		return fmt.Errorf("listen: %q is not an address such as 127.0.0.1:8809", a.Listen)
	}
	return nil
}

// mayListen refuses an address that other machines reach, unless the config says so.
func (a adminConfig) mayListen() error {
	if address, ok := parseAddress(a.Listen); ok && !isLoopback(address) && !a.AllowRemote {
		return fmt.Errorf("admin.listen: %s can be reached from other machines, and nothing here asks who calls: listen on 127.0.0.1, or set admin.allowRemote", address)
	}
	return nil
}

// listenAdmin opens the address that the config asks for; without one it
// returns nil, which serves nothing.
func (c *config) listenAdmin(ctx context.Context) (*admin, error) {
	if c.Admin.Listen == "" {
		return nil, nil
	}
	if err := c.Admin.mayListen(); err != nil {
		return nil, err
	}
	address, _ := parseAddress(c.Admin.Listen)
	listener, err := listenAt(ctx, address)
	if err != nil {
		return nil, fmt.Errorf("admin.listen: %w", err)
	}
	meter, reader, err := metering()
	if err != nil {
		return nil, errors.Join(err, listener.Close())
	}
	return &admin{listener: listener, meter: meter, reader: reader}, nil
}

// serve answers until close. life ends when the process is asked to end: from
// then on it is not ready, while calls that are under way go on.
func (a *admin) serve(life context.Context, b *core.Bridge, w io.Writer, log *slog.Logger) {
	if a == nil {
		return
	}
	mux := http.NewServeMux()
	mux.HandleFunc("GET /healthz", func(w http.ResponseWriter, _ *http.Request) { say(w, http.StatusOK, "alive") })
	mux.HandleFunc("GET /readyz", func(w http.ResponseWriter, _ *http.Request) {
		if life.Err() != nil {
			say(w, http.StatusServiceUnavailable, "not ready: shutting down")
			return
		}
		status, words := readiness(b)
		say(w, status, words)
	})
	mux.Handle("GET /metrics", scrape(a.reader))
	mux.HandleFunc("GET /version", func(w http.ResponseWriter, _ *http.Request) {
		w.Header().Set("Content-Type", "application/json")
		json.NewEncoder(w).Encode(map[string]string{ // the client may be gone
			"version": version(), "go": runtime.Version(), "platform": runtime.GOOS + "/" + runtime.GOARCH,
		})
	})
	a.server = &http.Server{
		Handler:           a.known(mux),
		ReadHeaderTimeout: headerTimeout,
		ReadTimeout:       headerTimeout,
		WriteTimeout:      bodyTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          slog.NewLogLogger(log.Handler(), slog.LevelWarn),
	}
	fmt.Fprintf(w, "mcp-bridge: admin at http://%s\n", a.listener.Addr())
	go a.server.Serve(a.listener) // until close
}

func (a *admin) close() {
	if a == nil {
		return
	}
	if a.server != nil {
		a.server.Close() // the process ends
	}
	a.listener.Close()
}

// known refuses a web page that has bound a name of its own to this machine.
// Where other machines may ask, they may do so by any name.
func (a *admin) known(next http.Handler) http.Handler {
	if !isLoopback(a.listener.Addr().String()) {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		host := r.Host
		if name, _, err := net.SplitHostPort(r.Host); err == nil {
			host = name
		}
		if host != "localhost" && net.ParseIP(strings.Trim(host, "[]")) == nil {
			say(w, http.StatusForbidden, "this is not served under the name that was asked for")
			return
		}
		next.ServeHTTP(w, r)
	})
}

// readiness says whether a client can be served: once lists are published, and
// while at least one source is.
func readiness(b *core.Bridge) (status int, words string) {
	if b.Surface() == nil {
		return http.StatusServiceUnavailable, "not ready: the sources are being loaded"
	}
	var missing []string
	all := b.Status()
	for _, s := range all {
		if s.Err != nil {
			missing = append(missing, s.Name)
		}
	}
	switch {
	case len(missing) == len(all):
		return http.StatusServiceUnavailable, "not ready: no source can be served; the log says why"
	case len(missing) > 0:
		return http.StatusOK, "ready, without " + strings.Join(missing, ", ") + "; the log says why"
	}
	return http.StatusOK, "ready"
}

func say(w http.ResponseWriter, status int, words string) {
	w.Header().Set("Content-Type", "text/plain; charset=utf-8")
	w.Header().Set("Cache-Control", "no-store")
	w.WriteHeader(status)
	io.WriteString(w, words+"\n") // the client may be gone
}
