package sqlkit_test

import (
	"cmp"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"net/http/httptest"
	"net/url"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/adapters/sql/mysql"
	"github.com/mcp-bridge/mcp-bridge/adapters/sql/postgres"
	"github.com/mcp-bridge/mcp-bridge/adapters/sql/sqlite"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/internal/mytest"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"

	"github.com/jackc/pgx/v5"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// keyTexts are keys that a URI cannot hold as they are, or could take for something
// else.
var keyTexts = []string{
	"", " ", "  ", "a b", "/", "//", "a/", "/a", "a/b", "..", ".", "...", "../..", "./a", "%", "%%", "%2F", "%00", "%zz", "%25", "?", "a?b=c", "#", "a#b", "?#", "&", "+", "a+b", ";v=1", "=", "@", ":", "a:b", "~call", "{key1}", "{?a}", "\\", "\\\\", "'", "''", `"`, "`", "null", "true", "-0", "1e5", "[1]", `{"a":1}`,
	"\x01", "\x1f", "\x7f", "\t", "\n", "\r\n", "line\nfeed", "é", "e\u0301", "ü 🐘", "日本", "\u202e", "\ufeff", "\u0085", "\u2028", "ﬁ", "ß", strings.Repeat("x", 120),
}

// TestKeys reads every row of one(k, n) and two(n, b, a) by its URI, as a client
// over HTTP makes it out of the server's template and what a find and completion
// tell. The columns but n are the key.
func TestKeys(t *testing.T) {
	for name, start := range map[string]func(*testing.T) (*bridgesql.Adapter, string, inserter){"postgres": onPostgres, "mariadb": onMariaDB, "sqlite": onSQLite} {
		t.Run(name, func(t *testing.T) {
			a, schema, insert := start(t)
			for i, k := range keyTexts {
				insert(t, "one", k, strconv.Itoa(i))
				insert(t, "two", strconv.Itoa(i), keyTexts[len(keyTexts)-1-i], k)
			}
			readByURI(t, a, schema)
		})
	}
}

// An inserter puts one row into a table.
type inserter func(t *testing.T, table string, values ...string)

func onPostgres(t *testing.T) (*bridgesql.Adapter, string, inserter) {
	srv := pgtest.Start(t)
	conn, err := pgx.Connect(t.Context(), srv.DSN("postgres", "postgres"))
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	exec := func(t *testing.T, text string, values ...any) {
		if _, err := conn.Exec(t.Context(), text, values...); err != nil {
			t.Fatal(err)
		}
	}
	exec(t, "CREATE TABLE one(k text PRIMARY KEY, n text)")
	exec(t, "CREATE TABLE two(n text, b text, a text, PRIMARY KEY (a, b))")
	return postgres.Open(srv.DSN("postgres", "postgres"), bridgesql.Options{}), "public", func(t *testing.T, table string, values ...string) {
		args := make([]any, len(values))
		places := make([]string, len(values))
		for i, v := range values {
			args[i], places[i] = v, fmt.Sprintf("$%d", i+1)
		}
		exec(t, "INSERT INTO "+table+" VALUES ("+strings.Join(places, ", ")+")", args...)
	}
}

func onMariaDB(t *testing.T) (*bridgesql.Adapter, string, inserter) {
	srv := mytest.Start(t)
	db := opened(t, "mysql", srv.DSN("root", ""), "CREATE DATABASE shop COLLATE utf8mb4_nopad_bin", "CREATE TABLE shop.one(k VARCHAR(200) PRIMARY KEY, n TEXT)", "CREATE TABLE shop.two(n TEXT, b VARCHAR(200), a VARCHAR(200), PRIMARY KEY (a, b))")
	return mysql.Open(srv.DSN("root", "shop"), bridgesql.Options{}), "shop", inserting(db, "shop.")
}

func onSQLite(t *testing.T) (*bridgesql.Adapter, string, inserter) {
	file := filepath.Join(t.TempDir(), "keys.db")
	db := opened(t, "sqlite", file, "CREATE TABLE one(k TEXT NOT NULL PRIMARY KEY, n TEXT)", "CREATE TABLE two(n TEXT, b TEXT NOT NULL, a TEXT NOT NULL, PRIMARY KEY (a, b)) WITHOUT ROWID")
	return sqlite.Open(file, bridgesql.Options{}), "main", inserting(db, "")
}

func opened(t *testing.T, driver, dsn string, statements ...string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, dsn)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	for _, text := range statements {
		if _, err := db.ExecContext(t.Context(), text); err != nil {
			t.Fatal(err)
		}
	}
	return db
}

func inserting(db *sql.DB, schema string) inserter {
	return func(t *testing.T, table string, values ...string) {
		t.Helper()
		args := make([]any, len(values))
		for i, v := range values {
			args[i] = v
		}
		if _, err := db.ExecContext(t.Context(), "INSERT INTO "+schema+table+" VALUES (?"+strings.Repeat(", ?", len(values)-1)+")", args...); err != nil {
			t.Fatal(err)
		}
	}
}

