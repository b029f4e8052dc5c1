package github_test

import (
	"context"
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	bridgegithub "github.com/mcp-bridge/mcp-bridge/adapters/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A clockwork answers from a list, the last again and again, and notes when it
// was asked. It needs no socket, so a test's own clock runs with it.
type clockwork struct {
	answers []func(w http.ResponseWriter)

	mu    sync.Mutex
	asked []time.Time
}

// RoundTrip implements http.RoundTripper.
func (c *clockwork) RoundTrip(req *http.Request) (*http.Response, error) {
	c.mu.Lock()
	n := len(c.asked)
	c.asked = append(c.asked, time.Now())
	c.mu.Unlock()
	rec := httptest.NewRecorder()
	c.answers[min(n, len(c.answers)-1)](rec)
	res := rec.Result()
	res.Request = req
	return res, nil
}

func (c *clockwork) times() []time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.asked
}

func (c *clockwork) adapter() *bridgegithub.Adapter {
	o := everything("https://" + apiHost)
	o.Transport = c
	return bridgegithub.New(o)
}

// answering writes a status, a body and headers in pairs.
func answering(status int, body string, headers ...string) func(http.ResponseWriter) {
	return func(w http.ResponseWriter) {
		for i := 0; i < len(headers); i += 2 {
			w.Header().Set(headers[i], headers[i+1])
		}
		w.Header().Set("Content-Type", "application/json")
		w.WriteHeader(status)
		_, _ = w.Write([]byte(body))
	}
}

var fine = answering(200, `{"number": 1, "title": "Fine", "state": "open"}`)

// Every way in which GitHub says that it is too much is understood, told with the
// time to wait, and kept to: until then nothing is asked.
func TestLimitsAreKept(t *testing.T) {
	const secondary = `{"message": "You have exceeded a secondary rate limit. Please wait a few minutes before you try again."}`
	const abuse = `{"message": "You have triggered an abuse detection mechanism. Please retry your request again later."}`
	const primary = `{"message": "API rate limit exceeded for user ID 1."}`
	for _, status := range []int{http.StatusForbidden, http.StatusTooManyRequests} {
		for _, c := range []struct {
			name    string
			body    string
			headers []string
			wait    time.Duration
		}{
			{"secondary with a time", secondary, []string{"Retry-After", "90"}, 90 * time.Second},
			{"secondary without", secondary, nil, time.Minute},
			{"abuse", abuse, []string{"Retry-After", "120"}, 2 * time.Minute},
			{"primary", primary, []string{"X-RateLimit-Remaining", "0", "X-RateLimit-Reset", "+600"}, 601 * time.Second},
			{"a page of a proxy", "<html>slow down</html>", []string{"Retry-After", "60"}, time.Minute},
		} {
			t.Run(fmt.Sprintf("%d %s", status, c.name), func(t *testing.T) {
				synctest.Test(t, func(t *testing.T) {
					headers := append([]string(nil), c.headers...)
					for i, h := range headers {
						if h == "+600" {
							headers[i] = fmt.Sprint(time.Now().Unix() + 600)
						}
					}
					w := &clockwork{answers: []func(http.ResponseWriter){answering(status, c.body, headers...), fine}}
					keepsTo(t, w, c.wait)
				})
			})
		}
	}
}

// keepsTo makes a call that meets a limit, one too early, and one in time.
func keepsTo(t *testing.T, w *clockwork, wait time.Duration) {
	a := w.adapter()
	ask := func() error {
		ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
		defer cancel()
		_, err := a.Call(ctx, newCall(t, "get_issue", hello(`{"number": 1}`)))
		return err
	}
	err := ask()
	refused(t, "the first call", err, mapping.Exhausted, "wait")
	if e := (*mapping.Error)(nil); errors.As(err, &e) && (e.RetryAfter < wait-time.Second || e.RetryAfter > wait+time.Second) {
		t.Errorf("it says to wait %s, want %s", e.RetryAfter, wait)
	}
	time.Sleep(wait / 2)
	refused(t, "a call too early", ask(), mapping.Exhausted, "wait")
	if n := len(w.times()); n != 1 {
		t.Errorf("GitHub was asked %d times before the time was over", n)
	}
	time.Sleep(wait/2 + 2*time.Second)
	if err := ask(); err != nil {
		t.Errorf("a call in time: %v", err)
	}
}

