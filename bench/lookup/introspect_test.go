package lookup

import (
	"fmt"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/adapters/sql/postgres"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"

	"github.com/jackc/pgx/v5"
)

const tables = 10_000

// BenchmarkCatalog reads the schema of a database of 10,000 tables, each with a
// key, an index, a reference and comments, and one table of 1,200 columns. One
// operation is the first catalog of a new adapter: connecting, introspection, the
// audit and the tools.
func BenchmarkCatalog(b *testing.B) {
	srv := pgtest.Start(b)
	dsn := srv.DSN("postgres", "postgres")
	manyTables(b, dsn)
	for b.Loop() {
		a := postgres.Open(dsn, bridgesql.Options{})
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
