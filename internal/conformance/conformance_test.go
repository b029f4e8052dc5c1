package main

import (
	"log/slog"
	"slices"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// The suite itself needs Node.js; this finds out early whether the fixtures are
// still there under the names that it looks for.
func TestFixturesAreListed(t *testing.T) {
	b, err := newBridge(slog.New(slog.DiscardHandler))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { b.Close() })
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	here, there := mcp.NewInMemoryTransports()
	addRaw(b.Server(), newStateKey())
	if _, err := b.Server().Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, nil)
	session, err := client.Connect(t.Context(), here, nil)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { session.Close() })

	var tools []string
	for tool, err := range session.Tools(t.Context(), nil) {
		if err != nil {
			t.Fatal(err)
		}
		tools = append(tools, tool.Name)
	}
	for _, want := range []string{"test_simple_text", "test_tool_with_progress", "test_missing_capability", "test_input_required_result_elicitation", "json_schema_2020_12_tool"} {
		if !slices.Contains(tools, want) {
			t.Errorf("the list of tools lacks %s", want)
		}
	}
	for _, uri := range []string{"test://static-text", "test://template/123/data"} {
		if _, err := session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri}); err != nil {
			t.Errorf("read %s: %v", uri, err)
		}
	}
}

func TestStateComesBackOnlyUnchanged(t *testing.T) {
	key := newStateKey()
	state := key.seal("tool", "asked")
	if text, ok := key.open("tool", state); !ok || text != "asked" {
		t.Errorf("open gave %q, %v, want what was sealed", text, ok)
	}
	for name, try := range map[string]func() (string, bool){
		"changed":            func() (string, bool) { return key.open("tool", state+"-TAMPERED") },
		"of another tool":    func() (string, bool) { return key.open("other", state) },
		"of another process": func() (string, bool) { return newStateKey().open("tool", state) },
		"empty":              func() (string, bool) { return key.open("tool", "") },
	} {
		if text, ok := try(); ok {
			t.Errorf("a state that is %s opened as %q", name, text)
		}
	}
}
