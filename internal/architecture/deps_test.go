package architecture

import (
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite .ci/deps.txt")

// TestDependenciesAreListed keeps every module that the build may draw in, with
// its version, in a file that reviewers read: a new one shows in the diff.
func TestDependenciesAreListed(t *testing.T) {
	cmd := exec.CommandContext(t.Context(), "go", "list", "-m", "all")
	cmd.Dir = filepath.Join("..", "..")
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("go list -m all: %v", err)
	}
	_, got, _ := strings.Cut(string(out), "\n") // the first line is this module
	file := filepath.Join("..", "..", ".ci", "deps.txt")
	if *update {
		if err := os.WriteFile(file, []byte(got), 0o644); err != nil {
			t.Fatal(err)
		}
		return
	}
	want, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	if got != string(want) {
		t.Errorf("the modules of go.mod are not those of .ci/deps.txt: a new dependency says in its commit what it replaces, what it brings and who may import it; then run go test ./internal/architecture -update\ngot:\n%s\nwant:\n%s", got, want)
	}
}
