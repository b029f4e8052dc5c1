package sql

import (
	"fmt"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// named finds a table by the name a model wrote: SCHEMA.TABLE, or TABLE where
// only one schema has it.
func (a *Adapter) named(d *Database, name string) (*Table, error) {
	for i := range len(name) { // a dot may belong to either name
		if name[i] != '.' {
			continue
		}
		if t := d.table(name[:i], name[i+1:]); t != nil {
			return t, nil
		}
	}
	found := d.named[name]
	if len(found) == 1 {
		return found[0], nil
	}
	if len(found) > 1 {
		return nil, &mapping.Error{Code: mapping.Invalid, Problem: fmt.Sprintf("table %q is in several schemas", name), Allowed: "write one of " + ids(found)}
	}
	e := &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("there is no table %q", name), Next: "call [[list_tables]] to see what there is"}
	if near := similar(d, name); len(near) > 0 {
		e.Allowed = "near names are " + ids(near)
	} else if len(d.Tables) <= eachUpTo {
		e.Allowed = "the tables are " + ids(d.Tables)
	}
	return nil, e
}

// similar returns up to five tables whose names hold the name, or are held by it.
func similar(d *Database, name string) []*Table {
	_, bare, cut := strings.Cut(strings.ToLower(name), ".")
	if !cut {
		bare = strings.ToLower(name)
	}
	var near []*Table
	for _, t := range d.Tables {
		other := strings.ToLower(t.Name)
		if bare != "" && (strings.Contains(other, bare) || strings.Contains(bare, other)) {
			if near = append(near, t); len(near) == 5 {
				break
			}
		}
	}
	return near
}

func ids(tables []*Table) string {
	names := make([]string, len(tables))
	for i, t := range tables {
		names[i] = t.ID()
	}
	return strings.Join(names, ", ")
}
