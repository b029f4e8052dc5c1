package openapi

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

const oauthSpec = `
openapi: 3.0.3
info: {title: t, version: '1'}
servers: [{url: 'http://api.test'}]
security: [{machine: [write, read]}]
paths:
  /a: {get: {responses: {'200': {description: ok}}}, post: {responses: {'200': {description: ok}}}}
  /b: {get: {security: [{machine: [admin]}], responses: {'200': {description: ok}}}}
components: {securitySchemes: {machine: {type: oauth2, flows: {clientCredentials: {tokenUrl: /token, scopes: {read: r, write: w, admin: a}}}}}}
`

// A tokenAPI is an API and its token endpoint (RFC 6749 section 4.4).
type tokenAPI struct {
	mu      sync.Mutex
	asked   []string // scopes of each token request
	issued  int
	revoked string // a token that the API refuses
	calls   []string
	refuse  bool
	gate    chan struct{} // closed when tokens may be issued; nil is at once
}

func (s *tokenAPI) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.URL.Path == "/token" {
		s.token(w, r)
		return
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.calls = append(s.calls, r.Method+" "+r.URL.Path+" "+r.Header.Get("Authorization"))
	if r.Header.Get("Authorization") == "Bearer "+s.revoked {
		w.WriteHeader(http.StatusUnauthorized)
		return
	}
	w.Header().Set("Content-Type", "text/plain")
	fmt.Fprint(w, "ok")
}

func (s *tokenAPI) token(w http.ResponseWriter, r *http.Request) {
	if s.gate != nil {
		<-s.gate
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	id, secret, _ := r.BasicAuth()
	if s.refuse || id != "client" || secret != "hunter22hunter22" || r.FormValue("grant_type") != "client_credentials" {
		w.WriteHeader(http.StatusUnauthorized)
		fmt.Fprintf(w, `{"error":"invalid_client","error_description":"bad secret %s"}`, secret)
		return
	}
	s.issued++
	s.asked = append(s.asked, r.FormValue("scope"))
	w.Header().Set("Content-Type", "application/json")
	json.NewEncoder(w).Encode(map[string]any{"access_token": fmt.Sprintf("token-%d", s.issued), "token_type": "bearer", "expires_in": 3600})
}

func newTokenAdapter(t *testing.T, api *tokenAPI) *Adapter {
	a := New(Bytes([]byte(oauthSpec)), Options{Handler: api, Credentials: map[string]string{"machine": "client:hunter22hunter22"}})
	t.Cleanup(func() { a.Close() })
	return a
}

// TestTokenIsCached fetches one token for each set of scopes, until it ends.
func TestTokenIsCached(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := &tokenAPI{}
		a := newTokenAdapter(t, api)
		for _, key := range []string{"GET /a", "POST /a", "GET /b", "GET /b"} {
			if _, err := a.Call(t.Context(), testCall(t, key, "")); err != nil {
				t.Fatal(err)
			}
		}
		if want := []string{"read write", "admin"}; !slices.Equal(api.asked, want) {
			t.Errorf("scopes asked for: %q, want %q", api.asked, want)
		}
		if want := []string{"GET /a Bearer token-1", "POST /a Bearer token-1", "GET /b Bearer token-2", "GET /b Bearer token-2"}; !slices.Equal(api.calls, want) {
			t.Errorf("calls %q, want %q", api.calls, want)
		}
		time.Sleep(2 * time.Hour)
		if _, err := a.Call(t.Context(), testCall(t, "GET /a", "")); err != nil {
			t.Fatal(err)
		}
		if api.issued != 3 {
			t.Errorf("%d tokens after the first has ended, want 3", api.issued)
		}
	})
}

// TestTokenIsFetchedOnce has many calls wait for one token, and one of them give up.
func TestTokenIsFetchedOnce(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		api := &tokenAPI{gate: make(chan struct{})}
		a := newTokenAdapter(t, api)
		impatient, cancel := context.WithCancel(t.Context())
		failed := make(chan error)
		go func() {
			_, err := a.Call(impatient, testCall(t, "GET /a", ""))
			failed <- err
		}()
		synctest.Wait() // it has begun to fetch
		done := make(chan error)
		for range 20 {
			go func() {
				_, err := a.Call(t.Context(), testCall(t, "GET /a", ""))
				done <- err
			}()
		}
		synctest.Wait()
		cancel()
		if err := <-failed; mapping.CodeOf(err) != mapping.Canceled {
			t.Errorf("the call that gave up ended in %v", err)
		}
		close(api.gate)
		for range 20 {
			if err := <-done; err != nil {
				t.Error(err)
			}
		}
		if api.issued != 1 {
			t.Errorf("%d tokens were fetched, want 1", api.issued)
		}
	})
}

// TestTokenThatWasRevoked is fetched anew once, for a write too: a 401 says that
// nothing was done.
func TestTokenThatWasRevoked(t *testing.T) {
	api := &tokenAPI{revoked: "token-1"}
	a := newTokenAdapter(t, api)
	if _, err := a.Call(t.Context(), testCall(t, "POST /a", "")); err != nil {
		t.Fatal(err)
	}
	if want := []string{"POST /a Bearer token-1", "POST /a Bearer token-2"}; !slices.Equal(api.calls, want) {
		t.Errorf("calls %q, want %q", api.calls, want)
	}
	api.revoked, api.calls = "token-2", nil
	a.tokens = tokens{}
	api.issued = 1 // the next is refused as well
	_, err := a.Call(t.Context(), testCall(t, "GET /a", ""))
	if err != nil {
		t.Fatal(err)
	}
	if len(api.calls) != 2 {
		t.Errorf("calls %q, want two", api.calls)
	}
}

// TestTokenThatIsRefused says whose fault it is, without what the endpoint said.
func TestTokenThatIsRefused(t *testing.T) {
	api := &tokenAPI{refuse: true}
	a := newTokenAdapter(t, api)
	_, err := a.Call(t.Context(), testCall(t, "GET /a", ""))
	wantError(t, err, mapping.Unauthenticated, `the API's token endpoint refused the bridge's credential "machine". do not retry; ask the operator to mend it`)
	if text := fmt.Sprint(errors.Unwrap(err)); strings.Contains(text, "hunter22") || !strings.Contains(text, "401") {
		t.Errorf("the cause for the log is %s", text)
	}
	if len(api.calls) != 0 {
		t.Errorf("the API was called without a token: %q", api.calls)
	}
	api.refuse = false
	if _, err := a.Call(t.Context(), testCall(t, "GET /a", "")); err != nil {
		t.Errorf("the endpoint works again, and the call ends in %v", err)
	}
}

// TestAuthorize adds what one caller brought, which an answer does not show.
func TestAuthorize(t *testing.T) {
	api := http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { fmt.Fprint(w, r.Header.Get("Authorization")) })
	o := Options{Handler: api, Authorize: func(r *http.Request, c mapping.Caller) error {
		if c.ID == "" {
			return errors.New("nobody")
		}
		r.Header.Set("Authorization", "Bearer token-of-"+c.ID)
		return nil
	}}
	r, err := sendTo(t.Context(), t, "GET", o, mapping.Call{Caller: mapping.Caller{ID: "ann"}})
	if got, want := resultText(t, r, err), "text [hidden]"; got != want {
		t.Errorf("got %s, want %s", got, want)
	}
	_, err = sendTo(t.Context(), t, "GET", o, mapping.Call{})
	wantError(t, err, mapping.Unauthenticated, "this call has no credentials for the API")
}
