package vendorrules

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"unicode/utf8"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A Tool is what a list says of a tool.
type Tool struct {
	Name, Description string
	Input             json.RawMessage
	Output            json.RawMessage // nil where none is published
}

// MaxDescription is the number of characters of a tool's description that OpenAI
// takes.
const MaxDescription = 1024

// A Checker holds the compiled metaschema. It may be used by any number of
// goroutines.
type Checker struct {
	meta     *jsonschema.Schema
	name     *regexp.Regexp
	property *regexp.Regexp
}

// New compiles the metaschema of JSON Schema 2020-12.
func New() (*Checker, error) {
	meta, err := jsonschema.NewCompiler().Compile("https://json-schema.org/draft/2020-12/schema")
	if err != nil {
		return nil, fmt.Errorf("compile the metaschema: %w", err)
	}
	return &Checker{
		meta: meta,
		// Anthropic and OpenAI; MCP's own rule is wider.
		name: regexp.MustCompile(`^[a-zA-Z0-9_-]{1,64}$`),
		// Anthropic: "Property keys should match pattern".
		property: regexp.MustCompile(`^[a-zA-Z0-9_.-]{1,64}$`),
	}, nil
}

// Check returns what is wrong with a tool, nil if nothing is. Each problem begins
// with the place: "name", "description", or a JSON pointer after "input" or
// "output".
func (c *Checker) Check(t Tool) []string {
	var problems []string
	if !c.name.MatchString(t.Name) {
		problems = append(problems, fmt.Sprintf("name: %q does not match %s (Anthropic, OpenAI)", t.Name, c.name))
	}
	if n := utf8.RuneCountInString(t.Description); n > MaxDescription {
		problems = append(problems, fmt.Sprintf("description: %d characters, of at most %d (OpenAI)", n, MaxDescription))
	}
	problems = append(problems, c.schema("input", t.Input, true)...)
	if t.Output != nil {
		problems = append(problems, c.schema("output", t.Output, false)...)
	}
	return problems
}

// schema checks one schema. The keys of an answer are its backend's, so only
// those of inputs have to match.
func (c *Checker) schema(place string, text json.RawMessage, input bool) []string {
	d := json.NewDecoder(bytes.NewReader(text))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		return []string{fmt.Sprintf("%s: not JSON: %v", place, err)}
	}
	root, ok := v.(map[string]any)
	if !ok {
		return []string{place + ": not an object (MCP)"}
	}
	w := walk{checker: c, root: root, input: input}
	w.rootRules(place)
	w.visit(place, v)
	if err := c.meta.Validate(v); err != nil {
		w.add(place, "invalid by the 2020-12 metaschema: %v", err)
	}
	return w.problems
}
