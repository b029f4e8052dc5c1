package adaptertest

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"regexp"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// catalogRows are about what an adapter offers.
func catalogRows() []row {
	return []row{
		{"catalog/stable",
			"core compares catalogs to tell clients what changed; one that differs by chance makes every client list again",
			(*bench).catalogStable},
		{"catalog/keys",
			"a call finds its operation by key, so two with one key are one too few",
			(*bench).catalogKeys},
		{"catalog/refs",
			"a $ref that leads nowhere makes a vendor refuse the whole list of tools, not only one",
			(*bench).catalogRefs},
		{"catalog/schemas",
			"a schema that is no JSON Schema 2020-12 makes a vendor refuse the whole list of tools, not only one",
			(*bench).catalogSchemas},
		{"catalog/resources",
			"a template that is no RFC 6570, or leads to no operation, is listed and can never be read",
			(*bench).catalogResources},
		{"catalog/prompts",
			"a prompt with an undeclared argument reaches the model with a hole in it",
			(*bench).catalogPrompts},
		{"catalog/context",
			"loading that goes on after its context ended holds up shutdown and reload",
			(*bench).catalogContext},
	}
}

// catalogStable compares two catalogs of one adapter, one of another on the same
// backend, and the first again after it has been in use.
func (b *bench) catalogStable() {
	c := b.catalog()
	if c == nil {
		return
	}
	before, _ := json.Marshal(c) // catalog has found that it has a JSON form
	b.same("two catalogs of one adapter", before, b.catalog())
	other := &bench{ctx: b.ctx, h: b.h}
	if err := other.open(); err != nil {
		b.note("the harness cannot open a second adapter: %v", err)
		return
	}
	b.same("the catalogs of two adapters", before, other.catalog())
	other.close()
	b.saw = append(b.saw, other.seen()...)
	for _, k := range b.h.Calls {
		b.call(b.ctx, k.Call)
	}
	b.same("a catalog before and after some calls", before, c)
}

// same notes where a catalog differs from an earlier one.
func (b *bench) same(what string, before []byte, after *mapping.Catalog) {
	if after == nil {
		return // noted by catalog
	}
	text, _ := json.Marshal(after)
	if bytes.Equal(before, text) {
		return
	}
	at := 0
	for at < min(len(before), len(text)) && before[at] == text[at] {
		at++
	}
	from := max(0, at-60)
	b.note("%s differ at byte %d: %s, then %s", what, at, excerpt(string(before[from:])), excerpt(string(text[from:])))
}

func (b *bench) catalogKeys() {
	c := b.catalog()
	if c == nil {
		return
	}
	if !regexp.MustCompile(`^[a-z][a-z0-9+.-]*$`).MatchString(c.Scheme) {
		b.note("Scheme %q is no URI scheme (RFC 3986 §3.1, in lower case)", c.Scheme)
	}
	keys := map[string]bool{}
	for _, op := range c.Operations {
		if op.Key == "" || op.Name == "" {
			b.note("an operation has key %q and name %q; both are needed", op.Key, op.Name)
		}
		if keys[op.Key] {
			b.note("two operations have the key %q", op.Key)
		}
		keys[op.Key] = true
		b.paramKeys(op)
	}
	for _, d := range c.Lost {
		if d.What == "" || d.Why == "" {
			b.note("Lost says of %q neither what was done nor why: %+v", d.Key, d)
		}
	}
}

func (b *bench) paramKeys(op mapping.Operation) {
	type place struct{ in, name string }
	seen := map[place]bool{}
	for _, p := range op.Params {
		switch p.In {
		case "", "path", "query", "header", "cookie":
		default:
			b.note("param %q of %q is in %q, which is no place", p.Name, op.Key, p.In)
		}
		if p.Name == "" || seen[place{p.In, p.Name}] {
			b.note("operation %q has a param without name, or twice the param %q in %q", op.Key, p.Name, p.In)
		}
		seen[place{p.In, p.Name}] = true
	}
}

// variable is one expression of the templates that a catalog may use. Names are
// the backend's; mapping publishes them under names that RFC 6570 allows.
var variable = regexp.MustCompile(`\{(\+?[^{}+/?*,]+|/[^{}+/?*,]+\*|\?[^{}+/?*,]+(?:,[^{}+/?*,]+)*)\}`)

// literal is what may stand between the expressions: characters of a URI's path
// (RFC 3986 §3.3), and those beyond ASCII.
var literal = regexp.MustCompile(`^(?:[A-Za-z0-9._~!$&'()*+,;=:@/-]|[^\x00-\x7f]|%[0-9A-Fa-f]{2})*$`)

