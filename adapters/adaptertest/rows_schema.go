package adaptertest

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A placed is a schema of a catalog and where it stands.
type placed struct {
	where  string
	schema json.RawMessage
}

// schemasOf lists every schema that a catalog has outside its Defs.
func schemasOf(c *mapping.Catalog) []placed {
	var all []placed
	add := func(schema json.RawMessage, format string, args ...any) {
		if schema != nil {
			all = append(all, placed{fmt.Sprintf(format, args...), schema})
		}
	}
	for _, op := range c.Operations {
		for _, p := range op.Params {
			add(p.Schema, "param %q of %q", p.Name, op.Key)
		}
		if op.Body != nil {
			add(op.Body.Schema, "the body of %q", op.Key)
		}
		add(op.Output, "the output of %q", op.Key)
	}
	return all
}

func (b *bench) catalogRefs() {
	if c := b.catalog(); c != nil {
		for _, problem := range strayRefs(c) {
			b.note("%s", problem)
		}
	}
}

// strayRefs tells of each $ref that does not lead into the catalog's Defs.
func strayRefs(c *mapping.Catalog) []string {
	all := schemasOf(c)
	for name, def := range c.Defs {
		all = append(all, placed{fmt.Sprintf("$defs %q", name), def})
	}
	var stray []string
	for _, p := range all {
		for _, ref := range refsOf(p.schema) {
			name, ok := strings.CutPrefix(ref, "#/$defs/")
			if !ok {
				stray = append(stray, fmt.Sprintf("%s holds the $ref %q, want #/$defs/NAME", p.where, ref))
				continue
			}
			name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name)
			if _, ok := c.Defs[name]; !ok {
				stray = append(stray, fmt.Sprintf("%s holds the $ref %q, and Defs has no %q", p.where, ref, name))
			}
		}
	}
	return stray
}

// refsOf lists the targets of every $ref in a schema, not those in the data that
// a schema carries.
func refsOf(schema json.RawMessage) []string {
	var v any
	if json.Unmarshal(schema, &v) != nil {
		return nil // catalogSchemas tells
	}
	var refs []string
	var walk func(v any, names bool)
	walk = func(v any, names bool) {
		switch v := v.(type) {
		case []any:
			for _, item := range v {
				walk(item, false)
			}
		case map[string]any:
			for key, value := range v {
				if names {
					walk(value, false)
					continue
				}
				switch key {
				case "$ref", "$dynamicRef", "$recursiveRef":
					if ref, ok := value.(string); ok {
						refs = append(refs, ref)
					}
				case "enum", "const", "default", "example", "examples":
				case "properties", "patternProperties", "$defs", "dependentSchemas":
					walk(value, true)
				default:
					walk(value, false)
				}
			}
		}
	}
	walk(v, false)
	return refs
}

// catalogSchemas holds each schema against the metaschema, which tells where it
// is wrong, and then compiles them all as one document.
func (b *bench) catalogSchemas() {
	c := b.catalog()
	if c == nil {
		return
	}
	meta, err := newCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		b.note("the metaschema does not compile: %v", err)
		return
	}
	defs := map[string]any{}
	for name, def := range c.Defs {
		defs[name] = b.metavalid(meta, placed{fmt.Sprintf("$defs %q", name), def})
	}
	all := []any{}
	for _, p := range schemasOf(c) {
		all = append(all, b.metavalid(meta, p))
	}
	if len(b.seen()) > 0 || len(all)+len(defs) == 0 || len(strayRefs(c)) > 0 {
		return // there is nothing to compile, or an earlier complaint says why it would fail
	}
	for _, def := range defs {
		all = append(all, def)
	}
	if _, err := compile(map[string]any{"anyOf": all, "$defs": defs}); err != nil {
		b.note("the schemas do not compile together: %v", err)
	}
}

// metavalid notes what the metaschema says against a schema, and returns it.
func (b *bench) metavalid(meta *jsonschema.Schema, p placed) any {
	v, err := jsonschema.UnmarshalJSON(bytes.NewReader(p.schema))
	if err == nil {
		err = meta.Validate(v)
	}
	if err != nil {
		b.note("%s is no JSON Schema 2020-12: %v", p.where, err)
	}
	return v
}

func compile(schema any) (*jsonschema.Schema, error) {
	c := newCompiler()
	const url = "catalog:schemas"
	if err := c.AddResource(url, schema); err != nil {
		return nil, err
	}
	return c.Compile(url)
}

func newCompiler() *jsonschema.Compiler {
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(nowhere{})
	c.UseRegexpEngine(anyRegexp)
	return c
}

// nowhere keeps a schema from fetching another.
type nowhere struct{}

func (nowhere) Load(url string) (any, error) {
	return nil, fmt.Errorf("%s is outside the catalog", url)
}

// anyRegexp takes every pattern: those of ECMA 262 that Go cannot compile stay
// in a schema and are not checked.
func anyRegexp(pattern string) (jsonschema.Regexp, error) { return anything(pattern), nil }

type anything string

func (anything) MatchString(string) bool { return true }
func (a anything) String() string        { return string(a) }
