package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/spf13/pflag"
)

type inspectCommand struct {
	backendFlags
	JSON bool
}

func (cmd *inspectCommand) flags(f *pflag.FlagSet) {
	cmd.backendFlags.flags(f)
	f.BoolVar(&cmd.JSON, "json", false, "print the lists as a client gets them, with the decisions")
}

// Run prints the surface. It fails if a source did, after printing the others.
func (cmd *inspectCommand) Run(ctx context.Context, p *process) error {
	b, failed := cmd.loaded(ctx, p)
	if b == nil {
		return failed
	}
	defer b.Close()
	if err := cmd.print(p, b); err != nil {
		return err
	}
	return failed
}

func (cmd *inspectCommand) print(p *process, b *core.Bridge) error {
	lists := b.Lists()
	if cmd.JSON {
		return p.printJSON(lists)
	}
	tools, err := json.Marshal(lists.Tools)
	if err != nil {
		return err
	}
	takes := "take"
	if len(lists.Tools) == 1 {
		takes = "takes"
	}
	if _, err = fmt.Fprintf(p.out, "%s\n\n%s %s about %d tokens of a model's context (%d bytes / 4).\n",
		strings.TrimRight(b.Surface().Text(), "\n"), mapping.Counted(len(lists.Tools), "tool"), takes, tokens(len(tools)), len(tools)); err != nil {
		return err
	}
	return cmd.printGroups(p, b.Surface(), lists.Tools)
}

// tokens is about how many tokens a model makes of so many bytes of JSON.
func tokens(bytes int) int { return (bytes + 3) / 4 }

// printJSON writes one value for another program to read.
func (p *process) printJSON(v any) error {
	var plain bytes.Buffer
	e := json.NewEncoder(&plain)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		return err
	}
	_, err := p.out.Write(indented(plain.Bytes()))
	return err
}
