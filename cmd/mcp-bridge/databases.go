package main

import (
	"strings"
	"time"

	"github.com/mcp-bridge/mcp-bridge/adapters/sql/mysql"
	"github.com/mcp-bridge/mcp-bridge/adapters/sql/postgres"
	"github.com/mcp-bridge/mcp-bridge/adapters/sql/sqlite"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/internal/demo"
	"github.com/mcp-bridge/mcp-bridge/internal/strictjson"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
)

// databaseConfig is what every kind of database takes.
type databaseConfig struct {
	sourceConfig
	Schemas   []string               `json:"schemas,omitempty" jsonschema:"The schemas to show. Default: all that are not the system's; for MySQL the database of the connection."`
	Tables    tablesPolicy           `json:"tables,omitempty" jsonschema:"each gives every table a find and a get tool, generic one set of tools that take a table, auto each up to 12 tables. Default: auto."`
	Query     queryPolicy            `json:"query,omitempty" jsonschema:"Whether there is a tool for SQL that the model writes: auto where the role of the database can only read, off, or allow. Default: auto."`
	MaxRows   count                  `json:"maxRows,omitempty" jsonschema:"How many rows one answer may have. Default: 200."`
	Queries   map[string]queryConfig `json:"queries,omitempty" jsonschema:"Tools made of SQL of your own, by name."`
	Functions []string               `json:"functions,omitempty" jsonschema:"Functions of your own or of an extension that SQL of a model may call."`
}

type queryConfig struct {
	Description string                 `json:"description" jsonschema:"What the query answers, for the model."`
	SQL         string                 `json:"sql" jsonschema:"One SELECT. Parameters are written :name."`
	Params      map[string]paramConfig `json:"params,omitempty" jsonschema:"What the parameters mean, by name."`
}

type paramConfig struct {
	Description string `json:"description,omitempty" jsonschema:"What the parameter means, for the model."`
	Optional    bool   `json:"optional,omitempty" jsonschema:"Whether it may be left out; it is null then."`
}

func (s *databaseConfig) common() *sourceConfig { return &s.sourceConfig }

// hides reports whether a deny entry is about tables or columns.
func (s *databaseConfig) hides(entry string) bool {
	return strings.HasPrefix(entry, "table:") || strings.HasPrefix(entry, "column:")
}

// options says to the adapter what mapping cannot enforce: a denied table or
// column must not be in any answer.
func (s *databaseConfig) options(c *config) bridgesql.Options {
	o := bridgesql.Options{
		Schemas: s.Schemas, Tables: string(s.Tables), Query: string(s.Query),
		Timeout: time.Duration(s.Timeout), MaxRows: int(s.MaxRows), Functions: s.Functions, Deny: c.hiddenBy(s),
	}
	for name, q := range s.Queries {
		named := bridgesql.NamedQuery{Description: q.Description, SQL: q.SQL, Params: map[string]bridgesql.NamedParam{}}
		for param, p := range q.Params {
			named.Params[param] = bridgesql.NamedParam{Description: p.Description, Optional: p.Optional}
		}
		if o.Queries == nil {
			o.Queries = map[string]bridgesql.NamedQuery{}
		}
		o.Queries[name] = named
	}
	return o
}

// needDSN refuses a source without a connection string.
func needDSN(v *strictjson.Value, dsn, example string) error {
	if dsn == "" {
		return v.Errorf("dsn is missing; it is the connection string, such as %s", example)
	}
	return nil
}

// A postgresSource is a PostgreSQL database.
type postgresSource struct {
	databaseConfig
	DSN string `json:"dsn" jsonschema:"The connection string: postgres://USER:PASSWORD@HOST:PORT/DATABASE, or key=value words."`
}

func (s *postgresSource) resolve(v *strictjson.Value, _ string) error {
	return needDSN(v, s.DSN, "postgres://bridge@localhost/shop")
}

func (s *postgresSource) open(c *config) core.Adapter { return postgres.Open(s.DSN, s.options(c)) }

// A mysqlSource is a MySQL or MariaDB database.
type mysqlSource struct {
	databaseConfig
	DSN string `json:"dsn" jsonschema:"The connection string: mysql://USER:PASSWORD@HOST:PORT/DATABASE, or USER:PASSWORD@tcp(HOST:PORT)/DATABASE."`
}

func (s *mysqlSource) resolve(v *strictjson.Value, _ string) error {
	return needDSN(v, s.DSN, "mysql://bridge@localhost/shop")
}

func (s *mysqlSource) open(c *config) core.Adapter { return mysql.Open(s.DSN, s.options(c)) }

// A sqliteSource is a SQLite file.
type sqliteSource struct {
	databaseConfig
	Location string `json:"location" jsonschema:"The path of the database file. A relative path starts at the config file."`
}

func (s *sqliteSource) resolve(v *strictjson.Value, dir string) error {
	if s.Location == "" {
		return v.Errorf("location is missing; it is the path of a SQLite file")
	}
	s.Location = join(dir, sqliteFile(s.Location))
	return nil
}

func (s *sqliteSource) open(c *config) core.Adapter { return sqlite.Open(s.Location, s.options(c)) }

// A demoDatabaseSource is the sample database that the program carries.
type demoDatabaseSource struct {
	databaseConfig
}

func (s *demoDatabaseSource) resolve(*strictjson.Value, string) error { return nil }

func (s *demoDatabaseSource) open(c *config) core.Adapter {
	return sqlite.Script(demo.Database(), s.options(c))
}
