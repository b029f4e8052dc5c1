package github

import (
	"bytes"
	"io"
	"net/http"
	"sync"
)

const (
	maxCached    = 256 << 10 // bytes of one answer
	maxCacheSize = 4 << 20   // bytes of all of one token
)

// A cache keeps small answers with their marks: GitHub does not count a request
// whose answer has not changed. It belongs to one token.
type cache struct {
	mu      sync.Mutex
	entries map[string]*cached
	order   []string // oldest first
	size    int
}

type cached struct {
	etag   string
	header http.Header
	body   []byte
}

func (c *cache) get(key string) *cached {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.entries[key]
}

func (c *cache) put(key string, entry *cached) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.entries == nil {
		c.entries = map[string]*cached{}
	}
	if old := c.entries[key]; old != nil {
		c.size -= len(old.body)
	} else {
		c.order = append(c.order, key)
	}
	c.entries[key] = entry
	c.size += len(entry.body)
	for c.size > maxCacheSize {
		c.size -= len(c.entries[c.order[0]].body)
		delete(c.entries, c.order[0])
		c.order = c.order[1:]
	}
}

// response is the cached answer to a request.
func (e *cached) response(req *http.Request) *http.Response {
	return &http.Response{
		Status: "200 OK", StatusCode: http.StatusOK, Proto: "HTTP/1.1", ProtoMajor: 1, ProtoMinor: 1,
		Header: e.header.Clone(), Body: io.NopCloser(bytes.NewReader(e.body)), ContentLength: int64(len(e.body)), Request: req,
	}
}
