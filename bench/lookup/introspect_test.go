package lookup

import (
	"database/sql"
	"fmt"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/adapters/sql/mysql"
	"github.com/mcp-bridge/mcp-bridge/adapters/sql/postgres"
	"github.com/mcp-bridge/mcp-bridge/internal/mytest"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"

	"github.com/jackc/pgx/v5"
)

const tables = 10_000

// BenchmarkCatalogPostgres reads the schema of a database of 10,000 tables, each with a
// key, an index, a reference and comments, and one table of 1,200 columns. One
// operation is the first catalog of a new adapter: connecting, introspection, the
// audit and the tools.
func BenchmarkCatalogPostgres(b *testing.B) {
	srv := pgtest.Start(b)
	dsn := srv.DSN("postgres", "postgres")
	manyTables(b, dsn)
	catalogs(b, func() *bridgesql.Adapter { return postgres.Open(dsn, bridgesql.Options{}) })
}

// BenchmarkCatalogMariaDB reads as many tables of MariaDB, with the same in each.
func BenchmarkCatalogMariaDB(b *testing.B) {
	srv := mytest.Start(b)
	db, err := sql.Open("mysql", srv.DSN("root", ""))
	if err != nil {
		b.Fatal(err)
	}
	defer db.Close()
	db.SetMaxOpenConns(1)
	wide := "CREATE TABLE wide (id INT PRIMARY KEY"
	for i := range 1199 {
		wide += fmt.Sprintf(", c%d TINYTEXT", i+1)
	}
	for _, text := range []string{
		"CREATE DATABASE shop", "USE shop", wide + ") ENGINE=Aria", "CREATE TABLE t0 (id INT PRIMARY KEY)",
		fmt.Sprintf(`BEGIN NOT ATOMIC FOR i IN 1..%d DO
			EXECUTE IMMEDIATE CONCAT('CREATE TABLE t', i, ' (id INT PRIMARY KEY, parent INT REFERENCES t', i - 1, ' (id), name VARCHAR(40) UNIQUE COMMENT "the name", at DATETIME DEFAULT NOW()) COMMENT "the table"');
		END FOR; END`, tables),
	} {
		if _, err := db.ExecContext(b.Context(), text); err != nil {
			b.Fatal(err)
		}
	}
	catalogs(b, func() *bridgesql.Adapter { return mysql.Open(srv.DSN("root", "shop"), bridgesql.Options{}) })
}

func catalogs(b *testing.B, open func() *bridgesql.Adapter) {
	b.Helper()
	for b.Loop() {
		a := open()
		c, err := a.Catalog(b.Context())
		if err != nil {
			b.Fatal(err)
		}
		if len(c.Operations) == 0 {
			b.Fatal("no operations")
		}
		if err := a.Close(); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Milliseconds())/float64(b.N), "ms/catalog")
}

func manyTables(b *testing.B, dsn string) {
	b.Helper()
	c, err := pgx.Connect(b.Context(), dsn)
	if err != nil {
		b.Fatal(err)
	}
	defer c.Close(b.Context())
	texts := []string{
		"CREATE TABLE t0 (id int PRIMARY KEY)",
		`DO $$ BEGIN EXECUTE 'CREATE TABLE wide (id int PRIMARY KEY' || (SELECT string_agg(format(', c%s text', i), '' ORDER BY i) FROM generate_series(1, 1199) i) || ')'; END $$`,
	}
	const step = 500 // locks of one transaction
	for i := 1; i < tables; i += step {
		texts = append(texts, fmt.Sprintf(`DO $$ BEGIN FOR i IN %d..%d LOOP
			EXECUTE format('CREATE TABLE t%%s (id int PRIMARY KEY, parent int REFERENCES t%%s, name text UNIQUE, at timestamptz DEFAULT now())', i, i - 1);
			EXECUTE format('COMMENT ON TABLE t%%s IS ''the table''; COMMENT ON COLUMN t%%s.name IS ''the name''', i, i);
		END LOOP; END $$`, i, i+step-1))
	}
	for _, text := range append(texts, "ANALYZE pg_class, pg_attribute, pg_index, pg_constraint") {
		if _, err := c.Exec(b.Context(), text); err != nil {
			b.Fatal(err)
		}
	}
}
