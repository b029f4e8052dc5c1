// Package sql is what the adapters for databases share: the model of a schema,
// the operations and resources made from it, structured filters compiled to SQL,
// rows written as JSON without loss, pages by key, and the gate in front of
// foreign SQL.
//
// A dialect (adapters/sql/postgres, mysql, sqlite) implements [Engine] and links
// its own driver. The package itself links none. Import it as bridgesql.
package sql
