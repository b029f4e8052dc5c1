package github_test

import (
	"slices"
	"testing"

	bridgegithub "github.com/mcp-bridge/mcp-bridge/adapters/github"
	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

func TestCompletions(t *testing.T) {
	w := fileWorld()
	w.Repositories = append(w.Repositories,
		githubfake.Repository{Owner: "octo", Name: "secret", Commits: []githubfake.Commit{{Message: "Begin"}}},
		githubfake.Repository{Owner: "evil", Name: "hello", Commits: []githubfake.Commit{{Message: "Begin"}}})
	w.Repositories[0].Issues = []githubfake.Issue{{Title: "One"}, {Title: "Two"}, {Title: "Three", Pull: &githubfake.Pull{Head: "feature/x", Base: "main"}}}
	d := newHub(t, w, "octo/*", "acme/web", "acme/core", "!octo/secret")
	contents := "{owner}/{repo}/contents{/path*}{?ref}"
	known := map[string]string{"owner": "octo", "repo": "hello"}
	for _, c := range []struct {
		name string
		c    mapping.Completion
		want []string
	}{
		{"owners", mapping.Completion{Resource: contents, Argument: "owner"}, []string{"acme", "octo"}},
		{"repositories of the list", mapping.Completion{Resource: contents, Argument: "repo", Known: map[string]string{"owner": "acme"}}, []string{"core", "web"}},
		{"repositories that are found", mapping.Completion{Resource: contents, Argument: "repo", Known: map[string]string{"owner": "octo"}}, []string{"empty", "hello"}},
		{"repositories out of reach", mapping.Completion{Resource: contents, Argument: "repo", Known: map[string]string{"owner": "evil"}}, nil},
		{"refs", mapping.Completion{Resource: contents, Argument: "ref", Prefix: "fea", Known: known}, []string{"feature/x", "feature/x#1"}},
		{"tags", mapping.Completion{Resource: contents, Argument: "ref", Prefix: "v", Known: known}, []string{"v1.0"}},
		{"paths", mapping.Completion{Resource: contents, Argument: "path", Prefix: "s", Known: known}, []string{"src/"}},
		{"paths below", mapping.Completion{Resource: contents, Argument: "path", Prefix: "src/m", Known: known}, []string{"src/main.go"}},
		{"paths out of reach", mapping.Completion{Resource: contents, Argument: "path", Known: map[string]string{"owner": "octo", "repo": "secret"}}, nil},
		{"issues", mapping.Completion{Resource: "{owner}/{repo}/issues/{number}", Argument: "number", Known: known}, []string{"3", "2", "1"}},
		{"pull requests", mapping.Completion{Prompt: "review_pull_request", Argument: "number", Known: known}, []string{"3"}},
		{"an empty repository", mapping.Completion{Resource: contents, Argument: "path", Known: map[string]string{"owner": "octo", "repo": "empty"}}, nil},
	} {
		got, err := d.Complete(t.Context(), c.c)
		if err != nil || !slices.Equal(got.Values, c.want) {
			t.Errorf("%s: %v, %v; want %v", c.name, got.Values, err, c.want)
		}
	}
}

func TestPromptsNameWhatIsServed(t *testing.T) {
	for _, c := range []struct {
		o    bridgegithub.Options
		want []string
	}{
		{bridgegithub.Options{Repositories: []string{"octo/*"}}, []string{"owner", "repo", "number"}},
		{bridgegithub.Options{Repositories: []string{"octo/hello"}, Toolsets: []string{"all"}}, []string{"run_id"}},
	} {
		s := surface(t, c.o, mapping.Rules{ReadOnly: true})
		if len(s.Prompts()) != 2 {
			t.Fatalf("%d prompts, want 2", len(s.Prompts()))
		}
		var args []string
		for _, a := range s.Prompts()[1].Prompt.Args {
			args = append(args, a.Name)
		}
		if !slices.Equal(args, c.want) {
			t.Errorf("%s takes %v, want %v", s.Prompts()[1].Name, args, c.want)
		}
	}
}
