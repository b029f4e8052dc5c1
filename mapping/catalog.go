package mapping

import (
	"encoding/json"
	"fmt"
)

// A Catalog is what one backend offers, as data: no functions in it, so it can
// be compared, dumped and diffed. An adapter makes it and never changes it
// afterwards.
type Catalog struct {
	// Scheme is the URI scheme of the backend's resources: "api", "db", "github".
	Scheme string `json:"scheme"`
	// Operations are what can be called, in the order of the backend's own
	// description. Their keys are unique.
	Operations []Operation `json:"operations,omitempty"`
	// Resources are what can be read.
	Resources []Resource `json:"resources,omitempty"`
	// Prompts are message templates for a user to pick.
	Prompts []Prompt `json:"prompts,omitempty"`
	// Defs are the JSON Schemas (2020-12) that the catalog shares. Every $ref
	// anywhere in the catalog, Defs included, is "#/$defs/NAME" with NAME a key
	// of this map, escaped as a JSON pointer (RFC 6901).
	Defs map[string]json.RawMessage `json:"defs,omitempty"`
	// OpenWorld says that the backend reaches beyond itself: calling it can touch
	// things nobody can list beforehand (MCP's openWorldHint).
	OpenWorld bool `json:"openWorld,omitempty"`
	// About is one or two sentences on the backend for the server's
	// instructions; "" if it says nothing of itself.
	About string `json:"about,omitempty"`
	// Lost says what the adapter had to leave out, where, and why.
	Lost []Decision `json:"lost,omitempty"`
}

// An Operation is one thing a backend can do.
type Operation struct {
	// Key identifies the operation inside its adapter: "GET /pets/{id}",
	// "public.orders/find". It stays the same when the backend's description is
	// reordered.
	Key string `json:"key"`
	// Name is the backend's own name, or one the adapter made: verb first, then
	// the noun. mapping turns it into snake_case.
	Name string `json:"name"`
	// Group is what the backend sorts operations by: a tag, a schema, a toolset.
	// "" is no group.
	Group string `json:"group,omitempty"`
	// Tags are further names that a policy entry "group:" may match.
	Tags []string `json:"tags,omitempty"`
	// Labels are what else a policy entry KIND:GLOB may match, by kind: "table",
	// "column", "repo".
	Labels map[string][]string `json:"labels,omitempty"`
	// Summary is one line, Text everything else the backend says. Another
	// operation is written [[key]]; a sentence that names one which is not in the
	// surface is dropped.
	Summary string `json:"summary,omitempty"`
	Text    string `json:"text,omitempty"`
	// Use and Avoid are the two sentences of a description where the adapter
	// knows them better than mapping can guess ("Use when …", "Do not use for …;
	// use [[key]] instead"). "" lets mapping write them.
	Use   string `json:"use,omitempty"`
	Avoid string `json:"avoid,omitempty"`
	// Noun is what the operation is about, in the singular where the adapter
	// knows it ("order"); Verb is one of list, get, search, create, replace,
	// update, delete, or "" for anything else. mapping finds neighbours by them.
	Noun string `json:"noun,omitempty"`
	Verb string `json:"verb,omitempty"`

	Effect     Effect `json:"effect,omitempty"`
	Idempotent bool   `json:"idempotent,omitempty"`
	Deprecated bool   `json:"deprecated,omitempty"`

	Params []Param `json:"params,omitempty"`
	// Body is nil where the operation takes none.
	Body *Body `json:"body,omitempty"`
	// Output is the JSON Schema of the answer: nil if unknown, or not asked for.
	Output json.RawMessage `json:"output,omitempty"`
	// Exact says that every answer satisfies Output, also after cutting, so it may
	// be published as it is. Otherwise a published output schema is relaxed.
	Exact bool `json:"exact,omitempty"`
	// Where is the place in the backend's description, for the operator: file:line
	// or a JSON pointer.
	Where string `json:"where,omitempty"`
}

// A Param is one named argument of an operation.
type Param struct {
	// In is the place: "path", "query", "header", "cookie", or "" where the
	// backend has no places. In and Name together are unique in an operation.
	In   string `json:"in,omitempty"`
	Name string `json:"name"`
	Text string `json:"text,omitempty"`
	// Required params must be given by the caller.
	Required   bool `json:"required,omitempty"`
	Deprecated bool `json:"deprecated,omitempty"`
	// Schema is JSON Schema 2020-12; nil allows anything.
	Schema json.RawMessage `json:"schema,omitempty"`
}

