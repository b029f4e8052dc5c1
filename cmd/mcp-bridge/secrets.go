package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
)

// maxSecretFile bounds a ${file:…}: keys and tokens are small, and /dev/zero
// has no end.
const maxSecretFile = 1 << 20

// secrets puts values from outside in the place of references to them. It is
// the only reader of the environment and of secret files.
type secrets struct {
	lookup func(name string) (string, bool) // os.LookupEnv
	dir    string                           // what relative file names start from
	found  *findings                        // gets what was found; nil is nobody
}

// findings are the values that references stood for, and the files that were
// read for them.
type findings struct{ values, files []string }

// expand replaces ${env:NAME}, ${env:NAME:-default} and ${file:path} in s. $${
// stands for a plain ${. A default also stands in for an empty variable, as in
// a shell. What was put in is not looked at again. No error holds a value.
func (s secrets) expand(text string) (string, error) {
	var out strings.Builder
	for {
		at := strings.Index(text, "${")
		if at < 0 {
			out.WriteString(text)
			return out.String(), nil
		}
		if strings.HasSuffix(text[:at], "$") {
			out.WriteString(text[:at-1] + "${")
			text = text[at+2:]
			continue
		}
		out.WriteString(text[:at])
		reference, rest, closed := strings.Cut(text[at+2:], "}")
		if !closed {
			return "", errors.New("${ has no closing }; a plain ${ is written $${")
		}
		value, err := s.value(reference)
		if err != nil {
			return "", err
		}
		out.WriteString(value)
		text = rest
	}
}

// value returns what one reference, without its ${ and }, stands for.
func (s secrets) value(reference string) (string, error) {
	kind, rest, _ := strings.Cut(reference, ":")
	switch {
	case kind == "env" && rest != "":
		return s.env(rest)
	case kind == "file" && rest != "":
		return s.file(rest)
	}
	if regexp.MustCompile(`^[A-Za-z_][A-Za-z0-9_]*$`).MatchString(reference) {
		return "", fmt.Errorf("${%s} is no reference; write ${env:%s} for the environment variable, and $${ for a plain ${", reference, reference)
	}
	return "", fmt.Errorf("${%s} is neither ${env:NAME}, ${env:NAME:-default} nor ${file:path}; a plain ${ is written $${", reference)
}

func (s secrets) env(reference string) (string, error) {
	name, fallback, optional := strings.Cut(reference, ":-")
	value, set := s.lookup(name)
	if optional && value == "" {
		return fallback, nil
	}
	if !set {
		return "", fmt.Errorf("${env:%s} is not set", name)
	}
	s.note(value)
	return value, nil
}

// file returns the content of a file without the line end and the mark at the
// beginning (BOM) that editors add.
func (s secrets) file(name string) (string, error) {
	if s.found != nil {
		s.found.files = append(s.found.files, join(s.dir, name))
	}
	f, err := os.Open(join(s.dir, name))
	if err != nil {
		return "", fmt.Errorf("${file:%s}: %w", name, reason(err))
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, maxSecretFile+1))
	if err != nil {
		return "", fmt.Errorf("${file:%s}: %w", name, reason(err))
	}
	if len(content) > maxSecretFile {
		return "", fmt.Errorf("${file:%s} has more than %d bytes", name, maxSecretFile)
	}
	value := strings.TrimSuffix(strings.TrimSuffix(strings.TrimPrefix(string(content), "\ufeff"), "\n"), "\r")
	s.note(value)
	return value, nil
}

// note remembers what must not be shown. A default stands in the config file, and
// is none of it.
func (s secrets) note(value string) {
	if s.found != nil {
		s.found.values = append(s.found.values, value)
	}
}

// join returns path, taken from dir if it is relative.
func join(dir, path string) string {
	if filepath.IsAbs(path) {
		return path
	}
	return filepath.Join(dir, path)
}

// reason is what the system says of a file, without the name and the call,
// which stand in our own words already.
func reason(err error) error {
	var of *fs.PathError
	if errors.As(err, &of) {
		return of.Err
	}
	return err
}
