package core

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"sync"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// minKey is how long a key must be.
const minKey = 32

// A sealer binds a question to one call by one caller, so that the answer to one
// cannot be used for another.
type sealer struct{ key, bound []byte }

func (b *Bridge) seal(tool *mapping.Tool, call *mapping.Call, r request) sealer {
	bound := fmt.Appendf(nil, "%q %q %q", tool.Source, tool.Key, r.caller.ID)
	for _, a := range call.Args {
		bound = fmt.Appendf(bound, " %q %q %q", a.In, a.Name, a.Value)
	}
	bound = fmt.Appendf(bound, " body %q", call.Body)
	return sealer{b.secret, bound}
}

// A state is what a client carries from a question to its answer: when it ends, a
// number that no other has, and a MAC of both and of what they are bound to.
const (
	stateTime  = 8
	stateOnce  = 16
	stateBytes = stateTime + stateOnce + sha256.Size
)

// stamp returns a state that fits until the given time.
func (s sealer) stamp(until time.Time) string {
	stamp := binary.BigEndian.AppendUint64(nil, uint64(until.Unix()))
	stamp = append(stamp, make([]byte, stateOnce)...)
	rand.Read(stamp[stateTime:]) // it never fails
	return base64.RawURLEncoding.EncodeToString(append(stamp, s.sum(stamp)...))
}

func (s sealer) fits(state string, now time.Time) bool {
	raw, ok := readState(state)
	if !ok {
		return false
	}
	stamp, sum := raw[:stateTime+stateOnce], raw[stateTime+stateOnce:]
	return hmac.Equal(sum, s.sum(stamp)) && now.Before(ends(raw))
}

func (s sealer) sum(stamp []byte) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write(stamp)
	mac.Write(s.bound)
	return mac.Sum(nil)
}

// readState takes a state apart. The last characters of base64 may stand for the
// same bytes in several ways, of which it takes one.
func readState(state string) (raw [stateBytes]byte, ok bool) {
	text, err := base64.RawURLEncoding.Strict().DecodeString(state)
	if err != nil || len(text) != stateBytes {
		return raw, false
	}
	return [stateBytes]byte(text), true
}

func ends(raw [stateBytes]byte) time.Time {
	return time.Unix(int64(binary.BigEndian.Uint64(raw[:stateTime])), 0)
}

// spent are the states that have been answered and have not ended: an answer
// counts once. Other processes with the same key know nothing of them.
type spent struct {
	mu     sync.Mutex
	states map[[stateBytes]byte]time.Time // when they end
}

// manySpent is how many answers are remembered; more are refused for a while.
const manySpent = 100_000

// spend marks a state that fits. The error is a *mapping.Error.
func (s *spent) spend(state string, now time.Time) error {
	raw, _ := readState(state)
	s.mu.Lock()
	defer s.mu.Unlock()
	if _, again := s.states[raw]; again {
		return &mapping.Error{
			Code:    mapping.Denied,
			Problem: "this confirmation has been used already",
			Next:    "look whether the call has been carried out before you call again",
		}
	}
	for other, end := range s.states {
		if len(s.states) < manySpent/2 {
			break
		}
		if !now.Before(end) {
			delete(s.states, other)
		}
	}
	if len(s.states) >= manySpent {
		return &mapping.Error{
			Code:       mapping.Exhausted,
			Problem:    "too many calls have been confirmed of late",
			Next:       "send the same call again",
			RetryAfter: questionAge,
		}
	}
	if s.states == nil {
		s.states = map[[stateBytes]byte]time.Time{}
	}
	s.states[raw] = ends(raw)
	return nil
}
