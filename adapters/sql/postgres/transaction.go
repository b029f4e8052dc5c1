package postgres

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"strconv"
	"unicode/utf8"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// A step is one statement of a pipelined transaction.
type step struct {
	text   string
	values [][]byte
	types  []uint32
	// rows takes the result, nil drops it.
	rows func(*pgconn.ResultReader) error
	// wrapped and moved are for a statement that somebody else wrote: how many
	// characters stand before it, and how many of its own are missing there.
	wrapped, moved int
}

// place makes an error count characters as whoever wrote the statement does.
func (s step) place(err error) {
	var pg *pgconn.PgError
	if errors.As(err, &pg) && int(pg.Position) > s.wrapped {
		pg.Position += int32(s.moved - s.wrapped)
	}
}

// settings bound a transaction and make values print without loss. They end with
// it. The search path holds nothing that somebody else could have put there.
func (e *engine) settings(searchPath bool) step {
	const (
		bounds = `SELECT set_config('statement_timeout',$1,true), set_config('lock_timeout','2000',true), set_config('idle_in_transaction_session_timeout','60000',true),` +
			` set_config('DateStyle','ISO, YMD',true), set_config('IntervalStyle','iso_8601',true), set_config('bytea_output','hex',true), set_config('extra_float_digits','1',true), set_config('standard_conforming_strings','on',true)`
		system = `, set_config('search_path','pg_catalog',true)`
	)
	text := bounds + system
	if searchPath {
		text = bounds
	}
	return step{text: text, values: [][]byte{strconv.AppendInt(nil, e.timeout().Milliseconds(), 10)}, types: []uint32{textOID}}
}

// transact runs the steps as one read-only transaction that is rolled back, in
// one round trip. Every step is one message of the extended protocol, which holds
// one statement.
func transact(ctx context.Context, conn *pgconn.PgConn, steps ...step) error {
	return cancellable(ctx, conn, func(ctx context.Context) error { return pipeline(ctx, conn, steps) })
}

// onPool runs the steps on a connection of the pool. One that turns out to be dead
// tells of the past only, of a server that has been restarted perhaps: then they
// run once more on another, unless some result has been taken already.
func (e *engine) onPool(ctx context.Context, steps ...step) error {
	if err := e.connect(); err != nil {
		return err
	}
	taken := false
	for i := range steps {
		if take := steps[i].rows; take != nil {
			steps[i].rows = func(r *pgconn.ResultReader) error {
				taken = true
				return take(r)
			}
		}
	}
	dead, err := e.oncePool(ctx, steps)
	if dead && !taken && ctx.Err() == nil {
		discardDead(ctx, e.pool)
		_, err = e.oncePool(ctx, steps)
	}
	return err
}

// oncePool reports besides the error whether the connection broke.
func (e *engine) oncePool(ctx context.Context, steps []step) (dead bool, err error) {
	conn, err := acquire(ctx, e.pool)
	if err != nil {
		return false, err
	}
	defer conn.Release()
	defer e.bound(conn.Conn().PgConn())()
	err = failure(ctx, transact(ctx, conn.Conn().PgConn(), steps...))
	return err != nil && conn.Conn().IsClosed(), err
}

// bound limits the messages that a connection takes, until what it returns is
// called: a pool that was handed over may take any.
func (e *engine) bound(conn *pgconn.PgConn) (undo func()) {
	if e.given == nil || 0 < e.givenMax && e.givenMax <= maxMessage {
		return func() {}
	}
	conn.Frontend().SetMaxBodyLen(maxMessage)
	return func() { conn.Frontend().SetMaxBodyLen(e.givenMax) }
}

// discardDead lets the pool drop the idle connections that do not answer: where
// one is dead, all that were open then are.
func discardDead(ctx context.Context, pool *pgxpool.Pool) {
	for _, conn := range pool.AcquireAllIdle(ctx) {
		_ = conn.Ping(ctx) // closes what does not answer
		conn.Release()
	}
}

