package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/mcp-bridge/mcp-bridge/core"
)

// Bounds on clients. There is none on writing before the end of an answer: it may
// be a stream that stays open for hours.
const (
	headerTimeout = 10 * time.Second
	bodyTimeout   = time.Minute
	endTimeout    = time.Minute
	idleTimeout   = 2 * time.Minute
	headerBytes   = 64 << 10
	// drainTimeout is as long as a call may take by default.
	drainTimeout = 30 * time.Second
)

// Check refuses what no request could match.
func (h httpConfig) Check() error {
	var problems []error
	for i, host := range h.Hosts {
		if host == "" || strings.ContainsAny(host, "/:") && net.ParseIP(host) == nil {
			problems = append(problems, fmt.Errorf("hosts[%d]: %q is not the name of a host; write it without scheme and port, such as mcp.example.com", i, host))
		}
	}
	for i, origin := range h.Origins {
		u, err := url.Parse(origin)
		if origin != "*" && origin != "null" && (err != nil || u.Scheme == "" || u.Host == "" || u.Path != "" || u.RawQuery != "") {
			problems = append(problems, fmt.Errorf("origins[%d]: %q is not an origin; write scheme and host and nothing behind, such as https://app.example", i, origin))
		}
	}
	if h.Listen != "" {
		if _, ok := parseAddress(h.Listen); !ok {
			problems = append(problems, fmt.Errorf("listen: %q is not an address such as %s", h.Listen, defaultListen))
		}
	}
	return errors.Join(problems...)
}

// serveHTTP serves the bridge at /mcp, and as the config says at /sse, until ctx
// ends. Then it takes no more calls, lets those under way be answered, and closes
// the bridge, which ends the streams.
func (c *config) serveHTTP(ctx context.Context, l net.Listener, b *core.Bridge, look *lookout) error {
	var calls calls
	mux := http.NewServeMux()
	mux.Handle("/mcp", calls.count(timely(b.Handler())))
	mux.Handle("/.well-known/", b.Metadata())
	if c.HTTP.SSE {
		mux.Handle("/sse", calls.count(timely(b.SSEHandler())))
	}
	server := &http.Server{
		Handler:           takenInTime(look.tape.http(mux)),
		ReadHeaderTimeout: headerTimeout,
		IdleTimeout:       idleTimeout,
		MaxHeaderBytes:    headerBytes,
		ErrorLog:          slog.NewLogLogger(look.log.Handler(), slog.LevelWarn),
	}
	ended := make(chan error, 1)
	go func() { ended <- server.Serve(l) }()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
	}
	limit, cancel := context.WithTimeout(context.WithoutCancel(ctx), cmp.Or(time.Duration(c.Limits.Drain), drainTimeout))
	defer cancel()
	drained := make(chan error, 1)
	go func() { drained <- server.Shutdown(limit) }()
	calls.wait(limit)
	err := b.Close()
	if <-drained != nil {
		err = errors.Join(err, server.Close())
	}
	return err
}

// calls knows how many requests are under way that will come to an end by
// themselves.
type calls struct {
	underWay sync.RWMutex // read-locked by each
}

// count refuses requests once somebody waits.
func (c *calls) count(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !c.underWay.TryRLock() {
			http.Error(w, "the server is shutting down", http.StatusServiceUnavailable)
			return
		}
		if endless(r) {
			c.underWay.RUnlock()
		} else {
			defer c.underWay.RUnlock()
		}
		next.ServeHTTP(w, r)
	})
}

// endless reports whether a request asks for a stream of what happens from now
// on, before 2026-07-28 or since.
func endless(r *http.Request) bool {
	return r.Method == http.MethodGet || r.Header.Get("Mcp-Method") == "subscriptions/listen"
}

// wait returns when no request is under way, or when ctx ends.
func (c *calls) wait(ctx context.Context) {
	none := make(chan struct{})
	go func() {
		c.underWay.Lock()
		close(none)
	}()
	select {
	case <-none:
	case <-ctx.Done():
	}
}

// timely gives a client bodyTimeout to send its body. http.Server's ReadTimeout
// would go on running behind a body that has arrived, and end the stream that
// answers it.
func timely(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.Body != http.NoBody {
			control := http.NewResponseController(w)
			if control.SetReadDeadline(time.Now().Add(bodyTimeout)) == nil {
				r.Body = &timedBody{ReadCloser: r.Body, control: control}
			}
		}
		next.ServeHTTP(w, r)
	})
}

// takenInTime gives a client endTimeout to take the end of an answer, which is sent
// when its handler has returned: one that reads nothing would else keep its
// connection for ever.
func takenInTime(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		control := http.NewResponseController(w)
		_ = control.SetWriteDeadline(time.Time{}) // the one of the answer before
		defer func() { _ = control.SetWriteDeadline(time.Now().Add(endTimeout)) }()
		next.ServeHTTP(w, r)
	})
}

// A timedBody lifts the read deadline once the body has been read.
type timedBody struct {
	io.ReadCloser
	control *http.ResponseController
}

func (b *timedBody) Read(p []byte) (int, error) {
	n, err := b.ReadCloser.Read(p)
	if err != nil {
		_ = b.control.SetReadDeadline(time.Time{})
	}
	return n, err
}
