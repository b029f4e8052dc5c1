package postgres

import (
	"context"
	"flag"
	"os"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/internal/pgtest"
	"github.com/mcp-bridge/mcp-bridge/internal/sqlkit"
	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/jackc/pgx/v5"
)

// TestGateFollows makes functions after the gate has learnt what there are.
func TestGateFollows(t *testing.T) {
	srv := pgtest.Start(t)
	witness := connect(t, srv.DSN("postgres", "postgres"))
	execute(t, witness, "CREATE TABLE c (id int, name text)")
	a := Open(srv.DSN("postgres", "postgres"), bridgesql.Options{Query: "allow", Functions: []string{"allowed"}})
	defer a.Close()
	query := func(text string) error {
		_, err := sqlkit.Ask(t, a, "query", map[string]any{"sql": text})
		return err
	}
	if err := query("SELECT 1"); err != nil {
		t.Fatal(err)
	}
	execute(t, witness, "CREATE FUNCTION late() RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE FUNCTION allowed() RETURNS int LANGUAGE sql AS 'SELECT 1'")
	long := strings.Repeat("f", 63)
	execute(t, witness, "CREATE FUNCTION "+long+"() RETURNS int LANGUAGE sql AS 'SELECT 1'; CREATE AGGREGATE sums(int) (SFUNC = int4pl, STYPE = int)")
	for _, text := range []string{"SELECT late()", "SELECT " + long + "beyond()", `SELECT "` + long + `beyond"()`, "SELECT sums(id) FROM c"} {
		saysCode(t, text, query(text), mapping.Denied, "is not allowed")
	}
	saysCode(t, "a division by zero", query("SELECT 1 / (id - id) FROM (SELECT 1 AS id) c"), mapping.Invalid, "division by zero")
	execute(t, witness, "DROP FUNCTION late; CREATE EXTENSION citext; CREATE EXTENSION tablefunc")
	for _, text := range []string{"SELECT allowed()", "SELECT replace(name, 'a', 'b'), max(name) FROM c GROUP BY 1"} {
		if err := query(text); err != nil {
			t.Errorf("%s: %v", text, err)
		}
	}
	saysCode(t, "a function that runs text", query("SELECT * FROM crosstab('SELECT 1, 2, 3') AS t(a int, b int)"), mapping.Denied, "is not allowed")
}

// FuzzGate holds the gate against the server itself, which has read every
// statement that it let through, and every one that it refused:
//
//   - what the gate lets through and the server understands calls none but the
//     server's own functions, which neither are volatile, unless harmless, nor run
//     SQL out of text;
//   - it is run as the product does, and leaves nothing behind;
//   - what the server understands as a SELECT that neither writes nor locks, and
//     which has no refused function's name anywhere in it, is not refused, but for
//     spellings that are refused on purpose.
func FuzzGate(f *testing.F) {
	o := newOracle(f)
	fuzzing := flag.Lookup("test.fuzz").Value.String() != ""
	for i, text := range slices.Concat(attacks, reads) {
		// Without -fuzz each is judged; with it, a few do to begin from.
		if !fuzzing || i%8 == 0 {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) { o.judge(t, text) })
}

