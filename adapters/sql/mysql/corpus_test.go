package mysql

import (
	"bufio"
	"database/sql"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/mytest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
)

var update = flag.Bool("update", false, "write the golden files")

const ownDatabases = "('mysql', 'sys', 'information_schema', 'performance_schema')"

// TestCorpus loads real schemas, describes all of each, and reads rows back.
func TestCorpus(t *testing.T) {
	folders := sqlkit.Corpus(t, "-my")
	srv := mytest.Start(t)
	db, err := sql.Open("mysql", srv.DSN("root", "")+"?multiStatements=true")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { db.Close() })
	var out strings.Builder
	for _, folder := range folders {
		slug := filepath.Base(folder)
		t.Run(slug, func(t *testing.T) {
			c, err := db.Conn(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			defer c.Close()
			defer forget(t, c)
			s := &script{conn: c, end: ";"}
			s.run(t, "CREATE DATABASE loaded; USE loaded")
			for _, file := range sqlkit.Scripts(t, folder) {
				s.load(t, file)
			}
			if s.failed != nil {
				fmt.Fprintf(&out, "%s: does not load: %.100s\n", slug, s.failed)
				return
			}
			a := Open(srv.DSN("root", ""), bridgesql.Options{})
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

func relations(t *testing.T, c *sql.Conn) [][2]string {
	t.Helper()
	found, err := c.QueryContext(t.Context(), "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES WHERE TABLE_TYPE <> 'SEQUENCE' AND TABLE_SCHEMA NOT IN "+ownDatabases+" ORDER BY 1, 2")
	if err != nil {
		t.Fatal(err)
	}
	defer found.Close()
	var list [][2]string
	for found.Next() {
		var pair [2]string
		if err := found.Scan(&pair[0], &pair[1]); err != nil {
			t.Fatal(err)
		}
		list = append(list, pair)
	}
	if err := found.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// forget drops every database that a script made.
func forget(t *testing.T, c *sql.Conn) {
	t.Helper()
	var drops sql.NullString
	text := "SELECT GROUP_CONCAT(CONCAT('DROP DATABASE `', SCHEMA_NAME, '`') SEPARATOR ';') FROM information_schema.SCHEMATA WHERE SCHEMA_NAME NOT IN " + ownDatabases
	if err := c.QueryRowContext(t.Context(), text).Scan(&drops); err != nil {
		t.Fatal(err)
	}
	if _, err := c.ExecContext(t.Context(), drops.String); err != nil {
		t.Fatal(err)
	}
}

var (
	delimiter = regexp.MustCompile(`(?i)^\s*delimiter\s+(\S+)`)
	source    = regexp.MustCompile(`(?i)^\s*source\s+(\S+)`)
)

// A script is run as the server's own client does: its commands delimiter, source
// and \n (nopager, written behind a statement), no others.
type script struct {
	conn   *sql.Conn
	end    string
	text   strings.Builder
	failed error
}

func (s *script) load(t *testing.T, file string) {
	t.Helper()
	f, err := os.Open(file)
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	lines := bufio.NewScanner(f)
	lines.Buffer(nil, 64<<20)
	for lines.Scan() && s.failed == nil {
		line := strings.TrimPrefix(lines.Text(), "\ufeff")
		if before, ok := strings.CutSuffix(line, `;\n`); ok {
			line = before + ";"
		}
		to, inner := delimiter.FindStringSubmatch(line), source.FindStringSubmatch(line)
		switch {
		case to != nil:
			s.flush(t)
			s.end = to[1]
		case inner != nil:
			s.flush(t)
			s.load(t, filepath.Join(filepath.Dir(file), strings.TrimSuffix(inner[1], ";")))
		case s.end != ";" && strings.HasSuffix(strings.TrimSpace(line), s.end):
			s.text.WriteString(strings.TrimSuffix(strings.TrimSpace(line), s.end))
			s.flush(t)
		default:
			s.text.WriteString(line + "\n")
		}
	}
	if err := lines.Err(); err != nil {
		t.Fatal(err)
	}
	s.flush(t)
}

func (s *script) flush(t *testing.T) {
	t.Helper()
	text := s.text.String()
	s.text.Reset()
	if strings.TrimSpace(text) != "" {
		s.run(t, text)
	}
}

func (s *script) run(t *testing.T, text string) {
	t.Helper()
	if s.failed == nil {
		_, s.failed = s.conn.ExecContext(t.Context(), text)
	}
}
