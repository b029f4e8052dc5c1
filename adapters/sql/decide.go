package sql

import (
	"context"
	"fmt"
	"path"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// decide fixes, at the first catalog, whether each table gets tools of its own
// and whether ad-hoc SQL is served.
func (a *Adapter) decide(ctx context.Context, d *Database) error {
	if a.decided {
		return nil
	}
	a.each = a.options.Tables == "each" || a.options.Tables == "auto" && len(d.Tables) <= eachUpTo
	if a.options.Tables == "auto" {
		a.choose("tables", fmt.Sprintf(`"auto" shows the tables (%d) with %s`, len(d.Tables), map[bool]string{
			true:  "tools of their own",
			false: "one set of tools, because each table's own would be too many",
		}[a.each]))
	}
	findings, err := a.engine.Audit(ctx)
	if err != nil {
		return fmt.Errorf("audit privileges: %w", err)
	}
	var bad []string
	for _, f := range findings {
		if !f.OK {
			bad = append(bad, strings.TrimSuffix(f.Text+": "+f.Mend, ": "))
		}
	}
	a.adhoc = a.adhocAllowed(bad)
	a.decided = true
	return nil
}

func (a *Adapter) adhocAllowed(bad []string) bool {
	switch {
	case a.options.Query == "off":
		a.choose("query", `"off": no tool for ad-hoc SQL`)
		return false
	case a.options.Query == "allow":
		a.choose("query", `"allow": ad-hoc SQL is served whatever the role could do`+listed(". The audit found: ", bad))
		return true
	case len(a.options.Deny) > 0:
		a.choose("query", `"auto": no tool for ad-hoc SQL, because it could read the denied tables and columns; revoke them from the database role and remove the denials to have one`)
		return false
	case len(bad) > 0:
		a.choose("query", `"auto": no tool for ad-hoc SQL`+listed(", because the audit found: ", bad))
		return false
	}
	a.choose("query", `"auto": ad-hoc SQL is served, because the audit found nothing that the role could do beyond reading`)
	return true
}

func listed(lead string, items []string) string {
	if len(items) == 0 {
		return ""
	}
	return lead + strings.Join(items, "; ")
}

func (a *Adapter) choose(key, why string) {
	a.why = append(a.why, mapping.Decision{Key: key, What: mapping.Chosen, Why: why})
}

// absent notes what was asked for and is not there: a schema by a name that has no
// tables, or any table at all.
func (o Options) absent(d *Database) []mapping.Decision {
	var notes []mapping.Decision
	var there []string
	for _, t := range d.Tables {
		if !slices.Contains(there, t.Schema) {
			there = append(there, t.Schema)
		}
	}
	for i, schema := range o.Schemas {
		if slices.Contains(there, schema) {
			continue
		}
		note := fmt.Sprintf("schemas[%d]: %q has no table that the role may see", i, schema)
		if near := mapping.Nearest(schema, there, 1); near != nil {
			note += "; did you mean " + near[0] + "?"
		}
		notes = append(notes, mapping.Decision{What: mapping.Noted, Why: note})
	}
	if len(d.Tables) == 0 && notes == nil {
		notes = append(notes, mapping.Decision{What: mapping.Noted, Why: "the database has no table that the role may see"})
	}
	return notes
}

// hide takes denied tables and columns out of the database, with all that names
// them, and notes what the options name in vain.
func (o Options) hide(d *Database) []mapping.Decision {
	lost := append(o.absent(d), o.unusedDenials(d)...)
	d.Tables = slices.DeleteFunc(d.Tables, func(t *Table) bool {
		if !o.denied("table", t.Name, t.ID()) {
			return false
		}
		lost = append(lost, mapping.Decision{Key: t.ID(), What: mapping.Dropped, Why: "denied by the operator"})
		return true
	})
	for _, t := range d.Tables {
		lost = append(lost, o.hideColumns(t)...)
	}
	return lost
}

// unusedDenials notes each entry that hides nothing: a slip of the pen would
// otherwise show what should be hidden.
func (o Options) unusedDenials(d *Database) []mapping.Decision {
	var notes []mapping.Decision
	for _, entry := range o.Deny {
		one := Options{Deny: []string{entry}}
		used := slices.ContainsFunc(d.Tables, func(t *Table) bool {
			return one.denied("table", t.Name, t.ID()) || slices.ContainsFunc(t.Columns, func(c *Column) bool { return one.deniedColumn(t.Schema, t.Name, c.Name) })
		})
		if !used {
			note := fmt.Sprintf("deny: %q matches no table and no column", entry)
			if near := mapping.Nearest(entry, deniable(d), 1); near != nil {
				note += "; did you mean " + near[0] + "?"
			}
			notes = append(notes, mapping.Decision{What: mapping.Noted, Why: note})
		}
	}
	return notes
}

// deniable are entries that would hide something, in their short forms.
func deniable(d *Database) []string {
	var entries []string
	for _, t := range d.Tables {
		entries = append(entries, "table:"+t.Name)
		for _, c := range t.Columns {
			entries = append(entries, "column:"+c.Name, "column:"+t.Name+"."+c.Name)
		}
	}
	return entries
}

// hideColumns takes denied columns out of a table, with the keys, indexes,
// references and expressions that name them.
func (o Options) hideColumns(t *Table) []mapping.Decision {
	var lost []mapping.Decision
	var names []string
	t.Columns = slices.DeleteFunc(t.Columns, func(c *Column) bool {
		if !o.deniedColumn(t.Schema, t.Name, c.Name) {
			return false
		}
		names = append(names, c.Name)
		lost = append(lost, mapping.Decision{Key: t.ID() + "." + c.Name, What: mapping.Dropped, Why: "denied by the operator"})
		return true
	})
	hidden := func(name string) bool { return slices.Contains(names, name) }
	if slices.ContainsFunc(t.Key, func(c *Column) bool { return hidden(c.Name) }) {
		t.Key = nil
	}
	t.Indexes = slices.DeleteFunc(t.Indexes, func(x Index) bool {
		return slices.ContainsFunc(x.Columns, func(c string) bool { return t.Column(c) == nil })
	})
	t.Refs = slices.DeleteFunc(t.Refs, func(r *Reference) bool {
		return o.denied("table", r.Table, r.Schema+"."+r.Table) || slices.ContainsFunc(r.Columns, hidden) ||
			slices.ContainsFunc(r.ForeignColumns, func(c string) bool { return o.deniedColumn(r.Schema, r.Table, c) })
	})
	for _, c := range t.Columns {
		if slices.ContainsFunc(names, func(name string) bool { return strings.Contains(strings.ToLower(c.Default), strings.ToLower(name)) }) {
			c.Default = ""
		}
	}
	return lost
}

func (o Options) deniedColumn(schema, table, column string) bool {
	return o.denied("column", column, table+"."+column, schema+"."+table+"."+column)
}

// denied reports whether a deny entry of this kind matches one of the names.
func (o Options) denied(kind string, names ...string) bool {
	for _, entry := range o.Deny {
		k, glob, _ := strings.Cut(entry, ":")
		if k != kind {
			continue
		}
		for _, name := range names {
			if ok, err := path.Match(strings.ToLower(glob), strings.ToLower(name)); ok && err == nil {
				return true
			}
		}
	}
	return false
}
