package postgres

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/jackc/pgx/v5/pgconn"
)

const allowedText = "one SELECT, WITH, VALUES, TABLE, or EXPLAIN of one is allowed"

// gate refuses functions that act outside the transaction that is rolled back:
// the grammar of a cursor stops everything else. It knows the server's functions,
// so a name that is no function of any kind passes, and the server says what is
// wrong with it.
type gate struct {
	// mark is of the functions that the gate knows; another one means that somebody
	// made or dropped some since.
	mark    []byte
	refused map[string]bool
	// columns are names of columns, which .name may mean as well.
	columns map[string]bool
	types   map[uint32]*bridgesql.Column
}

// volatileButHarmless are functions marked volatile that change nothing beyond
// their own call.
var volatileButHarmless = []string{
	"random", "clock_timestamp", "timeofday", "gen_random_uuid", "setseed", "random_normal",
	"pg_relation_size", "pg_total_relation_size", "pg_table_size", "pg_indexes_size", "pg_database_size", "pg_tablespace_size",
	"pg_stat_get_numscans", "pg_column_size",
}

// stableButReaching are functions marked stable or immutable that run SQL out of
// a string, use up a number of a transaction, or tell what the role's grants were
// meant to hide.
var stableButReaching = []string{
	"query_to_xml", "query_to_xmlschema", "query_to_xml_and_xmlschema", "cursor_to_xml", "cursor_to_xmlschema",
	"table_to_xml", "table_to_xmlschema", "table_to_xml_and_xmlschema", "schema_to_xml", "schema_to_xmlschema",
	"schema_to_xml_and_xmlschema", "database_to_xml", "database_to_xmlschema", "database_to_xml_and_xmlschema",
	"ts_stat", "ts_rewrite", "txid_current", "pg_current_xact_id", "pg_show_all_settings", "pg_show_all_file_settings", "pg_hba_file_rules", "pg_ident_file_mappings",
}

// functionsSQL finds the names to refuse. An extension may give the server's own
// names to its types, as citext does with replace and max.
const functionsSQL = `SELECT json_build_object(
  'mark', ` + markSQL + `,
  'refused', (SELECT json_agg(DISTINCT p.proname) FROM pg_proc p WHERE 'internal'::regtype <> ALL (p.proargtypes) AND p.provolatile = 'v'
    OR p.pronamespace <> 'pg_catalog'::regnamespace AND NOT
      (EXISTS (SELECT FROM pg_depend d WHERE d.classid = 'pg_proc'::regclass AND d.objid = p.oid AND d.deptype = 'e')
       AND EXISTS (SELECT FROM pg_proc own WHERE own.proname = p.proname AND own.pronamespace = 'pg_catalog'::regnamespace))),
  'columns', (SELECT json_agg(DISTINCT a.attname) FROM pg_attribute a JOIN pg_proc p ON p.proname = a.attname WHERE a.attnum > 0),
  'types', (SELECT json_agg(json_build_object('code', t.oid::bigint, 'type', format_type(t.oid, NULL), 'base', coalesce(nullif(t.typbasetype, 0), t.oid)::bigint, 'enum', t.typtype = 'e'))
    FROM pg_type t WHERE t.typtype IN ('b','d','e','r','m')))`

// markSQL changes with every function that is not the server's own, whose codes
// are below 16384.
const markSQL = `(SELECT md5(coalesce(string_agg(concat(p.oid, p.proname, p.provolatile), ',' ORDER BY p.oid), '')) FROM pg_catalog.pg_proc p WHERE p.oid >= 16384)`

// unchanged fails on the server, so that nothing behind it runs, if the functions
// are not those that the gate knows.
func (g *gate) unchanged() step {
	return step{text: `SELECT 1 / (` + markSQL + ` = $1)::int`, values: [][]byte{g.mark}, types: []uint32{textOID}}
}

const divisionByZero = "22012"

// admission returns the gate, which it makes anew if the one known is stale.
func (e *engine) admission(ctx context.Context, stale *gate) (*gate, error) {
	e.gates.Lock()
	defer e.gates.Unlock()
	if e.gate != stale {
		return e.gate, nil
	}
	var g *gate
	err := e.onPool(ctx, e.settings(false), step{text: functionsSQL, rows: func(r *pgconn.ResultReader) error {
		for r.NextRow() {
			var err error
			if g, err = newGate(r.Values()[0], e.options.Functions); err != nil {
				return err
			}
		}
		return nil
	}})
	if err != nil {
		return nil, err
	}
	e.gate = g
	return g, nil
}