func readByURI(t *testing.T, a *bridgesql.Adapter, schema string) {
	t.Helper()
	b, err := core.New(core.Options{Name: "keys"}, core.Sources{"src": a})
	if err != nil {
		t.Fatal(err)
	}
	defer b.Close()
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(b.Handler())
	defer server.Close()
	session, err := mcp.NewClient(&mcp.Implementation{Name: "keys"}, nil).Connect(t.Context(), &mcp.StreamableClientTransport{Endpoint: server.URL}, nil)
	if err != nil {
		t.Fatal(err)
	}
	defer session.Close()
	listed, err := session.ListResourceTemplates(t.Context(), nil)
	if err != nil {
		t.Fatal(err)
	}
	for table, names := range map[string][]string{"one": {"k"}, "two": {"a", "b"}} {
		i := slices.IndexFunc(listed.ResourceTemplates, func(r *mcp.ResourceTemplate) bool { return strings.Count(r.URITemplate, "{key") == len(names) })
		if i < 0 {
			t.Fatalf("no template for %s", table)
		}
		c := keyClient{session: session, template: listed.ResourceTemplates[i].URITemplate, schema: schema, table: table}
		rows := c.find(t)
		if len(rows) != len(keyTexts) {
			t.Errorf("%s has %d rows, want %d", table, len(rows), len(keyTexts))
		}
		for _, row := range rows {
			var key []string
			for _, name := range names {
				key = append(key, cmp.Or(row[name], "\x00"))
			}
			c.read(t, key, row)
			c.complete(t, key)
		}
	}
}

// A keyClient asks for one table.
type keyClient struct {
	session                 *mcp.ClientSession
	template, schema, table string
}

func (c keyClient) find(t *testing.T) []map[string]string {
	t.Helper()
	r, err := c.session.CallTool(t.Context(), &mcp.CallToolParams{Name: "find_" + c.table, Arguments: map[string]any{"limit": 200}})
	if err != nil || r.IsError {
		t.Fatal(r, err)
	}
	raw, err := json.Marshal(r.StructuredContent)
	if err != nil {
		t.Fatal(err)
	}
	var found struct{ Rows []map[string]string }
	if err := json.Unmarshal(raw, &found); err != nil {
		t.Fatal(err)
	}
	return found.Rows
}

// uris are the ways to write a row's URI: as RFC 6570 expands the template, which
// encodes what is not unreserved and leaves dots, and as the segments of a path.
func (c keyClient) uris(key []string) []string {
	expanded, path := c.template, "db://src/"+c.schema+"/"+c.table
	expanded = strings.NewReplacer("{schema}", c.schema, "{table}", c.table).Replace(expanded)
	for i, k := range key {
		escaped := strings.ReplaceAll(url.QueryEscape(k), "+", "%20")
		expanded = strings.Replace(expanded, "{"+keyName(i)+"}", escaped, 1)
		path += "/" + strings.ReplaceAll(url.PathEscape(k), ".", "%2E")
	}
	return []string{expanded, path}
}

func keyName(i int) string { return fmt.Sprintf("key%d", i+1) }

// read reads one row by its URIs and holds it against what a find gave.
func (c keyClient) read(t *testing.T, key []string, want map[string]string) {
	t.Helper()
	for _, uri := range c.uris(key) {
		r, err := c.session.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: uri})
		if err != nil {
			t.Errorf("%q: %s: %v", key, uri, err)
			continue
		}
		var got map[string]string
		if err := json.Unmarshal([]byte(r.Contents[0].Text), &got); err != nil || !maps.Equal(got, want) || r.Contents[0].URI != uri {
			t.Errorf("%q: %s is %s of %s, want %q (%v)", key, uri, r.Contents[0].Text, r.Contents[0].URI, want, err)
		}
	}
}

// complete asks for each part of the key by the whole of it.
func (c keyClient) complete(t *testing.T, key []string) {
	t.Helper()
	known := map[string]string{"schema": c.schema, "table": c.table}
	for i, k := range key {
		prefix := k
		if k == "\x00" {
			prefix = ""
		}
		r, err := c.session.Complete(t.Context(), &mcp.CompleteParams{
			Ref:      &mcp.CompleteReference{Type: "ref/resource", URI: c.template},
			Argument: mcp.CompleteParamsArgument{Name: keyName(i), Value: prefix},
			Context:  &mcp.CompleteContext{Arguments: known},
		})
		if err != nil || !slices.Contains(r.Completion.Values, k) {
			t.Errorf("%q: %q is not completed: %v, %v", key, k, r, err)
		}
		known[keyName(i)] = k
	}
}
