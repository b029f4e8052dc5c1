package openapi

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"path"
	"strings"
)

// A target is what a reference leads to.
type target struct {
	file *docFile
	at   string
	// union asks for the schema's heirs in its place; see discriminator.go.
	union bool
}

// reference writes a $ref to a definition. One that leads nowhere allows
// anything, so that the rest of the operation stays of use.
func (c *converter) reference(out []byte, s *schemaObject, at place) []byte {
	if !at.raw.isString() {
		c.repaired(at, "a reference must be a text; any value is allowed here")
		return out
	}
	p, err := c.doc.resolveSchema(s.place, at.raw.text())
	if err != nil {
		c.repaired(at, "%v; any value is allowed here", err)
		return out
	}
	t := target{file: p.file, at: p.at, union: !s.composed && len(c.heirsOf(p)) > 0}
	return append(append(append(appendKey(out, "$ref"), `"#/$defs/`...), c.name(t)...), '"')
}

// resolveSchema follows a reference between schemas, and those that it leads to
// as long as they say nothing else.
func (d *document) resolveSchema(from place, ref string) (place, error) {
	p, err := d.resolve(from, ref)
	for range maxHops {
		if err != nil {
			return place{}, err
		}
		if p.at == "" && p.file == d.root {
			return place{}, fmt.Errorf("the reference %q leads to the whole document", ref)
		}
		next := p.ref()
		if next == "" || d.siblings && len(p.object().keys) > 1 {
			return p, nil
		}
		p, err = d.resolve(p, next)
	}
	return place{}, errCircle
}

// name returns the definition's name, and puts it on the list of what is still to
// be converted when it is new. Names are of letters that need no escape.
func (c *converter) name(t target) string {
	if name, ok := c.names[t]; ok {
		return name
	}
	name := defName(t)
	if !t.union && len(c.heirsOf(t.place())) > 0 {
		name += "_base"
	}
	if _, taken := c.defs[name]; taken {
		sum := sha256.Sum256([]byte(t.file.name + "#" + t.at))
		name += "_" + hex.EncodeToString(sum[:3])
	}
	c.names[t] = name
	c.defs[name] = json.RawMessage("{}") // taken until it is converted
	c.todo = append(c.todo, t)
	return name
}

func (t target) place() place {
	p, _ := t.file.lookup(t.at)
	return p
}

// definition converts what a name stands for.
func (c *converter) definition(t target) json.RawMessage {
	if t.union {
		return c.union(t)
	}
	return c.append(nil, t.place(), true)
}

// defName makes a name of the last words of a pointer, or of the file's.
func defName(t target) string {
	tokens := strings.Split(t.at, "/")
	name := unescapeToken(tokens[len(tokens)-1])
	if t.at == "" {
		name = strings.TrimSuffix(path.Base(t.file.name), path.Ext(t.file.name))
	} else if n := len(tokens); n > 2 && (digits([]byte(name)) == len(name) || strings.Contains(" items schema additionalProperties ", " "+name+" ")) {
		name = unescapeToken(tokens[n-2]) + "_" + name
	}
	clean := strings.Map(func(r rune) rune {
		if r == '.' || r == '-' || '0' <= r && r <= '9' || 'a' <= r|0x20 && r|0x20 <= 'z' && r < 0x80 {
			return r
		}
		return '_'
	}, name)
	if clean == "" {
		return "_"
	}
	return clean
}
