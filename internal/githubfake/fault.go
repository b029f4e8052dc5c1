package githubfake

import (
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"time"
)

// A Fault is something that goes wrong with the requests that it fits.
type Fault struct {
	Method string // every method if empty
	Path   string // a part of the path; every path if empty
	Blob   bool   // at the server of logs instead
	Times  int    // how often; for ever if zero

	Status int               // answer with this, and with
	Header map[string]string // these headers, and with
	Body   string            // this; a JSON object is sent as JSON
	Hang   bool              // or never answer
	Cut    int               // or break the true answer off after so many bytes

	used int
}

// Fail adds a fault. The first that fits a request counts.
func (g *GitHub) Fail(f Fault) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.faults = append(g.faults, &f)
}

// Mend takes all faults away.
func (g *GitHub) Mend() {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.faults = nil
}

func (g *GitHub) fault(r *http.Request) *Fault { return g.faultAt(r, false) }

func (g *GitHub) faultAt(r *http.Request, blob bool) *Fault {
	g.mu.Lock()
	defer g.mu.Unlock()
	for _, f := range g.faults {
		if f.Blob != blob || f.Method != "" && f.Method != r.Method || !strings.Contains(r.URL.EscapedPath(), f.Path) || f.Times > 0 && f.used == f.Times {
			continue
		}
		f.used++
		return f
	}
	return nil
}

// play does what the fault says; serve gives the true answer.
func (f *Fault) play(w http.ResponseWriter, r *http.Request, serve func(http.ResponseWriter)) {
	switch {
	case f.Hang:
		<-r.Context().Done()
	case f.Cut > 0:
		whole := httptest.NewRecorder()
		serve(whole)
		for k, v := range whole.Header() {
			w.Header()[k] = v
		}
		data := whole.Body.Bytes()
		w.Header().Set("Content-Length", fmt.Sprint(len(data)))
		w.WriteHeader(whole.Code)
		_, _ = w.Write(data[:min(f.Cut, len(data))])
	default:
		for k, v := range f.Header {
			w.Header().Set(k, v)
		}
		if strings.HasPrefix(f.Body, "{") {
			w.Header().Set("Content-Type", "application/json; charset=utf-8")
		}
		w.WriteHeader(f.Status)
		_, _ = io.WriteString(w, f.Body)
	}
}

// PrimaryLimit is an hour whose requests are spent.
func PrimaryLimit(until time.Time) Fault {
	return Fault{Status: http.StatusForbidden, Header: map[string]string{
		"X-RateLimit-Limit": "5000", "X-RateLimit-Remaining": "0", "X-RateLimit-Used": "5000", "X-RateLimit-Resource": "core",
		"X-RateLimit-Reset": fmt.Sprint(until.Unix()),
	}, Body: `{"message":"API rate limit exceeded for user ID 1.","documentation_url":"https://docs.github.com/rest/overview/rate-limits-for-the-rest-api","status":"403"}`}
}

// SecondaryLimit is GitHub's refusal of too many requests at once, with 403 or
// 429. Without seconds it does not say how long to wait.
func SecondaryLimit(status, seconds int) Fault {
	f := Fault{Status: status, Header: map[string]string{},
		Body: fmt.Sprintf(`{"message":"You have exceeded a secondary rate limit. Please wait a few minutes before you try again.","status":"%d"}`, status)}
	if seconds > 0 {
		f.Header["Retry-After"] = fmt.Sprint(seconds)
	}
	return f
}

// SSO is an organization that wants the token authorised at this address first.
func SSO(address string) Fault {
	return Fault{Status: http.StatusForbidden, Header: map[string]string{"X-GitHub-SSO": "required; url=" + address},
		Body: `{"message":"Resource protected by organization SAML enforcement. You must grant your Personal Access token access to this organization.","documentation_url":"https://docs.github.com/articles/authenticating-to-a-github-organization-with-saml-single-sign-on/","status":"403"}`}
}

// Denied is a token that lacks a permission, by GitHub's names: "contents=write".
func Denied(permission string) Fault {
	return Fault{Status: http.StatusForbidden, Header: map[string]string{"X-Accepted-GitHub-Permissions": permission},
		Body: `{"message":"Resource not accessible by personal access token","documentation_url":"https://docs.github.com/rest","status":"403"}`}
}
