package mapping

import (
	"testing"

	"github.com/google/go-cmp/cmp"
)

// review is a surface with one prompt.
func review() *NamedPrompt {
	catalog := &Catalog{Scheme: "x", Prompts: []Prompt{{
		Name: "reviewFile",
		Args: []PromptArg{{Name: "path", Required: true}, {Name: "focus"}},
		Messages: []PromptMessage{
			{Role: "user", Text: "Review {{path}} for {{focus}}{{other}}."},
			{Role: "assistant", Block: &Block{Kind: TextResource, URI: "x://src/{{path}}", Text: "{{path}}"}},
		},
	}}}
	return Build(map[string]*Catalog{"src": catalog}, Rules{}).Prompt("review_file")
}

func TestRender(t *testing.T) {
	prompt := review()
	// A value that looks like a placeholder stays a value.
	got, err := prompt.Render(map[string]string{"path": "{{focus}}", "focus": "style"})
	if err != nil {
		t.Fatal(err)
	}
	want := []PromptMessage{
		{Role: "user", Text: "Review {{focus}} for style{{other}}."},
		{Role: "assistant", Block: &Block{Kind: TextResource, URI: "x://src/{{focus}}", Text: "{{focus}}"}},
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("Render (-want +got):\n%s", diff)
	}
	if prompt.Prompt.Messages[1].Block.URI != "x://src/{{path}}" {
		t.Error("Render changed the prompt itself")
	}
}

func TestRenderLeavesOptionalPlacesEmpty(t *testing.T) {
	got, err := review().Render(map[string]string{"path": "a.go"})
	if err != nil {
		t.Fatal(err)
	}
	if want := "Review a.go for {{other}}."; got[0].Text != want {
		t.Errorf("text = %q, want %q", got[0].Text, want)
	}
}

func TestRenderNamesEveryProblem(t *testing.T) {
	_, err := review().Render(map[string]string{"file": "a.go", "colour": "red"})
	const want = `the argument path is missing; there is no argument "colour"; there is no argument "file". review_file takes path, focus`
	if CodeOf(err) != Invalid || err.Error() != want {
		t.Errorf("error = %v, want %s", err, want)
	}
}

// The operator's prompts come first and keep their names, whatever a source
// calls its own.
func TestPromptsOfTheOperator(t *testing.T) {
	said := func(text string) []PromptMessage { return []PromptMessage{{Role: "user", Text: text}} }
	catalog := &Catalog{Scheme: "x", Prompts: []Prompt{{Name: "report", Messages: said("theirs")}}}
	s := Build(map[string]*Catalog{"src": catalog}, Rules{Prompts: []Prompt{
		{Name: "Weekly.report", Messages: said("weekly")},
		{Name: "report", Messages: said("ours")},
	}})
	var got []string
	for _, p := range s.Prompts() {
		got = append(got, p.Source+" "+p.Name+": "+p.Prompt.Messages[0].Text)
	}
	want := []string{" Weekly.report: weekly", " report: ours", "src report_0418ef: theirs"}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Errorf("prompts (-want +got):\n%s", diff)
	}
	if len(s.Decisions()) != 1 {
		t.Errorf("decisions %v, want one, about the source's prompt", s.Decisions())
	}
}
