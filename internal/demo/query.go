package demo

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"
)

// A query reads the parameters of one request and collects what is wrong with
// them.
type query struct {
	values url.Values
	faults faults
}

func newQuery(r *http.Request) *query { return &query{values: r.URL.Query()} }

// number returns an integer between low and high, or the fallback if absent.
func (q *query) number(name string, fallback, low, high int) int {
	if !q.values.Has(name) {
		return fallback
	}
	n, err := strconv.Atoi(q.values.Get(name))
	if err != nil || n < low || n > high {
		q.faults.add(name, "%s must be a whole number from %d to %d", name, low, high)
		return fallback
	}
	return n
}

// oneOf returns a value that is among the allowed, or "" if absent.
func (q *query) oneOf(name string, allowed []string) string {
	v := q.values.Get(name)
	if q.values.Has(name) && !slices.Contains(allowed, v) {
		q.faults.add(name, "%s may be %s", name, choice(allowed))
	}
	return v
}

// someOf returns every value of a repeated parameter.
func (q *query) someOf(name string, allowed []string) []string {
	for _, v := range q.values[name] {
		if !slices.Contains(allowed, v) {
			q.faults.add(name, "%s may be %s", name, choice(allowed))
			return nil
		}
	}
	return q.values[name]
}

// truth returns nil if absent.
func (q *query) truth(name string) *bool {
	if !q.values.Has(name) {
		return nil
	}
	v := q.oneOf(name, []string{"true", "false"}) == "true"
	return &v
}

// moment returns the zero time if absent.
func (q *query) moment(name string) time.Time {
	if !q.values.Has(name) {
		return time.Time{}
	}
	t, err := time.Parse(time.RFC3339, q.values.Get(name))
	if err != nil {
		q.faults.add(name, "%s must be a date with time and zone like 2026-03-01T00:00:00Z", name)
	}
	return t
}

// words returns a search text in lower case.
func (q *query) words(name string) string {
	v := q.values.Get(name)
	if q.values.Has(name) && (v == "" || len(v) > 100) {
		q.faults.add(name, "%s must have 1 to 100 characters", name)
	}
	return strings.ToLower(v)
}

// choice writes a list as "a, b or c".
func choice(allowed []string) string {
	last := len(allowed) - 1
	return strings.Join(allowed[:last], ", ") + " or " + allowed[last]
}

// page cuts the list to what limit and offset ask for, and returns the Link
// header that leads to the rest, "" if there is none.
func page[T any](r *http.Request, q *query, all []T) ([]T, string) {
	limit := q.number("limit", 10, 1, 50)
	offset := q.number("offset", 0, 0, 10000)
	from := min(offset, len(all))
	to := min(from+limit, len(all))
	if to == len(all) {
		return all[from:to], ""
	}
	return all[from:to], nextLink(r, "offset", strconv.Itoa(to))
}

// nextLink is a Link header (RFC 8288) to the same request with one parameter
// changed.
func nextLink(r *http.Request, name, value string) string {
	next := r.URL.Query()
	next.Set(name, value)
	return fmt.Sprintf(`<%s?%s>; rel="next"`, r.URL.EscapedPath(), next.Encode())
}
