package openapi

import (
	"context"
	"encoding/json"
	"slices"
	"strings"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// Catalog reads the document again and returns what it describes. An operation
// that cannot be offered is left out with the reason.
func (a *Adapter) Catalog(ctx context.Context) (*mapping.Catalog, error) {
	began := time.Now()
	doc, err := a.read(ctx)
	a.mu.Lock()
	a.began = began
	if err == nil {
		a.doc = doc
	}
	a.mu.Unlock()
	if err != nil {
		return nil, err
	}
	return newCataloger(doc).catalog(), nil
}

// A cataloger writes the catalog of one document.
type cataloger struct {
	doc     *document
	schemas *converter
	out     *mapping.Catalog
}

func newCataloger(d *document) *cataloger {
	return &cataloger{doc: d, schemas: newConverter(d)}
}

func (c *cataloger) catalog() *mapping.Catalog {
	c.out = &mapping.Catalog{Scheme: "api", OpenWorld: true, About: c.doc.about(), Lost: slices.Clone(c.doc.lost)}
	c.out.Operations = make([]mapping.Operation, 0, len(c.doc.entries))
	for _, entry := range c.doc.entries {
		e := entry.describe()
		marked := c.doc.marked(e)
		if marked.hidden {
			c.out.Lost = append(c.out.Lost, decision(mapping.Dropped, e.key, e.op, "the document says x-mcp: false"))
			continue
		}
		in, err := c.doc.inputs(e)
		if err != nil {
			c.out.Lost = append(c.out.Lost, decision(mapping.Dropped, e.key, e.op, "%v", err))
			continue
		}
		c.out.Lost = append(c.out.Lost, in.made...)
		op := c.operation(e, in)
		marked.apply(&op)
		c.out.Operations = append(c.out.Operations, op)
		if r, ok := c.doc.resource(e, in, op); ok {
			c.out.Resources = append(c.out.Resources, r)
		}
	}
	c.out.Defs = c.schemas.defs
	c.out.Lost = append(c.out.Lost, c.schemas.made...)
	return c.out
}

func (c *cataloger) operation(e *described, in *inputs) mapping.Operation {
	tags := texts(e.own.get("tags"))
	op := mapping.Operation{
		Key: e.key, Name: e.name(), Tags: tags, Where: e.op.where(),
		Summary: c.text(e, "summary"), Text: c.text(e, "description"),
		Deprecated: e.own.get("deprecated").isTrue(),
		Verb:       c.doc.verb(e.entry),
	}
	op.Noun = noun(e.entry, op.Verb)
	op.Effect, op.Idempotent = effect(e.method)
	if len(tags) > 0 {
		op.Group = tags[0]
	}
	for _, p := range in.params {
		if p.fixed == nil {
			op.Params = append(op.Params, c.param(p))
		}
	}
	op.Body = c.body(e, in)
	if c.doc.options.Outputs {
		op.Output = c.schemas.schema(c.doc.output(e))
	}
	return op
}

// effect is what a method does, as DESIGN §4 and RFC 9110 §9.2 say.
func effect(method string) (e mapping.Effect, idempotent bool) {
	switch method {
	case "GET", "HEAD", "OPTIONS", "QUERY":
		return mapping.Reads, true
	case "POST":
		return mapping.Writes, false
	case "PUT", "DELETE":
		return mapping.Destroys, true
	case "PATCH":
		return mapping.Destroys, false
	}
	return mapping.EffectUnknown, false
}

// name is the operation's own, if a name can be made of it.
func (e *described) name() string {
	id := e.own.get("operationId").text()
	if strings.ContainsFunc(id, func(r rune) bool { return '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' }) {
		return id
	}
	return operationName(e.method, e.path)
}

// text returns what an operation says of itself, else what its path item says.
func (c *cataloger) text(e *described, field string) string {
	text := c.doc.words(e.own.field(field))
	if text == "" {
		text = c.doc.words(e.shared.field(field))
	}
	return plainText(text)
}

// words is the text at a place, or in the file that it refers to.
func (d *document) words(p place) string {
	p, err := d.follow(p)
	if err != nil {
		return ""
	}
	return p.raw.str()
}

// plainText keeps a document's brackets from being read as the name of an
// operation.
func plainText(s string) string {
	s = strings.ReplaceAll(strings.TrimSpace(s), "[[", "[ [")
	return strings.ReplaceAll(s, "[[", "[ [") // between the pairs of the first pass
}

func (c *cataloger) param(p input) mapping.Param {
	return mapping.Param{
		In: p.argumentPlace(), Name: p.name, Required: p.required, Schema: c.paramSchema(p),
		Text:       plainText(p.get("description").str()),
		Deprecated: p.get("deprecated").isTrue(),
	}
}

// paramSchema converts the schema of a parameter, once for all operations that
// share the parameter.
func (c *cataloger) paramSchema(p input) json.RawMessage {
	at := p.where()
	if !p.made || c.doc.swagger {
		if raw, ok := c.schemas.ready[at]; ok {
			return raw
		}
	}
	schema := p.field("schema")
	if names := p.get("content").keys(); schema.raw == nil && len(names) > 0 {
		schema = p.field("content").member(preferredMedia(names, "")).member("schema")
	}
	raw := c.schemas.schema(schema)
	if !p.made || c.doc.swagger {
		c.schemas.ready[at] = raw
	}
	return raw
}

// about is the document's title and the first sentence of its description.
func (d *document) about() string {
	info := d.root.whole().member("info").raw
	title, text := strings.TrimSpace(info.get("title").text()), plainText(info.get("description").str())
	text, _, _ = strings.Cut(text, "\n")
	if before, _, found := strings.Cut(text, ". "); found {
		text = before + "."
	}
	if strings.HasPrefix(text, "#") || strings.HasPrefix(text, "<") || len(text) > 200 || text == title {
		text = ""
	}
	if text == "" {
		return title
	}
	return strings.TrimSpace(strings.TrimSuffix(title, ".") + ". " + text)
}
