package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"
)

func TestMistakesOnTheCommandLine(t *testing.T) {
	for _, c := range []struct{ args, want string }{
		{"", "a command is missing"},
		{"srve", `there is no command "srve"; did you mean serve?`},
		{"serve --htp x.yaml", "serve has no flag --htp; did you mean --http?"},
		{"petstore.yaml", `there is no command "petstore.yaml"; did you mean serve petstore.yaml?`},
		{"serve --stdio x.yaml", "serve has no flag --stdio; without --http it serves on standard input and output"},
		{"serve --port 80 x.yaml", "serve has no flag --port; --http ADDR serves over HTTP"},
		{"inspect -read-only x.yaml", "inspect has no flag -read-only; did you mean --read-only?"},
		{"inspect --zzzzzzzzzzzz x.yaml", "its flags are --config, --read-only, "},
		{"call x.yaml list_pets", "the TOOL stands first"},
		{`call list_pets x.yaml {"id":3}`, "given with --args, as one JSON object"},
		{"read x.yaml", "the URI stands first"},
		{"call", "the name of a TOOL is missing"},
		{"read --json", "the URI of a resource is missing"},
		{"version now", "unexpected argument now"},
		{"serve --http=nowhere x.yaml", `"nowhere" is not an address`},
		{"check --log-level loud x.yaml", "loud"},
		{"check --config", "--config"},
	} {
		var out bytes.Buffer
		_, err := parse(strings.Fields(c.args), &out)
		if err == nil || !strings.Contains(err.Error(), c.want) || out.Len() > 0 {
			t.Errorf("mcp-bridge %s: %v, printed %q; want %q", c.args, err, &out, c.want)
		}
	}
}

// The word after --http is its address only if it looks like one.
func TestHTTPFlag(t *testing.T) {
	for _, c := range []struct {
		args    string
		given   bool
		address string
		sources []string
	}{
		{"x.yaml", false, "", []string{"x.yaml"}},
		{"x.yaml --http", true, "", []string{"x.yaml"}},
		{"--http x.yaml", true, "", []string{"x.yaml"}},
		{"--http :8808 x.yaml", true, ":8808", []string{"x.yaml"}},
		{"x.yaml --http 8808", true, "127.0.0.1:8808", []string{"x.yaml"}},
		{"--http=[::1]:80 x.yaml --read-only", true, "[::1]:80", []string{"x.yaml"}},
		{"-- --http :8808", false, "", []string{"--http", ":8808"}},
	} {
		cmd, err := parse(append([]string{"serve"}, strings.Fields(c.args)...), nil)
		serve, ok := cmd.(*serveCommand)
		if err != nil || !ok {
			t.Errorf("serve %s: %v", c.args, err)
			continue
		}
		if serve.HTTP.given != c.given || serve.HTTP.address != c.address || !slices.Equal(serve.Sources, c.sources) {
			t.Errorf("serve %s: %+v and sources %q, want %+v", c.args, serve.HTTP, serve.Sources, c)
		}
	}
}
