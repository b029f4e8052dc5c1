package main

import (
	"cmp"
	"fmt"
	"net/url"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
)

// sourceName is the form of a source's name: it is the authority of URIs and
// the prefix of tool names.
var sourceName = regexp.MustCompile(`^[a-z][a-z0-9-]{0,15}$`)

// A sourceArg is one [NAME=]SOURCE of the command line.
type sourceArg struct {
	name, kind string
	location   string // a path, a URL, or - for standard input
}

// shown is the location as errors may show it.
func (s sourceArg) shown() string {
	if scheme, _, isURL := strings.Cut(s.location, "://"); isURL && isDatabase(s.kind) {
		return scheme + "://…" // a password may tear it so that it stands anywhere
	}
	if u, err := url.Parse(s.location); err == nil && u.User != nil {
		return u.Scheme + "://…"
	}
	return s.location
}

// parseSources reads the sources of a command line and names each of them. A
// path that begins with NAME= is written ./NAME=.
func parseSources(args []string) ([]sourceArg, error) {
	var list []sourceArg
	for _, arg := range args {
		s, err := parseSource(arg)
		if err != nil {
			return nil, err
		}
		clash := slices.IndexFunc(list, func(other sourceArg) bool { return other.name == s.name })
		if clash >= 0 {
			return nil, fmt.Errorf("%s and %s are both called %s; give one of them a name of its own: NAME=%s",
				list[clash].shown(), s.shown(), s.name, s.shown())
		}
		list = append(list, s)
	}
	return list, nil
}

func parseSource(arg string) (sourceArg, error) {
	name, location := cutName(arg)
	location = asGitHub(location)
	kind, err := formOf(location)
	if err == nil && kind == "openapi" {
		err = checkDocument(location)
	}
	if err != nil {
		return sourceArg{}, err
	}
	s := sourceArg{name: name, kind: kind, location: location}
	if name == "" {
		s.name = nameOf(kind, location)
	}
	if s.name == "" {
		return sourceArg{}, fmt.Errorf("no name can be made of %s; give it one: NAME=%s", s.shown(), s.shown())
	}
	if !sourceName.MatchString(s.name) {
		return sourceArg{}, badName(s.name)
	}
	return s, nil
}

// badName says what a source may be called.
func badName(name string) error {
	such := ""
	if fit := fitName(name); fit != "" {
		such = ", such as " + fit
	}
	return fmt.Errorf("a source cannot be called %q: a name is a lower-case letter and then up to 15 lower-case letters, digits and hyphens%s", name, such)
}

// source is the source that the argument amounts to.
func (s sourceArg) source(f *backendFlags, sent headers, lookup func(string) (string, bool)) source {
	switch s.kind {
	case "github":
		return githubArg(s.location, lookup)
	case "postgres":
		return &postgresSource{DSN: s.location}
	case "mysql":
		return &mysqlSource{DSN: s.location}
	case "sqlite":
		return &sqliteSource{Location: sqliteFile(s.location)}
	}
	return &openapiSource{Location: s.location, BaseURL: f.BaseURL, Headers: sent}
}

// sqliteFile is the path in sqlite:FILE or sqlite://FILE.
func sqliteFile(location string) string {
	file, found := strings.CutPrefix(location, "sqlite:")
	if found {
		file = strings.TrimPrefix(file, "//")
	}
	return file
}

// cutName splits NAME= off. What stands before a = and holds a character of
// paths or URLs is no name.
func cutName(arg string) (name, location string) {
	before, after, found := strings.Cut(arg, "=")
	if !found || before == "" || strings.ContainsAny(before, `/\:.?`) {
		return "", arg
	}
	return before, after
}

