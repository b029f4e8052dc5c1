// Package mysql serves a MySQL or MariaDB database, read-only in fact.
//
// It is verified on MariaDB; for MySQL it follows the documentation.
//
// No mode of the server stops every write there, because a single statement can
// carry a block of code. So text that a model wrote passes a strict gate before
// anything else, and only on connections of the adapter's own, whose session is
// read-only and which are closed afterwards.
package mysql

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"net/url"
	"strconv"
	"strings"
	"sync"
	"time"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/mapping"

	"github.com/go-sql-driver/mysql"
)

// The connections that the adapter opens of its own.
const (
	ownConns     = 8
	foreignConns = 4
)

// New returns an adapter over a pool that stays the caller's: it is never closed,
// and no session setting on it is touched. It runs generated SQL only; ad-hoc SQL
// needs Open. The pool must not have multiStatements or parseTime set. A statement
// that is given up is stopped from another connection of the pool; where it has
// none to spare within a second, the statement ends at Options.Timeout.
func New(db *sql.DB, o bridgesql.Options) *bridgesql.Adapter {
	return bridgesql.New(&engine{given: db, options: o}, o)
}

// Open returns an adapter for mysql://USER:PASSWORD@HOST:PORT/DATABASE or for a
// DSN as go-sql-driver writes it. It connects at the first Catalog, which is also
// where a DSN that cannot be read is an error.
func Open(dsn string, o bridgesql.Options) *bridgesql.Adapter {
	return bridgesql.New(&engine{dsn: dsn, options: o}, o)
}

// engine is the bridgesql.Engine of one server.
type engine struct {
	dialect
	dsn     string
	given   *sql.DB
	options bridgesql.Options

	mu            sync.Mutex
	pool, foreign *sql.DB
	mariadb       bool
	gate          *gate
	closed        bool
}

// connect makes the pools once the server has said what it is.
func (e *engine) connect(ctx context.Context) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.closed {
		return &mapping.Error{Code: mapping.Unavailable, Problem: "the database is closed"}
	}
	if e.pool != nil {
		return nil
	}
	if e.given != nil {
		version, err := versionOf(ctx, e.given)
		if err != nil {
			return err
		}
		e.pool, e.mariadb = e.given, strings.Contains(version, "MariaDB")
		return nil
	}
	config, err := parse(e.dsn)
	if err != nil {
		return err
	}
	probe, err := open(config, 1)
	if err != nil {
		return err
	}
	defer probe.Close()
	version, err := versionOf(ctx, probe)
	if err != nil {
		return err
	}
	e.mariadb, e.gate = strings.Contains(version, "MariaDB"), newGate(version, e.options.Functions)
	e.settings(config)
	if e.pool, err = open(config, ownConns); err != nil {
		return err
	}
	e.foreign, err = open(config, foreignConns)
	return err
}

func versionOf(ctx context.Context, db *sql.DB) (version string, err error) {
	return version, failure(ctx, db.QueryRowContext(ctx, "SELECT VERSION()").Scan(&version))
}

// settings are given to every session of ours when it begins. sql_mode decides
// how the server reads quotes and backslashes, so the gate depends on it.
func (e *engine) settings(c *mysql.Config) {
	timeout := e.timeout()
	c.Params = map[string]string{
		"sql_mode":          "'STRICT_ALL_TABLES'",
		"time_zone":         "'+00:00'",
		"lock_wait_timeout": "2",
	}
	if e.mariadb {
		c.Params["max_statement_time"] = strconv.FormatFloat(timeout.Seconds(), 'f', 3, 64)
		c.Params["tx_read_only"] = "1"
	} else {
		c.Params["max_execution_time"] = strconv.FormatInt(timeout.Milliseconds(), 10)
		c.Params["transaction_read_only"] = "1"
	}
}

func (e *engine) timeout() time.Duration {
	if e.options.Timeout > 0 {
		return e.options.Timeout
	}
	return 10 * time.Second
}

func open(c *mysql.Config, most int) (*sql.DB, error) {
	connector, err := mysql.NewConnector(c.Clone())
	if err != nil {
		return nil, &mapping.Error{Code: mapping.Invalid, Problem: "the connection string does not fit together", Err: err}
	}
	db := sql.OpenDB(connector)
	db.SetMaxOpenConns(most)
	db.SetMaxIdleConns(most)
	db.SetConnMaxIdleTime(time.Minute)
	return db, nil
}

// parse reads a DSN and takes away what would let one string be many statements
// or files.
func parse(dsn string) (*mysql.Config, error) {
	if strings.HasPrefix(dsn, "mysql://") || strings.HasPrefix(dsn, "mariadb://") {
		converted, err := fromURL(dsn)
		if err != nil {
			return nil, err
		}
		dsn = converted
	}
	c, err := mysql.ParseDSN(dsn)
	if err != nil {
		return nil, unreadable(fmt.Errorf("parse connection string: %T", err))
	}
	c.MultiStatements, c.AllowAllFiles, c.ParseTime, c.InterpolateParams, c.ClientFoundRows = false, false, false, false, false
	c.Logger = mysql.Logger(&mysql.NopLogger{})
	return c, nil
}

func unreadable(cause error) error {
	return &mapping.Error{Code: mapping.Invalid, Problem: "the connection string cannot be read", Allowed: "mysql://USER:PASSWORD@HOST:PORT/DATABASE, with @ : / # % in the password written %40 %3A %2F %23 %25", Err: cause}
}

// fromURL writes a URL as go-sql-driver's DSN.
func fromURL(text string) (string, error) {
	u, err := url.Parse(text)
	_, rest, _ := strings.Cut(text, "://")
	if err != nil || strings.Count(rest, "@") > 1 || u.User == nil && strings.Contains(rest, "@") || u.Fragment != "" {
		return "", unreadable(errors.New("not a URL, or one that a character of its password tears apart"))
	}
	c := mysql.NewConfig()
	c.User = u.User.Username()
	c.Passwd, _ = u.User.Password()
	c.Net, c.Addr, c.DBName = "tcp", u.Host, strings.TrimPrefix(u.Path, "/")
	if u.Port() == "" {
		c.Addr = u.Hostname() + ":3306"
	}
	if socket := u.Query().Get("socket"); socket != "" {
		c.Net, c.Addr = "unix", socket
	}
	if tls := u.Query().Get("tls"); tls != "" {
		c.TLSConfig = tls
	}
	return c.FormatDSN(), nil
}

// Close closes the adapter's own pools.
func (e *engine) Close() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.closed = true
	if e.given != nil || e.pool == nil {
		return nil
	}
	return errors.Join(e.pool.Close(), e.foreign.Close())
}
