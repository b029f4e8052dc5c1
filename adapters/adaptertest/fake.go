package adaptertest

import (
	"context"
	"fmt"
	"sync"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

var _ core.Adapter = (*Fake)(nil)

// A CallFunc answers the calls of one operation.
type CallFunc func(ctx context.Context, c mapping.Call) (*mapping.Result, error)

// A ReadFunc answers the reads of one resource or template.
type ReadFunc func(ctx context.Context, r mapping.Read) (*mapping.Result, error)

// A Fake is the smallest correct adapter: a catalog, and a function for each of
// its keys and paths. The zero Fake offers nothing. The fields are set before
// the first use and not changed afterwards; the methods may run at the same
// time.
//
// A Fake has no optional ability. To give it some, put them beside it:
//
//	struct{ *adaptertest.Fake; core.Watcher }{fake, bell}
type Fake struct {
	// Offer is what Catalog returns until [Fake.Change]. An empty Scheme is "fake".
	Offer mapping.Catalog
	// Calls answer operations by Operation.Key. One that is missing here is
	// answered by [Echo].
	Calls map[string]CallFunc
	// Reads answer resources by Resource.Path. One that is missing here is
	// answered by [EchoRead].
	Reads map[string]ReadFunc
	// Load, if set, runs at the start of each Catalog. Its error is Catalog's.
	Load func(context.Context) error
	// Release, if set, is what the first Close does.
	Release func() error

	mu      sync.Mutex
	changed *mapping.Catalog // what Change set; nil before
	closed  bool
}

// Change makes c the catalog from now on.
func (f *Fake) Change(c mapping.Catalog) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.changed = &c
}

// Catalog returns what is offered now.
func (f *Fake) Catalog(ctx context.Context) (*mapping.Catalog, error) {
	if err := f.usable(ctx); err != nil {
		return nil, err
	}
	if f.Load != nil {
		if err := f.Load(ctx); err != nil {
			return nil, err
		}
	}
	return f.offer(), nil
}

// Call runs one operation of the catalog.
func (f *Fake) Call(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
	if err := f.usable(ctx); err != nil {
		return nil, err
	}
	if !f.offersOperation(c.Key) {
		return nil, &mapping.Error{
			Code:    mapping.NotFound,
			Problem: fmt.Sprintf("there is no operation %q", c.Key),
			Next:    "list the tools again",
		}
	}
	call := f.Calls[c.Key]
	if call == nil {
		call = Echo
	}
	r, err := call(ctx, c)
	return bounded(r, err, c.MaxBytes)
}

// Read returns one resource of the catalog.
func (f *Fake) Read(ctx context.Context, r mapping.Read) (*mapping.Result, error) {
	if err := f.usable(ctx); err != nil {
		return nil, err
	}
	if !f.offersResource(r.Path) {
		return nil, &mapping.Error{
			Code:    mapping.NotFound,
			Problem: fmt.Sprintf("there is no resource %q", r.Path),
			Next:    "list the resources again",
		}
	}
	read := f.Reads[r.Path]
	if read == nil {
		read = EchoRead
	}
	result, err := read(ctx, r)
	return bounded(result, err, r.MaxBytes)
}

// Close ends the fake; a second Close does nothing.
func (f *Fake) Close() error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return nil
	}
	f.closed = true
	if f.Release == nil {
		return nil
	}
	return f.Release()
}

// usable says why nothing can be asked of the fake now, nil if it can.
func (f *Fake) usable(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.closed {
		return &mapping.Error{
			Code:    mapping.Unavailable,
			Problem: "this source has been shut down",
			Next:    "list the tools again",
		}
	}
	return nil
}

// offer returns the catalog of now: a new value around shared, unchanging parts.
func (f *Fake) offer() *mapping.Catalog {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := f.Offer
	if f.changed != nil {
		c = *f.changed
	}
	if c.Scheme == "" {
		c.Scheme = "fake"
	}
	return &c
}

func (f *Fake) offersOperation(key string) bool {
	for _, op := range f.offer().Operations {
		if op.Key == key {
			return true
		}
	}
	return false
}

func (f *Fake) offersResource(path string) bool {
	for _, r := range f.offer().Resources {
		if r.Path == path && r.Operation == "" {
			return true
		}
	}
	return false
}

// bounded refuses a result that is larger than the caller allows. An adapter
// that can stop at a whole item does that instead, and sets Truncated.
func bounded(r *mapping.Result, err error, limit int64) (*mapping.Result, error) {
	if err != nil {
		return nil, err
	}
	if n := size(r); n > limit {
		return nil, &mapping.Error{
			Code:    mapping.Exhausted,
			Problem: fmt.Sprintf("the answer has %d bytes and only %d are allowed", n, limit),
			Next:    "ask for less",
		}
	}
	return r, nil
}

// size returns how many bytes of the backend a result holds.
func size(r *mapping.Result) int64 {
	if r == nil {
		return 0
	}
	n := len(r.JSON)
	for _, b := range r.Blocks {
		n += len(b.Text) + len(b.Data)
	}
	return int64(n)
}
