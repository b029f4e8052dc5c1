package core

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// keepAliveEvery is how often something is sent on a stream that is quiet.
// Proxies close connections after a minute or so without a byte.
const keepAliveEvery = 15 * time.Second

// A client that takes nothing for writePatience, and as much longer as what it is
// sent would take at slowest bytes a second, is given up.
const (
	writePatience = 30 * time.Second
	slowest       = 64 << 10
)

// A liveStream is a response that stays alive once it has begun as an event
// stream: it sends comments, which clients ignore, between the events. It does
// not wait for ever for a client that does not read.
type liveStream struct {
	http.ResponseWriter
	failed func()     // called when the client takes no more; nil is nothing
	mu     sync.Mutex // held for a whole event
	begun  bool
}

// serveAlive lets a handler answer by a stream that is kept alive.
func serveAlive(h http.Handler, w http.ResponseWriter, r *http.Request) {
	ctx, cancel := context.WithCancel(r.Context())
	defer cancel()
	s := &liveStream{ResponseWriter: w, failed: cancel}
	ended := make(chan struct{})
	var beats sync.WaitGroup
	beats.Go(func() {
		ticker := time.NewTicker(keepAliveEvery)
		defer ticker.Stop()
		for {
			select {
			case <-ticker.C:
				s.beat()
			case <-ended:
				return
			}
		}
	})
	// Nothing may be written after ServeHTTP has returned.
	defer beats.Wait()
	defer close(ended)
	h.ServeHTTP(s, r.WithContext(ctx))
}

func (s *liveStream) beat() {
	if !s.mu.TryLock() {
		return // something else is being sent
	}
	defer s.mu.Unlock()
	if s.begun && strings.HasPrefix(s.Header().Get("Content-Type"), "text/event-stream") {
		s.comment()
	}
}

// comment sends what clients ignore. s.mu is held.
func (s *liveStream) comment() {
	s.timed(0, func() error {
		io.WriteString(s.ResponseWriter, ": alive\n\n")             // the client may be gone
		return http.NewResponseController(s.ResponseWriter).Flush() // as far as it can be
	})
}

// timed writes n bytes within the time that they may take. The connection may
// serve other requests afterwards, with other times, or none.
func (s *liveStream) timed(n int, write func() error) error {
	control := http.NewResponseController(s.ResponseWriter)
	control.SetWriteDeadline(time.Now().Add(writePatience + time.Duration(n/slowest)*time.Second)) // where it is not supported there is none
	defer control.SetWriteDeadline(time.Time{})
	err := write()
	if err != nil && s.failed != nil {
		s.failed()
	}
	return err
}

// Write sends one event, or a whole answer that is no stream.
func (s *liveStream) Write(p []byte) (n int, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun = true
	err = s.timed(len(p), func() error {
		n, err = s.ResponseWriter.Write(p)
		return err
	})
	return n, err
}

// FlushError flushes between two events.
func (s *liveStream) FlushError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.timed(0, http.NewResponseController(s.ResponseWriter).Flush)
}

// Unwrap is for [http.ResponseController].
func (s *liveStream) Unwrap() http.ResponseWriter { return s.ResponseWriter }
