package github

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A gate is the one way to the API for one token. It sees each URL that leaves,
// those of redirects too.
type gate struct {
	host  host
	allow *allowList
	token string
	wire  http.RoundTripper

	limits limits
	cache  cache

	mu    sync.Mutex
	names map[string]string // of repositories that are allowed, by their number
}

// RoundTrip implements [http.RoundTripper]. An answer that is a failure is
// returned as an error.
func (g *gate) RoundTrip(req *http.Request) (*http.Response, error) {
	hop := req.Response != nil // a redirect led here
	if hop {
		named, err := g.named(req)
		if err != nil {
			return nil, err
		}
		req = named
	}
	if err := g.admit(req.URL, hop); err != nil {
		if req.Body != nil {
			req.Body.Close()
		}
		return nil, err
	}
	resource := resourceOf(req.URL.Path)
	for again := false; ; again = true {
		if wait := g.limits.wait(resource, time.Now()); wait > 0 {
			if !mayWait(req, wait) {
				return nil, errLimited(wait, "earlier calls have used up GitHub's rate limit")
			}
			tell(req.Context(), "GitHub's rate limit is used up; waiting %s", wait.Round(time.Second))
			if err := pause(req.Context(), wait); err != nil {
				return nil, err
			}
		}
		resp, err := g.send(req)
		if wait, retry := retryable(req, resp, err); retry && !again && mayWait(req, wait) {
			if resp != nil {
				resp.Body.Close()
			}
			tell(req.Context(), "GitHub failed; asking once more")
			if err := pause(req.Context(), wait); err != nil {
				return nil, err
			}
			continue
		}
		if err != nil {
			return nil, err
		}
		if resp.StatusCode < 400 {
			return resp, nil
		}
		refused := g.refusal(resp)
		resp.Body.Close()
		if again || mapping.CodeOf(refused) != mapping.Exhausted || !mayWait(req, g.limits.wait(resource, time.Now())) {
			return nil, refused
		}
	}
}

// send sends the request with the token, and with the mark of the answer that is
// cached.
func (g *gate) send(req *http.Request) (*http.Response, error) {
	out := req.Clone(req.Context())
	out.Body = req.Body
	if g.token != "" {
		out.Header.Set("Authorization", "Bearer "+g.token)
	}
	key := ""
	var known *cached
	if req.Method == http.MethodGet {
		key = req.Header.Get("Accept") + " " + req.URL.String()
		if known = g.cache.get(key); known != nil {
			out.Header.Set("If-None-Match", known.etag)
		}
	}
	resp, err := g.wire.RoundTrip(out)
	if err != nil {
		return nil, err
	}
	g.limits.note(resp, time.Now())
	if resp.StatusCode == http.StatusNotModified && known != nil {
		resp.Body.Close()
		return known.response(req), nil
	}
	strip(resp.Header)
	resp.Body = &bounded{ReadCloser: resp.Body, left: limitOf(req.Context()), most: limitOf(req.Context())}
	resp.Request = req // that of a redirect's hop
	if resp.StatusCode == http.StatusOK && key != "" {
		return resp, g.keep(key, resp)
	}
	return resp, nil
}

// keep caches an answer that has a mark and is small.
func (g *gate) keep(key string, resp *http.Response) error {
	etag := resp.Header.Get("ETag")
	if etag == "" && !g.isRepo(resp.Request) || resp.ContentLength > maxCached {
		return nil
	}
	head, err := io.ReadAll(io.LimitReader(resp.Body, maxCached+1))
	if err != nil {
		resp.Body.Close()
		return err
	}
	if len(head) > maxCached {
		resp.Body = struct {
			io.Reader
			io.Closer
		}{io.MultiReader(bytes.NewReader(head), resp.Body), resp.Body}
		return nil
	}
	resp.Body.Close()
	resp.Body = io.NopCloser(bytes.NewReader(head))
	if etag != "" {
		g.cache.put(key, &cached{etag: etag, header: resp.Header, body: head})
	}
	if g.isRepo(resp.Request) {
		g.learn(head)
	}
	return nil
}

// isRepo reports whether a request is for a repository as a whole.
func (g *gate) isRepo(req *http.Request) bool {
	path := strings.TrimPrefix(req.URL.Path, g.host.api.Path)
	return strings.HasPrefix(path, "repos/") && strings.Count(path, "/") == 2
}

