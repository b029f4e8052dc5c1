package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"sync"
	"time"

	"github.com/MicahParks/keyfunc/v3"
	"github.com/golang-jwt/jwt/v5"
	"golang.org/x/time/rate"

	"github.com/mcp-bridge/mcp-bridge/internal/outbound"
)

const (
	keysFresh   = 15 * time.Minute // then they are fetched anew, beside
	keysOld     = 24 * time.Hour   // then they are not used any more
	keysTimeout = 10 * time.Second // for one fetch
	keysBytes   = 1 << 20

	// A token with an unknown key makes a fetch, so that a new key is known at
	// once. Whoever sends many such tokens makes keysBurst of them, and then one
	// every keysPause.
	keysBurst = 4
	keysPause = 15 * time.Second
)

// errUnknownKey is for a token whose key the issuer does not have.
var errUnknownKey = errors.New("unknown key")

// An unreachable says that keys could not be fetched, so that nothing is known
// of a token.
type unreachable struct{ err error }

func (u *unreachable) Error() string { return fmt.Sprintf("fetch the issuer's keys: %v", u.err) }

func (u *unreachable) Unwrap() error { return u.err }

// A keySet holds the public keys of an issuer. The library's own store fetches
// without bounds on the answer, and does not tell an unknown key from keys that
// cannot be had.
type keySet struct {
	url    string
	client *http.Client
	now    func() time.Time
	turn   chan struct{} // held by whoever fetches
	limit  *rate.Limiter

	mu      sync.Mutex
	keys    []key
	fetched time.Time // of keys
	err     error     // of the latest fetch
}

// A key is one of a set. Its find returns the key for tokens of its algorithm.
type key struct {
	id   string
	find jwt.Keyfunc
}

// newKeySet fetches nothing until the first token. now is time.Now.
func newKeySet(from string, proxy outbound.Proxy, now func() time.Time) *keySet {
	host := ""
	if u, err := url.Parse(from); err == nil {
		host = outbound.HostPort(u)
	}
	return &keySet{
		url: from,
		client: &http.Client{
			Transport: outbound.Transport(func(hostPort string) bool { return hostPort == host }, proxy),
			Timeout:   keysTimeout,
			CheckRedirect: func(*http.Request, []*http.Request) error {
				return http.ErrUseLastResponse // the operator named where the keys are
			},
		},
		now:   now,
		turn:  make(chan struct{}, 1),
		limit: rate.NewLimiter(rate.Every(keysPause), keysBurst),
	}
}

// find returns what may have signed a token: the key that it names, or all keys
// if it names none.
func (k *keySet) find(ctx context.Context, t *jwt.Token) (any, error) {
	found, fresh := k.look(t)
	if found != nil {
		if !fresh {
			k.renew()
		}
		return found, nil
	}
	if err := k.fetchOnce(ctx, t); err != nil {
		return nil, err
	}
	if found, _ = k.look(t); found == nil {
		return nil, errUnknownKey
	}
	return found, nil
}

// look returns nil if no key can be the token's.
func (k *keySet) look(t *jwt.Token) (found any, fresh bool) {
	k.mu.Lock()
	defer k.mu.Unlock()
	age := k.now().Sub(k.fetched)
	if age > keysOld {
		return nil, false
	}
	id, named := t.Header["kid"].(string)
	var all jwt.VerificationKeySet
	for _, key := range k.keys {
		if named && key.id != id {
			continue
		}
		if public, err := key.find(t); err == nil { // else it is for another algorithm
			all.Keys = append(all.Keys, public)
		}
	}
	if len(all.Keys) == 0 {
		return nil, false
	}
	return all, age <= keysFresh
}

// renew fetches in the background, unless somebody does.
func (k *keySet) renew() {
	select {
	case k.turn <- struct{}{}:
	default:
		return
	}
	if !k.limit.AllowN(k.now(), 1) {
		<-k.turn
		return
	}
	go func() {
		defer func() { <-k.turn }()
		k.fetch()
	}()
}

// fetchOnce fetches for a token whose key is not known, unless somebody just did
// or there have been too many.
func (k *keySet) fetchOnce(ctx context.Context, t *jwt.Token) error {
	select {
	case k.turn <- struct{}{}:
	case <-ctx.Done():
		return &unreachable{ctx.Err()}
	}
	defer func() { <-k.turn }()
	if found, _ := k.look(t); found != nil {
		return nil
	}
	if k.limit.AllowN(k.now(), 1) {
		k.fetch()
	}
	k.mu.Lock()
	defer k.mu.Unlock()
	if k.err != nil {
		return &unreachable{k.err}
	}
	return nil
}

// fetch gets the keys. Those that there are stay where that fails. k.turn is held.
func (k *keySet) fetch() {
	// Not the context of a request: others wait for the outcome.
	ctx, cancel := context.WithTimeout(context.Background(), keysTimeout)
	defer cancel()
	keys, err := k.get(ctx)
	k.mu.Lock()
	defer k.mu.Unlock()
	k.err = err
	if err == nil {
		k.keys, k.fetched = keys, k.now()
	}
}

func (k *keySet) get(ctx context.Context) ([]key, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, k.url, nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Accept", "application/jwk-set+json, application/json")
	response, err := k.client.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		return nil, fmt.Errorf("%s answers %s", k.url, response.Status)
	}
	body, err := io.ReadAll(io.LimitReader(response.Body, keysBytes+1))
	if err != nil {
		return nil, err
	}
	if len(body) > keysBytes {
		return nil, fmt.Errorf("%s answers more than %d bytes", k.url, keysBytes)
	}
	return parseKeys(body)
}

// parseKeys reads a set. What cannot check a signature is left out: keys of other
// kinds may stand beside.
func parseKeys(body []byte) ([]key, error) {
	var set struct {
		Keys []json.RawMessage `json:"keys"`
	}
	if err := json.Unmarshal(body, &set); err != nil {
		return nil, fmt.Errorf("the keys are not JSON: %w", err)
	}
	var keys []key
	for _, raw := range set.Keys {
		var about struct{ Kid, Kty, Use string }
		if json.Unmarshal(raw, &about) != nil || about.Use == "enc" || about.Kty == "oct" {
			continue // HS256 with a key that everybody can read would let everybody in
		}
		if read, err := keyfunc.NewJWKJSON(raw); err == nil {
			keys = append(keys, key{about.Kid, single(read.Keyfunc)})
		}
	}
	if len(keys) == 0 {
		return nil, errors.New("there is no usable key in the set")
	}
	return keys, nil
}

// single returns the one key of a set of one also where a token names no key.
func single(find jwt.Keyfunc) jwt.Keyfunc {
	return func(t *jwt.Token) (any, error) {
		found, err := find(t)
		if set, ok := found.(jwt.VerificationKeySet); ok && err == nil {
			if len(set.Keys) == 0 {
				return nil, errUnknownKey
			}
			return set.Keys[0], nil
		}
		return found, err
	}
}
