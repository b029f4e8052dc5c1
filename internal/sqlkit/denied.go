package sqlkit

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/mapping"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
)

// DeniedSchema holds a table and columns that Deny hides, and what names them:
// references in both directions, indexes, a generated column.
const DeniedSchema = `CREATE TABLE vault (id INT NOT NULL PRIMARY KEY, treasure VARCHAR(40));
CREATE TABLE people (id INT NOT NULL PRIMARY KEY, name VARCHAR(40), ssn VARCHAR(40), vaulted INT, masked VARCHAR(90) GENERATED ALWAYS AS (CONCAT_OP) STORED, FOREIGN KEY (vaulted) REFERENCES vault (id));
CREATE TABLE pins (pincode INT NOT NULL PRIMARY KEY, name VARCHAR(40));
CREATE TABLE uses (id INT NOT NULL PRIMARY KEY, pin INT, FOREIGN KEY (pin) REFERENCES pins (pincode));
CREATE INDEX by_number ON people (ssn);
INSERT INTO vault VALUES (1, 'hoard');
INSERT INTO people (id, name, ssn, vaulted) VALUES (1, 'Ann', 'number-of-ann', 1);
INSERT INTO pins VALUES (4711, 'Ann');
INSERT INTO uses VALUES (1, 4711)`

// Deny hides the table vault, and columns of people and pins.
func Deny() []string {
	return []string{"table:vault", "column:ssn", "column:pins.pincode", "column:people.masked"}
}

// Denied looks for what Deny hides in everything that the adapter shows.
func Denied(t *testing.T, a *bridgesql.Adapter, schema string) {
	t.Helper()
	c, err := a.Catalog(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	shown := *c
	shown.Lost = nil // tells the operator, not the model
	text, err := json.Marshal(shown)
	if err != nil {
		t.Fatal(err)
	}
	absent(t, "the catalog", string(text))
	w := walkerOf(a, c, mapping.Rules{})
	for _, tool := range w.s.Tools() {
		absent(t, "the tool "+tool.Name, tool.Description+string(tool.Input)+string(tool.Output))
	}
	for _, segments := range [][]string{{""}, {schema}, {schema, "people"}, {schema, "people", "1"}, {schema, "pins"}, {schema, "uses"}, {schema, "uses", "1"}} {
		if r := w.read(t, segments...); r != nil {
			absent(t, strings.Join(segments, "/"), string(r.JSON)+r.Note)
		}
	}
	deniedCalls(t, w, schema)
	for _, ask := range []mapping.Completion{
		{Argument: "schema"}, {Argument: "table", Known: map[string]string{"schema": schema}}, {Argument: "table", Known: map[string]string{"schema": schema}, Prefix: "v"},
		{Argument: "key1", Known: map[string]string{"schema": schema, "table": "vault"}}, {Argument: "key1", Known: map[string]string{"schema": schema, "table": "pins"}},
	} {
		ask.Resource = "{schema}/{table}/{key1}"
		got, err := a.Complete(t.Context(), ask)
		if err != nil {
			t.Errorf("complete %v: %v", ask, err)
		}
		absent(t, "completion", strings.Join(got.Values, "\n"))
	}
}

// deniedCalls asks for what is hidden by its name: the answer must be what a name
// that never was gets.
func deniedCalls(t *testing.T, w walker, schema string) {
	t.Helper()
	people, vault := schema+".people", schema+".vault"
	hidden := map[string]any{"column": "ssn", "op": "is_not_null"}
	for _, call := range []struct {
		key  string
		args map[string]any
		fine bool
	}{
		{"list_tables", nil, true}, {"describe_table", map[string]any{"table": people}, true}, {"describe_table", map[string]any{"table": vault}, false}, {"describe_table", map[string]any{"table": "vaul"}, false},
		{"find_rows", map[string]any{"table": people}, true}, {"find_rows", map[string]any{"table": vault}, false}, {"find_rows", map[string]any{"table": people, "columns": []string{"ssn"}}, false},
		{"find_rows", map[string]any{"table": people, "where": []any{hidden}}, false}, {"find_rows", map[string]any{"table": people, "order_by": []any{map[string]any{"column": "ssn"}}}, false},
		{"find_rows", map[string]any{"table": schema + ".pins"}, true}, {"get_row", map[string]any{"table": people, "key": map[string]any{"id": 1}}, true}, {"get_row", map[string]any{"table": vault, "key": map[string]any{"id": 1}}, false},
		{"get_row", map[string]any{"table": schema + ".pins", "key": map[string]any{"pincode": 4711}}, false}, {"count", map[string]any{"table": vault}, false}, {"count", map[string]any{"table": people, "group_by": []string{"ssn"}}, false},
		{"query", map[string]any{"sql": "SELECT * FROM vault"}, false},
	} {
		if w.each && (call.key == "list_tables" || call.key == "describe_table") {
			continue // there are none
		}
		r, err := w.ask(t, call.key, call.args)
		if (err == nil) != call.fine {
			t.Errorf("%s %v: %v", call.key, call.args, err)
		}
		if err == nil {
			absent(t, call.key, string(r.JSON)+r.Note)
			continue
		}
		// The name that was asked for may be repeated once, nothing else.
		said := err.Error()
		for _, name := range []string{"vault", "ssn", "pincode"} {
			said = strings.Replace(said, name, "", 1)
		}
		absent(t, call.key+"'s error", said)
	}
}

func absent(t *testing.T, where, text string) {
	t.Helper()
	for _, secret := range []string{"vault\"", ".vault", "vault ", "treasure", "hoard", "ssn", "number-of-ann", "pincode", "masked"} {
		if strings.Contains(text, secret) {
			t.Errorf("%s shows %q: %s", where, secret, text)
		}
	}
}
