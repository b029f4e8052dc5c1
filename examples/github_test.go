package examples_test

import (
	"context"
	"fmt"
	"log"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"

	bridgegithub "github.com/mcp-bridge/mcp-bridge/adapters/github"
)

// One repository on GitHub, to be read. GitHub is asked for nothing before the
// first call.
func Example_github() {
	ctx := context.Background()
	token := "github_pat_…"

	hello := bridgegithub.New(bridgegithub.Options{Repositories: []string{"octo/hello"}, Token: token})
	b, err := core.New(core.Options{Name: "hello", Rules: mapping.Rules{ReadOnly: true}}, core.Sources{"gh": hello})
	if err != nil {
		log.Fatal(err)
	}
	defer b.Close()

	if err := b.Ready(ctx); err != nil {
		log.Fatal(err)
	}
	fmt.Println(len(b.Surface().Tools()), "tools; get_file takes")
	fmt.Println(string(b.Surface().Tool("get_file").Input))
	// Output:
	// 24 tools; get_file takes
	// {"type":"object","properties":{"path":{"type":"string","description":"Path from the root."},"ref":{"type":"string","description":"Branch, tag or SHA; default branch if left out."},"start_line":{"type":"integer","minimum":1,"description":"First line, from 1."},"end_line":{"type":"integer","minimum":1,"description":"Last line."}},"required":["path"],"additionalProperties":false}
}
