package github

import (
	"context"
	"errors"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// pollTime is how often GitHub is asked whether a watched resource has changed.
// What has not is not counted against the rate limit.
const pollTime = time.Minute

// Watch tells of changes of a resource by asking GitHub for its mark. Those who
// watch the same with the same token share the asking.
func (a *Adapter) Watch(ctx context.Context, path string, caller mapping.Caller, changed func()) error {
	if err := a.usable(); err != nil {
		return err
	}
	if path == "" {
		return &mapping.Error{Code: mapping.Unsupported, Problem: "the catalog never changes"}
	}
	res, vars, err := parseAddress(path)
	if err != nil {
		return &mapping.Error{Code: mapping.Unsupported, Problem: "there is no such resource to watch", Err: err}
	}
	read := mapping.Read{Vars: vars, Caller: caller, Budget: 1, MaxBytes: 1 << 20}
	r, err := a.reading(*rowNamed(a.all, res.row), read)
	if err != nil {
		return err
	}
	x, err := r.probe(vars)
	if err != nil {
		return err
	}
	leave := a.watches.join(watchKey{r.client, x.path + "?" + x.query.Encode()}, changed, func(ctx context.Context, ring func()) {
		a.poll(ctx, r.client, x, ring)
	})
	defer leave()
	<-ctx.Done()
	return ctx.Err()
}

// probe is the request whose answer changes when the resource does.
func (r *request) probe(vars map[string]string) (exchange, error) {
	x := exchange{method: http.MethodGet, query: url.Values{}, max: r.call.MaxBytes}
	ref, err := r.ref("ref")
	if err != nil {
		return x, err
	}
	switch r.row.name {
	case "get_file", "get_tree", "get_readme": // a commit to the path is a change
		x.path = r.path("/commits")
		x.query.Set("per_page", "1")
		if ref != "" {
			x.query.Set("sha", ref)
		}
		if path := vars["path"]; path != "" {
			x.query.Set("path", path)
		}
		return x, nil
	case "get_pull_diff":
		x.path = r.path("/pulls/%s", r.text("number"))
		return x, nil
	case "get_job_log":
		x.path = r.path("/actions/jobs/%s", r.text("job_id"))
		return x, nil
	}
	return r.exchange()
}

// poll asks again and again until ctx ends, and rings for each change.
func (a *Adapter) poll(ctx context.Context, c *client, x exchange, ring func()) {
	mark, failed := "", false
	for {
		wait := pollTime
		now, err := c.mark(ctx, x, mark)
		var e *mapping.Error
		switch {
		case errors.As(err, &e):
			wait = max(wait, e.RetryAfter)
			// What is gone has changed, once; and again when it comes back.
			gone := e.Code == mapping.NotFound
			if gone && !failed && mark != "" {
				ring()
			}
			failed = failed || gone
		case err == nil:
			if mark != "" && now != mark || failed {
				ring()
			}
			mark, failed = now, false
		}
		if pause(ctx, wait) != nil {
			return
		}
	}
}

// mark is the ETag of an answer, known if it has not changed.
func (c *client) mark(ctx context.Context, x exchange, known string) (string, error) {
	req, err := c.request(x)
	if err != nil {
		return "", err
	}
	req.Header.Set("Accept", "application/vnd.github+json")
	if known != "" {
		req.Header.Set("If-None-Match", known)
	}
	ctx, cancel := context.WithTimeout(ctx, pollTime)
	defer cancel()
	resp, err := c.gate.RoundTrip(req.WithContext(withLimit(ctx, x.max)))
	if err != nil {
		return "", err
	}
	resp.Body.Close()
	if resp.StatusCode == http.StatusNotModified {
		return known, nil
	}
	return resp.Header.Get("ETag"), nil
}

// A watchKey is what watchers share: who asks, and what.
type watchKey struct {
	client *client
	path   string
}

// watches are what is being polled.
type watches struct {
	mu    sync.Mutex
	byKey map[watchKey]*watch
}

type watch struct {
	bells map[int]func()
	next  int
	stop  context.CancelFunc
}

// join adds somebody who is told of changes, and starts the polling for the first.
// The returned function takes him off, and stops it after the last.
func (w *watches) join(key watchKey, changed func(), poll func(ctx context.Context, ring func())) (leave func()) {
	w.mu.Lock()
	defer w.mu.Unlock()
	shared := w.byKey[key]
	if shared == nil {
		ctx, stop := context.WithCancel(context.Background())
		shared = &watch{bells: map[int]func(){}, stop: stop}
		if w.byKey == nil {
			w.byKey = map[watchKey]*watch{}
		}
		w.byKey[key] = shared
		go poll(ctx, func() { w.ring(shared) })
	}
	me := shared.next
	shared.next++
	shared.bells[me] = changed
	return func() {
		w.mu.Lock()
		defer w.mu.Unlock()
		if delete(shared.bells, me); len(shared.bells) == 0 {
			shared.stop()
			delete(w.byKey, key)
		}
	}
}

// ring tells everybody of one watch.
func (w *watches) ring(shared *watch) {
	w.mu.Lock()
	bells := make([]func(), 0, len(shared.bells))
	for _, bell := range shared.bells {
		bells = append(bells, bell)
	}
	w.mu.Unlock()
	for _, bell := range bells {
		bell()
	}
}
