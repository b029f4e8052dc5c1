package core

import (
	"context"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// An Adapter speaks for one backend. Call and Read may run at the same time as
// anything but Close. Their contexts always carry a deadline.
//
// An adapter may also be a [Watcher], a [Completer] and a [Checker]; core finds
// these by assertion. One that reads live data should be a Completer, and one
// that a network can cut off should be a Checker.
//
// Catalog, Call and Read promise, besides what their types say: keys and paths
// are the catalog's; an error that a model should see is a *mapping.Error, any
// other is shown as an internal error without its text; an error wrapping
// context.Canceled or context.DeadlineExceeded is shown as that.
type Adapter interface {
	// Catalog describes what the backend offers now. With no change in
	// between, two calls return equal catalogs. A *mapping.Error with code
	// Unavailable or Timeout is temporary and will be tried again; any other
	// error is final.
	Catalog(ctx context.Context) (*mapping.Catalog, error)
	// Call runs one operation of the catalog. What the model did not send is
	// absent; defaults are never filled in.
	Call(ctx context.Context, c mapping.Call) (*mapping.Result, error)
	// Read returns one resource that is not an operation's answer.
	Read(ctx context.Context, r mapping.Read) (*mapping.Result, error)
	// Close releases what the adapter opened, and nothing that it was given. It is
	// called when the last Call or Read has returned; a second Close does nothing.
	// Call and Read fail afterwards.
	Close() error
}

// A Watcher tells when something changes.
type Watcher interface {
	// Watch calls changed whenever the resource at this path, or for "" the
	// catalog, may have changed, and returns when ctx ends. A path that it cannot
	// watch returns a *mapping.Error with code Unsupported at once. Path is the
	// part of a URI after scheme://source/.
	Watch(ctx context.Context, path string, caller mapping.Caller, changed func()) error
}

// A Completer proposes values for template variables and prompt arguments.
type Completer interface {
	Complete(ctx context.Context, c mapping.Completion) (mapping.Completions, error)
}

// A Checker looks whether the backend can be reached and allows what the catalog
// offers. Each finding names its mend.
type Checker interface {
	Check(ctx context.Context) ([]mapping.Finding, error)
}

// Sources are adapters by their public names, which match [a-z][a-z0-9-]{0,15}.
// A name is the authority of its source's URIs.
type Sources map[string]Adapter
