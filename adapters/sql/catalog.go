package sql

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// build makes the catalog of a database and what runs each of its operations.
func (a *Adapter) build(ctx context.Context, d *Database) *state {
	d.index()
	s := &state{database: d, runs: map[string]run{}, catalog: &mapping.Catalog{
		Scheme: "db",
		About:  about(d),
	}}
	if a.each {
		for _, t := range d.Tables {
			a.addTable(s, t)
		}
	} else {
		a.addGeneric(s)
	}
	s.add(a.countOperation(d), func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
		return a.count(ctx, d, c)
	})
	a.addNamed(ctx, s)
	if a.adhoc {
		s.add(queryOperation(a.engine, a.options), a.query)
	}
	s.catalog.Resources = resources(d)
	s.catalog.Prompts = prompts()
	return s
}

// add puts an operation and what runs it into the catalog. All operations of a
// database read, and their answers keep to their schema.
func (s *state) add(o mapping.Operation, r run) {
	o.Effect, o.Idempotent, o.Exact = mapping.Reads, true, true
	s.catalog.Operations = append(s.catalog.Operations, o)
	s.runs[o.Key] = r
}

func about(d *Database) string {
	text := fmt.Sprintf("%s database with %d tables and views, read-only.", d.Product, len(d.Tables))
	if d.Comment != "" {
		text += " " + d.Comment
	}
	return text
}

// addTable adds the find and the get of one table.
func (a *Adapter) addTable(s *state, t *Table) {
	noun := t.Name
	if t.Schema != s.database.DefaultSchema {
		noun = t.Schema + "_" + t.Name
	}
	labels := labelsOf(t)
	s.add(mapping.Operation{
		Key: t.ID() + "/find", Name: "find_" + noun, Group: t.Schema, Noun: noun, Verb: "list", Labels: labels, Where: t.ID(),
		Summary: fmt.Sprintf("Rows of %s, filtered, sorted and paged.", t.described()),
		Use:     fmt.Sprintf("Use when you need rows of the %s %s that fit conditions, or a page of them.", t.Kind, t.ID()),
		Avoid:   avoidFind(t),
		Text:    t.text(),
		Params:  a.findParams(t),
		Output:  findOutput(t),
	}, func(ctx context.Context, c mapping.Call) (*mapping.Result, error) { return a.find(ctx, t, c) })
	if t.Key == nil {
		return
	}
	o := mapping.Operation{
		Key: t.ID() + "/get", Name: "get_" + noun, Group: t.Schema, Noun: noun, Verb: "get", Labels: labels, Where: t.ID(),
		Summary: fmt.Sprintf("One row of %s by its key, with every column.", t.described()),
		Use:     fmt.Sprintf("Use when you know the key (%s) of a row of %s and need all of it.", strings.Join(keyNames(t), ", "), t.ID()),
		Avoid:   fmt.Sprintf("Do not use for looking rows up by anything else; use [[%s/find]] instead.", t.ID()),
		Text:    t.text(),
		Output:  object("row", t.rowSchema()),
	}
	for _, c := range t.Key {
		o.Params = append(o.Params, mapping.Param{Name: c.Name, Text: c.text(), Required: true, Schema: c.input()})
	}
	s.add(o, func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
		key := map[string]json.RawMessage{}
		for _, arg := range c.Args {
			key[arg.Name] = arg.Value
		}
		return a.get(ctx, t, key, c.Budget)
	})
}

func avoidFind(t *Table) string {
	if t.Key == nil {
		return "Do not use for counting; use [[count]] instead."
	}
	return fmt.Sprintf("Do not use for one row whose key you know; use [[%s/get]] instead, or for counting; use [[count]] instead.", t.ID())
}

// findKey is the operation that finds rows of the table.
func (a *Adapter) findKey(t *Table) string {
	if a.each {
		return t.ID() + "/find"
	}
	return "find_rows"
}

// labelsOf are the names that a policy may match the table by.
func labelsOf(t *Table) map[string][]string {
	return map[string][]string{"table": {t.Name, t.ID()}}
}
