package core

import (
	"io"
	"net/http"
	"strings"
	"sync"
	"time"
)

// keepAliveEvery is how often something is sent on a stream that is quiet.
// Proxies close connections after a minute or so without a byte.
const keepAliveEvery = 15 * time.Second

// A liveStream is a response that stays alive once it has begun as an event
// stream: it sends comments, which clients ignore, between the events.
type liveStream struct {
	http.ResponseWriter
	mu    sync.Mutex // held for a whole event
	begun bool
}

// serveAlive lets a handler answer by a stream that is kept alive.
func serveAlive(h http.Handler, w http.ResponseWriter, r *http.Request) {
	s := &liveStream{ResponseWriter: w}
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
	h.ServeHTTP(s, r)
}

func (s *liveStream) beat() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.begun && strings.HasPrefix(s.Header().Get("Content-Type"), "text/event-stream") {
		io.WriteString(s.ResponseWriter, ": alive\n\n")      // the client may be gone
		http.NewResponseController(s.ResponseWriter).Flush() // as far as it can be
	}
}

// Write sends one event, or a whole answer that is no stream.
func (s *liveStream) Write(p []byte) (int, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.begun = true
	return s.ResponseWriter.Write(p)
}

// FlushError flushes between two events.
func (s *liveStream) FlushError() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	return http.NewResponseController(s.ResponseWriter).Flush()
}

// Unwrap is for [http.ResponseController].
func (s *liveStream) Unwrap() http.ResponseWriter { return s.ResponseWriter }