// A short wait within the deadline is not the model's affair: a read is made
// again once, and a write never.
func TestAReadIsMadeAgainOnce(t *testing.T) {
	short := answering(429, `{"message": "secondary rate limit"}`, "Retry-After", "5")
	broken := answering(502, `{"message": "Bad Gateway"}`)
	for _, c := range []struct {
		name, key, args string
		answers         []func(http.ResponseWriter)
		asked           int
		code            mapping.Code // "" works
	}{
		{"a limit", "get_issue", `{"number": 1}`, []func(http.ResponseWriter){short, fine}, 2, ""},
		{"a limit twice", "get_issue", `{"number": 1}`, []func(http.ResponseWriter){short, short, fine}, 2, mapping.Exhausted},
		{"a fault", "get_issue", `{"number": 1}`, []func(http.ResponseWriter){broken, fine}, 2, ""},
		{"a fault twice", "get_issue", `{"number": 1}`, []func(http.ResponseWriter){broken, broken, fine}, 2, mapping.Unavailable},
		{"a write at a limit", "create_issue", `{"title": "x"}`, []func(http.ResponseWriter){short, fine}, 1, mapping.Exhausted},
		{"a write at a fault", "create_issue", `{"title": "x"}`, []func(http.ResponseWriter){broken, fine}, 1, mapping.Unavailable},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				w := &clockwork{answers: c.answers}
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				_, err := w.adapter().Call(ctx, newCall(t, c.key, hello(c.args)))
				if mapping.CodeOf(err) != c.code {
					t.Errorf("%v, want code %q", err, c.code)
				}
				if n := len(w.times()); n != c.asked {
					t.Errorf("GitHub was asked %d times, want %d", n, c.asked)
				}
			})
		})
	}
}

// One caller's limit is not another's, and a search's is not that of the rest.
func TestLimitsAreApart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		empty := answering(200, `{"total_count": 0, "items": []}`, "X-RateLimit-Resource", "search", "X-RateLimit-Remaining", "0", "X-RateLimit-Reset", fmt.Sprint(time.Now().Unix()+60))
		w := &clockwork{answers: []func(http.ResponseWriter){empty, fine}}
		a := w.adapter()
		ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
		defer cancel()
		search := newCall(t, "search_issues", `{"query": "x"}`)
		if _, err := a.Call(ctx, search); err != nil {
			t.Fatal(err)
		}
		_, err := a.Call(ctx, search)
		refused(t, "a second search", err, mapping.Exhausted, "wait")
		issue := newCall(t, "get_issue", hello(`{"number": 1}`))
		if _, err := a.Call(ctx, issue); err != nil {
			t.Errorf("a search's limit stops the rest: %v", err)
		}
		search.Caller = mapping.Caller{ID: "other", Credential: "ghp_of_another_caller"}
		if _, err := a.Call(ctx, search); err != nil {
			t.Errorf("one caller's limit stops another: %v", err)
		}
	})
}

// An answer that breaks off, or is none, is a failure in words.
func TestBrokenAnswers(t *testing.T) {
	for name, body := range map[string]string{"cut": `{"number": 1, "title": "Fi`, "a page": "<!doctype html><title>Sign in</title>", "empty": "", "another type": `[1, 2]`} {
		w := &clockwork{answers: []func(http.ResponseWriter){answering(200, body)}}
		_, err := w.adapter().Call(t.Context(), newCall(t, "get_issue", hello(`{"number": 1}`)))
		if code := mapping.CodeOf(err); code != mapping.Unavailable && code != mapping.Internal {
			t.Errorf("%s: %v (%s)", name, err, code)
		}
	}
}
