package clients

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
)

// A client is one that others wrote, at one revision.
type client struct {
	name, revision string
	transports     []string
	// tour lists, calls and reads what the demo API has, confirms, and is told of
	// other tools.
	tour     func(t *testing.T, at door, e edit)
	confirms bool // else it cannot ask its user, and is refused
	told     bool // else it is gone by then
	// follow subscribes to a resource and returns its text after it has been told
	// of a change; nil where the client cannot.
	follow func(t *testing.T, at door, uri string, e edit) string
}

// A door is where a client meets a server.
type door struct {
	transport string
	url       string   // of a server that runs
	command   []string // which starts one, over stdio
}

const (
	overStdio = "stdio"
	overHTTP  = "HTTP"
	overSSE   = "HTTP+SSE" // the HTTP transport of 2024-11-05
)

// clients are all that the bridge is tested with.
func clients() []client {
	v1, v2 := javaScript{sdk: 1}, func(mode any) javaScript { return javaScript{sdk: 2, mode: mode} }
	pinned := map[string]string{"pin": "2026-07-28"}
	goSDKs, mcpGos := dialer(dialGoSDK), dialer(dialMCPGo)
	older, newer := "2025-11-25", "2026-07-28"
	return []client{
		{"TypeScript SDK, version 1", older, []string{overStdio, overHTTP, overSSE}, v1.tour(older, -32002), true, true, v1.follow},
		// This client shows the older code -32002 as the newer one.
		{"TypeScript SDK, version 2", older, []string{overStdio, overHTTP, overSSE}, v2("legacy").tour(older, -32602), true, true, v2("legacy").follow},
		{"TypeScript SDK, version 2", newer, []string{overStdio, overHTTP}, v2(pinned).tour(newer, -32602), true, true, v2(pinned).follow},
		{"TypeScript SDK, version 2, left to find out", newer, []string{overStdio, overHTTP}, v2("auto").tour(newer, -32602), true, true, v2("auto").follow},
		{"go-sdk", older, []string{overStdio, overHTTP, overSSE}, goSDKs.tour(older, true), true, true, goSDKs.follow(older)},
		{"go-sdk", newer, []string{overStdio, overHTTP}, goSDKs.tour(newer, true), true, true, goSDKs.follow(newer)},
		{"mcp-go", older, []string{overStdio, overHTTP}, mcpGos.tour(older, true), true, true, mcpGos.follow(older)},
		// Over this transport it takes no requests of a server, so it cannot be asked.
		{"mcp-go", older, []string{overSSE}, mcpGos.tour(older, false), false, true, mcpGos.follow(older)},
		{"mcp-go", newer, []string{overStdio, overHTTP}, mcpGos.tour(newer, true), true, true, mcpGos.follow(newer)},
		{"Inspector, `--cli`", older, []string{overStdio, overHTTP, overSSE}, inspector("legacy").tour, false, false, nil},
		{"Inspector, `--cli`", newer, []string{overStdio, overHTTP}, inspector("modern").tour, false, false, nil},
	}
}

// each runs f for clients over each of their transports.
func each(t *testing.T, clients []client, f func(t *testing.T, c client, transport string)) {
	for _, c := range clients {
		for _, transport := range c.transports {
			t.Run(c.name+"/"+c.revision+"/"+transport, func(t *testing.T) {
				t.Parallel()
				f(t, c, transport)
			})
		}
	}
}

// TestTour has every client do with the built command what a host does.
func TestTour(t *testing.T) {
	each(t, clients(), func(t *testing.T, c client, transport string) {
		notes := edit{writeFile(t, "notes.json", ""), notesDocument}
		notes.write(t, 0)
		config := writeFile(t, "bridge.json", fmt.Sprintf(tourConfig, notes.file))
		c.tour(t, meet(t, transport, program, "serve", "--config", config), notes)
	})
}

// TestFollow has every client that can subscribe do so to a resource that changes.
func TestFollow(t *testing.T) {
	self, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	able := slices.DeleteFunc(clients(), func(c client) bool { return c.follow == nil })
	each(t, able, func(t *testing.T, c client, transport string) {
		e := edit{writeFile(t, "today.txt", ""), "This is text {n}."}
		e.write(t, 0)
		at := meet(t, transport, self, folderCommand, e.folder())
		if got := c.follow(t, at, "folder://notes/today.txt", e); !strings.HasPrefix(got, "This is text ") || got == e.at(0) {
			t.Errorf("after it was told, it read %q, want a text that was written later than %q", got, e.at(0))
		}
	})
}

var update = flag.Bool("update", false, "write the table of docs/protocol.md")

// TestTableOfClients keeps the table in the documents to what is tested here.
func TestTableOfClients(t *testing.T) {
	const file, head = "../../docs/protocol.md", "| client | revision | stdio | HTTP | HTTP+SSE | lists, calls, reads | confirms | is told of lists | subscribes |\n"
	table := head + "|---|---|---|---|---|---|---|---|---|\n"
	yes := map[bool]string{true: " yes |", false: " |"}
	for _, c := range clients() {
		table += "| " + c.name + " | " + c.revision + " |"
		for _, transport := range []string{overStdio, overHTTP, overSSE} {
			table += yes[slices.Contains(c.transports, transport)]
		}
		table += " yes |" + yes[c.confirms] + yes[c.told] + yes[c.follow != nil] + "\n"
	}
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	before, rest, found := strings.Cut(string(text), head)
	if !found {
		t.Fatalf("%s has no line %s", file, head)
	}
	_, after, _ := strings.Cut(rest, "\n\n")
	if want := before + table + "\n" + after; want != string(text) {
		if !*update {
			t.Fatalf("the table of clients in %s is not that of this test; run go test ./internal/clients -run TestTableOfClients -update", file)
		}
		if err := os.WriteFile(file, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
}
