package mapping

import (
	"encoding/json"
	"errors"
	"regexp"
	"sync"

	"github.com/santhosh-tekuri/jsonschema/v6"
)

// A checker holds a published schema and compiles it when it is first needed: a
// list of a thousand tools needs none compiled.
type checker struct {
	schema json.RawMessage
	once   sync.Once
	made   *jsonschema.Schema
	err    error
}

func (c *checker) compiled() (*jsonschema.Schema, error) {
	c.once.Do(func() { c.made, c.err = compileSchema(c.schema) })
	return c.made, c.err
}

// schemaURL names the schema inside the compiler; nothing is ever fetched.
const schemaURL = "tool:///schema"

func compileSchema(schema json.RawMessage) (*jsonschema.Schema, error) {
	doc, err := parseJSON(schema)
	if err != nil {
		return nil, err
	}
	c := jsonschema.NewCompiler()
	c.DefaultDraft(jsonschema.Draft2020)
	c.UseLoader(noLoader{})
	c.UseRegexpEngine(compilePattern)
	if err := c.AddResource(schemaURL, plain(doc)); err != nil {
		return nil, err
	}
	return c.Compile(schemaURL)
}

// noLoader keeps the compiler, whose own loader reads files, from reading
// anything.
type noLoader struct{}

func (noLoader) Load(url string) (any, error) {
	return nil, errors.New("a schema refers only to itself")
}

// compilePattern lets a pattern of another dialect pass everything: the backend
// checks it.
func compilePattern(pattern string) (jsonschema.Regexp, error) {
	re, err := regexp.Compile(pattern)
	if err != nil {
		return unchecked(pattern), nil
	}
	return re, nil
}

// unchecked is a pattern that matches everything.
type unchecked string

func (unchecked) MatchString(string) bool { return true }
func (p unchecked) String() string        { return string(p) }

// plain returns a decoded value in the form of encoding/json, numbers as
// json.Number.
func plain(v any) any {
	switch v := v.(type) {
	case []any:
		list := make([]any, len(v))
		for i, item := range v {
			list[i] = plain(item)
		}
		return list
	case *object:
		o := make(map[string]any, len(v.members))
		for _, m := range v.members {
			o[m.key] = plain(m.value)
		}
		return o
	}
	return v
}
