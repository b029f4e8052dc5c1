package mapping

import "encoding/json"

// A Surface is all that a model sees of a set of sources, ready to be listed,
// called and read. Only Build makes one. What policy dropped is not in it:
// absence is the enforcement.
type Surface struct {
	tools     []*Tool // the listed ones
	all       []*Tool // with the hidden ones
	byName    map[string]*Tool
	byURI     map[string]*Address
	byPrompt  map[string]*NamedPrompt
	addresses []*Address
	prompts   []*NamedPrompt
	sources   map[string]*source
	decisions []Decision
	limits    limits
}

// Tools returns the listed tools in the order of the list: by source name, then
// as the backend's catalog has them.
func (s *Surface) Tools() []*Tool { return s.tools }

// Tool returns the tool of this name, listed or hidden; nil if there is none.
func (s *Surface) Tool(name string) *Tool { return s.byName[name] }

// Addresses returns the resources and resource templates, in a stable order.
func (s *Surface) Addresses() []*Address { return s.addresses }

// Prompts returns the prompts, in a stable order.
func (s *Surface) Prompts() []*NamedPrompt { return s.prompts }

// Decisions returns why the surface differs from the catalogs.
func (s *Surface) Decisions() []Decision { return s.decisions }

// A Tool is one operation as a model sees it.
type Tool struct {
	// Name matches [a-z0-9_]{1,64}, or is an override's as it stands.
	Name        string
	Source      string
	Key         string // Operation.Key in the source's catalog
	Group       string
	Description string
	Effect      Effect // as policy sees it, overrides applied
	Hints       Hints
	// Input is a JSON Schema 2020-12 with an object at the root; Output is nil
	// where none is published. Both are compact and resolve in themselves.
	Input, Output json.RawMessage
	// Confirm asks the user before each call.
	Confirm bool
	// Scopes are what rules.scopes asks of whoever sees and calls the tool; nil is
	// nothing.
	Scopes []string
	// Hidden tools are callable and not listed.
	Hidden bool

	asks    asks
	op      *Operation
	source  *source
	plan    *plan
	outputs *output
}

// Hints are MCP's tool annotations, all four always stated.
type Hints struct {
	ReadOnly    bool
	Destructive bool
	Idempotent  bool
	OpenWorld   bool
}

// An Address is a resource, or a template of resources, as a model sees it.
type Address struct {
	// URI is an absolute URI, or an RFC 6570 template of one.
	URI      string
	Template bool
	Name     string
	Text     string
	MIME     string // "" if it differs or is unknown
	Source   string
	Path     string // Resource.Path in the source's catalog
	// Tool is the tool whose answer this is, nil where the adapter's Read answers.
	// Who may not see the tool may not see the address.
	Tool *Tool

	asks   asks // where Tool is nil
	source *source
	route  route
}

// A NamedPrompt is a prompt under its published name.
type NamedPrompt struct {
	Name   string
	Source string
	Prompt Prompt

	asks asks
}

// A Target is what a URI leads to: exactly one of Call and Read is set. Its
// Caller, limits and functions are for the caller of Resolve to fill in.
type Target struct {
	URI     string
	Address *Address
	Call    *Call
	Read    *Read
}
