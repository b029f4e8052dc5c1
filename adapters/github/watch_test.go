package github_test

import (
	"context"
	"io"
	"net/http"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	bridgegithub "github.com/mcp-bridge/mcp-bridge/adapters/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A wire answers requests without a network.
type wire func(*http.Request) *http.Response

func (w wire) RoundTrip(r *http.Request) (*http.Response, error) { return w(r), nil }

func reply(r *http.Request, status int, body string, headers ...string) *http.Response {
	resp := &http.Response{StatusCode: status, Header: http.Header{}, Body: io.NopCloser(strings.NewReader(body)), ContentLength: int64(len(body)), Request: r}
	for i := 0; i < len(headers); i += 2 {
		resp.Header.Set(headers[i], headers[i+1])
	}
	return resp
}

// Two who watch the same are told of each change, and cost one request a minute.
func TestWatchersShareTheAsking(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var mu sync.Mutex
		mark, asked := `"1"`, 0
		a := bridgegithub.New(bridgegithub.Options{Repositories: []string{"octo/hello"}, Token: "t", Transport: wire(func(r *http.Request) *http.Response {
			mu.Lock()
			defer mu.Unlock()
			asked++
			if r.Header.Get("If-None-Match") == mark {
				return reply(r, http.StatusNotModified, "", "ETag", mark)
			}
			return reply(r, http.StatusOK, `[{"sha":"1"}]`, "ETag", mark)
		})})
		defer a.Close()
		ctx, cancel := context.WithCancel(t.Context())
		var ended sync.WaitGroup
		rung := make([]int, 2)
		for i := range rung {
			ended.Go(func() {
				err := a.Watch(ctx, "octo/hello/contents/src/main.go?ref=feature/x", mapping.Caller{}, func() { rung[i]++ })
				if err == nil || ctx.Err() == nil {
					t.Errorf("the watch ended with %v before it was told to", err)
				}
			})
		}
		time.Sleep(10 * time.Minute)
		synctest.Wait()
		if rung[0] != 0 || rung[1] != 0 || asked < 10 || asked > 11 {
			t.Errorf("after ten quiet minutes: %d requests, rung %v", asked, rung)
		}
		mu.Lock()
		mark = `"2"`
		mu.Unlock()
		time.Sleep(2 * time.Minute)
		synctest.Wait()
		if rung[0] != 1 || rung[1] != 1 {
			t.Errorf("after a change: rung %v, want once each", rung)
		}
		cancel()
		ended.Wait()
		before := asked
		time.Sleep(10 * time.Minute)
		if asked != before {
			t.Errorf("%d requests after the last watcher has gone", asked-before)
		}
	})
}

func TestWhatCannotBeWatched(t *testing.T) {
	a := bridgegithub.New(bridgegithub.Options{Repositories: []string{"octo/*"}, Transport: wire(func(r *http.Request) *http.Response {
		t.Errorf("%s was asked for", r.URL)
		return reply(r, http.StatusOK, "{}")
	})})
	defer a.Close()
	for path, want := range map[string]mapping.Code{
		"":                                     mapping.Unsupported,
		"octo":                                 mapping.Unsupported,
		"octo/hello/nope":                      mapping.Unsupported,
		"octo/hello/issues/x":                  mapping.NotFound,
		"octo/hello/contents/../../x":          mapping.Unsupported,
		"octo/hello/contents/a/%2e%2e/b":       mapping.Unsupported,
		"octo/hello/contents/%2e%2e%2f%2e%2e/": mapping.Unsupported,
		"octo/hello/contents//a":               mapping.Unsupported,
		"octo/hello/contents/a%00":             mapping.Unsupported,
		"octo/hello/contents/a?rev=x":          mapping.Unsupported,
		"octo/hello/contents/a?ref=a:b":        mapping.Invalid,
		"evil/hello/issues/1":                  mapping.Denied,
		"octo%2fhello/x/issues/1":              mapping.Invalid,
	} {
		if err := a.Watch(t.Context(), path, mapping.Caller{}, func() {}); mapping.CodeOf(err) != want {
			t.Errorf("watching %q: %v, want %s", path, err, want)
		}
	}
}