// fitName makes a source's name of a file's name, "" if nothing is left of it.
func fitName(s string) string {
	var b strings.Builder
	for _, r := range strings.ToLower(s) {
		if r >= 'a' && r <= 'z' || r >= '0' && r <= '9' {
			b.WriteRune(r)
		} else {
			b.WriteByte('-')
		}
	}
	words := strings.FieldsFunc(b.String(), func(r rune) bool { return r == '-' })
	name := strings.TrimLeft(strings.Join(words, "-"), "-0123456789")
	return strings.TrimRight(name[:min(len(name), 16)], "-")
}

// forms are what a SOURCE can be beside the path of an OpenAPI document, by how
// it begins.
var forms = [...]struct{ prefix, kind string }{
	{"postgres://", "postgres"},
	{"postgresql://", "postgres"},
	{"mysql://", "mysql"},
	{"mariadb://", "mysql"},
	{"sqlite:", "sqlite"},
	{"github:", "github"},
	{"http://", "openapi"},
	{"https://", "openapi"},
}

// formOf returns the kind of source that a location names. The error never
// repeats the location, which may hold a password.
func formOf(location string) (string, error) {
	if location == "" {
		return "", fmt.Errorf("a SOURCE is empty; it is the path or URL of an OpenAPI document, the address of a database, or github:OWNER/REPO")
	}
	switch strings.TrimRight(location, "/") {
	case "sqlite:", "github:", "postgres:", "mysql:":
		return "", fmt.Errorf("%s says no more; write postgres://HOST/DATABASE, mysql://HOST/DATABASE, sqlite:FILE or github:OWNER/REPO", location)
	}
	for _, f := range forms {
		if strings.HasPrefix(location, f.prefix) {
			return f.kind, nil
		}
	}
	if kind, _, _ := strings.Cut(location, ":"); kind == "postgres" || kind == "postgresql" || kind == "mysql" || kind == "mariadb" {
		if kind != location {
			return "", fmt.Errorf("the address of a database begins with %s://", kind)
		}
	}
	if scheme, _, isURL := strings.Cut(location, "://"); isURL {
		return "", fmt.Errorf("%s://… is not served; a SOURCE is the path or URL (http, https) of an OpenAPI document, the address of a database (postgres, mysql, sqlite), or github:OWNER/REPO", scheme)
	}
	if regexp.MustCompile(`^[A-Za-z0-9.-]+:[0-9]+(/|$)`).MatchString(location) {
		return "", fmt.Errorf("%s has no scheme; write http://%s for a document there, or postgres:// or mysql:// for a database", location, location)
	}
	switch path.Ext(location) {
	case ".db", ".sqlite", ".sqlite3":
		return "", fmt.Errorf("%s looks like a database file; write sqlite:%s", location, location)
	}
	return "openapi", nil
}

// isDatabase reports whether a location holds a password, perhaps.
func isDatabase(kind string) bool { return kind == "postgres" || kind == "mysql" }

// reference is what stands for a secret in the address of a database.
var reference = regexp.MustCompile(`\$\{[^}]*\}`)

// nameOf makes a source's name of where it is: a document's file, a database's
// name, or else the host.
func nameOf(kind, location string) string {
	if isDatabase(kind) {
		u, err := url.Parse(reference.ReplaceAllString(location, "x"))
		if err != nil || strings.Contains(u.Path, "@") { // an @ there is behind a password
			return "db"
		}
		return cmp.Or(fitName(strings.TrimPrefix(u.Path, "/")), fitName(u.Hostname()), "db")
	}
	if kind == "github" {
		return fitName(path.Base(strings.TrimPrefix(location, "github:")))
	}
	location = sqliteFile(location)
	if u, err := url.Parse(location); err == nil && (u.Scheme == "http" || u.Scheme == "https") {
		file := path.Base(u.Path)
		if name := fitName(strings.TrimSuffix(file, path.Ext(file))); name != "" && name != "openapi" && name != "swagger" {
			return name
		}
		return fitName(u.Hostname())
	}
	if location == "-" {
		return "api"
	}
	return fitName(strings.TrimSuffix(filepath.Base(location), filepath.Ext(location)))
}
