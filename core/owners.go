package core

import (
	"iter"
	"sync"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// owners knows whose the sessions over HTTP are, of those who showed a token.
type owners struct {
	mu sync.Mutex
	of map[*mcp.ServerSession]string
}

// own remembers who opened a session.
func (o *owners) own(session mcp.Session, id string) {
	s, ok := session.(*mcp.ServerSession)
	if !ok || id == "" {
		return
	}
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.of == nil {
		o.of = map[*mcp.ServerSession]string{}
	}
	o.of[s] = id
}

// count returns how many of these sessions are over HTTP, and how many of them are
// one caller's. It forgets all others.
func (o *owners) count(sessions iter.Seq[*mcp.ServerSession], id string) (all, own int) {
	o.mu.Lock()
	defer o.mu.Unlock()
	alive := map[*mcp.ServerSession]string{}
	for s := range sessions {
		if s.ID() == "" {
			continue
		}
		all++
		owner := o.of[s]
		if owner != "" {
			alive[s] = owner
		}
		if id != "" && owner == id {
			own++
		}
	}
	o.of = alive
	return all, own
}
