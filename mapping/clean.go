package mapping

import (
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// A pass is one rule of a published schema, applied to each schema and
// subschema of a tree.
type pass struct {
	name string
	// up says that the pass wants the subschemas done before the schema itself.
	up bool
	do func(*cleaner, *object)
}

// A cleaner applies a side's passes to one tree.
type cleaner struct {
	lib  *library
	at   []string // the place in the catalog, as a JSON pointer's tokens
	made []Decision
}

// read decodes a schema and applies all passes. What is not a JSON object or a
// boolean becomes a schema that allows anything.
func (c *cleaner) read(raw json.RawMessage) *object {
	v := c.decode(raw)
	c.schema(&v)
	return v.(*object)
}

func (c *cleaner) decode(raw json.RawMessage) any {
	v, err := parseJSON(raw)
	if err != nil {
		c.note(Repaired, "the schema is not JSON, so anything is allowed: %v", err)
		return &object{}
	}
	return v
}

// schema applies the passes to the schema in a slot, which holds an *object
// afterwards.
func (c *cleaner) schema(slot *any) {
	s := c.asObject(slot)
	for _, p := range c.lib.passes {
		if !p.up {
			p.do(c, s)
		}
	}
	eachSubschema(s, func(keyword, key string, sub *any) {
		was := len(c.at)
		c.at = append(c.at, keyword)
		if key != "" {
			c.at = append(c.at, key)
		}
		c.schema(sub)
		c.at = c.at[:was]
	})
	for _, p := range c.lib.passes {
		if p.up {
			p.do(c, s)
		}
	}
}

// asObject makes the boolean schemas objects, so that passes see one form.
func (c *cleaner) asObject(slot *any) *object {
	switch v := (*slot).(type) {
	case *object:
		return v
	case bool:
		o := &object{}
		if !v {
			o.set("not", &object{})
		}
		*slot = o
		return o
	}
	c.note(Repaired, "the schema is neither an object nor a boolean, so anything is allowed")
	o := &object{}
	*slot = o
	return o
}

// note records a decision about the place where the cleaner is. In a shared
// schema that is a place of the catalog; elsewhere the caller knows the place,
// and the words say the rest.
func (c *cleaner) note(what, format string, args ...any) {
	d := Decision{What: what, Why: fmt.Sprintf(format, args...)}
	switch {
	case len(c.at) == 0:
	case c.at[0] == "$defs":
		d.Where = pointer(c.at)
	default:
		d.Why = "in " + strings.Join(c.at, ".") + ": " + d.Why
	}
	c.made = append(c.made, d)
}

// pointer writes tokens as a JSON pointer in a URI fragment.
func pointer(tokens []string) string {
	b := []byte{'#'}
	for _, token := range tokens {
		b = appendToken(append(b, '/'), token)
	}
	return string(b)
}

// eachSubschema visits the places of a schema where subschemas stand: the
// keyword, below it the key or index ("" where there is none). A boolean
// where a keyword is mostly written as one (additionalProperties) is no
// subschema to visit.
func eachSubschema(s *object, visit func(keyword, key string, slot *any)) {
	for i := range s.members {
		m := &s.members[i]
		switch keywordForm(m.key) {
		case oneSchema:
			if _, flag := m.value.(bool); flag && mayBeFlag(m.key) {
				continue
			}
			visit(m.key, "", &m.value)
		case schemaList:
			list, _ := m.value.([]any)
			for i := range list {
				visit(m.key, strconv.Itoa(i), &list[i])
			}
		case schemaMap:
			if o, ok := m.value.(*object); ok {
				for i := range o.members {
					visit(m.key, o.members[i].key, &o.members[i].value)
				}
			}
		case noSchema: // nothing to visit
		}
	}
}

// The forms in which a keyword holds subschemas.
type form int

const (
	noSchema form = iota
	oneSchema
	schemaList
	schemaMap
)

func keywordForm(keyword string) form {
	switch keyword {
	case "items", "additionalProperties", "not", "if", "then", "else", "contains",
		"propertyNames", "unevaluatedItems", "unevaluatedProperties", "contentSchema":
		return oneSchema
	case "allOf", "anyOf", "oneOf", "prefixItems":
		return schemaList
	case "properties", "patternProperties", "dependentSchemas":
		return schemaMap
	}
	return noSchema
}

func mayBeFlag(keyword string) bool {
	return keyword == "additionalProperties" || keyword == "unevaluatedProperties" || keyword == "unevaluatedItems"
}
