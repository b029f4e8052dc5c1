package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// environment is what the tests' process finds in its environment.
func environment(name string) (string, bool) {
	v, ok := map[string]string{"PETS_KEY": "hidden", "PETS": "petstore.yaml"}[name]
	return v, ok
}

func load(t *testing.T, text string) (*config, error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bridge.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	c, err := loadConfig(file, environment)
	if err != nil && !strings.HasPrefix(err.Error(), file) {
		t.Errorf("%v: does not begin with the file's name", err)
	}
	return c, err
}

// wholeConfig says something about everything.
const wholeConfig = `{
	"$schema": "./docs/config.schema.json",
	"name": "acme",
	"instructions": "Ask first.",
	"sources": {
		"pets": {"kind": "openapi", "location": "${env:PETS}", "baseURL": "http://localhost:8080/v1",
			"headers": {"X-Team": "a"}, "credentials": {"apiKeyName": "${env:PETS_KEY}"}, "variables": {"region": "eu"}, "media": {"POST /pets": "application/xml"},
			"allow": ["get_*"], "deny": ["tag:admin"], "timeout": "10s", "readOnly": true, "prefix": "",
			"overrides": {"GET /pets/{id}": {"name": "get_pet", "description": "One pet.", "effect": "reads", "hidden": true}}},
		"my-shop": {"kind": "demo-api"}
	},
	"rules": {"readOnly": true, "allow": ["effect:reads"], "deny": ["x"], "confirm": ["effect:destroys"], "outputSchemas": "always"},
	"prompts": {"report": {"description": "A report.", "arguments": [{"name": "team", "description": "Whose.", "required": true}, {"name": "week"}],
		"messages": [{"text": "Report on {{team}}."}, {"role": "assistant", "text": "For week {{week}}:"}]}},
	"limits": {"timeout": "1m30s", "concurrent": 4, "resultBytes": 30000, "drain": "1m"},
	"http": {"listen": "127.0.0.1:9000", "hosts": ["bridge.example"], "origins": ["https://app.example"]},
	"admin": {"listen": "127.0.0.1:9001", "allowRemote": true},
	"telemetry": {"traces": "http://127.0.0.1:4318", "headers": {"X-Key": "${env:PETS_KEY}"}, "sample": 10},
	"audit": {"file": "audit.jsonl", "sync": true},
	"log": {"level": "debug", "errors": true}
}`

