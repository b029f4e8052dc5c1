package github_test

import (
	"context"
	"encoding/json"
	"net/http/httptest"
	"slices"
	"testing"
	"time"

	bridgegithub "github.com/mcp-bridge/mcp-bridge/adapters/github"
	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
	"github.com/mcp-bridge/mcp-bridge/internal/githuboracle"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

const token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"

// A desk is an adapter before a fake GitHub, with the oracle between them.
type desk struct {
	*testing.T
	*bridgegithub.Adapter
	hub *githubfake.GitHub
}

func open(t *testing.T, w githubfake.World, o bridgegithub.Options) desk {
	t.Helper()
	w.Token = token
	hub := githubfake.Open(t, w)
	server := httptest.NewServer(githuboracle.Load(t).Wrap(t, hub))
	t.Cleanup(server.Close)
	o.BaseURL, o.Token = server.URL, token
	if o.Repositories == nil {
		o.Repositories = []string{"octo/*"}
	}
	o.Toolsets = []string{"all"}
	a := bridgegithub.New(o)
	t.Cleanup(func() { a.Close() })
	return desk{t, a, hub}
}

// call runs an operation with arguments in JSON.
func (d desk) call(key, args string) (*mapping.Result, error) {
	d.Helper()
	return d.callWith(mapping.Call{Key: key}, args)
}

func (d desk) callWith(c mapping.Call, args string) (*mapping.Result, error) {
	d.Helper()
	ctx, cancel := context.WithTimeout(d.Context(), 2*time.Minute)
	defer cancel()
	return d.callIn(ctx, c, args)
}

func (d desk) callIn(ctx context.Context, c mapping.Call, args string) (*mapping.Result, error) {
	d.Helper()
	var given map[string]json.RawMessage
	if err := json.Unmarshal([]byte(args), &given); err != nil {
		d.Fatal(err)
	}
	for name, value := range given {
		c.Args = append(c.Args, mapping.Arg{Name: name, Value: value})
	}
	slices.SortFunc(c.Args, func(a, b mapping.Arg) int { return len(a.Name) - len(b.Name) })
	if c.Budget == 0 {
		c.Budget = 60_000
	}
	if c.Progress == nil {
		c.Progress = func(_, _ float64, _ string) {}
	}
	c.MaxBytes, c.Log = 16<<20, func(_, _ string) {}
	return d.Call(ctx, c)
}

// get decodes the answer of a call that must work.
func (d desk) get(key, args string) map[string]any {
	d.Helper()
	var v map[string]any
	d.into(&v, key, args)
	return v
}

func (d desk) into(v any, key, args string) {
	d.Helper()
	r, err := d.call(key, args)
	if err != nil {
		d.Fatalf("%s %s: %v", key, args, err)
	}
	if err := json.Unmarshal(r.JSON, v); err != nil {
		d.Fatal(err)
	}
}
