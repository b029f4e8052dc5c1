package adaptertest

import (
	"context"
	"time"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A Harness tells the kit how to open an adapter and what is known to be true of
// its backend. Open and Calls are needed; a row that needs more than is there is
// skipped, and says what it would have needed.
type Harness struct {
	// Open returns an adapter on a backend whose state is the same each time.
	// Every row opens its own and closes it.
	Open func(context.Context) (*Subject, error)
	// Calls are made in this order on one subject, so one may prepare the next.
	// Those of operations that read are also made alone, again and at once, so
	// they hold on a fresh backend too. At least one of them reads and works.
	Calls []KnownCall
	// Reads are resources with known content, on a fresh backend.
	Reads []KnownRead
	// MissingCalls and MissingReads ask for items that do not exist.
	MissingCalls []mapping.Call
	MissingReads []string
	// Slow is a call that the backend does not answer in the time of a test.
	Slow *mapping.Call
	// Secrets are credentials that the adapter was given. They may appear in no
	// output, as they are or encoded.
	Secrets []string
	// Addresses are where the backend is. An operator may see them, in a log or a
	// finding, and a model may not.
	Addresses []string
	// Stops says that the adapter stops at a whole item when an answer outgrows
	// Call.Budget. The answers of others are cut by mapping.
	Stops bool
	// Patience is how long the kit waits for what should come promptly; 0 is 5 s.
	Patience time.Duration
}

// A Subject is one opened adapter, and what the kit may see of its backend.
type Subject struct {
	Adapter core.Adapter
	// State returns a text that changes whenever the backend's data does; nil if
	// that cannot be seen.
	State func(context.Context) (string, error)
	// Logged returns what the adapter has logged elsewhere than through Call.Log;
	// nil if it logs nowhere.
	Logged func() string
}

// A KnownCall is a call with a known answer. Key, Args, Body and Caller of Call
// are the harness's; the kit fills in the rest.
type KnownCall struct {
	Call mapping.Call
	Want Want
}

// A KnownRead is a resource with known content. Path is what follows
// scheme://source/ in its URI.
type KnownRead struct {
	Path string
	Want Want
}

func (h Harness) patience() time.Duration {
	if h.Patience == 0 {
		return 5 * time.Second
	}
	return h.Patience
}
