package mapping

import (
	"encoding/json"
	"strings"
)

// defs are the schemas that a catalog's operations share: decoded on first use,
// made fit for each side once, and kept for as long as Build runs.
type defs struct {
	input, exact, relaxed library
}

// newDefs keeps the shared schemas of a source that publishes so many tools.
func newDefs(raw map[string]json.RawMessage, tools int) *defs {
	side := func(passes []pass) library {
		return library{raw: raw, passes: passes, made: map[string]*def{}, words: wordinessFor(tools)}
	}
	d := &defs{input: side(inputPasses()), exact: side(exactPasses()), relaxed: side(relaxedPasses())}
	d.input.renames = true
	return d
}

// A library holds the shared schemas as one side publishes them.
type library struct {
	raw    map[string]json.RawMessage
	passes []pass
	made   map[string]*def
	words  wordiness
	// renames says that keys are made safe. Those of answers are what they are.
	renames bool
	// extended lists the schemas with an allOf of each; nil before it is asked for.
	extended map[string][]string
	// scratch is where schemas are written before their size is known.
	scratch []byte
}

// A def is one shared schema.
type def struct {
	name string
	key  string // in a published $defs
	// base is the schema after the passes; nil while they run, when somebody
	// further up the stack refers to it.
	base *object
	// schema is base with the properties of the types that extend it, if base
	// names them; nil before it is first asked for.
	schema *object
	// readOnly and writeOnly are the schema's own flags.
	readOnly, writeOnly bool
	// loops says whether the type is known to be no part of itself.
	loops walked

	made []Decision // the differences from the catalog
	told bool

	size int   // bytes of the schema with every reference written as one
	uses []use // the references in it, in the order of their first place
	stub int   // bytes of what stands for it where it is cut
}

// A use is a reference to a shared schema, with how often it stands in another.
type use struct {
	name  string
	times int
	// bound says that some use demands more beside the reference, so that the
	// schema cannot be written in its place.
	bound bool
}

// get returns the def of this name, nil if the catalog has none.
func (l *library) get(name string) *def {
	if d, ok := l.made[name]; ok {
		return d
	}
	raw, ok := l.raw[name]
	if !ok {
		return nil
	}
	d := &def{name: name, key: defKey(name)}
	l.made[name] = d
	c := cleaner{lib: l, at: []string{"$defs", name}}
	v := c.decode(raw)
	if s, ok := v.(*object); ok {
		d.readOnly, d.writeOnly = s.get("readOnly") == true, s.get("writeOnly") == true
	}
	c.schema(&v)
	d.base, d.made = v.(*object), c.made
	return d
}

// tell returns how the def differs from the catalog, the first time it is asked:
// that is for the first operation that publishes it.
func (d *def) tell() []Decision {
	if d.told {
		return nil
	}
	d.told = true
	return d.made
}

// flags says whether a shared schema, by itself or by the one it stands for, has
// the flag.
func (l *library) flags(name, flag string) bool {
	d := l.get(name)
	if d == nil {
		return false
	}
	if flag == "readOnly" {
		return d.readOnly
	}
	return d.writeOnly
}

// publish returns the def with all that the layout of a tool's schema asks for.
func (l *library) publish(name string) *def {
	d := l.get(name)
	if d == nil || d.schema != nil {
		return d
	}
	l.breakLoops(d)
	d.schema = l.union(d)
	w := writer{lib: l, out: l.scratch[:0], uses: &d.uses}
	w.schema(d.schema)
	d.size = len(w.out)
	w.out = w.out[:0]
	w.keywords(stub(d, &object{}))
	d.stub = len(w.out)
	l.scratch = w.out
	return d
}

const refPrefix = "#/$defs/"

// refName returns the name that a reference of the catalog points to.
func refName(ref string) (name string, ok bool) {
	name, ok = strings.CutPrefix(ref, refPrefix)
	if !ok {
		return "", false
	}
	return unescapePointer(name), true
}

func unescapePointer(token string) string {
	if !strings.Contains(token, "~") {
		return token
	}
	return strings.NewReplacer("~1", "/", "~0", "~").Replace(token)
}
