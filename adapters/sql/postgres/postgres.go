// Package postgres serves a PostgreSQL database, read-only in fact.
//
// Everything runs below pgx's query interface, on pgconn's extended protocol:
// there one message holds one statement, whatever mode a pool was configured
// with. Each call is one round trip: BEGIN READ ONLY, settings for this
// transaction only, the statement, ROLLBACK.
//
// Text that a model wrote takes a path of its own: a gate, then a cursor, whose
// grammar in PostgreSQL allows only SELECT, VALUES, TABLE and WITH, on a
// connection that is closed afterwards.
package postgres

import (
	"context"
	"fmt"
	"strings"
	"sync"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/jackc/pgx/v5/pgxpool"
)

// The connections that the adapter opens of its own, and the largest message it
// takes from the server: a single cell over it ends the connection, not the
// process.
const (
	ownConns     = 8
	foreignConns = 4
	maxMessage   = 16 << 20
)

// New returns an adapter over a pool that stays the caller's: it is never closed,
// and its connections come back as they went. Ad-hoc SQL does not run on it but on
// up to four connections of the adapter's own, opened with the pool's settings.
func New(pool *pgxpool.Pool, o bridgesql.Options) *bridgesql.Adapter {
	return bridgesql.New(&engine{given: pool, options: o}, o)
}

// Open returns an adapter for a connection string, a URL or key=value words as
// libpq takes them. It connects at the first Catalog, which is also where a
// string that cannot be read is an error.
func Open(dsn string, o bridgesql.Options) *bridgesql.Adapter {
	return bridgesql.New(&engine{dsn: dsn, options: o}, o)
}

// engine is the bridgesql.Engine of one database.
type engine struct {
	dialect
	dsn   string
	given *pgxpool.Pool
	// givenMax is the largest message that the given pool takes, 0 for any.
	givenMax int
	options  bridgesql.Options

	once          sync.Once
	opened        error
	pool, foreign *pgxpool.Pool

	gates sync.Mutex
	gate  *gate
}

// connect makes the pools once. It opens no connection.
func (e *engine) connect() error {
	e.once.Do(func() { e.opened = e.makePools() })
	return e.opened
}

func (e *engine) makePools() error {
	var config *pgxpool.Config
	e.pool = e.given
	if e.given != nil {
		config = e.given.Config()
		e.givenMax = config.ConnConfig.MaxProtocolMessageBodyLen
	} else {
		var err error
		if config, err = parse(e.dsn); err != nil {
			return err
		}
		config.MaxConns, config.MinConns = ownConns, 0
		config.ConnConfig.MaxProtocolMessageBodyLen = maxMessage
		if e.pool, err = pgxpool.NewWithConfig(context.Background(), config); err != nil {
			return fmt.Errorf("make pool: %w", err)
		}
	}
	config = config.Copy()
	config.MaxConns, config.MinConns, config.MinIdleConns = foreignConns, 0, 0
	config.MaxConnIdleTime = time.Minute
	config.ConnConfig.MaxProtocolMessageBodyLen = maxMessage
	var err error
	if e.foreign, err = pgxpool.NewWithConfig(context.Background(), config); err != nil {
		return fmt.Errorf("make pool for ad-hoc SQL: %w", err)
	}
	return nil
}

// parse reads a connection string. Its errors do not repeat it, as the driver's
// do: one that cannot be read may hold a password anywhere.
func parse(dsn string) (*pgxpool.Config, error) {
	config, err := pgxpool.ParseConfig(dsn)
	if err == nil && !torn(dsn) {
		return config, nil
	}
	return nil, &mapping.Error{
		Code:    mapping.Invalid,
		Problem: "the connection string cannot be read",
		Allowed: "postgres://USER:PASSWORD@HOST:PORT/DATABASE, with @ : / ? # % in the password written %40 %3A %2F %3F %23 %25",
		Err:     fmt.Errorf("parse connection string: %T", err),
	}
}

// torn reports whether an @ / ? or # of a password ended the part of a URL that
// the driver takes it from. It would then look for a host named after the role, or
// after a part of the password.
func torn(dsn string) bool {
	scheme, rest, _ := strings.Cut(dsn, "://")
	if scheme != "postgres" && scheme != "postgresql" {
		return false
	}
	front, query, _ := strings.Cut(rest, "?")
	authority, path, _ := strings.Cut(front, "/")
	key, _, _ := strings.Cut(query, "=")
	return strings.Count(authority, "@") > 1 || strings.Contains(path+key, "@") || strings.Contains(rest, "#")
}

// Close closes the adapter's own pools.
func (e *engine) Close() error {
	if e.connect() != nil {
		return nil
	}
	e.foreign.Close()
	if e.given == nil {
		e.pool.Close()
	}
	return nil
}

func (e *engine) timeout() time.Duration {
	if e.options.Timeout > 0 {
		return e.options.Timeout
	}
	return 10 * time.Second
}
