package core

import (
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"encoding/binary"
	"fmt"
	"strings"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// questionID is what a client calls the answer to our question by.
const questionID = "confirm"

// questionAge is how long a user may think about it.
const questionAge = 10 * time.Minute

// A consent is what a request says about its user's agreement.
type consent struct {
	given  bool   // no question is needed: a program asks, not a model
	canAsk bool   // the client can put a question to its user
	action string // the user's answer: "accept", "decline", "cancel" or ""
	state  string // what came back of our question
}

// A question is put to the user before a call.
type question struct {
	text  string
	state string
}

// consentOf reads the answer to a question out of a request.
func consentOf(r *mcp.CallToolRequest) consent {
	c := consent{state: r.Params.RequestState}
	if caps := r.ClientCapabilities(); caps != nil && caps.Elicitation != nil {
		c.canAsk = caps.Elicitation.Form != nil || caps.Elicitation.URL == nil
	}
	if answer, ok := r.Params.InputResponses[questionID].(*mcp.ElicitResult); ok {
		c.action = answer.Action
	}
	return c
}

// confirm decides whether a call may go on: nil and nil is yes. A question is
// put to the user first; an error is a refusal in words.
func (b *Bridge) confirm(tool *mapping.Tool, call *mapping.Call, args []byte, r request) (*question, error) {
	if !tool.Confirm || r.consent.given {
		return nil, nil
	}
	if !r.consent.canAsk {
		return nil, &mapping.Error{
			Code:    mapping.Denied,
			Problem: tool.Name + " runs only after the user has confirmed it, and this client cannot ask",
			Next:    "do not retry; ask the user to do this with a client that supports elicitation",
		}
	}
	seal := b.seal(tool, call, r)
	if r.consent.action == "" || !seal.fits(r.consent.state, time.Now()) {
		return &question{
			text: fmt.Sprintf("Run %s on %s with %s? It %s.",
				tool.Name, tool.Source, excerpt(args), consequence(tool.Effect)),
			state: seal.stamp(time.Now().Add(questionAge)),
		}, nil
	}
	if r.consent.action != "accept" {
		return nil, &mapping.Error{
			Code:    mapping.Denied,
			Problem: "the user did not agree to run " + tool.Name,
			Next:    "do not retry; ask the user what to do instead",
		}
	}
	return nil, nil
}

// excerpt shows the arguments to the user who decides about them.
func excerpt(args []byte) string {
	const most = 600
	text := strings.ToValidUTF8(string(args), "")
	if text == "" || text == "null" {
		return "no arguments"
	}
	if len(text) > most {
		return strings.ToValidUTF8(text[:most], "") + "…"
	}
	return text
}

func consequence(e mapping.Effect) string {
	if e == mapping.Reads {
		return "only reads"
	}
	if e == mapping.Writes {
		return "adds or changes something"
	}
	return "may overwrite or delete something"
}

// A sealer binds a question to one call by one caller, so that the answer to one
// cannot be used for another. It is keyed by the process.
type sealer struct{ key, bound []byte }

func (b *Bridge) seal(tool *mapping.Tool, call *mapping.Call, r request) sealer {
	bound := fmt.Appendf(nil, "%q %q %q", tool.Source, tool.Key, r.caller.ID)
	for _, a := range call.Args {
		bound = fmt.Appendf(bound, " %q %q %q", a.In, a.Name, a.Value)
	}
	bound = fmt.Appendf(bound, " body %q", call.Body)
	return sealer{b.secret, bound}
}

// stamp returns a state that fits until the given time.
func (s sealer) stamp(until time.Time) string {
	stamp := binary.BigEndian.AppendUint64(nil, uint64(until.Unix()))
	return base64.RawURLEncoding.EncodeToString(append(stamp, s.sum(stamp)...))
}

func (s sealer) fits(state string, now time.Time) bool {
	raw, err := base64.RawURLEncoding.DecodeString(state)
	if err != nil || len(raw) != 8+sha256.Size {
		return false
	}
	stamp, sum := raw[:8], raw[8:]
	return hmac.Equal(sum, s.sum(stamp)) && now.Unix() < int64(binary.BigEndian.Uint64(stamp))
}

func (s sealer) sum(stamp []byte) []byte {
	mac := hmac.New(sha256.New, s.key)
	mac.Write(stamp)
	mac.Write(s.bound)
	return mac.Sum(nil)
}