func newGate(raw json.RawMessage, allowed []string) (*gate, error) {
	var known struct {
		Mark             string
		Refused, Columns []string
		Types            []struct {
			Code, Base uint32
			Type       string
			Enum       bool
		}
	}
	if err := json.Unmarshal(raw, &known); err != nil {
		return nil, fmt.Errorf("read functions: %w", err)
	}
	g := &gate{mark: []byte(known.Mark), refused: map[string]bool{}, columns: map[string]bool{}, types: map[uint32]*bridgesql.Column{}}
	for _, name := range append(known.Refused, stableButReaching...) {
		g.refused[name] = !slices.Contains(volatileButHarmless, name) && !slices.Contains(allowed, name)
	}
	for _, name := range known.Columns {
		g.columns[name] = true
	}
	for _, t := range known.Types {
		c := &bridgesql.Column{Code: t.Code, Type: t.Type, Class: classOf(t.Base), Elem: elementOf(t.Base)}
		if t.Enum {
			c.Class = bridgesql.Text
		}
		g.types[t.Code] = c
	}
	return g, nil
}

// check returns a statement in two parts: an EXPLAIN with its options, if it has
// one, and what comes behind. Both are the model's own text, byte for byte.
func (g *gate) check(sql string) (explain, statement string, err error) {
	if strings.ContainsRune(sql, 0) || !utf8.ValidString(sql) {
		return "", "", refuse("the text holds a NUL character or is not UTF-8", allowedText)
	}
	tokens := lex(sql)
	if n := len(tokens); n > 0 && tokens[n-1].kind == broken {
		return "", "", refuse("the text holds "+tokens[n-1].text, "write names and strings without them")
	}
	for n := len(tokens); n > 0 && tokens[n-1].text == ";" && tokens[n-1].kind == sign; n = len(tokens) {
		sql = sql[:tokens[n-1].at]
		tokens = tokens[:n-1]
	}
	if len(tokens) == 0 {
		return "", "", refuse("there is no statement", allowedText)
	}
	for i, t := range tokens {
		if t.kind == sign && t.text == ";" {
			return "", "", refuse("the text holds more than one statement", allowedText)
		}
		if err := g.admit(tokens, i); err != nil {
			return "", "", err
		}
	}
	at, err := explainEnd(tokens)
	if err != nil {
		return "", "", err
	}
	first := tokens[slices.IndexFunc(tokens, func(t token) bool { return t.at >= at })]
	if first.kind == quotedName || !slices.Contains(opening, first.text) {
		return "", "", refuse(fmt.Sprintf("only reads are possible, and a statement that begins with %s is none", strings.ToUpper(first.text)), allowedText)
	}
	return sql[:at], sql[at:], nil
}

// admit refuses the token at i if it calls, or could call, a refused function:
// name(…), or the attribute notation (…).name.
func (g *gate) admit(tokens []token, i int) error {
	t := tokens[i]
	if t.kind != name && t.kind != quotedName || !g.refused[t.text] {
		return nil
	}
	called := i+1 < len(tokens) && tokens[i+1].kind == sign && tokens[i+1].text == "("
	attribute := i > 0 && tokens[i-1].kind == sign && tokens[i-1].text == "." && !g.columns[t.text]
	if !called && !attribute {
		return nil
	}
	return &mapping.Error{
		Code:    mapping.Denied,
		Problem: fmt.Sprintf("the function %s is not allowed, because it could change something or is not the server's own", t.text),
		Allowed: "the server's own functions that only compute are allowed",
		Next:    "write the statement without it; the operator can allow a function of their own in the source's functions",
	}
}

// opening are the words that a statement may begin with.
var opening = []string{"select", "with", "values", "table", "("}

// explainOptions are the words that EXPLAIN takes.
var explainOptions = []string{"analyze", "verbose", "costs", "settings", "generic_plan", "buffers", "wal", "timing", "summary", "format", "serialize", "memory", "text", "json", "xml", "yaml", "on", "off", "true", "false", "none"}

// explainEnd returns the offset of what EXPLAIN explains, 0 for a statement that
// is none.
func explainEnd(tokens []token) (int, error) {
	if tokens[0].kind != name || tokens[0].text != "explain" {
		return 0, nil
	}
	i := 1
	if i < len(tokens) && tokens[i].text == "(" {
		for i++; i < len(tokens) && tokens[i].text != ")"; i++ {
			if tokens[i].text != "," && !slices.Contains(explainOptions, tokens[i].text) {
				// Options, or a statement in brackets: the latter begins with a word of its own.
				if slices.Contains(opening, tokens[i].text) {
					return tokens[1].at, nil
				}
				return 0, refuse(fmt.Sprintf("EXPLAIN does not take %q", tokens[i].text), allowedText)
			}
		}
		i++
	}
	for i < len(tokens) && (tokens[i].text == "analyze" || tokens[i].text == "verbose") {
		i++
	}
	if i >= len(tokens) {
		return 0, refuse("EXPLAIN of nothing", allowedText)
	}
	return tokens[i].at, nil
}

func refuse(problem, allowed string) error {
	return &mapping.Error{Code: mapping.Denied, Problem: problem, Allowed: allowed}
}
