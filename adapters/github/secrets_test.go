package github_test

import (
	"encoding/base64"
	"errors"
	"fmt"
	"net/url"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// shows tells whether a text holds the token, as it is or in a form that it may
// have in a header, a URL or a dump.
func shows(text string) bool {
	for _, form := range []string{token, base64.StdEncoding.EncodeToString([]byte(token)), base64.RawURLEncoding.EncodeToString([]byte(token)), fmt.Sprintf("%x", token), url.QueryEscape(token)} {
		if strings.Contains(text, form) {
			return true
		}
	}
	return false
}

// The token is in no answer, no failure, no cause of one and no log, whatever
// GitHub does; and it goes to no other host.
func TestTheTokenIsNowhere(t *testing.T) {
	w := world()
	w.Limit = 1 << 20
	h := bareHub(t, w)
	given := strings.NewReplacer("$run", h.run(), "$job", h.job("test"), "$head", strings.Repeat("1", 40))
	leads := func(status int, to string) githubfake.Fault {
		return githubfake.Fault{Status: status, Header: map[string]string{"Location": to}}
	}
	for _, f := range []githubfake.Fault{
		{}, complaint(401, "Bad credentials"), complaint(403, "Resource not accessible"), complaint(404, "Not Found"), complaint(422, "Validation Failed"), complaint(500, "Server Error"),
		complaint(400, "you sent "+"Authorization: Bearer"), {Status: 200, Body: "{"}, {Status: 200, Body: "<html>"}, {Cut: 10},
		leads(301, "http://localhost:1/stolen"), leads(302, "http://127.0.0.2:1/stolen"), leads(307, "https://evil.example/"), leads(308, "http://"+h.server.Listener.Addr().String()+"/repos/evil/secret"),
	} {
		h.Mend()
		if f.Status != 0 || f.Cut != 0 {
			h.Fail(f)
		}
		for _, u := range uses() {
			var logged strings.Builder
			c := newCall(t, u.key, given.Replace(u.args))
			c.Log = func(_, message string) { logged.WriteString(message) }
			c.Progress = func(_, _ float64, note string) { logged.WriteString(note) }
			r, err := h.Adapter.Call(t.Context(), c)
			if r != nil && shows(content(r)) {
				t.Errorf("%s with %+v tells the token: %s", u.key, f, content(r))
			}
			if err != nil && (shows(err.Error()) || shows(chain(err)) || shows(fmt.Sprintf("%+v %#v", err, err))) {
				t.Errorf("%s with %+v fails with the token: %+v", u.key, f, err)
			}
			if shows(logged.String()) {
				t.Errorf("%s with %+v logs the token: %s", u.key, f, logged.String())
			}
		}
	}
	blobs := 0
	for _, r := range h.Requests() {
		if r.Blob {
			blobs++
		}
		if r.Blob && (r.Token() || shows(r.Query)) {
			t.Errorf("the server of logs was given the token: %+v", r)
		}
		if shows(r.Path + r.Query) {
			t.Errorf("the token is in an address: %s?%s", r.Path, r.Query)
		}
		if strings.Contains(r.Path, "evil") {
			t.Errorf("%s was asked for", r.Path)
		}
	}
	if blobs == 0 {
		t.Error("no log was fetched, so nothing was seen of it")
	}
}

// chain joins the texts of an error and its causes.
func chain(err error) string {
	var all []string
	for ; err != nil; err = errors.Unwrap(err) {
		if e := (*mapping.Error)(nil); errors.As(err, &e) {
			all = append(all, e.Problem, e.Allowed, e.Next, e.Detail)
		}
		all = append(all, err.Error())
	}
	return strings.Join(all, "\n")
}
