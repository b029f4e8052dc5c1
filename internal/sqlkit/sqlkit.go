// Package sqlkit is what every dialect's tests hold against the conformance kit:
// one small database, what is known of it, and slow SQL.
package sqlkit

import (
	"context"
	"encoding/json"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// Schema makes the database in SQL that every dialect reads. The primary keys are
// of one and of two columns, and one integer is beyond what a double holds.
const Schema = `CREATE TABLE customers (id BIGINT NOT NULL PRIMARY KEY, name VARCHAR(100) NOT NULL, note VARCHAR(2000));
CREATE TABLE items (customer BIGINT NOT NULL REFERENCES customers (id), code VARCHAR(40) NOT NULL, amount INT, PRIMARY KEY (customer, code));
INSERT INTO customers VALUES (1, 'Ann', NULL), (2, 'Bob', 'a/b?c#d %41'), (9007199254740993, 'Cy', NULL);
INSERT INTO items VALUES (1, 'a/b', 1), (1, '...', 2), (2, 'ü %', NULL)`

// Harness is what is known of the database, whose tables are in this schema. Slow
// is a SELECT that does not end in the time of a test.
func Harness(schema, slow string, open func(context.Context) (*adaptertest.Subject, error)) adaptertest.Harness {
	call := func(key string, args ...string) mapping.Call {
		c := mapping.Call{Key: key}
		for i := 0; i < len(args); i += 2 {
			c.Args = append(c.Args, mapping.Arg{Name: args[i], Value: json.RawMessage(args[i+1])})
		}
		return c
	}
	table := schema + ".customers"
	h := adaptertest.Harness{
		Open:  open,
		Stops: true,
		Calls: []adaptertest.KnownCall{
			{Call: call(table+"/get", "id", "1"), Want: adaptertest.JSON(`{"row": {"id": 1, "name": "Ann", "note": null}}`)},
			{Call: call(table+"/get", "id", `"9007199254740993"`), Want: adaptertest.JSON(`{"row": {"id": "9007199254740993", "name": "Cy", "note": null}}`)},
			{Call: call(table+"/find", "where", `[{"column": "name", "op": "starts_with", "value": "B"}]`, "columns", `["id"]`), Want: adaptertest.JSON(`{"rows": [{"id": 2}]}`)},
			{Call: call(table+"/find", "limit", "2"), Want: adaptertest.Holds("Ann", "Bob", "next_cursor")},
			{Call: call("count", "table", `"`+table+`"`), Want: adaptertest.JSON(`{"groups": [{"values": {}, "count": 3}]}`)},
			{Call: call("query", "sql", `"SELECT name FROM customers ORDER BY id"`), Want: adaptertest.Holds(`[["Ann"],["Bob"],["Cy"]]`)},
		},
		Reads: []adaptertest.KnownRead{
			{Path: schema + "/customers/9007199254740993", Want: adaptertest.JSON(`{"id": "9007199254740993", "name": "Cy", "note": null}`)},
			{Path: schema + "/items/1/a%2Fb", Want: adaptertest.JSON(`{"customer": 1, "code": "a/b", "amount": 1}`)},
			{Path: schema + "/items/2/%C3%BC%20%25", Want: adaptertest.JSON(`{"customer": 2, "code": "ü %", "amount": null}`)},
			{Path: schema + "/customers", Want: adaptertest.Holds("customers", "columns")},
			{Path: "", Want: adaptertest.Holds(schema + ".items")},
		},
		MissingCalls: []mapping.Call{call(table+"/get", "id", "77"), call("count", "table", `"nowhere"`)},
		MissingReads: []string{schema + "/customers/77", schema + "/nowhere", "nowhere", schema + "/customers/x"},
	}
	if slow != "" {
		c := call("query", "sql", slow)
		h.Slow = &c
	}
	return h
}