func TestConfig(t *testing.T) {
	c, err := load(t, wholeConfig)
	if err != nil {
		t.Fatal(err)
	}
	pets := c.sources["pets"].(*openapiSource)
	if filepath.Base(pets.Location) != "petstore.yaml" || !filepath.IsAbs(pets.Location) {
		t.Errorf("location %s does not start at the config file", pets.Location)
	}
	if pets.Credentials["apiKeyName"] != "hidden" || pets.BaseURL != "http://localhost:8080/v1" || pets.Headers["X-Team"] != "a" || pets.Variables["region"] != "eu" {
		t.Errorf("pets is %+v", pets)
	}
	none, shop := "", "my_shop_"
	want := mapping.Rules{
		ReadOnly: true, Allow: []string{"effect:reads"}, Deny: []string{"x"}, Confirm: []string{"effect:destroys"},
		OutputSchemas: "always", ResultBytes: 30000,
		Prompts: []mapping.Prompt{{
			Name: "report", Text: "A report.",
			Args:     []mapping.PromptArg{{Name: "team", Text: "Whose.", Required: true}, {Name: "week"}},
			Messages: []mapping.PromptMessage{{Role: "user", Text: "Report on {{team}}."}, {Role: "assistant", Text: "For week {{week}}:"}},
		}},
		Sources: map[string]mapping.SourceRules{
			"pets": {Prefix: &none, ReadOnly: true, Allow: []string{"get_*"}, Deny: []string{"tag:admin"}, Overrides: map[string]mapping.Override{
				"GET /pets/{id}": {Name: "get_pet", Description: "One pet.", Effect: mapping.Reads, Hidden: true},
			}},
			"my-shop": {Prefix: &shop},
		},
	}
	if diff := cmp.Diff(want, c.rules()); diff != "" {
		t.Errorf("rules (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(map[string]time.Duration{"pets": 10 * time.Second}, c.timeouts()); diff != "" {
		t.Errorf("timeouts (-want +got):\n%s", diff)
	}
	if c.Name != "acme" || time.Duration(c.Limits.Timeout) != 90*time.Second || c.Limits.Concurrent != 4 || c.HTTP.Listen != "127.0.0.1:9000" || c.Log != (logConfig{"debug", true}) || c.Telemetry.Sample != 10 || c.Telemetry.Headers["X-Key"] != "hidden" || c.Admin != (adminConfig{"127.0.0.1:9001", true}) {
		t.Errorf("config is %+v", c)
	}
}

func TestConfigMistakes(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{`{}`, `:1:1: sources is missing or empty: there is nothing to serve`},
		{`{"sources": {}}`, `:1:1: sources is missing or empty: there is nothing to serve`},
		{`{"sources": {"demo": {"kind": "demo-api"}}, "limit": {}}`, `:1:45: unknown key "limit"; did you mean "limits"?`},
		{`{"sources": {"pets": {"kind": "openapi", "locaton": "x"}}}`, `:1:42: sources.pets: unknown key "locaton"; did you mean "location"?`},
		{`{"sources": {"demo": {"kind": "demo-api", "location": "x"}}}`, `:1:43: sources.demo: unknown key "location"; the keys here are kind, prefix, readOnly, allow, deny, overrides, timeout, rate`},
		{`{"sources": {"pets": {"kind": "openapi"}}}`, `:1:22: sources.pets: location is missing; it is the path of an OpenAPI document`},
		{`{"sources": {"pets": {"kind": "openapi", "location": "ftp://example.com/hidden"}}}`, `:1:54: sources.pets.location: ftp://… is not served; a SOURCE is the path or URL (http, https) of an OpenAPI document, the address of a database (postgres, mysql, sqlite), or github:OWNER/REPO`},
		{`{"sources": {"pets": {"location": "x"}}}`, `:1:22: sources.pets: kind is missing; it is one of demo-api, demo-db, github, mysql, openapi, postgres, sqlite`},
		{`{"sources": {"pets": {"kind": 1}}}`, `:1:31: sources.pets.kind: must be one of demo-api, demo-db, github, mysql, openapi, postgres, sqlite`},
		{`{"sources": {"pets": {"kind": "openai"}}}`, `:1:31: sources.pets.kind: there is no kind "openai"; did you mean openapi?`},
		{`{"sources": {"pets": {"kind": "oracle"}}}`, `:1:31: sources.pets.kind: there is no kind "oracle"; the kinds are demo-api, demo-db, github, mysql, openapi, postgres, sqlite`},
		{`{"sources": {"pets": {"kind": "postgres"}}}`, `:1:22: sources.pets: dsn is missing; it is the connection string, such as postgres://bridge@localhost/shop`},
		{`{"sources": {"pets": {"kind": "sqlite", "location": "x", "query": "on"}}}`, `:1:67: sources.pets.query: "on" is not one of auto, off, allow`},
		{`{"sources": {"gh": {"kind": "github", "token": "hidden"}}}`, `:1:20: sources.gh: repositories: a token reaches everything that its owner may; say which repositories may be reached, such as "octo/hello" or "octo/*", or "*/*" for all`},
		{`{"sources": {"gh": {"kind": "github", "toolsets": ["issue"]}}}`, `:1:20: sources.gh: toolsets[0]: there is no toolset "issue"; did you mean "issues"? the toolsets are default, all, context, repos, search, issues, pulls, actions`},
		{`{"sources": {"gh": {"kind": "github", "allow": ["repo:octo/*"]}}}`, `:1:48: sources.gh.allow: "repo:octo/*": repositories are allowed in repositories`},
		{`{"sources": {"Pets": {"kind": "demo-api"}}}`, `:1:22: sources.Pets: a source cannot be called "Pets": a name is a lower-case letter and then up to 15 lower-case letters, digits and hyphens, such as pets`},
		{`{"sources": {"pets": "petstore.yaml"}}`, `:1:22: sources.pets: must be an object, not the string "petstore.yaml"`},
		{`{"sources": {"d": {"kind": "demo-api", "timeout": 10}}}`, `:1:51: sources.d.timeout: must be a string, not 10`},
		{`{"sources": {"d": {"kind": "demo-api", "timeout": "10"}}}`, `:1:51: sources.d.timeout: "10" is not a duration such as "500ms", "10s" or "1m30s"`},
		{`{"sources": {"d": {"kind": "demo-api", "timeout": "-1s"}}}`, `:1:51: sources.d.timeout: "-1s" is not a duration such as "500ms", "10s" or "1m30s"`},
		{`{"sources": {"d": {"kind": "demo-api"}}, "limits": {"concurrent": 0}}`, `:1:67: limits.concurrent: must be at least 1, not 0`},
		{`{"sources": {"d": {"kind": "demo-api"}}, "limits": {"resultBytes": "60kB"}}`, `:1:68: limits.resultBytes: must be a number, not the string "60kB"`},
		{`{"sources": {"d": {"kind": "demo-api"}}, "log": {"level": "loud"}}`, `:1:59: log.level: "loud" is not one of debug, info, warn, error`},
		{`{"sources": {"d": {"kind": "demo-api"}}, "rules": {"outputSchemas": "yes"}}`, `:1:69: rules.outputSchemas: "yes" is not one of auto, always, never`},
		{`{"sources": {"d": {"kind": "demo-api", "overrides": {"GET /a.b": {"effect": "unknown"}}}}}`, `:1:77: sources.d.overrides["GET /a.b"].effect: "unknown" is not one of reads, writes, destroys`},
		{`{"sources": {"p": {"kind": "openapi", "location": "x", "headers": {"a b": "hidden"}}}}`, `:1:67: sources.p.headers: "a b" cannot be the name of a header`},
		{`{"sources": {"d": {"kind": "demo-api"}}, "prompts": {"p": {"messages": [{"role": "system", "text": "x"}]}}}`, `:1:82: prompts.p.messages[0].role: "system" is not one of user, assistant`},
		{`{"sources": {"p": {"kind": "openapi", "location": "${env:NONE}"}}}`, `:1:51: sources.p.location: ${env:NONE} is not set`},
		{`{"sources": {"p": {"kind": "openapi", "location": "${file:none}"}}}`, `:1:51: sources.p.location: ${file:none}: no such file or directory`},
		{`{"sources": {"d": {"kind": "demo-api", "timeout": "${env:PETS_KEY}"}}}`, `:1:51: sources.d.timeout: the value that stands in for this one does not fit`},
	} {
		_, err := load(t, c.text)
		if err == nil || !strings.HasSuffix(err.Error(), "bridge.json"+c.want) {
			t.Errorf("%s\n got %v\nwant …%s", c.text, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "hidden") {
			t.Errorf("%s\nshows a secret: %v", c.text, err)
		}
	}
}

func TestConfigMistakesComeTogether(t *testing.T) {
	_, err := load(t, `{"nam": "x", "sources": {"p": {"kind": "openapi", "location": "${env:NONE}"}}, "log": {"level": 3}}`)
	if err == nil || strings.Count(err.Error(), "\n") != 2 {
		t.Errorf("three mistakes are not three lines: %v", err)
	}
}
