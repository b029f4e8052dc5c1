package adaptertest

import (
	"bytes"
	"regexp"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// surfaceRows are about what a model would see of it.
func surfaceRows() []row {
	return []row{
		{"surface/tools",
			"an operation without a legal, unique tool name cannot be called, and nobody is told",
			(*bench).surfaceTools},
		{"surface/resources",
			"a resource that its own URI does not lead back to cannot be read",
			(*bench).surfaceResources},
	}
}

var toolName = regexp.MustCompile(`^[a-z0-9_]{1,64}$`)

// surfaceTools builds a surface under rules that allow everything, and looks for
// each operation in it.
func (b *bench) surfaceTools() {
	s, c := b.surface()
	if s == nil {
		return
	}
	names := map[string]string{}
	tools := map[string]int{}
	for _, t := range s.Tools() {
		if !toolName.MatchString(t.Name) {
			b.note("operation %q gets the tool name %q, which is not legal", t.Key, t.Name)
		}
		if key, twice := names[t.Name]; twice {
			b.note("operations %q and %q get one tool name, %q", key, t.Key, t.Name)
		}
		names[t.Name] = t.Key
		tools[t.Key]++
		b.inputSchema(t)
	}
	for _, op := range c.Operations {
		if tools[op.Key]--; tools[op.Key] < 0 {
			b.note("operation %q becomes no tool: %s", op.Key, decisionOn(s, op.Key))
		}
	}
}

// inputSchema holds the schema that a model sees against what every vendor asks.
func (b *bench) inputSchema(t *mapping.Tool) {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(t.Input))
	if err != nil {
		b.note("the input schema of %s is not JSON: %v", t.Name, err)
		return
	}
	root, _ := v.(map[string]any)
	if root["type"] != "object" {
		b.note("the input schema of %s is no object: %s", t.Name, excerpt(string(t.Input)))
		return
	}
	if _, err := compile(root); err != nil {
		b.note("the input schema of %s does not compile: %v", t.Name, err)
	}
}

// surfaceResources reads no resource: it only looks whether its URI leads back.
func (b *bench) surfaceResources() {
	s, c := b.surface()
	if s == nil {
		return
	}
	if len(c.Resources) == 0 {
		b.skip("the catalog has no resources")
		return
	}
	published := map[string]*mapping.Address{}
	for _, a := range s.Addresses() {
		published[a.Path] = a
	}
	for _, r := range c.Resources {
		a := published[r.Path]
		if a == nil {
			b.note("the resource %q is not in the surface: %s", r.Path, decisionOn(s, r.Path))
			continue
		}
		if want := strings.Contains(r.Path, "{"); a.Template != want {
			b.note("the resource %q is published as %q, template %v", r.Path, a.URI, a.Template)
		}
		if a.Template {
			continue // known reads fill in templates
		}
		target, err := s.Resolve(a.URI)
		if err != nil || target.Address != a {
			b.note("the URI %q of the resource %q does not lead back to it: %v", a.URI, r.Path, err)
		}
	}
}

func decisionOn(s *mapping.Surface, key string) string {
	for _, d := range s.Decisions() {
		if d.Key == key && d.What == mapping.Dropped {
			return d.Why
		}
	}
	return "no decision says why"
}
