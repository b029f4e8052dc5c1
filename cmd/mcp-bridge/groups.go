package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"text/tabwriter"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

const (
	// manyTools are more than a model chooses well among.
	manyTools = 40
	// mostGroups are as many as are printed.
	mostGroups = 40
)

// printGroups shows what the groups of a long list take, the largest first, for
// whoever wants to serve fewer of them.
func (cmd *inspectCommand) printGroups(p *process, surface *mapping.Surface, tools []*mcp.Tool) error {
	type group struct {
		name         string
		tools, bytes int
	}
	byName := map[string]*group{}
	for _, t := range tools {
		text, err := json.Marshal(t)
		if err != nil {
			return err
		}
		name := ""
		if own := surface.Tool(t.Name); own != nil {
			name = own.Group
		}
		g := byName[name]
		if g == nil {
			g = &group{name: name}
			byName[name] = g
		}
		g.tools++
		g.bytes += len(text)
	}
	if len(tools) <= manyTools || len(byName) < 2 {
		return nil
	}
	groups := slices.SortedFunc(maps.Values(byName), func(a, b *group) int {
		return cmp.Or(cmp.Compare(b.bytes, a.bytes), cmp.Compare(a.name, b.name))
	})
	fmt.Fprintf(p.out, "\nThat is a lot for a model to choose among. %s serve fewer, by group:\n", cmd.means())
	w := tabwriter.NewWriter(p.out, 0, 0, 2, ' ', 0)
	fmt.Fprintf(w, "  \ttools\ttokens\n")
	for _, g := range groups[:min(len(groups), mostGroups)] {
		fmt.Fprintf(w, "  group:%s\t%d\t%d\n", mapping.Visible(g.name), g.tools, tokens(g.bytes))
	}
	if err := w.Flush(); err != nil {
		return err
	}
	if more := len(groups) - mostGroups; more > 0 {
		fmt.Fprintf(p.out, "Smaller groups that are not shown: %d.\n", more)
	}
	return nil
}

// means names what chooses among tools.
func (cmd *inspectCommand) means() string {
	if cmd.Config != "" {
		return "allow and deny in the config file"
	}
	return "--allow and --deny"
}
