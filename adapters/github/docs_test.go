package github

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

var update = flag.Bool("update", false, "rewrite the table of docs/github.md")

// The table of tools in the documentation is made of the rows.
func TestTheTableOfTools(t *testing.T) {
	file := filepath.Join("..", "..", "docs", "github.md")
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	const mark = "<!-- tools -->\n\n"
	before, after, found := strings.Cut(string(text), mark)
	if !found {
		t.Fatalf("%s has no %q", file, mark)
	}
	end := 0
	for line := range strings.Lines(after) {
		if !strings.HasPrefix(line, "|") {
			break
		}
		end += len(line)
	}
	want := before + mark + toolTable() + after[end:]
	if want == string(text) {
		return
	}
	if !*update {
		t.Fatalf("the table of %s is not that of the code; go test ./adapters/github -run Table -update writes it down", file)
	}
	if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
		t.Fatal(err)
	}
}

func toolTable() string {
	var b strings.Builder
	b.WriteString("| Tool | Toolset | Default | Effect | Permission | What it does |\n|---|---|---|---|---|---|\n")
	for _, r := range table() {
		effect, standard := r.effect, "yes"
		if r.reads() {
			effect = mapping.Reads
		}
		if r.extra {
			standard = ""
		}
		fmt.Fprintf(&b, "| `%s` | %s | %s | %s | %s | %s |\n", r.name, r.set, standard, effect, r.needs, r.summary)
	}
	return b.String()
}
