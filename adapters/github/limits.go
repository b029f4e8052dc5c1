package github

import (
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// limits remember when GitHub will answer again, by what it counts requests as.
// They come from its headers, for one token.
type limits struct {
	mu    sync.Mutex
	until map[string]time.Time // by X-RateLimit-Resource; "" is everything
}

// wait returns how long requests of this kind have to wait from now.
func (l *limits) wait(resource string, now time.Time) time.Duration {
	l.mu.Lock()
	defer l.mu.Unlock()
	return max(l.until[resource].Sub(now), l.until[""].Sub(now), 0)
}

// note reads an answer's headers.
func (l *limits) note(resp *http.Response, now time.Time) {
	resource := resp.Header.Get("X-Ratelimit-Resource")
	if resource == "" && resp.Request != nil {
		resource = resourceOf(resp.Request.URL.Path)
	}
	if remaining(resp.Header) == 0 {
		l.block(resource, resetOf(resp.Header, now))
	}
	if after := retryAfter(resp.Header); after > 0 && (resp.StatusCode == http.StatusForbidden || resp.StatusCode == http.StatusTooManyRequests) {
		l.block("", now.Add(after))
	}
}

func (l *limits) block(resource string, until time.Time) {
	if until.IsZero() {
		return
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.until == nil {
		l.until = map[string]time.Time{}
	}
	l.until[resource] = until
}

// remaining is how many requests are left, -1 where GitHub does not say.
func remaining(h http.Header) int {
	n, err := strconv.Atoi(h.Get("X-Ratelimit-Remaining"))
	if err != nil {
		return -1
	}
	return n
}

// resetOf is when requests are counted anew; zero where it is unknown.
func resetOf(h http.Header, now time.Time) time.Time {
	seconds, err := strconv.ParseInt(h.Get("X-Ratelimit-Reset"), 10, 64)
	if err != nil || seconds <= 0 {
		return time.Time{}
	}
	reset := time.Unix(seconds, 0).Add(time.Second) // the clocks differ
	if reset.Sub(now) > 2*time.Hour {
		return now.Add(2 * time.Hour) // a clock that is wrong must not shut GitHub off
	}
	return reset
}

func retryAfter(h http.Header) time.Duration {
	seconds, err := strconv.Atoi(h.Get("Retry-After"))
	if err != nil || seconds < 0 {
		return 0
	}
	return min(time.Duration(seconds)*time.Second, time.Hour)
}

// resourceOf is what GitHub counts a request as.
func resourceOf(path string) string {
	switch {
	case strings.HasSuffix(path, "/search/code"):
		return "code_search"
	case strings.Contains(path, "/search/") && !strings.Contains(path, "/repos/"):
		return "search"
	}
	return "core"
}

func errLimited(wait time.Duration, problem string) *mapping.Error {
	return &mapping.Error{Code: mapping.Exhausted, Problem: problem, Next: fmt.Sprintf("wait %d seconds before the next call of any tool for GitHub", int(wait.Seconds())+1), RetryAfter: wait}
}
