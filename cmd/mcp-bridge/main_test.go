package main

import (
	"bytes"
	"flag"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

var update = flag.Bool("update", false, "rewrite the files that are made of the code, and the expected output in testdata")

func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"mcp-bridge": main})
}

// TestScripts runs testdata/*.txtar: what a user types and what comes back.
// $ROOT is the root of the repository.
func TestScripts(t *testing.T) {
	root, err := filepath.Abs(filepath.Join("..", ".."))
	if err != nil {
		t.Fatal(err)
	}
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		UpdateScripts:       *update,
		Setup: func(e *testscript.Env) error {
			e.Setenv("ROOT", root)
			return nil
		},
	})
}

func TestExitCodes(t *testing.T) {
	missing := filepath.Join(t.TempDir(), "none.yaml")
	for _, c := range []struct {
		args string
		code int
	}{
		{"version", 0},
		{"--help", 0},
		{"call --help", 0},
		{"", 2},
		{"srve", 2},
		{"inspect --no-such-flag x", 2},
		{"call", 2},
		{"serve --log-level=loud x.yaml", 2},
		{"serve --http=nowhere x.yaml", 2},
		{"inspect", 1},
		{"inspect " + missing, 1},
		{"check " + missing, 1},
		{"inspect --config " + missing, 1},
	} {
		var out, errs bytes.Buffer
		p := &process{in: strings.NewReader(""), out: &out, err: &errs, lookup: os.LookupEnv}
		code := p.run(strings.Fields(c.args))
		if code != c.code {
			t.Errorf("mcp-bridge %s ends with %d, want %d; it wrote %q and %q", c.args, code, c.code, &out, &errs)
		}
	}
}
