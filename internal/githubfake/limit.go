package githubfake

import (
	"net/http"
	"strconv"
	"strings"
	"time"
)

// count spends one request of the token's hour.
func (x *exchange) count(path string) (reply, bool) {
	resource := "core"
	switch {
	case path == "/rate_limit":
		x.head.Set("X-RateLimit-Resource", "core")
		return reply{}, true
	case strings.HasPrefix(path, "/search/code"):
		resource = "code_search"
	case strings.HasPrefix(path, "/search/"):
		resource = "search"
	}
	x.head.Set("X-RateLimit-Resource", resource)
	if x.hub.spent[x.bucket()] >= x.limit() {
		return fail(http.StatusForbidden, "API rate limit exceeded for user ID 1. If you reach out to GitHub Support for help, please include the request ID."), false
	}
	x.hub.spent[x.bucket()]++
	return reply{}, true
}

// refund takes back what a request cost whose answer had not changed.
func (x *exchange) refund() {
	if x.who != "" {
		x.hub.spent[x.bucket()]--
	}
}

func (x *exchange) bucket() string {
	return x.who + " " + x.head.Get("X-RateLimit-Resource")
}

func (x *exchange) limit() int {
	switch x.head.Get("X-RateLimit-Resource") {
	case "search":
		return searches(x.hub.world.Limit)
	case "code_search":
		return searches(x.hub.world.Limit) / 3
	}
	return x.hub.world.Limit
}

// searches are 30 where the hour has GitHub's 5000 requests.
func searches(limit int) int { return max(limit*30/5000, min(limit, 3)) }

func (x *exchange) limits(h http.Header) {
	used := x.hub.spent[x.bucket()]
	h.Set("X-RateLimit-Limit", strconv.Itoa(x.limit()))
	h.Set("X-RateLimit-Remaining", strconv.Itoa(x.limit()-used))
	h.Set("X-RateLimit-Used", strconv.Itoa(used))
	h.Set("X-RateLimit-Reset", strconv.FormatInt(reset().Unix(), 10))
}

// reset is when the hour ends.
func reset() time.Time { return time.Now().Truncate(time.Hour).Add(time.Hour) }
