package github_test

import (
	"context"
	"fmt"
	"log"

	bridgegithub "github.com/mcp-bridge/mcp-bridge/adapters/github"
)

// What is offered follows from the options; GitHub is not asked.
func ExampleNew() {
	hello := bridgegithub.New(bridgegithub.Options{
		Repositories: []string{"octo/hello"},
		Toolsets:     []string{"context"},
		Tools:        []string{"get_file", "merge_pull"},
	})
	defer hello.Close()
	catalog, err := hello.Catalog(context.Background())
	if err != nil {
		log.Fatal(err)
	}
	for _, o := range catalog.Operations {
		fmt.Println(o.Name, o.Effect)
	}
	// Output:
	// get_me reads
	// get_file reads
	// merge_pull destroys
}
