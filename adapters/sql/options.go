package sql

import (
	"encoding/json"
	"fmt"
	"time"
)

// Options say what of a database is shown, and how. The zero Options show every
// schema that is not the system's.
type Options struct {
	// Schemas are the schemas to show; none is all that are not the system's.
	Schemas []string
	// Tables is "each" (a find and a get tool per table), "generic" (one set of
	// tools that take a table), or "auto" (also ""): each up to 12 tables, decided
	// at the first catalog and kept.
	Tables string
	// Query is "auto" (also ""): a tool for ad-hoc SELECTs where the audit of
	// privileges finds nothing; "off"; or "allow": the tool all the same.
	Query string
	// Timeout bounds each statement on the server; 0 is 10 s.
	Timeout time.Duration
	// MaxRows bounds the rows of one answer; 0 is 200.
	MaxRows int
	// Deny hides tables ("table:GLOB", of NAME or SCHEMA.NAME) and columns
	// ("column:GLOB", of NAME, TABLE.NAME or SCHEMA.TABLE.NAME) everywhere. It
	// turns ad-hoc SQL off under "auto" and is an error under "allow", because text
	// of a model's own could name what is hidden.
	Deny []string
	// Queries are tools made of SQL that the operator wrote, by name.
	Queries map[string]NamedQuery
	// Functions are user-defined or extension functions that ad-hoc SQL may call.
	Functions []string
}

// A NamedQuery is a tool made of one SELECT. Parameters are written :name.
type NamedQuery struct {
	Description string                `json:"description"`
	SQL         string                `json:"sql"`
	Params      map[string]NamedParam `json:"params,omitempty"`
}

// A NamedParam describes one parameter of a NamedQuery. Its type comes from the
// server where the engine can tell.
type NamedParam struct {
	Description string `json:"description,omitempty"`
	// Optional params that are not sent are bound as null.
	Optional bool `json:"optional,omitempty"`
	// Schema overrides the JSON Schema made from the type.
	Schema json.RawMessage `json:"schema,omitempty"`
}

// The limits that apply where Options say nothing.
const (
	defaultTimeout = 10 * time.Second
	defaultRows    = 200
	eachUpTo       = 12 // tables
	pageRows       = 50 // of a call that gives no limit
)

func (o Options) withDefaults() (Options, error) {
	if o.Timeout == 0 {
		o.Timeout = defaultTimeout
	}
	if o.MaxRows == 0 {
		o.MaxRows = defaultRows
	}
	if o.Tables == "" {
		o.Tables = "auto"
	}
	if o.Query == "" {
		o.Query = "auto"
	}
	switch {
	case o.Timeout < 0 || o.MaxRows < 0:
		return o, fmt.Errorf("timeout and maxRows cannot be negative")
	case o.Tables != "auto" && o.Tables != "each" && o.Tables != "generic":
		return o, fmt.Errorf(`tables: %q is not one of "auto", "each", "generic"`, o.Tables)
	case o.Query != "auto" && o.Query != "off" && o.Query != "allow":
		return o, fmt.Errorf(`query: %q is not one of "auto", "off", "allow"`, o.Query)
	case o.Query == "allow" && len(o.Deny) > 0:
		return o, fmt.Errorf(`query: "allow" cannot go together with denied tables or columns, which ad-hoc SQL could read; revoke them from the database role instead`)
	}
	return o, nil
}
