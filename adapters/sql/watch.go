package sql

import (
	"context"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// watchEvery is how often the schema's fingerprint is compared.
const watchEvery = 30 * time.Second

// Watch tells of changes to the schema. Rows are not watched.
func (a *Adapter) Watch(ctx context.Context, path string, _ mapping.Caller, changed func()) error {
	if path != "" {
		return &mapping.Error{Code: mapping.Unsupported, Problem: "changes of rows are not told", Next: "read the resource again when you need it"}
	}
	ticker := time.NewTicker(watchEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case <-ticker.C:
		}
		s := a.current()
		if s == nil {
			continue
		}
		if mark, err := a.mark(ctx); err == nil && mark != s.mark {
			changed()
		}
	}
}

// mark asks for the fingerprint within its own deadline.
func (a *Adapter) mark(ctx context.Context) (string, error) {
	ctx, cancel := context.WithTimeout(ctx, a.options.Timeout)
	defer cancel()
	return a.engine.Fingerprint(ctx)
}
