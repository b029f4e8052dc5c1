package main

import (
	"encoding/json"
	"os"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/adapters/openapi"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/internal/demo"
	"github.com/mcp-bridge/mcp-bridge/internal/strictjson"
)

// A source is what an operator says of one backend. Its type says the kind.
type source interface {
	// common returns what every kind takes.
	common() *sourceConfig
	// resolve checks what the types cannot, and takes relative paths from dir.
	// Errors stand at v.
	resolve(v *strictjson.Value, dir string) error
	// open makes the adapter; it reads and reaches nothing. c is for what is said
	// for all sources.
	open(c *config) core.Adapter
}

// kinds holds what a source can be, by the word of a config file. A new adapter
// becomes a kind by a line here.
func kinds() map[string]func() source {
	return map[string]func() source{
		"openapi":  func() source { return &openapiSource{} },
		"postgres": func() source { return &postgresSource{} },
		"mysql":    func() source { return &mysqlSource{} },
		"sqlite":   func() source { return &sqliteSource{} },
		"github":   func() source { return &githubSource{} },
		"demo-api": func() source { return &demoSource{} },
		"demo-db":  func() source { return &demoDatabaseSource{} },
	}
}

// newSource returns an empty source of the kind that v asks for.
func newSource(v *strictjson.Value) (source, error) {
	if err := v.Decode(&map[string]*strictjson.Value{}); err != nil {
		return nil, err
	}
	known := strings.Join(sorted(kinds()), ", ")
	kind := v.Member("kind")
	if kind == nil {
		return nil, v.Errorf("kind is missing; it is one of %s", known)
	}
	word, isText := kind.Text()
	if !isText {
		return nil, kind.Errorf("must be one of %s", known)
	}
	if make, ok := kinds()[word]; ok {
		return make(), nil
	}
	if near := meant("", word, sorted(kinds())); near != "" {
		return nil, kind.Errorf("there is no kind %q%s", word, near)
	}
	return nil, kind.Errorf("there is no kind %q; the kinds are %s", word, known)
}

// An openapiSource is an HTTP API with an OpenAPI document.
type openapiSource struct {
	sourceConfig
	Location    string            `json:"location" jsonschema:"The path or URL of the OpenAPI or Swagger document, JSON or YAML. A relative path starts at the config file."`
	BaseURL     string            `json:"baseURL,omitempty" jsonschema:"Where the API is, in place of every server that the document names."`
	Headers     headers           `json:"headers,omitempty" jsonschema:"Headers to send with every request."`
	Credentials map[string]string `json:"credentials,omitempty" jsonschema:"Secrets, by the name of the document's security scheme: a key, a token, user:password for basic, or id:secret for OAuth client credentials."`
	callerConfig
	Variables map[string]string            `json:"variables,omitempty" jsonschema:"Values of server variables, in place of the document's defaults."`
	Media     map[string]string            `json:"media,omitempty" jsonschema:"The media type to send a body as, by operation key, where the document offers several."`
	Fixed     map[string]map[string]string `json:"fixed,omitempty" jsonschema:"Arguments that are always sent with one value and never asked for: by operation key, or * for all, then by parameter name."`
	Outside   bool                         `json:"outside,omitempty" jsonschema:"Let a document on disk refer to files outside its folder."`
	Fetch     []string                     `json:"fetch,omitempty" jsonschema:"Hosts from which files that the document refers to may be fetched."`
}

func (s *openapiSource) common() *sourceConfig { return &s.sourceConfig }

func (s *openapiSource) resolve(v *strictjson.Value, dir string) error {
	if err := s.callerConfig.check(); err != nil {
		return v.Errorf("%v", err)
	}
	if err := checkBaseURL(s.BaseURL); err != nil {
		return v.Member("baseURL").Errorf("%v", err)
	}
	at := v.Member("location")
	if at == nil {
		return v.Errorf("location is missing; it is the path of an OpenAPI document")
	}
	kind, err := formOf(s.Location)
	switch {
	case err != nil:
		return at.Errorf("%v", err)
	case kind != "openapi" || s.Location == "-":
		return at.Errorf("location is the path or URL of an OpenAPI document")
	case !isURL(s.Location):
		s.Location = join(dir, s.Location)
	}
	if err := checkDocument(s.Location); err != nil {
		return at.Errorf("%v", err)
	}
	return nil
}

func isURL(location string) bool { return strings.Contains(location, "://") }

// document is what the location names.
func (s *openapiSource) document() openapi.Document {
	switch {
	case s.Location == "-":
		return openapi.Reader(os.Stdin)
	case isURL(s.Location):
		return openapi.URL(s.Location)
	}
	return openapi.File(s.Location)
}

func (s *openapiSource) open(c *config) core.Adapter {
	return openapi.New(s.document(), openapi.Options{
		BaseURL:      s.BaseURL,
		Headers:      s.Headers.http(),
		Credentials:  s.Credentials,
		CallerScheme: s.CallerScheme,
		Variables:    s.Variables,
		Media:        s.Media,
		Fixed:        s.fixed(),
		Outside:      s.Outside,
		Fetch:        s.Fetch,
		Outputs:      c.Rules.OutputSchemas == "always",
		Secrets:      s.brought(c.found.values),
		Proxy:        c.proxy,
	})
}

// brought returns those of these texts that are sent to the API in headers and
// fixed arguments. An address that came from outside is not among them: answers
// may name it.
func (s *openapiSource) brought(private []string) []string {
	var sent []string
	for _, value := range s.Headers {
		sent = append(sent, value)
	}
	for _, values := range s.Fixed {
		for _, value := range values {
			sent = append(sent, value)
		}
	}
	return slices.DeleteFunc(slices.Clone(private), func(text string) bool {
		return text == "" || !slices.ContainsFunc(sent, func(value string) bool { return strings.Contains(value, text) })
	})
}

// fixed are the fixed arguments as JSON. Texts are enough: on the wire a number
// is its digits.
func (s *openapiSource) fixed() map[string]map[string]json.RawMessage {
	all := map[string]map[string]json.RawMessage{}
	for key, values := range s.Fixed {
		all[key] = map[string]json.RawMessage{}
		for name, value := range values {
			if text, err := json.Marshal(value); err == nil { // a string can always be encoded
				all[key][name] = text
			}
		}
	}
	return all
}

// A demoSource is the shop API that the program carries. Its data live in
// memory and begin afresh with each process.
type demoSource struct {
	sourceConfig
}

func (s *demoSource) common() *sourceConfig { return &s.sourceConfig }

func (s *demoSource) resolve(*strictjson.Value, string) error { return nil }

func (s *demoSource) open(c *config) core.Adapter {
	return openapi.New(openapi.Bytes(demo.Document()), openapi.Options{
		Handler: demo.Handler(),
		Outputs: c.Rules.OutputSchemas == "always",
	})
}
