package sql

import (
	"encoding/json"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A Database is what introspection found, in the engine's own words.
type Database struct {
	// Product and Version are the server's own: "PostgreSQL", "15.18".
	Product, Version string
	Name             string
	Comment          string
	// DefaultSchema is the schema whose tables need no qualifying in names.
	DefaultSchema string
	// Tables are sorted by their ID.
	Tables []*Table
	// Lost are tables that the engine has and cannot read.
	Lost []mapping.Decision

	named map[string][]*Table // by Name
}

// index makes finding a table independent of how many there are.
func (d *Database) index() {
	d.named = make(map[string][]*Table, len(d.Tables))
	for _, t := range d.Tables {
		d.named[t.Name] = append(d.named[t.Name], t)
	}
}

// table returns the table of this schema and name, nil if there is none.
func (d *Database) table(schema, name string) *Table {
	for _, t := range d.named[name] {
		if t.Schema == schema {
			return t
		}
	}
	return nil
}

// A Table is anything that rows can be read from.
type Table struct {
	Schema, Name string
	Kind         Kind
	Comment      string
	Columns      []*Column // in the table's order
	// Key are the columns of the primary key, or else of a unique index over
	// columns without nulls; nil if a row has no identity.
	Key  []*Column
	Refs []*Reference
	// Indexes have their columns in the index's order.
	Indexes []Index
	// Rows is the engine's estimate, -1 if it has none.
	Rows int64
}

// ID is the table's name as keys and arguments write it: "public.orders".
func (t *Table) ID() string { return t.Schema + "." + t.Name }

// Column returns the column of this name, nil if there is none.
func (t *Table) Column(name string) *Column {
	for _, c := range t.Columns {
		if c.Name == name {
			return c
		}
	}
	return nil
}

// A Kind says what a Table is.
type Kind string

// The kinds of table.
const (
	BaseTable        Kind = "table"
	Partitioned      Kind = "partitioned table"
	Foreign          Kind = "foreign table"
	View             Kind = "view"
	MaterializedView Kind = "materialized view"
)

// A Column is one column of a table or of a result, or one parameter of a
// statement.
type Column struct {
	Name string
	// Type is the engine's own text: "numeric(10,2)", "int unsigned".
	Type  string
	Class Class
	// Elem describes the elements of an array, nil for anything else.
	Elem     *Column
	Nullable bool
	// Default is the expression's text, "" if there is none.
	Default string
	// Generated columns are computed, or an identity.
	Generated bool
	Enum      []string
	Comment   string
	// Code is the engine's own type code (an OID in Postgres), 0 if it has none.
	Code uint32
	// Space is the schema of the type where an operator must be qualified by it,
	// "" for the engine's own types.
	Space string
	// Loose columns may hold values of any class, whatever they declare: SQLite's.
	Loose bool
}

// A Class says how the values of a column travel as JSON.
type Class string

// The classes of column. A value outside what its class can hold as such travels
// as the engine's own text.
const (
	Boolean   Class = "boolean"
	Integer   Class = "integer"   // at most 53 bits: a JSON number
	BigInt    Class = "bigint"    // a number while 53 bits hold it, else a string
	Decimal   Class = "decimal"   // a string, digits exact
	Float     Class = "float"     // a number, or "Infinity", "-Infinity", "NaN"
	Text      Class = "text"      // a string
	Bytes     Class = "bytes"     // {"bytes": length, "base64": content}
	Date      Class = "date"      // a string
	Time      Class = "time"      // a string
	Timestamp Class = "timestamp" // a string, with a zone only where the type has one
	UUID      Class = "uuid"      // a string
	JSON      Class = "json"      // verbatim
	Array     Class = "array"     // of values of Elem, nested as the value is
	Other     Class = "other"     // the engine's own text
)

// Schema returns the JSON Schema 2020-12 of the column's values in a result. It
// is exact: every value that an Engine passes to a Sink satisfies it.
func (c *Column) schema() json.RawMessage {
	if c.Loose {
		return json.RawMessage(`{}`)
	}
	types := `"string"`
	switch c.Class {
	case Boolean:
		types = `"boolean"`
	case Integer:
		types = `"integer"`
	case BigInt:
		types = `"integer","string"`
	case Float:
		types = `"number","string"`
	case Bytes:
		types = `"object"`
	case Array:
		types = `"array","string"`
	case JSON:
		return json.RawMessage(`{}`)
	case Decimal, Text, Date, Time, Timestamp, UUID, Other: // text
	}
	return json.RawMessage(`{"type":[` + types + `,"null"]}`)
}

// A Reference is a foreign key. Its columns stand in pairs.
type Reference struct {
	Name           string
	Columns        []string
	Schema, Table  string
	ForeignColumns []string
}

// An Index is one index of a table.
type Index struct {
	Name   string
	Unique bool
	// Columns are names, or expressions as the engine writes them.
	Columns []string
}
