package adaptertest

import (
	"encoding/json"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// traversals are texts that name no item anywhere, and something else to
// whoever puts them into a path, a URL, a header or a statement as they are.
func traversals() []string {
	return []string{
		"..", ".", "../..", "../../../../etc/passwd", "/etc/passwd", "/", "//", "%2e%2e", "%2e%2e%2f", "..%2f..",
		`..\..`, "a/../b", "x/../../y", "?limit=1", "x?limit=1", "x#y", "x&y=1", "x;y",
		"//example.invalid/", "http://example.invalid/", "file:///etc/passwd", "{x}", "' OR '1'='1", `"`,
		"\x00", "x\x00y", "x\r\nX-Added: 1", "\u2025", "\uff0e\uff0e/", " ", "", strings.Repeat("x", 70_000),
	}
}

// hostileValues are JSON values, and things that are none, in place of an
// argument.
func hostileValues() []json.RawMessage {
	var all []json.RawMessage
	for _, text := range traversals() {
		value, _ := json.Marshal(text) // a string always has a JSON form
		all = append(all, value)
	}
	for _, text := range []string{
		"null", "true", "0", "-1", "1.5", "1e400", "-1e-400", "9007199254740993", "9223372036854775808",
		"123456789012345678901234567890", "[]", "{}", "[null]", `{"":null}`, `{"a":{"b":{"c":[1,[2,[3]]]}}}`,
		strings.Repeat("[", 2_000) + strings.Repeat("]", 2_000), strings.Repeat(`{"a":`, 1_000) + "1" + strings.Repeat("}", 1_000),
		`"\ud800"`, `"\u0000"`, "", "{", `"open`, "NaN", "\xff\xfe",
	} {
		all = append(all, json.RawMessage(text))
	}
	return all
}

// callHostile puts every hostile value in place of every argument of every
// operation. Whatever it does to the backend, the adapter must stand.
func (b *bench) callHostile() {
	c := b.catalog()
	if c == nil {
		return
	}
	values := hostileValues()
	for _, op := range b.quick(c) {
		b.unharmed(mapping.Call{Key: op.Key})
		b.unharmed(mapping.Call{Key: op.Key, Args: []mapping.Arg{{In: "query", Name: unknown, Value: values[0]}}, Body: json.RawMessage("{}")})
		for _, p := range op.Params {
			for _, v := range values {
				b.unharmed(b.replace(mapping.Call{Key: op.Key}, p, v))
			}
		}
		if op.Body == nil {
			continue
		}
		for _, v := range values {
			b.unharmed(mapping.Call{Key: op.Key, Body: v})
		}
		for _, name := range propertiesOf(op.Body.Schema, c.Defs) {
			for _, v := range values {
				if json.Valid(v) {
					b.unharmed(mapping.Call{Key: op.Key, Body: object(name, v)})
				}
			}
		}
	}
}

// replace returns the known call of the same operation, if there is one, with
// this value for one param.
func (b *bench) replace(c mapping.Call, p mapping.Param, v json.RawMessage) mapping.Call {
	for _, k := range b.h.Calls {
		if k.Call.Key == c.Key {
			c = k.Call
			break
		}
	}
	return with(c, p.In, p.Name, v)
}

// with returns c with one argument set.
func with(c mapping.Call, in, name string, v json.RawMessage) mapping.Call {
	args := []mapping.Arg{{In: in, Name: name, Value: v}}
	for _, a := range c.Args {
		if a.In != in || a.Name != name {
			args = append(args, a)
		}
	}
	c.Args = args
	return c
}

// unharmed makes a call that may fail in any words, but neither panics nor hangs
// (which the call notes itself) nor returns nothing at all.
func (b *bench) unharmed(c mapping.Call) {
	if a := b.call(b.ctx, c); !a.broken && a.err == nil && a.result == nil {
		b.note("%s returned neither a result nor an error", a.what)
	}
}

// propertiesOf lists the properties that a schema has at its root.
func propertiesOf(schema json.RawMessage, defs map[string]json.RawMessage) []string {
	var s struct {
		Ref        string                     `json:"$ref"`
		Properties map[string]json.RawMessage `json:"properties"`
	}
	if json.Unmarshal(schema, &s) != nil {
		return nil
	}
	if name, ok := strings.CutPrefix(s.Ref, "#/$defs/"); ok && s.Properties == nil {
		schema = defs[name]
		s.Ref = ""
		if json.Unmarshal(schema, &s) != nil {
			return nil
		}
	}
	var names []string
	for name := range s.Properties {
		names = append(names, name)
	}
	return names
}

func object(name string, value json.RawMessage) json.RawMessage {
	text, _ := json.Marshal(map[string]json.RawMessage{name: value}) // value is valid
	return text
}
