package mapping

import "slices"

// A source is what a Surface keeps of one catalog.
type source struct {
	name  string
	tools map[string]*Tool // by Operation.Key; what policy dropped is absent
}

// A route is a parsed URI template.
type route struct{}

// Resolve finds what a URI leads to. The error is a *Error: NotFound where
// nothing in the surface has this URI, Invalid where the URI is malformed or a
// variable does not fit its operation's schema.
func (s *Surface) Resolve(uri string) (*Target, error) {
	return nil, &Error{Code: NotFound, Problem: "there is no such resource"}
}

// Address returns the resource or template with exactly this URI or template,
// nil if there is none.
func (s *Surface) Address(uri string) *Address { return nil }

// Prompt returns the prompt of this name, nil if there is none.
func (s *Surface) Prompt(name string) *NamedPrompt { return nil }

// Render fills the arguments into the prompt's messages. The error is a *Error
// with code Invalid that names every missing and unknown argument.
func (p *NamedPrompt) Render(args map[string]string) ([]PromptMessage, error) { return nil, nil }

func contains(list []string, s string) bool { return slices.Contains(list, s) }
