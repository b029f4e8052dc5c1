package github_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	bridgegithub "github.com/mcp-bridge/mcp-bridge/adapters/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

func surface(t *testing.T, o bridgegithub.Options, rules mapping.Rules) *mapping.Surface {
	t.Helper()
	c, err := bridgegithub.New(o).Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	return mapping.Build(map[string]*mapping.Catalog{"gh": c}, rules)
}

// What a model reads before its first call: the tools as a client gets them, at
// four bytes to a token.
func TestTheDefaultToolsAreSmall(t *testing.T) {
	s := surface(t, bridgegithub.Options{Repositories: []string{"octo/*"}}, mapping.Rules{ReadOnly: true})
	inputs, all := 0, 0
	for _, tool := range s.Tools() {
		listed := map[string]any{
			"name": tool.Name, "description": tool.Description, "inputSchema": tool.Input,
			"annotations": map[string]bool{"readOnlyHint": true, "destructiveHint": false, "idempotentHint": true, "openWorldHint": true},
		}
		inputs += size(t, listed)
		listed["outputSchema"] = tool.Output
		all += size(t, listed)
	}
	if n := len(s.Tools()); n != 24 {
		t.Errorf("there are %d tools by default, want 24", n)
	}
	t.Logf("%d tokens, %d with output schemas", inputs/4, all/4)
	if inputs/4 > 5_000 || all/4 > 8_000 {
		t.Errorf("they take %d tokens, want 5000 at most; %d with output schemas, want 8000 at most", inputs/4, all/4)
	}
}

func size(t *testing.T, v any) int {
	t.Helper()
	text, err := json.Marshal(v)
	if err != nil {
		t.Fatal(err)
	}
	return len(text) + 1
}

// Nothing of the catalog is dropped or mended: each row is as mapping wants it.
func TestTheCatalogIsWhole(t *testing.T) {
	s := surface(t, bridgegithub.Options{Repositories: []string{"octo/*"}, Toolsets: []string{"all"}}, mapping.Rules{OutputSchemas: "always"})
	for _, d := range s.Decisions() {
		t.Errorf("%s: %s: %s", d.Key, d.What, d.Why)
	}
	for _, tool := range s.Tools() {
		if tool.Output == nil {
			t.Errorf("%s has no output schema", tool.Name)
		}
		if strings.Contains(tool.Description, "[[") || !strings.HasPrefix(tool.Description, "Use when ") {
			t.Errorf("%s: %s", tool.Name, tool.Description)
		}
	}
}

// A single repository is not asked for.
func TestOneRepositoryIsNotAskedFor(t *testing.T) {
	s := surface(t, bridgegithub.Options{Repositories: []string{"octo/hello"}, Toolsets: []string{"all"}}, mapping.Rules{})
	for _, tool := range s.Tools() {
		var in struct{ Properties map[string]any }
		if err := json.Unmarshal(tool.Input, &in); err != nil {
			t.Fatal(err)
		}
		if in.Properties["owner"] != nil || in.Properties["repo"] != nil {
			t.Errorf("%s asks for owner or repo", tool.Name)
		}
	}
}

func TestToolsets(t *testing.T) {
	names := func(o bridgegithub.Options, readOnly bool) []string {
		o.Repositories = []string{"octo/*"}
		var list []string
		for _, tool := range surface(t, o, mapping.Rules{ReadOnly: readOnly}).Tools() {
			list = append(list, tool.Name)
		}
		return list
	}
	if got := names(bridgegithub.Options{Toolsets: []string{"actions"}}, true); !slices.Equal(got, []string{"list_workflows", "list_runs", "get_run", "list_jobs", "get_job_log"}) {
		t.Errorf("the toolset actions is %v", got)
	}
	if got := names(bridgegithub.Options{Toolsets: []string{"context"}, Tools: []string{"get_release"}}, true); !slices.Equal(got, []string{"get_me", "get_release"}) {
		t.Errorf("a tool beside a toolset: %v", got)
	}
	if got := names(bridgegithub.Options{Toolsets: []string{"context"}, Tools: []string{"merge_pull"}}, true); !slices.Equal(got, []string{"get_me"}) {
		t.Errorf("read-only keeps a write that is named: %v", got)
	}
	if got := len(names(bridgegithub.Options{}, false)) - len(names(bridgegithub.Options{}, true)); got != 15 {
		t.Errorf("%d writes, want 15", got)
	}
	for _, c := range []struct {
		o    bridgegithub.Options
		want string
	}{
		{bridgegithub.Options{Toolsets: []string{"issue"}}, `toolsets[0]: there is no toolset "issue"; did you mean "issues"?`},
		{bridgegithub.Options{Tools: []string{"get_isue"}}, `tools[0]: there is no tool "get_isue"; did you mean "get_issue"?`},
		{bridgegithub.Options{Token: "t"}, "repositories: "},
		{bridgegithub.Options{Repositories: []string{"octo"}}, "repositories[0]: "},
		{bridgegithub.Options{Host: "http://ghe.example"}, "host: it must be https"},
	} {
		if err := bridgegithub.Valid(c.o); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%+v: %v, want %s", c.o, err, c.want)
		}
	}
}
