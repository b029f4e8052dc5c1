package core

import (
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
	fits := seal.fits(r.consent.state, time.Now())
	if r.consent.action == "" || !fits {
		return &question{
			text: fmt.Sprintf("Run %s on %s with %s? It %s.",
				tool.Name, tool.Source, excerpt(args), consequence(tool.Effect)),
			state: seal.stamp(time.Now().Add(questionAge)),
		}, nil
	}
	if err := b.spent.spend(r.consent.state, time.Now()); err != nil {
		return nil, err
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
