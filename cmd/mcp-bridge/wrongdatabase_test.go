package main

import (
	"bytes"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
)

// Whoever gives a wrong address of a database learns what was wrong with it, and
// sees no password.
func TestDatabaseOfAWrongAddress(t *testing.T) {
	port := pgtest.Start(t).Port
	for _, c := range []struct {
		dsn  string
		want []string
	}{
		{fmt.Sprintf("postgres://nobody:hidden-one@127.0.0.1:%d/postgres", port), []string{"refuses the credentials", "user=nobody database=postgres", fmt.Sprintf("127.0.0.1:%d", port), "SQLSTATE 28000"}},
		{fmt.Sprintf("postgres://postgres:hidden-one@127.0.0.1:%d/shp", port), []string{"there is no such database", "user=postgres database=shp", "SQLSTATE 3D000"}},
		{"postgres://postgres:hidden-one@127.0.0.1:1/shop", []string{"cannot be reached", "user=postgres database=shop", "127.0.0.1:1", "connection refused"}},
		{"postgres://postgres:hidden@one@127.0.0.1:1/shop", []string{"cannot be read", "%40"}},
		{"mysql://root:hidden-one@127.0.0.1:1/shop", []string{"cannot be reached", "127.0.0.1:1", "connection refused"}},
		{"mysql://root:hidden@one@127.0.0.1:1/shop", []string{"cannot be read", "%40"}},
		{"mysql://root:12/hidden@127.0.0.1:1/shop", []string{"cannot be read", "%2F"}},
		{"mysql://root:12#hidden@127.0.0.1:1/shop", []string{"cannot be read", "%23"}},
	} {
		commands := []string{"check", "inspect", "call x"}
		if strings.Contains(c.dsn, "127.0.0.1:1/") { // the others would wait for what may come yet
			commands = commands[:1]
		}
		for _, command := range commands {
			var out bytes.Buffer
			p := &process{in: strings.NewReader(""), out: &out, err: &out, lookup: os.LookupEnv}
			if code := p.run(append(strings.Fields(command), c.dsn)); code != exitFailed {
				t.Errorf("%s %s ends with %d", command, c.dsn, code)
			}
			for _, want := range c.want {
				if !strings.Contains(out.String(), want) {
					t.Errorf("%s %s: %q does not say %q", command, c.dsn, &out, want)
				}
			}
			if strings.Contains(out.String(), "hidden") {
				t.Errorf("%s %s shows the password: %q", command, c.dsn, &out)
			}
		}
	}
}
