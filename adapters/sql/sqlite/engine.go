package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"strings"
	"sync"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"modernc.org/sqlite"
	sqlite3 "modernc.org/sqlite/lib"
)

// engine is the bridgesql.Engine of one file.
type engine struct {
	dialect
	path    string
	script  string // makes a database in memory, if it is not ""
	timeout time.Duration

	once   sync.Once
	opened error
	// catalogs is for introspection, rows for generated SQL, foreign for a model's.
	catalogs, rows, foreign *sql.DB
	memory                  *sql.DB // what the script made; it lasts as long as this is open
}

// Query runs one statement, which reads in a transaction of its own.
func (e *engine) Query(ctx context.Context, s bridgesql.Statement, sink bridgesql.Sink) error {
	if err := e.connect(); err != nil {
		return err
	}
	return e.run(ctx, e.rows, s, sink)
}

func (e *engine) run(ctx context.Context, pool *sql.DB, s bridgesql.Statement, sink bridgesql.Sink) error {
	args, err := bind(s)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithTimeoutCause(ctx, e.timeout, errSlow)
	defer cancel()
	length := ownLength
	if pool == e.foreign {
		length = foreignLength
	}
	conn, err := limited(ctx, pool, length)
	if err != nil {
		return failure(ctx, err)
	}
	defer conn.Close()
	found, err := conn.QueryContext(ctx, s.Text, args...) //nolint:rowserrcheck // Pour checks it
	if err != nil {
		return failure(ctx, err)
	}
	defer found.Close()
	if err := bridgesql.Pour(found, s.MaxRows, sink, columnOf, encode); err != nil {
		return failure(ctx, err)
	}
	return nil
}

// The bounds of one value, in bytes. SQLite's own is a thousand million. No built-in
// function can be interrupted, and some take the square of their arguments' length:
// instr and replace of SQL that a model wrote may go on for seconds, but not hours.
const (
	ownLength     = 16 << 20
	foreignLength = 1 << 20
	likeLength    = 1000 // of a pattern
)

// limited takes a connection whose values are bounded.
func limited(ctx context.Context, pool *sql.DB, length int) (*sql.Conn, error) {
	conn, err := pool.Conn(ctx)
	if err != nil {
		if s := pool.Stats(); errors.Is(err, context.DeadlineExceeded) && s.InUse >= s.MaxOpenConnections {
			err = &mapping.Error{Code: mapping.Exhausted, Problem: "all connections to the database are busy", Next: "try again in a few seconds", Err: err}
		}
		return nil, err
	}
	_, err = sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LENGTH, length)
	if err == nil {
		_, err = sqlite.Limit(conn, sqlite3.SQLITE_LIMIT_LIKE_PATTERN_LENGTH, likeLength)
	}
	if err != nil {
		return nil, errors.Join(err, conn.Close())
	}
	return conn, nil
}

// Foreign runs a model's statement. The authorizer is the gate; what is left to
// refuse is a second statement.
func (e *engine) Foreign(ctx context.Context, s bridgesql.Statement, sink bridgesql.Sink) error {
	err := e.connect()
	if err != nil {
		return err
	}
	if s.Text, err = single(s.Text); err != nil {
		return err
	}
	if err := fitting(s); err != nil {
		return err
	}
	seen := &shape{Sink: sink}
	if err := e.run(ctx, e.foreign, s, seen); !errors.Is(err, errTimed) {
		return err
	}
	s.Text = seen.untimed(s.Text)
	return e.run(ctx, e.foreign, s, &named{sink, seen.columns})
}

// Describe prepares a statement and tells its columns; SQLite does not know the
// types of parameters.
func (e *engine) Describe(ctx context.Context, text string) (params, columns []*bridgesql.Column, err error) {
	if err := e.connect(); err != nil {
		return nil, nil, err
	}
	if text, err = single(text); err != nil {
		return nil, nil, err
	}
	stmt, err := e.foreign.PrepareContext(ctx, text)
	if err != nil {
		return nil, nil, failure(ctx, err)
	}
	return nil, nil, stmt.Close() //nolint:sqlclosecheck // preparing it was the check
}

// Audit finds nothing: a file opened read-only behind the authorizer has no
// privileges to lose.
func (e *engine) Audit(ctx context.Context) ([]mapping.Finding, error) {
	if err := e.connect(); err != nil {
		return nil, err
	}
	if err := e.rows.PingContext(ctx); err != nil {
		return nil, failure(ctx, err)
	}
	return []mapping.Finding{{OK: true, Text: "the file is opened read-only"}}, nil
}

// Close closes the pools, and with them a database in memory is gone.
func (e *engine) Close() (err error) {
	e.once.Do(func() { e.opened = errors.New("the database is closed") })
	for _, pool := range []*sql.DB{e.rows, e.foreign, e.catalogs, e.memory} {
		if pool != nil {
			err = errors.Join(err, pool.Close())
		}
	}
	return err
}

// errSlow is the cause of a context that the engine's own limit ended.
var errSlow = &mapping.Error{Code: mapping.Timeout, Problem: "the statement took longer than is allowed and was stopped", Next: "narrow the conditions, ask for fewer rows, or compare indexed columns"}

// failure words an error of the driver for a model. SQLite's own message names
// tables and columns, never the file.
func failure(ctx context.Context, err error) error {
	var known *mapping.Error
	if errors.As(err, &known) {
		return err
	}
	if ctx.Err() != nil {
		return errors.Join(context.Cause(ctx), err)
	}
	var e *sqlite.Error
	if !errors.As(err, &e) {
		return fmt.Errorf("query: %w", err)
	}
	switch e.Code() & 0xff {
	case sqlite3.SQLITE_AUTH, sqlite3.SQLITE_READONLY:
		return &mapping.Error{Code: mapping.Denied, Problem: "the statement does more than read", Allowed: "one SELECT, WITH, VALUES or EXPLAIN of one is allowed", Err: err}
	case sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED:
		return &mapping.Error{Code: mapping.Unavailable, Problem: "the database is locked by another program", Next: "try again", Err: err}
	case sqlite3.SQLITE_NOTADB:
		return &mapping.Error{Code: mapping.Invalid, Problem: "the file is not a SQLite database", Err: err}
	case sqlite3.SQLITE_TOOBIG:
		return &mapping.Error{Code: mapping.Exhausted, Problem: fmt.Sprintf("a value is larger than is allowed: %d MiB in SQL of your own, and %d MiB elsewhere", foreignLength>>20, ownLength>>20), Next: "leave the column out, or read the row with another tool", Err: err}
	case sqlite3.SQLITE_ERROR:
		return &mapping.Error{Code: mapping.Invalid, Problem: "the database refused the statement: " + message(e), Err: err}
	}
	return fmt.Errorf("query: %w", err)
}

// message is SQLite's sentence without the driver's code at the end.
func message(e *sqlite.Error) string {
	text := strings.TrimPrefix(e.Error(), "SQL logic error: ")
	if i := strings.LastIndex(text, " ("); i > 0 {
		text = text[:i]
	}
	return text
}
