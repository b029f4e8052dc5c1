package main

import (
	"context"
	"fmt"
	"io"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

type checkCommand struct {
	backendFlags
}

// Run loads every source and prints what was found; it fails if anything is
// wrong.
func (cmd *checkCommand) Run(ctx context.Context, p *process) error {
	c, err := cmd.config(p)
	if err != nil {
		return err
	}
	b, err := c.bridge(p.logger(cmd.LogLevel), patience)
	if err != nil {
		return err
	}
	defer b.Close()
	good := printFindings(p.out, b.Check(ctx))
	_ = b.Ready(ctx) // the findings hold what its error does
	if s := b.Surface(); s != nil {
		for _, d := range notes(s) {
			fmt.Fprintf(p.out, "note %s\n", d.Why)
		}
	}
	if !good {
		return errShown
	}
	return nil
}

// printFindings writes findings by source and reports whether all are good.
func printFindings(w io.Writer, found map[string][]mapping.Finding) bool {
	good := true
	for _, name := range sorted(found) {
		for _, f := range found[name] {
			word := "ok"
			if !f.OK {
				word, good = "bad", false
			}
			fmt.Fprintf(w, "%-4s%s: %s\n", word, name, f.Text)
			if f.Mend != "" {
				fmt.Fprintf(w, "      %s\n", f.Mend)
			}
		}
	}
	return good
}
