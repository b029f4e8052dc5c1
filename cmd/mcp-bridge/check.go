package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"path/filepath"

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
	b, err := c.bridge(p.logger(cmd.LogLevel, newMasked(p.err, c)), patience)
	if err != nil {
		return err
	}
	defer b.Close()
	found := b.Check(ctx)
	good := printFindings(newMasked(p.out, c), found)
	good = printPlaces(p.out, c) && good
	if !anyGood(found) {
		return errShown // there is no surface to wait for
	}
	_ = b.Ready(ctx) // the findings hold what its error does
	for _, s := range b.Status() {
		if s.Err == nil {
			fmt.Fprintf(p.out, "ok  %s: serves %s\n", s.Name, published(s))
		}
	}
	if s := b.Surface(); s != nil {
		printNotes(p.out, c, s)
	}
	if !good {
		return errShown
	}
	return nil
}

// printPlaces writes what would keep serve from its addresses and files, and reports
// whether nothing would. It opens nothing, because whoever checks may be another user
// than the one who serves.
func printPlaces(w io.Writer, c *config) bool {
	good := true
	if address, ok := parseAddress(c.HTTP.Listen); ok {
		if err := c.HTTP.mayListen(address); err != nil { // with --http
			fmt.Fprintf(w, "note http.listen: %v\n", err)
		}
	}
	if err := c.Admin.mayListen(); err != nil {
		good = false
		fmt.Fprintf(w, "bad %v\n", err)
	}
	if folder := filepath.Dir(c.Audit.File); c.Audit.File != "" {
		if info, err := os.Stat(folder); err != nil || !info.IsDir() {
			good = false
			fmt.Fprintf(w, "bad audit.file: there is no folder %s; make it first\n", folder)
		}
	}
	return good
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

// printNotes writes what an operator may want to mend, and how much more there is
// to see.
func printNotes(w io.Writer, c *config, s *mapping.Surface) {
	for _, d := range notes(c, s) {
		fmt.Fprintf(w, "note %s\n", d)
	}
	changed := 0
	for _, d := range s.Decisions() {
		if d.What == mapping.Dropped || d.What == mapping.Repaired {
			changed++
		}
	}
	if changed > 0 {
		fmt.Fprintf(w, "note left out or repaired: %d; mcp-bridge inspect says what, and why\n", changed)
	}
}

// anyGood reports whether a source could be loaded.
func anyGood(found map[string][]mapping.Finding) bool {
	for _, findings := range found {
		for _, f := range findings {
			if f.OK {
				return true
			}
		}
	}
	return false
}
