package postgres

import (
	"bufio"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"

	"github.com/jackc/pgx/v5"
)

var update = flag.Bool("update", false, "write the golden files")

// TestCorpus loads real schemas, describes all of each, and reads rows back.
func TestCorpus(t *testing.T) {
	folders := sqlkit.Corpus(t, "-pg")
	srv := pgtest.Start(t)
	admin := connect(t, srv.DSN("postgres", "postgres"))
	var out strings.Builder
	for i, folder := range folders {
		slug := filepath.Base(folder)
		name := fmt.Sprintf("db%d", i)
		execute(t, admin, "CREATE DATABASE "+name)
		t.Run(slug, func(t *testing.T) {
			c := connect(t, srv.DSN("postgres", name))
			for _, file := range sqlkit.Scripts(t, folder) {
				if err := loadScript(t, c, file); err != nil {
					fmt.Fprintf(&out, "%s: does not load: %.100s\n", slug, err)
					return
				}
			}
			a := Open(srv.DSN("postgres", name), bridgesql.Options{})
			defer a.Close()
			fmt.Fprintf(&out, "%s: %s\n", slug, sqlkit.Walk(t, a, relations(t, c)))
		})
	}
	golden := filepath.Join("testdata", "corpus.golden")
	if *update {
		if err := os.WriteFile(golden, []byte(out.String()), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil {
		t.Fatal(err)
	}
	if out.String() != string(want) {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

// relations lists tables and views as information_schema does, and materialized
// views, without the partitions of tables and what extensions brought along.
func relations(t *testing.T, c *pgx.Conn) [][2]string {
	t.Helper()
	found, err := c.Query(t.Context(), `SELECT s, n FROM (
		SELECT table_schema::text, table_name::text FROM information_schema.tables WHERE table_schema NOT IN ('information_schema', 'pg_catalog')
		UNION SELECT schemaname::text, matviewname::text FROM pg_matviews) x(s, n)
		WHERE NOT EXISTS (SELECT 1 FROM pg_inherits JOIN pg_partitioned_table ON partrelid = inhparent WHERE inhrelid = format('%I.%I', s, n)::regclass)
		AND NOT EXISTS (SELECT 1 FROM pg_depend WHERE objid = format('%I.%I', s, n)::regclass AND deptype = 'e') ORDER BY 1, 2`)
	if err != nil {
		t.Fatal(err)
	}
	list, err := pgx.CollectRows(found, func(r pgx.CollectableRow) (pair [2]string, err error) {
		return pair, r.Scan(&pair[0], &pair[1])
	})
	if err != nil {
		t.Fatal(err)
	}
	return list
}

var (
	copying  = regexp.MustCompile(`(?i)^\s*COPY .* FROM stdin`)
	database = regexp.MustCompile(`(?i)^\s*(CREATE|DROP) DATABASE `)
	include  = regexp.MustCompile(`^\\ir? +(\S+)`)
)

// loadScript runs a script of psql's: its commands \i and COPY FROM stdin, no
// others.
func loadScript(t *testing.T, c *pgx.Conn, file string) error {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	var text strings.Builder
	flush := func() error {
		defer text.Reset()
		_, err := c.PgConn().Exec(t.Context(), text.String()).ReadAll()
		return err
	}
	for lines.Scan() {
		line := strings.TrimPrefix(lines.Text(), "\ufeff")
		inner := include.FindStringSubmatch(line)
		switch {
		case inner != nil:
			if err := flush(); err != nil {
				return err
			}
			if err := loadScript(t, c, filepath.Join(filepath.Dir(file), strings.Trim(inner[1], "'"))); err != nil {
				return err
			}
		case copying.MatchString(line):
			if err := flush(); err != nil {
				return err
			}
			if err := copyIn(t, c, strings.TrimSuffix(line, ";"), lines); err != nil {
				return err
			}
		case strings.HasPrefix(line, `\`) || database.MatchString(line):
		default:
			text.WriteString(line + "\n")
		}
	}
	if err := lines.Err(); err != nil {
		return err
	}
	return flush()
}

func copyIn(t *testing.T, c *pgx.Conn, statement string, lines *bufio.Scanner) error {
	var data strings.Builder
	for lines.Scan() && lines.Text() != `\.` {
		data.WriteString(lines.Text() + "\n")
	}
	_, err := c.PgConn().CopyFrom(t.Context(), strings.NewReader(data.String()), statement)
	return err
}
