package openapi

import (
	"path/filepath"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/vendorrules"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// TestCorpusIsWhatVendorsTake publishes every document, output schemas included,
// and holds each tool against the rules of Anthropic, OpenAI and MCP: one invalid
// tool makes a vendor refuse the whole list.
func TestCorpusIsWhatVendorsTake(t *testing.T) {
	root, files := corpus(t)
	rules, err := vendorrules.New()
	if err != nil {
		t.Fatal(err)
	}
	tools := 0
	for _, f := range files {
		c, err := New(File(filepath.Join(root, f.name)), Options{Outputs: true}).Catalog(t.Context())
		if err != nil {
			continue // TestCorpus says why
		}
		s := mapping.Build(map[string]*mapping.Catalog{"src": c}, mapping.Rules{OutputSchemas: "always"})
		const most = 24_000
		for _, tool := range s.Tools() {
			tools++
			if len(tool.Input) > most {
				t.Errorf("%s: the input of %s takes %d bytes, of at most %d", f.name, tool.Name, len(tool.Input), most)
			}
			for _, problem := range rules.Check(vendorrules.Tool{Name: tool.Name, Description: tool.Description, Input: tool.Input, Output: tool.Output}) {
				t.Errorf("%s: %s: %s", f.name, tool.Name, problem)
			}
			if _, err := tool.Bind(nil); mapping.CodeOf(err) == mapping.Internal {
				t.Errorf("%s: %s cannot be called: %v", f.name, tool.Name, err)
			}
		}
	}
	t.Logf("%d tools", tools)
}
