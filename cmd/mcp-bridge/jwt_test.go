package main

import (
	"crypto/x509"
	"encoding/pem"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// door serves the demo API behind the issuer's tokens, as a config file says it.
func (i *issuer) door(more string) http.Handler {
	i.t.Helper()
	c, err := load(i.t, fmt.Sprintf(`{"sources": {"shop": {"kind": "demo-api"}}, "http": {"auth": {
		"resource": %q, "scopes": ["mcp"], "jwt": {"issuer": %q, "jwks": %q%s}}}}`, audience, i.url, i.url+"/keys", more))
	if err != nil {
		i.t.Fatal(err)
	}
	b, err := core.New(c.options((&process{err: io.Discard}).logger("error", newMasked(io.Discard, c)), 0), c.open())
	if err != nil {
		i.t.Fatal(err)
	}
	i.t.Cleanup(func() { b.Close() })
	return b.Handler()
}

// knock asks for the list of tools with a token, and returns the status and the
// challenge.
func knock(t *testing.T, door http.Handler, token string) (status int, challenge string) {
	t.Helper()
	body := `{"jsonrpc":"2.0","id":1,"method":"tools/list","params":{"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	r := httptest.NewRequestWithContext(t.Context(), http.MethodPost, "https://mcp.example.com/mcp", strings.NewReader(body))
	r.Header = http.Header{
		"Content-Type": {"application/json"}, "Accept": {"application/json, text/event-stream"},
		"Mcp-Protocol-Version": {"2026-07-28"}, "Mcp-Method": {"tools/list"},
	}
	if token != "" {
		r.Header.Set("Authorization", "Bearer "+token)
	}
	w := httptest.NewRecorder()
	door.ServeHTTP(w, r)
	return w.Code, w.Header().Get("WWW-Authenticate")
}

// Each token is wrong in one way, and the client is told in which.
func TestJWT(t *testing.T) {
	i := newIssuer(t)
	rsa, ec, stranger := newSigner(t, "RS256", "one"), newSigner(t, "ES256", "two"), newSigner(t, "RS256", "one")
	i.publish(map[string]any{"kty": "oct", "kid": "shared", "k": "c2VjcmV0c2VjcmV0c2VjcmV0c2VjcmV0"}, map[string]any{"kty": "odd"}, rsa.jwk(), ec.jwk())
	door := i.door("")
	der, err := x509.MarshalPKIXPublicKey(rsa.key.Public())
	if err != nil {
		t.Fatal(err)
	}
	public := pem.EncodeToMemory(&pem.Block{Type: "PUBLIC KEY", Bytes: der})
	in := func(d time.Duration) int64 { return time.Now().Add(d).Unix() }
	with := func(changes map[string]any) string { return rsa.sign(t, i.good(changes)) }
	for _, c := range []struct {
		name, token string
		status      int
		says        string // part of the challenge
	}{
		{"good, RS256", with(nil), 200, ""},
		{"good, ES256", ec.sign(t, i.good(nil)), 200, ""},
		{"good, one audience of several", with(map[string]any{"aud": []string{"https://other.example.com", audience}}), 200, ""},
		{"good, scopes as a list", with(map[string]any{"scope": nil, "scp": []string{"mcp"}}), 200, ""},
		{"expired within the skew", with(map[string]any{"exp": in(-20 * time.Second)}), 200, ""},
		{"valid soon, within the skew", with(map[string]any{"nbf": in(20 * time.Second)}), 200, ""},
		{"none", "", 401, `Bearer scope="mcp", resource_metadata="https://mcp.example.com/.well-known/oauth-protected-resource/mcp"`},
		{"no JWT", "abc", 401, "no JSON Web Token"},
		{"other audience", with(map[string]any{"aud": "https://other.example.com/mcp"}), 401, "not for this server"},
		{"audience that only begins alike", with(map[string]any{"aud": audience + "/more"}), 401, "not for this server"},
		{"no audience", with(map[string]any{"aud": nil}), 401, "lacks exp, iss or aud"},
		{"other issuer", with(map[string]any{"iss": "https://other.example.com"}), 401, "another issuer"},
		{"no issuer", with(map[string]any{"iss": nil}), 401, "lacks exp, iss or aud"},
		{"expired", with(map[string]any{"exp": in(-40 * time.Second)}), 401, "has expired"},
		{"never expires", with(map[string]any{"exp": nil}), 401, "lacks exp, iss or aud"},
		{"not valid yet", with(map[string]any{"nbf": in(40 * time.Second)}), 401, "not valid yet"},
		{"nobody's", with(map[string]any{"sub": nil}), 401, "no subject"},
		{"named as one of ours", with(map[string]any{"sub": "token:ci"}), 401, "only this server gives"},
		{"another's key under a known name", stranger.sign(t, i.good(nil)), 401, "signature of the token is wrong"},
		{"alg none", unsigned(t, map[string]any{"alg": "none"}, i.good(nil)) + ".", 401, "not accepted"},
		{"alg None", unsigned(t, map[string]any{"alg": "None", "kid": "one"}, i.good(nil)) + ".", 401, "cannot be checked"},
		{"HS256 with the public key", withSecret(t, "one", i.good(nil), public), 401, "not accepted"},
		{"HS256 with a published secret", withSecret(t, "shared", i.good(nil), []byte("secretsecretsecretsecret")), 401, "not accepted"},
		{"changed after signing", change(with(nil), unsigned(t, map[string]any{"alg": "RS256", "kid": "one"}, i.good(map[string]any{"sub": "root"}))), 401, "signature of the token is wrong"},
		{"RS256 under the name of an EC key", (&signer{"RS256", "two", rsa.key}).sign(t, i.good(nil)), 401, ""},
		{"with a critical parameter", rsa.signWith(t, map[string]any{"crit": []string{"exp"}}, i.good(nil)), 401, "cannot be checked"},
		{"lacks the scope", with(map[string]any{"scope": "shop:read"}), 403, `Bearer error="insufficient_scope", error_description="the token lacks a scope; this needs mcp", scope="mcp", resource_metadata=`},
		{"scope that only begins alike", with(map[string]any{"scope": "mcp-admin"}), 403, `error="insufficient_scope"`},
	} {
		t.Run(c.name, func(t *testing.T) {
			status, challenge := knock(t, door, c.token)
			if status != c.status || !strings.Contains(challenge, c.says) {
				t.Errorf("%d %s, want %d …%s…", status, challenge, c.status, c.says)
			}
			if strings.Contains(challenge, "other.example.com") {
				t.Error("the challenge repeats the token")
			}
		})
	}
}

// change puts other claims before a signature.
func change(token, unsigned string) string {
	return unsigned + token[strings.LastIndex(token, "."):]
}

func TestJWTAlgorithms(t *testing.T) {
	i := newIssuer(t)
	var keys []any
	signers := map[string]*signer{}
	for _, alg := range []string{"RS256", "PS256", "ES256", "EdDSA"} {
		signers[alg] = newSigner(t, alg, alg)
		keys = append(keys, signers[alg].jwk())
	}
	i.publish(keys...)
	all, one := i.door(""), i.door(`, "algorithms": ["ES256"]`)
	for alg, s := range signers {
		if status, challenge := knock(t, all, s.sign(t, i.good(nil))); status != 200 {
			t.Errorf("%s: %d %s", alg, status, challenge)
		}
		want := map[bool]int{true: 200, false: 401}[alg == "ES256"]
		if status, challenge := knock(t, one, s.sign(t, i.good(nil))); status != want {
			t.Errorf("%s where ES256 is allowed: %d %s, want %d", alg, status, challenge, want)
		}
	}
}

// What a token says reaches the core as it is written.
func TestJWTCaller(t *testing.T) {
	i := newIssuer(t)
	key := newSigner(t, "ES256", "")
	i.publish(key.jwk())
	j := newJWTs(jwtConfig{Issuer: i.url, JWKS: i.url}, audience, nil)
	expires := time.Now().Add(time.Hour).Truncate(time.Second)
	who, err := j.verify(t.Context(), key.sign(t, map[string]any{
		"iss": i.url, "aud": audience, "sub": "ann", "exp": expires.Unix(), "scope": "a b", "groups": []string{"x"}, "n": 12345678901234567,
	}))
	if err != nil {
		t.Fatal(err)
	}
	if !who.Expires.Equal(expires) || string(who.Caller.Claims["groups"]) != `["x"]` || string(who.Caller.Claims["n"]) != "12345678901234567" {
		t.Errorf("got %+v", who)
	}
	if diff := cmp.Diff([]string{"a", "b"}, who.Caller.Scopes); diff != "" || who.Caller.ID != "ann" {
		t.Errorf("%+v: %s", who.Caller, diff)
	}
}

// A key that appears is known at once, and one that is withdrawn soon.
func TestJWTKeysChange(t *testing.T) {
	i := newIssuer(t)
	old, next := newSigner(t, "ES256", "old"), newSigner(t, "ES256", "new")
	i.publish(old.jwk())
	clock := newClock()
	j := newJWTs(jwtConfig{Issuer: i.url, JWKS: i.url}, audience, nil)
	j.keys = newKeySet(i.url, nil, clock.now)
	good := func(s *signer) bool {
		_, err := j.verify(t.Context(), s.sign(t, i.good(nil)))
		if err != nil && mapping.CodeOf(err) != mapping.Unauthenticated {
			t.Errorf("%s: %v", s.id, err)
		}
		return err == nil
	}
	if !good(old) || good(next) {
		t.Error("before the change: the old key must be good and the new one unknown")
	}
	i.publish(old.jwk(), next.jwk())
	if !good(next) || !good(old) {
		t.Error("after the change: both must be good")
	}
	i.publish(next.jwk())
	clock.add(keysFresh + time.Second)
	good(old) // starts a fetch beside
	j.keys.turn <- struct{}{}
	<-j.keys.turn
	if good(old) || !good(next) {
		t.Error("after the withdrawal: the old key must be unknown and the new one good")
	}
}

// However many tokens name keys that do not exist, the issuer is asked a few
// times.
func TestJWTFlood(t *testing.T) {
	i := newIssuer(t)
	key := newSigner(t, "ES256", "one")
	i.publish(key.jwk())
	clock := newClock()
	j := newJWTs(jwtConfig{Issuer: i.url, JWKS: i.url}, audience, nil)
	j.keys = newKeySet(i.url, nil, clock.now)
	token := key.sign(t, i.good(nil))
	flood := func() {
		var group sync.WaitGroup
		for n := range 8 {
			group.Go(func() {
				for m := range 50 {
					forged := (&signer{"ES256", fmt.Sprintf("forged-%d-%d", n, m), key.key}).sign(t, i.good(nil))
					if _, err := j.verify(t.Context(), forged); mapping.CodeOf(err) != mapping.Unauthenticated {
						t.Errorf("a forged token: %v", err)
					}
					if _, err := j.verify(t.Context(), token); err != nil {
						t.Errorf("the good token meanwhile: %v", err)
					}
				}
			})
		}
		group.Wait()
	}
	flood()
	if n := i.fetched(); n != keysBurst {
		t.Errorf("400 unknown keys made %d fetches, want %d", n, keysBurst)
	}
	clock.add(keysPause)
	flood()
	if n := i.fetched(); n != keysBurst+1 {
		t.Errorf("after a pause there are %d fetches, want one more than %d", n, keysBurst)
	}
}

// While the issuer cannot be reached, known keys stay good for a day; of a token
// that cannot be judged the client is told to come again, not that it is bad.
func TestJWTIssuerDown(t *testing.T) {
	i := newIssuer(t)
	key := newSigner(t, "ES256", "one")
	i.publish(key.jwk())
	for name, broken := range map[string]http.HandlerFunc{
		"errors":  func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusInternalServerError) },
		"garbage": func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, "<html>") },
		"no keys": func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, `{"keys":[]}`) },
		"no end":  func(w http.ResponseWriter, _ *http.Request) { io.WriteString(w, strings.Repeat(" ", keysBytes+1)) },
		"elsewhere": func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, "/other", http.StatusFound)
		},
		"hangs up": func(http.ResponseWriter, *http.Request) { panic(http.ErrAbortHandler) },
	} {
		t.Run(name, func(t *testing.T) {
			i.breakDown(broken)
			defer i.breakDown(nil)
			token := key.sign(t, i.good(nil))
			if status, challenge := knock(t, i.door(""), token); status != 503 || challenge != "" {
				t.Errorf("%d %s, want 503", status, challenge)
			}

			i.breakDown(nil)
			clock := newClock()
			j := newJWTs(jwtConfig{Issuer: i.url, JWKS: i.url}, audience, nil)
			j.keys = newKeySet(i.url, nil, clock.now)
			for _, step := range []struct {
				down  bool
				after time.Duration
				good  bool
			}{{false, 0, true}, {true, keysFresh + time.Minute, true}, {true, keysOld - keysFresh - 2*time.Minute, true}, {true, 2 * time.Minute, false}, {false, time.Minute, true}} {
				i.breakDown(map[bool]http.HandlerFunc{true: broken}[step.down])
				clock.add(step.after)
				_, err := j.verify(t.Context(), token)
				j.keys.turn <- struct{}{} // a fetch beside has ended
				<-j.keys.turn
				if (err == nil) != step.good || err != nil && mapping.CodeOf(err) == mapping.Unauthenticated {
					t.Errorf("%+v: %v", step, err)
				}
			}
		})
	}
}

// A clock goes where a test wants.
type clock struct {
	mu sync.Mutex
	at time.Time
}

func newClock() *clock { return &clock{at: time.Now()} }

func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.at
}

func (c *clock) add(d time.Duration) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.at = c.at.Add(d)
}
