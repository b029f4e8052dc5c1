package main

import (
	"crypto"
	"crypto/ecdsa"
	"crypto/ed25519"
	"crypto/elliptic"
	"crypto/hmac"
	"crypto/rand"
	"crypto/rsa"
	"crypto/sha256"
	"encoding/base64"
	"encoding/json"
	"maps"
	"math/big"
	"net/http"
	"net/http/httptest"
	"sync"
	"testing"
	"time"
)

// An issuer is an authorization server as far as a resource server sees it: it
// publishes keys (RFC 7517) and signs tokens (RFC 7515). It shares no code with
// what checks them.
type issuer struct {
	t   *testing.T
	url string

	mu      sync.Mutex
	keys    []any // what is published
	fetches int
	answer  http.HandlerFunc // in place of the keys, if set
}

func newIssuer(t *testing.T) *issuer {
	t.Helper()
	i := &issuer{t: t}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		i.mu.Lock()
		i.fetches++
		keys, answer := i.keys, i.answer
		i.mu.Unlock()
		if answer != nil {
			answer(w, r)
			return
		}
		w.Header().Set("Content-Type", "application/jwk-set+json")
		if err := json.NewEncoder(w).Encode(map[string]any{"keys": keys}); err != nil {
			t.Error(err)
		}
	}))
	t.Cleanup(server.Close)
	i.url = server.URL
	return i
}

// publish replaces the keys.
func (i *issuer) publish(keys ...any) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.keys = keys
}

// breakDown makes every answer this one; nil mends it.
func (i *issuer) breakDown(answer http.HandlerFunc) {
	i.mu.Lock()
	defer i.mu.Unlock()
	i.answer = answer
}

func (i *issuer) fetched() int {
	i.mu.Lock()
	defer i.mu.Unlock()
	return i.fetches
}

// A signer has a private key.
type signer struct {
	alg, id string
	key     crypto.Signer
}

func newSigner(t *testing.T, alg, id string) *signer {
	t.Helper()
	var key crypto.Signer
	var err error
	switch alg {
	case "RS256", "PS256":
		key, err = rsa.GenerateKey(rand.Reader, 2048)
	case "ES256":
		key, err = ecdsa.GenerateKey(elliptic.P256(), rand.Reader)
	case "EdDSA":
		_, key, err = ed25519.GenerateKey(rand.Reader)
	}
	if err != nil {
		t.Fatal(err)
	}
	return &signer{alg, id, key}
}

// jwk is the public key as RFC 7518 section 6 and RFC 8037 write it.
func (s *signer) jwk() any {
	key := map[string]any{"use": "sig"}
	if s.id != "" {
		key["kid"] = s.id
	}
	switch public := s.key.Public().(type) {
	case *rsa.PublicKey:
		maps.Copy(key, map[string]any{"kty": "RSA", "n": encode(public.N.Bytes()), "e": encode(big.NewInt(int64(public.E)).Bytes())})
	case *ecdsa.PublicKey:
		point, err := public.Bytes() // 4, then x and y of 32 bytes each
		if err != nil {
			return nil
		}
		maps.Copy(key, map[string]any{"kty": "EC", "crv": "P-256", "x": encode(point[1:33]), "y": encode(point[33:])})
	case ed25519.PublicKey:
		maps.Copy(key, map[string]any{"kty": "OKP", "crv": "Ed25519", "x": encode(public)})
	}
	return key
}

// sign makes a token of these claims.
func (s *signer) sign(t *testing.T, claims map[string]any) string {
	t.Helper()
	return s.signWith(t, nil, claims)
}

// signWith adds something to the token's header.
func (s *signer) signWith(t *testing.T, more, claims map[string]any) string {
	t.Helper()
	header := map[string]any{"alg": s.alg, "typ": "at+jwt"}
	if s.id != "" {
		header["kid"] = s.id
	}
	maps.Copy(header, more)
	text := unsigned(t, header, claims)
	sum := sha256.Sum256([]byte(text))
	var signature []byte
	var err error
	switch key := s.key.(type) {
	case *rsa.PrivateKey:
		if s.alg == "PS256" {
			signature, err = rsa.SignPSS(rand.Reader, key, crypto.SHA256, sum[:], nil)
			break
		}
		signature, err = rsa.SignPKCS1v15(rand.Reader, key, crypto.SHA256, sum[:])
	case *ecdsa.PrivateKey:
		r, v, e := ecdsa.Sign(rand.Reader, key, sum[:])
		signature, err = append(r.FillBytes(make([]byte, 32)), v.FillBytes(make([]byte, 32))...), e
	case ed25519.PrivateKey:
		signature = ed25519.Sign(key, []byte(text))
	}
	if err != nil {
		t.Fatal(err)
	}
	return text + "." + encode(signature)
}

// unsigned is a token without its last part.
func unsigned(t *testing.T, header, claims map[string]any) string {
	t.Helper()
	var parts [2]string
	for n, part := range []map[string]any{header, claims} {
		text, err := json.Marshal(part)
		if err != nil {
			t.Fatal(err)
		}
		parts[n] = encode(text)
	}
	return parts[0] + "." + parts[1]
}

// withSecret signs with a shared secret, HS256.
func withSecret(t *testing.T, id string, claims map[string]any, secret []byte) string {
	t.Helper()
	text := unsigned(t, map[string]any{"alg": "HS256", "kid": id}, claims)
	mac := hmac.New(sha256.New, secret)
	mac.Write([]byte(text))
	return text + "." + encode(mac.Sum(nil))
}

func encode(b []byte) string { return base64.RawURLEncoding.EncodeToString(b) }

const audience = "https://mcp.example.com/mcp"

// good are claims of a token that passes, with changes; a nil value takes one out.
func (i *issuer) good(changes map[string]any) map[string]any {
	claims := map[string]any{
		"iss": i.url, "aud": audience, "sub": "ann", "exp": time.Now().Add(time.Hour).Unix(), "scope": "shop:read mcp",
	}
	for name, value := range changes {
		if claims[name] = value; value == nil {
			delete(claims, name)
		}
	}
	return claims
}
