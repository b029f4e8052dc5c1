package mysql

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// gate is the boundary for text of a model's own. It names what is allowed to
// begin a statement, and refuses every word that can make a reading statement do
// more.
type gate struct {
	// functions are the server's stored functions, which may do anything, less
	// those that the operator allows.
	functions map[string]bool
}

// opening are the words that a statement may begin with.
var opening = []string{"select", "with", "values", "table", "("}

// refusedWords never stand unquoted in a statement that only reads. Those that
// are also names of string functions are allowed where a bracket follows.
var refusedWords = map[string]string{
	"into": "writes to a file or a variable", "procedure": "calls a procedure", "update": "writes or locks", "delete": "writes",
	"insert": "writes", "replace": "writes", "outfile": "writes a file", "dumpfile": "writes a file", "share": "locks rows",
	"nextval": "moves a sequence", "setval": "moves a sequence", "lastval": "reads session state",
	"begin": "opens a block of code", "execute": "runs text as SQL", "prepare": "runs text as SQL", "call": "calls a procedure",
	"handler": "holds a table open", "analyze": "runs what it explains",
}

var alsoFunctions = []string{"insert", "replace"}

// refusedFunctions hold locks, wait, or reach outside the database.
var refusedFunctions = []string{
	"sleep", "benchmark", "get_lock", "release_lock", "release_all_locks", "is_free_lock", "is_used_lock", "load_file",
	"master_pos_wait", "source_pos_wait", "master_gtid_wait", "wait_for_executed_gtid_set", "wait_until_sql_thread_after_gtids",
	"sys_exec", "sys_eval", "sys_get", "sys_set", "http_get", "http_post", "lib_mysqludf_sys_info", "last_insert_id", "nextval", "setval", "lastval",
	"ps_thread_id", "group_replication_set_as_primary", "asynchronous_connection_failover_add_source", "service_get_write_locks", "service_release_locks", "service_get_read_locks",
	"keyring_key_store", "keyring_key_remove", "keyring_key_fetch", "audit_log_filter_set_filter",
}

// admission reads the names of stored functions on the connection that a statement
// is to run on. They are read each time, because somebody may make one.
func (e *engine) admission(ctx context.Context, conn *sql.Conn) (*gate, error) {
	g := &gate{functions: map[string]bool{}}
	found, err := conn.QueryContext(ctx, `SELECT LOWER(ROUTINE_NAME) FROM information_schema.ROUTINES WHERE ROUTINE_TYPE <> 'PROCEDURE'`)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	for found.Next() {
		var name string
		if err := found.Scan(&name); err != nil {
			return nil, fmt.Errorf("read stored functions: %w", err)
		}
		g.functions[name] = true
	}
	for _, name := range e.options.Functions {
		delete(g.functions, strings.ToLower(name))
	}
	return g, found.Err()
}

// check refuses text that is not one reading statement with this many
// placeholders, or any number where it is -1.
func (g *gate) check(text string, params int) error {
	if strings.ContainsRune(text, 0) {
		return refuse("the text holds a NUL character")
	}
	tokens := lex(text)
	if n := len(tokens); n > 0 && tokens[n-1].kind == broken {
		return refuse("the text holds " + tokens[n-1].text)
	}
	for n := len(tokens); n > 0 && tokens[n-1] == (token{sign, ";"}); n = len(tokens) {
		tokens = tokens[:n-1]
	}
	start := 0
	if len(tokens) > 1 && (tokens[0] == token{name, "explain"}) {
		start = 1
		for start+2 < len(tokens) && tokens[start].text == "format" && tokens[start+1].text == "=" {
			start += 3
		}
		if tokens[min(start, len(tokens)-1)].text == "extended" {
			start++
		}
	}
	if start >= len(tokens) || !slices.Contains(opening, tokens[start].text) || tokens[start].kind == quotedName {
		return refuse("the statement does not begin with a word that only reads")
	}
	asked := 0
	for i, t := range tokens {
		if err := g.admit(tokens, i); err != nil {
			return err
		}
		if t == (token{sign, "?"}) {
			asked++
		}
	}
	if params >= 0 && params != asked {
		return &mapping.Error{Code: mapping.Invalid, Problem: fmt.Sprintf("the statement has %d placeholders, and there are %d params", asked, params), Next: "give one value for each ?, in order"}
	}
	return nil
}

func (g *gate) admit(tokens []token, i int) error {
	t := tokens[i]
	next := token{kind: sign}
	if i+1 < len(tokens) {
		next = tokens[i+1]
	}
	afterDot := i > 0 && tokens[i-1] == (token{sign, "."})
	called := next == token{sign, "("}
	switch {
	case t == token{sign, ";"}:
		return refuse("the text holds more than one statement")
	case t == token{sign, ":"} && next == token{sign, "="}:
		return refuse("the text assigns a variable")
	case t.kind != name && t.kind != quotedName:
		return nil
	case called && afterDot && i > 1 && tokens[i-2].kind != sign:
		return refuse(fmt.Sprintf("%s is a stored function, and what it does is not known", t.text))
	case called && slices.Contains(refusedFunctions, t.text):
		return refuse(fmt.Sprintf("the function %s is not allowed, because it waits, locks or reaches outside the database", t.text))
	case called && g.functions[t.text]:
		return refuse(fmt.Sprintf("%s is a stored function, and what it does is not known; the operator can allow it in the source's functions", t.text))
	case t.kind == quotedName || afterDot:
		return nil
	case t.text == "lock" && next.text == "in", t.text == "next" && next.text == "value", t.text == "previous" && next.text == "value":
		return refuse("the statement locks rows or moves a sequence")
	case called && slices.Contains(alsoFunctions, t.text):
		return nil
	}
	if why, bad := refusedWords[t.text]; bad {
		return refuse(fmt.Sprintf("the word %s is not allowed, because it %s; a column of that name goes in backticks", t.text, why))
	}
	return nil
}

func refuse(problem string) error {
	return &mapping.Error{Code: mapping.Denied, Problem: problem, Allowed: allowedText}
}
