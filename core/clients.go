package core

import (
	"encoding/json"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// clients are what clients say of themselves with each request, which is costly to
// look at and the same in all requests of one client.
type clients struct {
	mu    sync.Mutex
	parts map[string]any     // parts of _meta as the SDK has them, by their text
	clear map[[2]string]bool // client and capabilities that the SDK understands
}

// Of so many clients so many bytes are remembered.
const (
	manyClients = 200
	longClient  = 2000
)

// meta reads _meta as the SDK does. Nobody changes it.
func (c *clients) meta(raw json.RawMessage) (mcp.Meta, error) {
	parts, ok := readObject(raw)
	if !ok {
		return nil, nil // null, or absent
	}
	meta := make(mcp.Meta, len(parts))
	for _, part := range parts {
		value, err := c.part(part.value)
		if err != nil {
			return nil, err
		}
		meta[string(part.name)] = value
	}
	return meta, nil
}

// part reads one value, and remembers it if it is an object.
func (c *clients) part(text json.RawMessage) (value any, err error) {
	if text[0] == '"' {
		return textOf(text), nil
	}
	c.mu.Lock()
	value, known := c.parts[string(text)]
	c.mu.Unlock()
	if known {
		return value, nil
	}
	if err := json.Unmarshal(text, &value); err != nil || text[0] != '{' || len(text) > longClient {
		return value, err
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.parts == nil || len(c.parts) >= manyClients {
		c.parts = map[string]any{}
	}
	c.parts[string(text)] = value
	return value, nil
}

// areClear reports whether the SDK understands what a client says of itself.
func (c *clients) areClear(meta requestMeta, req mcp.Request) bool {
	said := [2]string{string(meta.Client), string(meta.Capabilities)}
	c.mu.Lock()
	known := c.clear[said]
	c.mu.Unlock()
	if known {
		return true
	}
	r, ok := req.(interface {
		ClientCapabilities() *mcp.ClientCapabilities
		ClientInfo() *mcp.Implementation
	})
	if !ok || r.ClientCapabilities() == nil || meta.Client != nil && r.ClientInfo() == nil {
		return false
	}
	if len(said[0])+len(said[1]) > longClient {
		return true
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.clear == nil || len(c.clear) >= manyClients {
		c.clear = map[[2]string]bool{}
	}
	c.clear[said] = true
	return true
}