func pipeline(ctx context.Context, conn *pgconn.PgConn, steps []step) error {
	batch := &pgconn.Batch{}
	steps = append(append([]step{{text: "BEGIN READ ONLY"}}, steps...), step{text: "ROLLBACK"})
	for _, s := range steps {
		batch.ExecParams(s.text, s.values, s.types, nil, nil)
	}
	results := conn.ExecBatch(ctx, batch)
	var failed error
	done := 0
	for ; results.NextResult(); done++ {
		reader := results.ResultReader()
		if done < len(steps) && steps[done].rows != nil && failed == nil {
			failed = steps[done].rows(reader)
		}
		if _, err := reader.Close(); err != nil && failed == nil {
			failed = err
		}
	}
	if err := results.Close(); err != nil && failed == nil {
		failed = err
		steps[min(done, len(steps)-1)].place(err)
	}
	// An error skips everything up to the end of the batch, the ROLLBACK included.
	if conn.TxStatus() != 'I' && !conn.IsClosed() {
		if _, err := conn.Exec(ctx, "ROLLBACK").ReadAll(); err != nil {
			failed = errors.Join(failed, err)
		}
	}
	return failed
}

// acquire takes a connection, or says that all are busy: waiting for a place is
// another failure than a slow statement.
func acquire(ctx context.Context, pool *pgxpool.Pool) (*pgxpool.Conn, error) {
	c, err := pool.Acquire(ctx)
	if err == nil {
		return c, nil
	}
	if errors.Is(err, context.DeadlineExceeded) && pool.Stat().AcquiredConns() >= pool.Config().MaxConns {
		return nil, &mapping.Error{Code: mapping.Exhausted, Problem: "all connections to the database are busy", Next: "try again in a few seconds", Err: err}
	}
	return nil, failure(ctx, err)
}

// Query runs a statement of ours on the pool.
func (e *engine) Query(ctx context.Context, s bridgesql.Statement, sink bridgesql.Sink) error {
	values, types, err := bind(s)
	if err != nil {
		return err
	}
	return e.onPool(ctx, e.settings(false), step{text: s.Text, values: values, types: types, rows: func(r *pgconn.ResultReader) error {
		return pour(r, s, nil, sink)
	}})
}

// Foreign runs a model's statement behind the gate, through a cursor, on a
// connection that is closed afterwards.
func (e *engine) Foreign(ctx context.Context, s bridgesql.Statement, sink bridgesql.Sink) error {
	gate, err := e.admission(ctx, nil)
	if err != nil {
		return err
	}
	err = e.behind(ctx, gate, s, sink)
	var pg *pgconn.PgError
	if !errors.As(err, &pg) || pg.Code != divisionByZero {
		return err
	}
	// The statement divided by zero, or the gate was of functions that are no more.
	now, failed := e.admission(ctx, gate)
	if failed != nil {
		return failed
	}
	if bytes.Equal(now.mark, gate.mark) {
		return err
	}
	return e.behind(ctx, now, s, sink)
}

// behind runs a statement that the gate lets through.
func (e *engine) behind(ctx context.Context, gate *gate, s bridgesql.Statement, sink bridgesql.Sink) error {
	explain, inner, err := gate.check(s.Text)
	if err != nil {
		return err
	}
	values, types, err := bind(s)
	if err != nil {
		return err
	}
	const declare = "DECLARE bridge NO SCROLL CURSOR FOR "
	steps := []step{e.settings(true), gate.unchanged(), {text: declare + inner, values: values, types: types, wrapped: len(declare), moved: utf8.RuneCountInString(explain)}}
	take := func(r *pgconn.ResultReader) error { return pour(r, s, gate.types, sink) }
	if explain == "" {
		steps = append(steps, step{text: fmt.Sprintf("FETCH FORWARD %d FROM bridge", s.MaxRows), rows: take})
	} else {
		// Declaring the cursor proved that the rest is a SELECT.
		steps = append(steps, step{text: explain + inner, values: values, types: types, rows: take})
	}
	return e.onForeign(ctx, func(conn *pgconn.PgConn) error { return transact(ctx, conn, steps...) })
}

// onForeign runs on a connection that nothing of ours uses afterwards. Closing it
// takes along what a session can keep beyond its transactions.
func (e *engine) onForeign(ctx context.Context, do func(*pgconn.PgConn) error) error {
	conn, err := acquire(ctx, e.foreign)
	if err != nil {
		return err
	}
	hijacked := conn.Conn().PgConn()
	defer conn.Release() // of a closed connection: the pool drops it
	err = do(hijacked)
	closing, cancel := context.WithTimeout(context.WithoutCancel(ctx), closeTimeout)
	defer cancel()
	return errors.Join(failure(ctx, err), hijacked.Close(closing))
}
