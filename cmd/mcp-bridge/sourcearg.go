package main

import (
	"fmt"
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
	name string
	path string // of an OpenAPI document
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
				list[clash].path, s.path, s.name, s.path)
		}
		list = append(list, s)
	}
	return list, nil
}

func parseSource(arg string) (sourceArg, error) {
	name, location := cutName(arg)
	if err := refuse(location); err != nil {
		return sourceArg{}, err
	}
	if name == "" {
		name = fitName(strings.TrimSuffix(filepath.Base(location), filepath.Ext(location)))
	}
	if name == "" {
		return sourceArg{}, fmt.Errorf("no name can be made of %s; give it one: NAME=%s", location, location)
	}
	if !sourceName.MatchString(name) {
		return sourceArg{}, fmt.Errorf("a source cannot be called %q: a name is a lower-case letter and then up to 15 lower-case letters, digits and hyphens", name)
	}
	return sourceArg{name: name, path: location}, nil
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

// backends are the forms of SOURCE that are no path, each with what it names.
var backends = [...]struct{ prefix, names string }{
	{"postgres://", "a PostgreSQL database"},
	{"postgresql://", "a PostgreSQL database"},
	{"mysql://", "a MySQL database"},
	{"sqlite:", "an SQLite database"},
	{"github:", "GitHub"},
}

// refuse explains why a location cannot be served; nil if it is a path. It
// never repeats the location, which may hold a password.
func refuse(location string) error {
	for _, b := range backends {
		if strings.HasPrefix(location, b.prefix) {
			return fmt.Errorf("%s… names %s; a SOURCE here is the path of an OpenAPI document, and that is all it can be", b.prefix, b.names)
		}
	}
	scheme, _, isURL := strings.Cut(location, "://")
	switch {
	case location == "":
		return fmt.Errorf("a SOURCE is empty; it is the path of an OpenAPI document")
	case location == "-":
		return fmt.Errorf("- is standard input; a SOURCE is the path of an OpenAPI document: save it to a file first")
	case isURL:
		return fmt.Errorf("%s://… is a URL; a SOURCE is the path of an OpenAPI document: download it first, for example with curl -o openapi.json URL", scheme)
	}
	return nil
}
