package core

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// questionID is what a client calls the answer to our question by.
const questionID = "confirm"

// questionAge is how long a user may think about it.
const questionAge = 10 * time.Minute

// A consent is what a request says about its user's agreement.
type consent struct {
	given  bool        // no question is needed: a program asks, not a model
	canAsk func() bool // the client can put a question to its user; nil is no
	action string      // the user's answer: "accept", "decline", "cancel" or ""
	state  string      // what came back of our question
	spent  bool        // by this request, which may begin anew
}

// A question is put to the user before a call.
type question struct {
	text  string
	state string
}

// consentOf reads the answer to a question out of a request.
func consentOf(r *mcp.CallToolRequest) consent {
	c := consent{state: r.Params.RequestState, canAsk: func() bool {
		caps := r.ClientCapabilities()
		return caps != nil && caps.Elicitation != nil && (caps.Elicitation.Form != nil || caps.Elicitation.URL == nil)
	}}
	if answer, ok := r.Params.InputResponses[questionID].(*mcp.ElicitResult); ok {
		c.action = answer.Action
	}
	return c
}

// confirm decides whether a call may go on: nil and nil is yes. A question is
// put to the user first; an error is a refusal in words.
func (b *Bridge) confirm(tool *mapping.Tool, call *mapping.Call, args []byte, r *request) (*question, error) {
	if !tool.Confirm || r.consent.given {
		return nil, nil
	}
	if r.consent.canAsk == nil || !r.consent.canAsk() {
		return nil, &mapping.Error{
			Code:    mapping.Denied,
			Problem: tool.Name + " runs only after the user has confirmed it, and this client cannot ask",
			Next:    "do not retry; ask the user to do this with a client that supports elicitation",
		}
	}
	seal := b.seal(tool, call, *r)
	fits := seal.fits(r.consent.state, time.Now())
	if r.consent.action == "" || !fits {
		return &question{
			text: fmt.Sprintf("Run %s on %s with %s? It %s.",
				tool.Name, tool.Source, excerpt(args), consequence(tool.Effect)),
			state: seal.stamp(time.Now().Add(questionAge)),
		}, nil
	}
	if !r.consent.spent {
		if err := b.spent.spend(r.consent.state, time.Now()); err != nil {
			return nil, err
		}
		r.consent.spent = true
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

// What a question shows of arguments: so many of them, of each its share of so
// many characters, and no less than a few.
const (
	shownArguments = 50
	shownText      = 600
	shownOfEach    = 60
)

// excerpt shows the arguments to the user who decides about them. A model may have
// written them so that something is overlooked, so every argument is named however
// long those before it are, and what would not be seen is written as its code.
func excerpt(args []byte) string {
	names, values := inOrder(args)
	if len(names) == 0 {
		return "no arguments"
	}
	share := max(shownOfEach, shownText/len(names))
	var shown []string
	for i, name := range names[:min(len(names), shownArguments)] {
		shown = append(shown, clipped(printable(name), share)+":"+clipped(printable(values[i]), share))
	}
	if more := len(names) - len(shown); more > 0 {
		shown = append(shown, fmt.Sprintf("and %d more arguments", more))
	}
	return "{" + strings.Join(shown, ",") + "}"
}

// inOrder returns the names and values of an object as they are written, without
// the space between them.
func inOrder(object []byte) (names, values []string) {
	var compact bytes.Buffer
	if json.Compact(&compact, object) != nil {
		return nil, nil // it has been bound, so it is JSON
	}
	d := json.NewDecoder(&compact)
	if start, err := d.Token(); err != nil || start != json.Delim('{') {
		return nil, nil
	}
	for d.More() {
		var value json.RawMessage
		key, err := d.Token()
		if err != nil || d.Decode(&value) != nil {
			break
		}
		name, err := json.Marshal(key)
		if err != nil {
			break // a string always marshals
		}
		names, values = append(names, string(name)), append(values, string(value))
	}
	return names, values
}

// printable writes what shows nothing of itself, or changes how other characters
// are shown, as JSON's code for it.
func printable(text string) string {
	var b strings.Builder
	for _, r := range text {
		if unicode.IsPrint(r) {
			b.WriteRune(r)
			continue
		}
		for _, unit := range utf16.Encode([]rune{r}) {
			fmt.Fprintf(&b, `\u%04x`, unit)
		}
	}
	return b.String()
}

func clipped(text string, most int) string {
	runes := []rune(text)
	if len(runes) <= most {
		return text
	}
	return fmt.Sprintf("%s… (%d more characters)", string(runes[:most]), len(runes)-most)
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
