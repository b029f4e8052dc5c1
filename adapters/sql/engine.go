package sql

import (
	"context"
	"encoding/json"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// An Engine speaks to one kind of database. All methods may run at once; their
// contexts carry a deadline, and when one ends, the statement is stopped on the
// server, not only abandoned.
//
// Every statement runs in a read-only transaction that is rolled back. Errors
// for a model are *mapping.Error and hold no DSN, host or password.
type Engine interface {
	Dialect
	// Introspect reads the schemas named, or with none all that are not the
	// system's, from the engine's catalogs: one statement per class of object,
	// never one per table.
	Introspect(ctx context.Context, schemas []string) (*Database, error)
	// Fingerprint returns text that changes when a schema does, at small cost.
	Fingerprint(ctx context.Context) (string, error)
	// Query runs one statement that this package generated.
	Query(ctx context.Context, s Statement, sink Sink) error
	// Foreign runs one statement that a model or an operator wrote: one SELECT,
	// WITH, VALUES, TABLE, or EXPLAIN of one. Anything else is a *mapping.Error
	// with code Denied. Its connection is shared with nothing generated, and closed
	// afterwards.
	Foreign(ctx context.Context, s Statement, sink Sink) error
	// Describe prepares a foreign statement without running it.
	Describe(ctx context.Context, text string) (params, columns []*Column, err error)
	// Audit looks at what the role could do beyond reading. A finding that is not
	// OK turns "query": "auto" off.
	Audit(ctx context.Context) ([]mapping.Finding, error)
	// Close closes what the engine opened, and no pool that it was given.
	Close() error
}

// A Dialect is how one engine writes SQL. Its methods are pure.
type Dialect interface {
	// Quote writes an identifier, whatever it holds.
	Quote(identifier string) string
	// Placeholder writes the n-th bound value (from 1), cast to the column's type
	// where the engine needs it.
	Placeholder(n int, of *Column) string
	// Project writes a quoted column in a select list, so that the engine's rows
	// hold it without loss.
	Project(quoted string, of *Column) string
	// Operand writes a quoted column where it is compared, sorted or grouped; ""
	// where the type has no such thing.
	Operand(quoted string, of *Column) string
	// Operator writes a comparison sign between the column's operand and a
	// placeholder: the sign itself, or one qualified by a schema.
	Operator(sign string, of *Column) string
	// Like writes a match of an operand with a pattern in which \ escapes % and _,
	// without regard to case where the engine can.
	Like(operand, placeholder string) string
}

// A Statement is SQL text with its bound values, in order.
type Statement struct {
	Text string
	// Args are JSON values as a model sent them, digits untouched: null, a
	// boolean, a number or a string; for an Array column an array of these.
	Args []json.RawMessage
	// Types are the columns that Args are compared with, nil where the server is
	// to infer them. It is empty, or as long as Args.
	Types []*Column
	// Columns are those of a table that the statement selects, in order, where it is
	// generated. There may be fewer of them than of the result's.
	Columns []*Column
	// MaxRows is how many rows the sink may get.
	MaxRows int
}

// A Sink takes a result as it arrives, from one goroutine.
type Sink interface {
	// Columns is called once, before any row. Names may repeat.
	Columns(columns []*Column) error
	// Row takes one row: a JSON value per column, as [Class] says. The slices are
	// the engine's and are overwritten by the next row. ErrEnough stops the
	// statement without an error; any other error stops it and is returned.
	Row(values []json.RawMessage) error
}