// learn notes the name of a repository that was asked for, by its number.
func (g *gate) learn(body []byte) {
	var repo struct {
		ID       int64  `json:"id"`
		FullName string `json:"full_name"`
	}
	if json.Unmarshal(body, &repo) == nil && repo.ID > 0 && g.allow.allowsName(repo.FullName) {
		g.mu.Lock()
		g.names[strconv.FormatInt(repo.ID, 10)] = repo.FullName
		g.mu.Unlock()
	}
}

// named gives a redirect to the number of a repository the name that the number
// is known by: what leaves has a name, which the list is held against. A name
// that redirects to its own number has been given up, and what was known is not
// believed any more.
func (g *gate) named(req *http.Request) (*http.Request, error) {
	rest, numbered := strings.CutPrefix(req.URL.EscapedPath(), g.host.api.Path+"repositories/")
	if !numbered || !g.host.isAPI(req.URL) {
		return req, nil
	}
	number, _, _ := strings.Cut(rest, "/")
	g.mu.Lock()
	defer g.mu.Unlock()
	path := g.host.api.Path + "repos/" + g.names[number]
	if from := req.Response.Request.URL.Path + "/"; g.names[number] == "" || len(from) > len(path) && strings.EqualFold(from[:len(path)+1], path+"/") {
		delete(g.names, number)
		return nil, errMoved()
	}
	to, err := req.URL.Parse(path + strings.TrimPrefix(rest, number))
	if err != nil {
		return nil, errHostile()
	}
	to.RawQuery = req.URL.RawQuery
	out := req.Clone(req.Context())
	out.URL = to
	return out, nil
}

// admit says whether a URL may be asked for: below the API, of an allowed
// repository or of none, without a way around by dots. A redirect leads to a
// repository or nowhere.
func (g *gate) admit(u *url.URL, hop bool) error {
	if !g.host.isAPI(u) {
		return &mapping.Error{Code: mapping.Denied, Problem: "GitHub points at another host, to which nothing is sent from here", Next: "do not retry"}
	}
	parts := strings.Split(strings.TrimPrefix(u.EscapedPath(), g.host.api.Path), "/")
	for i, part := range parts {
		plain, err := url.PathUnescape(part)
		if err != nil || hasDots(plain) {
			return errHostile()
		}
		parts[i] = plain
	}
	switch {
	case parts[0] == "repos" && len(parts) >= 3:
		if !g.allow.allows(parts[1], parts[2]) {
			return g.allow.refusal(parts[1], parts[2])
		}
		return nil
	case hop:
		return errHostile()
	case parts[0] == "search" && len(parts) == 2:
		if len(u.Query()["q"]) != 1 {
			return errHostile()
		}
		return g.allow.checkQuery(u.Query().Get("q"))
	case len(parts) == 1 && (parts[0] == "user" || parts[0] == "rate_limit"):
		return nil
	}
	return errHostile()
}

func errHostile() error {
	return &mapping.Error{Code: mapping.Invalid, Problem: "the arguments would lead to another place than the operation's", Next: "give names, refs and paths as GitHub has them"}
}

// hasDots reports whether a text would be taken for a way up or nowhere.
func hasDots(text string) bool {
	for part := range strings.SplitSeq(text, "/") {
		if part == "." || part == ".." {
			return true
		}
	}
	return strings.ContainsAny(text, "\x00\\")
}

// strip hides the rate limits from go-github, whose table mixes what a server of
// one's own counts apart.
func strip(h http.Header) {
	for name := range h {
		if strings.HasPrefix(name, "X-Ratelimit-") {
			h.Del(name)
		}
	}
}

// retryable says whether to send a read again, and after which time.
func retryable(req *http.Request, resp *http.Response, err error) (time.Duration, bool) {
	if req.Method != http.MethodGet || req.Context().Err() != nil {
		return 0, false
	}
	if err != nil {
		return 250 * time.Millisecond, mapping.CodeOf(err) == mapping.Internal // not one of ours
	}
	switch resp.StatusCode {
	case http.StatusBadGateway, http.StatusServiceUnavailable, http.StatusGatewayTimeout:
		return max(retryAfter(resp.Header), 500*time.Millisecond), true
	}
	return 0, false
}

// mayWait says whether so long a pause leaves time to ask again. Only reads wait.
func mayWait(req *http.Request, wait time.Duration) bool {
	deadline, ok := req.Context().Deadline()
	return req.Method == http.MethodGet && (!ok && wait < 30*time.Second || ok && time.Until(deadline) > wait+time.Second)
}

func pause(ctx context.Context, wait time.Duration) error {
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return nil
	case <-ctx.Done():
		return fmt.Errorf("wait for GitHub: %w", ctx.Err())
	}
}