// A Body is the payload of an operation, beside its params.
type Body struct {
	Required bool            `json:"required,omitempty"`
	Text     string          `json:"text,omitempty"`
	Schema   json.RawMessage `json:"schema,omitempty"`
	// Binary says that the body is bytes, not JSON: the model sends it as base64
	// or as a data: URI, and Call.Body is a JSON string of plain base64.
	Binary bool `json:"binary,omitempty"`
}

// A Resource is one thing that can be read, or a family of them.
type Resource struct {
	// Path is what follows scheme://source/: a fixed path, or an RFC 6570
	// template of the operators {x}, {+x}, {/x*} and {?x,y}.
	Path string `json:"path"`
	Name string `json:"name"`
	Text string `json:"text,omitempty"`
	// MIME is the media type of the content; "" if it differs or is unknown.
	MIME string `json:"mime,omitempty"`
	// Operation is the key of the operation whose answer this is. The variables
	// of Path are then that operation's path and query params, by name. "" is
	// answered by the adapter's Read.
	Operation string `json:"operation,omitempty"`
	// Labels are as for an Operation.
	Labels map[string][]string `json:"labels,omitempty"`
}

// A Prompt is a message template for a user to pick.
type Prompt struct {
	Name string      `json:"name"`
	Text string      `json:"text,omitempty"`
	Args []PromptArg `json:"args,omitempty"`
	// Messages hold {{arg}} where an argument's value goes, and [[key]] where an
	// operation's published name goes.
	Messages []PromptMessage `json:"messages,omitempty"`
}

// A PromptArg is one argument of a prompt. Its value is text.
type PromptArg struct {
	Name     string `json:"name"`
	Text     string `json:"text,omitempty"`
	Required bool   `json:"required,omitempty"`
}

// A PromptMessage is one message of a prompt.
type PromptMessage struct {
	// Role is "user" or "assistant".
	Role string `json:"role"`
	Text string `json:"text,omitempty"`
	// Block, if set, stands in place of Text.
	Block *Block `json:"block,omitempty"`
}

// An Effect says what an operation does to the backend.
type Effect int

// The zero Effect is unknown and counts as Destroys, so that an adapter which
// forgets to say is safe.
const (
	EffectUnknown Effect = iota
	// Reads changes nothing that a user would notice.
	Reads
	// Writes adds or changes, and loses nothing that was there.
	Writes
	// Destroys overwrites or deletes.
	Destroys
)

var effectNames = [...]string{EffectUnknown: "unknown", Reads: "reads", Writes: "writes", Destroys: "destroys"}

func (e Effect) String() string {
	if e < 0 || int(e) >= len(effectNames) {
		return fmt.Sprintf("Effect(%d)", int(e))
	}
	return effectNames[e]
}

// MarshalText writes the word that String returns.
func (e Effect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads "reads", "writes", "destroys" or "unknown".
func (e *Effect) UnmarshalText(text []byte) error {
	for i, name := range effectNames {
		if name == string(text) {
			*e = Effect(i)
			return nil
		}
	}
	return fmt.Errorf("effect %q is not one of reads, writes, destroys", text)
}

// A Decision is one difference between what a backend offers and what a model
// sees: something dropped, renamed, cut or repaired.
type Decision struct {
	Source string `json:"source,omitempty"`
	// Key is the operation's key, or a resource's path, or "" for the whole source.
	Key string `json:"key,omitempty"`
	// Name is how the rules knew a tool that they dropped.
	Name string `json:"name,omitempty"`
	// What is one of the Decision words below; Why is a sentence for the operator.
	What string `json:"what"`
	Why  string `json:"why"`
	// Where is file:line or a JSON pointer in the backend's description, "" if the
	// decision has no place.
	Where string `json:"where,omitempty"`
}

// The words of Decision.What.
const (
	Dropped  = "dropped"  // not in the surface, cannot be called
	Renamed  = "renamed"  // published under another name than the backend's
	Cut      = "cut"      // published with less than the backend says
	Repaired = "repaired" // published after mending what was invalid
	Chosen   = "chosen"   // one of several possibilities was taken
	Noted    = "noted"    // published as it is, worth knowing
)
