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

func newDefs(raw map[string]json.RawMessage) *defs {
	return &defs{
		input:   library{raw: raw, passes: inputPasses(), made: map[string]*def{}},
		exact:   library{raw: raw, passes: exactPasses(), made: map[string]*def{}},
		relaxed: library{raw: raw, passes: relaxedPasses(), made: map[string]*def{}},
	}
}

// A library holds the shared schemas as one side publishes them.
type library struct {
	raw    map[string]json.RawMessage
	passes []pass
	made   map[string]*def
}

// A def is one shared schema, ready to be published.
type def struct {
	name   string
	schema *object
	// open says that the schema is being made now: somebody further up the stack
	// refers to it, so it refers to itself.
	open bool
	// made are the differences from the catalog, told by the first operation that
	// publishes the def.
	made []Decision
	told bool
	size int   // bytes of the schema with every reference written as one
	uses []use // the references in it, in order
}

// A use is one $ref, and how often it stands in a schema.
type use struct {
	name  string
	times int
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
	d := &def{name: name, open: true}
	l.made[name] = d
	c := cleaner{lib: l, at: []string{"$defs", name}}
	d.schema = c.read(raw)
	d.made, d.open = c.made, false
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
