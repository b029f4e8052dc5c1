package main

import (
	"context"
	"crypto/sha256"
	"fmt"
	"reflect"

	"github.com/google/jsonschema-go/jsonschema"
	"github.com/mcp-bridge/mcp-bridge/internal/strictjson"
)

type schemaCommand struct{ bare }

// Run prints the JSON Schema of the config file.
func (schemaCommand) Run(_ context.Context, p *process) error {
	s, err := configSchema()
	if err != nil {
		return err
	}
	return p.printJSON(s)
}

// configSchema returns the JSON Schema of the config file, read off the types
// that the file is decoded into.
func configSchema() (*jsonschema.Schema, error) {
	words := wordSchemas()
	sources, err := sourcesSchema(words)
	if err != nil {
		return nil, err
	}
	words[reflect.TypeFor[map[string]*strictjson.Value]()] = sources
	s, err := jsonschema.For[config](&jsonschema.ForOptions{TypeSchemas: words})
	if err != nil {
		return nil, err
	}
	s.Schema = "https://json-schema.org/draft/2020-12/schema"
	s.Title = "mcp-bridge config file"
	noNull(s)
	return s, nil
}

// sourcesSchema allows each source what its kind takes.
func sourcesSchema(words map[reflect.Type]*jsonschema.Schema) (*jsonschema.Schema, error) {
	each := &jsonschema.Schema{}
	for _, kind := range sorted(kinds()) {
		s, err := jsonschema.ForType(reflect.TypeOf(kinds()[kind]()).Elem(), &jsonschema.ForOptions{TypeSchemas: words})
		if err != nil {
			return nil, fmt.Errorf("kind %s: %w", kind, err)
		}
		var word any = kind
		s.Properties["kind"].Const = &word
		each.OneOf = append(each.OneOf, s)
	}
	least := 1
	return &jsonschema.Schema{
		Type:                 "object",
		MinProperties:        &least,
		PropertyNames:        &jsonschema.Schema{Pattern: sourceName.String()},
		AdditionalProperties: each,
	}, nil
}

// wordSchemas describes the types of words.go.
func wordSchemas() map[reflect.Type]*jsonschema.Schema {
	one, hundred, hexDigits := 1.0, 100.0, 2*sha256.Size
	return map[reflect.Type]*jsonschema.Schema{
		reflect.TypeFor[duration]():     {Type: "string", Pattern: `^([0-9.]+(ns|us|µs|ms|s|m|h))+$`},
		reflect.TypeFor[count]():        {Type: "integer", Minimum: &one},
		reflect.TypeFor[percent]():      {Type: "integer", Minimum: &one, Maximum: &hundred},
		reflect.TypeFor[effect]():       {Type: "string", Enum: list(effects[:])},
		reflect.TypeFor[outputPolicy](): {Type: "string", Enum: list(outputPolicies[:])},
		reflect.TypeFor[tablesPolicy](): {Type: "string", Enum: list(tablesPolicies[:])},
		reflect.TypeFor[queryPolicy]():  {Type: "string", Enum: list(queryPolicies[:])},
		reflect.TypeFor[digest]():       {Type: "string", MinLength: &hexDigits, MaxLength: &hexDigits},
		reflect.TypeFor[claim]():        {OneOf: []*jsonschema.Schema{{Type: "string"}, {Type: "array", Items: &jsonschema.Schema{Type: "string"}}}},
		reflect.TypeFor[algorithm]():    {Type: "string", Enum: list(algorithms[:])},
		reflect.TypeFor[rateWord]():     {Type: "string"},
		reflect.TypeFor[callerHeader](): {Type: "string"},
		reflect.TypeFor[level]():        {Type: "string", Enum: list(levels[:])},
		reflect.TypeFor[role]():         {Type: "string", Enum: list(roles[:])},
	}
}

func list(words []string) []any {
	out := make([]any, len(words))
	for i, w := range words {
		out[i] = w
	}
	return out
}

// noNull takes null out of lists, which Go could hold and a file may not.
func noNull(s *jsonschema.Schema) {
	if s == nil {
		return
	}
	if len(s.Types) == 2 && s.Types[0] == "null" {
		s.Type, s.Types = s.Types[1], nil
	}
	for _, p := range s.Properties {
		noNull(p)
	}
	for _, p := range s.OneOf {
		noNull(p)
	}
	noNull(s.Items)
	noNull(s.AdditionalProperties)
}
