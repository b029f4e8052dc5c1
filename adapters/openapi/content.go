package openapi

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A content is the media type that a body is sent as.
type content struct {
	name   string // the media type as the document writes it
	media  place  // its Media Type Object
	schema place  // what is sent; raw is nil where nothing is said
	others []string
}

// content chooses the media type of a body. ok is false where there is no body.
func (in *inputs) content(want string) (c content, ok bool) {
	all := in.body.member("content")
	names := all.raw.keys()
	if len(names) == 0 {
		return content{}, false
	}
	c.name = preferredMedia(names, want)
	c.others = slices.DeleteFunc(names, func(n string) bool { return n == c.name })
	c.media = in.doc.mediaType(all.member(c.name))
	c.schema = c.media.member("schema")
	if in.schemaV2.raw != nil {
		c.schema = in.schemaV2
	}
	return c, true
}

// mediaType follows a reference in place of a Media Type Object, as 3.2 has it.
func (d *document) mediaType(p place) place {
	if next, err := d.follow(p); err == nil {
		return next
	}
	return p
}

// body describes the body of an operation, and says which media type was chosen
// where there are several.
func (c *cataloger) body(e *described, in *inputs) *mapping.Body {
	want := c.doc.options.Media[e.key]
	chosen, ok := in.content(want)
	if !ok {
		return nil
	}
	if len(chosen.others) > 0 {
		c.out.Lost = append(c.out.Lost, decision(mapping.Chosen, e.key, in.body,
			"the body is sent as %s, not as %s", chosen.name, strings.Join(chosen.others, " or ")))
	}
	if want != "" && essence(want) != essence(chosen.name) {
		c.out.Lost = append(c.out.Lost, decision(mapping.Noted, e.key, in.body, "the operation takes no %s", want))
	}
	body := &mapping.Body{
		Required: in.body.raw.get("required").isTrue(),
		Text:     plainText(in.body.raw.get("description").str()),
	}
	kind := mediaKind(chosen.name)
	if kind == mediaBinary || strings.Contains(chosen.name, "*") {
		kind = bodyKind(chosen.name, c.doc.slim(chosen.schema))
	}
	switch kind {
	case mediaBinary:
		body.Binary = true
	case mediaText:
		body.Schema = json.RawMessage(`{"type":"string"}`)
	default:
		body.Schema = c.bodySchema(chosen)
	}
	return body
}

// bodySchema converts what is sent. A sequence of items (3.2) is a list for a
// model.
func (c *cataloger) bodySchema(chosen content) json.RawMessage {
	items := chosen.media.member("itemSchema")
	if chosen.schema.raw != nil || items.raw == nil {
		return c.schemas.schema(chosen.schema)
	}
	out := append([]byte(`{"type":"array","items":`), c.schemas.schema(items)...)
	return append(out, '}')
}

// An answer of the document is a Response Object of one status.
type documented struct {
	status string
	place
}

// answers are an operation's responses, those of success first.
func (d *document) answers(e *described) []documented {
	var good, rest []documented
	responses := e.own.field("responses")
	for status, raw := range responses.raw.members() {
		p, err := d.follow(responses.child(status, raw))
		if err != nil || !p.raw.isObject() {
			continue
		}
		if strings.HasPrefix(status, "2") {
			good = append(good, documented{status, p})
			continue
		}
		rest = append(rest, documented{status, p})
	}
	return append(good, rest...)
}

// accepts are the media types of an operation's answers: those of success, else
// of any other.
func (d *document) accepts(e *described) []string {
	if d.swagger {
		return d.produces(e)
	}
	var all []string
	for _, a := range d.answers(e) {
		if !strings.HasPrefix(a.status, "2") && len(all) > 0 {
			break
		}
		for name := range a.member("content").raw.members() {
			if !slices.Contains(all, name) {
				all = append(all, name)
			}
		}
	}
	return all
}

func (d *document) produces(e *described) []string {
	if own := e.own.field("produces"); own.raw.isArray() {
		return texts(own.raw)
	}
	return texts(d.root.whole().member("produces").raw)
}

// output returns the schema of an operation's JSON answer; its raw is nil where
// the document knows none.
func (d *document) output(e *described) place {
	for _, a := range d.answers(e) {
		if !strings.HasPrefix(a.status, "2") {
			break
		}
		if d.swagger {
			if p := a.member("schema"); p.raw != nil && p.raw.get("type").str() != "file" {
				return p
			}
			continue
		}
		all := a.member("content")
		for name, raw := range all.raw.members() {
			if p := d.mediaType(all.child(name, raw)).member("schema"); p.raw != nil && mediaKind(name) == mediaJSON {
				return p
			}
		}
	}
	return place{file: d.root}
}

// answerType is the media type of an operation's answer, "" where it has several
// or says none.
func (d *document) answerType(e *described) string {
	types := d.produces(e)
	if !d.swagger {
		types = nil
		for _, a := range d.answers(e) {
			for name := range a.member("content").raw.members() {
				if strings.HasPrefix(a.status, "2") && !slices.Contains(types, essence(name)) {
					types = append(types, essence(name))
				}
			}
		}
	}
	if len(types) != 1 || strings.Contains(types[0], "*") {
		return ""
	}
	return types[0]
}