// fragments are what the lexers of gate and server could take in two ways, and
// enough beside to make statements.
var fragments = []string{
	" ", "\n", "'", "''", `"`, `""`, "$$", "$a$", "$1", "/*", "*/", "--", "E'", "e'", "N'", "U&'", `U&"`, `\`, ";", "(", ")", "(1)", "()", ",", ".", "::", "||", "-", "*", "/",
	"SELECT ", " AS ", " FROM ", "victim", "1", "1.5", "1e5", "x", "a$x$", "é", "numbers", "nextval", "pg_sleep", "random", "public", "lower", "'numbers'", "::regclass", " WITH ", " UNION ", "TABLE ", "VALUES ", "[1]", " IN ",
}

// FuzzGateFragments is FuzzGate over statements that are put together.
func FuzzGateFragments(f *testing.F) {
	o := newOracle(f)
	for _, parts := range [][]string{
		{"1", ",", "'", "/*", "'", ",", "nextval", "(", "'numbers'", ")"}, {"$a$", "'", "$a$", ",", "random", "()"}, {"E'", `\`, "'", "'", ",", "1"}, {`"`, "--", `"`, ".", "nextval", " FROM ", "victim"},
		{"1", "--", "\n", ",", "lower", "(", "'", "x", "'", ")"}, {"/*", "/*", "*/", "'", "*/", "1"}, {"1", " AS ", "a$x$", ",", "$$", "pg_sleep", "(1)", "$$"},
	} {
		var picks []byte
		for _, part := range parts {
			picks = append(picks, byte(slices.Index(fragments, part)))
		}
		f.Add(picks)
	}
	f.Fuzz(func(t *testing.T, picks []byte) {
		text := "SELECT "
		for _, pick := range picks[:min(len(picks), 60)] {
			text += fragments[int(pick)%len(fragments)]
		}
		o.judge(t, text)
	})
}

// An oracle asks the server what it makes of a statement.
type oracle struct {
	a       *bridgesql.Adapter
	gate    *gate
	names   []string // of refused functions
	witness *pgx.Conn
	before  string
}

func newOracle(f *testing.F) *oracle {
	f.Helper()
	dsn := os.Getenv("BRIDGE_FUZZ_POSTGRES")
	if dsn == "" { // else the test runs in one of the fuzzer's processes, all of which share a server
		srv := pgtest.Start(f)
		prepareVictims(f, srv)
		dsn = srv.DSN("owner", "postgres")
		f.Setenv("BRIDGE_FUZZ_POSTGRES", dsn)
		f.Setenv("BRIDGE_FUZZ_PORT", strconv.Itoa(srv.Port))
		execute(f, connect(f, srv.DSN("postgres", "postgres")), readsFixture+"; GRANT SELECT ON c, o TO owner")
	}
	port := os.Getenv("BRIDGE_FUZZ_PORT")
	e := &engine{dsn: dsn}
	g, err := e.admission(f.Context(), nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Cleanup(func() { e.Close() })
	o := &oracle{a: Open(dsn, bridgesql.Options{Query: "allow", Timeout: 100 * time.Millisecond}), gate: g}
	f.Cleanup(func() { o.a.Close() })
	for name, refused := range g.refused {
		if refused {
			o.names = append(o.names, name)
		}
	}
	o.witness = connect(f, strings.Replace(dsn, "owner@", "postgres@", 1)+"&application_name=oracle")
	execute(f, o.witness, strings.ReplaceAll(reachVictims, "{port}", port))
	o.before = see(f, o.witness, evidence)
	return o
}

func (o *oracle) judge(t *testing.T, text string) {
	_, statement, refused := o.gate.check(text)
	if refused != nil {
		tree := o.understood(t, text)
		if tree != "" && o.onlyReads(tree, text) && !strings.Contains(refused.Error(), "U& escapes") && !strings.Contains(refused.Error(), "continued behind a line break") && !strings.Contains(refused.Error(), "runs into a name") {
			t.Errorf("%q is refused (%v), but the server reads it as a harmless SELECT: %s", text, refused, tree)
		}
		return
	}
	tree := o.understood(t, statement)
	if tree == "" {
		return
	}
	if bad := see(t, o.witness, `SELECT coalesce(string_agg(p.oid::regprocedure::text, ', '), '') FROM pg_proc p
		WHERE p.oid = ANY ('{`+strings.Join(called(tree), ",")+`}') AND (p.pronamespace <> 'pg_catalog'::regnamespace OR p.provolatile = 'v' OR p.proname ~ '^(query|cursor|table|schema|database)_to_xml|^ts_(stat|rewrite)$')
		AND p.proname <> ALL ('{`+strings.Join(volatileButHarmless, ",")+`}')`); bad != `""` {
		t.Errorf("%q passes the gate and calls %s", text, bad)
	}
	o.run(t, text)
}

// run runs the statement as the product does, and looks for what it left.
func (o *oracle) run(t *testing.T, text string) {
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	_, err := o.a.Call(ctx, sqlkit.Call(t, "query", map[string]any{"sql": text}))
	if after := see(t, o.witness, evidence); after != o.before {
		t.Errorf("%q left something behind:\n%s\nwas:\n%s\n(answer: %v)", text, after, o.before, err)
	}
}

// understood is the server's own tree of the statement, "" if it takes it for none
// or for several. The body of a function is read like a statement, but not run.
func (o *oracle) understood(t *testing.T, text string) string {
	if strings.ContainsRune(text, 0) {
		return ""
	}
	c := o.witness
	if _, err := c.PgConn().Prepare(t.Context(), "", text, nil); err != nil {
		return "" // it may be several
	}
	tx, err := c.Begin(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = tx.Rollback(context.WithoutCancel(t.Context())) }()
	one := c.PgConn().ExecParams(t.Context(), "CREATE FUNCTION pg_temp.probe(int, int) RETURNS void LANGUAGE sql BEGIN ATOMIC "+text+"\n; END", nil, nil, nil, nil).Read()
	if one.Err != nil {
		return ""
	}
	var tree string
	if err := tx.QueryRow(t.Context(), "SELECT prosqlbody::text FROM pg_proc WHERE proname = 'probe'").Scan(&tree); err != nil {
		t.Fatal(err)
	}
	return tree
}

// onlyReads reports whether the tree is of a SELECT that neither writes nor locks,
// and the text is free of refused names.
func (o *oracle) onlyReads(tree, text string) bool {
	if !strings.HasPrefix(tree, "(({QUERY :commandType 1 ") || strings.Contains(tree, ":hasModifyingCTE true") || strings.Contains(tree, ":hasForUpdate true") {
		return false
	}
	folded := strings.ToLower(text)
	return !slices.ContainsFunc(o.names, func(name string) bool { return strings.Contains(folded, name) })
}

var callNode = regexp.MustCompile(`:(?:funcid|aggfnoid|winfnoid) (\d+)`)

// called are the codes of the functions in a tree.
func called(tree string) []string {
	var codes []string
	for _, m := range callNode.FindAllStringSubmatch(tree, -1) {
		codes = append(codes, m[1])
	}
	return codes
}
