package main

import (
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// headers are sent with every request to a backend.
type headers map[string]string

// Check refuses what cannot be sent. It never repeats a value, which may be a
// secret.
func (h headers) Check() error {
	var problems []error
	for _, name := range sorted(h) {
		problems = append(problems, checkHeader(name, h[name]))
	}
	return errors.Join(problems...)
}

func checkHeader(name, value string) error {
	if name == "" || strings.ContainsFunc(name, notToken) {
		return fmt.Errorf("%q cannot be the name of a header", name)
	}
	if strings.ContainsFunc(value, func(r rune) bool { return r < ' ' && r != '\t' || r == 0x7f }) {
		return fmt.Errorf("the value of header %s holds a control character, perhaps a line end", name)
	}
	return nil
}

// notToken tells the characters that RFC 9110 §5.6.2 keeps out of names.
func notToken(r rune) bool {
	letter := r >= 'a' && r <= 'z' || r >= 'A' && r <= 'Z' || r >= '0' && r <= '9'
	return !letter && !strings.ContainsRune("!#$%&'*+-.^_`|~", r)
}

// parseHeader reads "Name: value" of a command line.
func parseHeader(line string, expand func(string) (string, error)) (name, value string, err error) {
	name, value, found := strings.Cut(line, ":")
	name = strings.TrimSpace(name)
	if !found || name == "" {
		return "", "", errors.New("--header is written 'Name: value'")
	}
	if value, err = expand(strings.TrimSpace(value)); err == nil {
		err = checkHeader(name, value)
	}
	if err != nil {
		return "", "", fmt.Errorf("--header %s: %w", name, err)
	}
	return name, value, nil
}

func (h headers) http() http.Header {
	out := http.Header{}
	for name, value := range h {
		out.Set(name, value)
	}
	return out
}
