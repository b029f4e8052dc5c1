package core

import (
	"context"
	"net/http"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// An audience says who may see something, and which scopes others lack.
type audience struct {
	may   func(mapping.Caller) bool
	lacks func(mapping.Caller) []string
}

// A viewer is a caller who asks what there is.
type viewer struct {
	caller mapping.Caller
	stepUp bool
}

func (b *Bridge) viewer(c mapping.Caller) viewer {
	return viewer{c, b.options.Auth != nil && b.options.Auth.StepUp}
}

// isShown reports whether a list holds something for this viewer.
func (v viewer) isShown(a audience) bool {
	return a.may(v.caller) || v.stepUp && a.lacks(v.caller) != nil
}

// lacks returns the scopes that a request needs and its caller has not, nil where
// that is not the question.
func (b *Bridge) lacks(ctx context.Context, c mapping.Caller, msg message) []string {
	name, uri := textOf(msg.fields.get("name")), textOf(msg.fields.get("uri"))
	snap, err := b.published(ctx)
	if err != nil {
		return nil // the request itself will say so
	}
	switch msg.method {
	case "tools/call":
		if t := snap.surface.Tool(name); t != nil {
			return t.Lacks(c)
		}
	case "prompts/get":
		if p := snap.surface.Prompt(name); p != nil {
			return p.Lacks(c)
		}
	case "resources/read", "resources/subscribe":
		if t, _ := snap.surface.Resolve(uri); t != nil {
			return t.Address.Lacks(c)
		}
	}
	return nil
}

// stepsUp answers a POST with the scopes that its caller lacks for one of its
// messages, and returns false if there are none.
func (b *Bridge) stepsUp(w http.ResponseWriter, r *http.Request, p posted) bool {
	a := b.options.Auth
	if a == nil || !a.StepUp {
		return false
	}
	for _, m := range p.messages() {
		if scopes := b.lacks(r.Context(), callerIn(r.Context()), m); scopes != nil {
			a.refuse(w, insufficient(scopes))
			return true
		}
	}
	return false
}

// hidesSome reports whether some callers may see less than others.
func hidesSome(r mapping.Rules) bool { return len(r.Scopes) > 0 || len(r.Access) > 0 }

// shownTo returns the sources of which a viewer is shown anything.
func (snap *snapshot) shownTo(v viewer) map[string]bool {
	shown := map[string]bool{}
	see := func(source string, a audience) {
		if !shown[source] {
			shown[source] = v.isShown(a)
		}
	}
	for _, t := range snap.surface.Tools() {
		see(t.Source, audience{t.MayUse, t.Lacks})
	}
	for _, a := range snap.surface.Addresses() {
		see(a.Source, audience{a.MaySee, a.Lacks})
	}
	for _, p := range snap.surface.Prompts() {
		see(p.Source, audience{p.MaySee, p.Lacks})
	}
	return shown
}