// variablesOf returns the names in a path, and an error if it is no template.
// Optional ones are those after {?.
func variablesOf(path string) (required, optional []string, err error) {
	for _, m := range variable.FindAllStringSubmatch(path, -1) {
		if names, ok := strings.CutPrefix(m[1], "?"); ok {
			optional = append(optional, strings.Split(names, ",")...)
			continue
		}
		required = append(required, strings.Trim(m[1], "+/*"))
	}
	rest := variable.ReplaceAllString(path, "")
	switch {
	case strings.HasPrefix(path, "/"):
		err = errors.New("it begins with a slash; a path is what follows scheme://source/")
	case strings.ContainsAny(rest, "{}"):
		err = errors.New("a template has the expressions {x}, {+x}, {/x*} and {?x,y}")
	case !literal.MatchString(rest):
		err = fmt.Errorf("%q holds characters that a URI escapes with %%", rest)
	}
	return required, optional, err
}

func (b *bench) catalogResources() {
	c := b.catalog()
	if c == nil {
		return
	}
	operations := map[string]mapping.Operation{}
	for _, op := range c.Operations {
		operations[op.Key] = op
	}
	paths := map[string]bool{}
	for _, r := range c.Resources {
		if paths[r.Path] {
			b.note("two resources have the path %q", r.Path)
		}
		paths[r.Path] = true
		if r.Name == "" {
			b.note("the resource %q has no name", r.Path)
		}
		required, optional, err := variablesOf(r.Path)
		if err != nil {
			b.note("the path %q is not legal: %v", r.Path, err)
		}
		if r.Operation == "" {
			continue
		}
		op, ok := operations[r.Operation]
		if !ok {
			b.note("the resource %q is the answer of %q, which is no operation", r.Path, r.Operation)
			continue
		}
		b.resourceOfOperation(r, op, append(required, optional...))
	}
}

// resourceOfOperation holds a resource against the operation that answers it.
func (b *bench) resourceOfOperation(r mapping.Resource, op mapping.Operation, variables []string) {
	if op.Effect != mapping.Reads {
		b.note("the resource %q is the answer of %q, which %s", r.Path, op.Key, op.Effect)
	}
	given := map[string]bool{}
	for _, name := range variables {
		given[name] = true
	}
	known := map[string]bool{}
	for _, p := range op.Params {
		if p.In == "path" || p.In == "query" || p.In == "" {
			known[p.Name] = true
		}
		if p.Required && !given[p.Name] {
			b.note("the resource %q has no variable for %q, which %q requires", r.Path, p.Name, op.Key)
		}
	}
	for _, name := range variables {
		if !known[name] {
			b.note("the resource %q has the variable %q, which is no param of %q", r.Path, name, op.Key)
		}
	}
}

var placeholder = regexp.MustCompile(`\{\{([^{}]*)\}\}`)

func (b *bench) catalogPrompts() {
	c := b.catalog()
	if c == nil {
		return
	}
	names := map[string]bool{}
	for _, p := range c.Prompts {
		if p.Name == "" || names[p.Name] {
			b.note("a prompt has no name, or two have the name %q", p.Name)
		}
		names[p.Name] = true
		declared := map[string]bool{}
		for _, a := range p.Args {
			declared[a.Name] = true
		}
		for _, m := range p.Messages {
			if m.Role != "user" && m.Role != "assistant" {
				b.note("a message of prompt %q has the role %q, want user or assistant", p.Name, m.Role)
			}
			for _, hole := range placeholder.FindAllStringSubmatch(m.Text, -1) {
				if !declared[strings.TrimSpace(hole[1])] {
					b.note("prompt %q uses %s, which is none of its arguments", p.Name, hole[0])
				}
			}
		}
	}
}

// catalogContext asks for the first catalog with a context that has ended. One
// that is at hand may still be returned.
func (b *bench) catalogContext() {
	ctx, cancel := context.WithCancel(b.ctx)
	cancel()
	_, a := b.askCatalog(ctx)
	if !a.broken && a.err != nil && !ended(a.err, mapping.Canceled, context.Canceled) {
		b.note("Catalog with a cancelled context failed with %s, want code %s or context.Canceled", words(a.err), mapping.Canceled)
	}
	if c, a := b.askCatalog(b.ctx); !a.broken && (a.err != nil || c == nil) {
		b.note("after a cancelled Catalog the next one fails too: %v", a.err)
	}
}

// ended reports whether an error tells that its context has.
func ended(err error, code mapping.Code, cause error) bool {
	return mapping.CodeOf(err) == code || errors.Is(err, cause)
}
