package main

import (
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"time"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// The types below are the words and numbers of a config file. Each one refuses
// what it cannot mean; the zero value is "not said".

// A duration is written as "500ms", "10s" or "1m30s".
type duration time.Duration

func (d *duration) UnmarshalText(b []byte) error {
	v, err := time.ParseDuration(string(b))
	if err != nil || v <= 0 {
		return fmt.Errorf(`%q is not a duration such as "500ms", "10s" or "1m30s"`, b)
	}
	*d = duration(v)
	return nil
}

// A count is a whole number from 1.
type count int

// Check refuses what is no count.
func (c count) Check() error {
	if c < 1 {
		return fmt.Errorf("must be at least 1, not %d", c)
	}
	return nil
}

// A percent is a whole number from 1 to 100.
type percent int

// Check refuses what is no percentage.
func (p percent) Check() error {
	if p < 1 || p > 100 {
		return fmt.Errorf("must be from 1 to 100, not %d", p)
	}
	return nil
}

// An effect is what an operation does to the backend.
type effect mapping.Effect

func (e *effect) UnmarshalText(b []byte) error {
	if err := oneOf(string(b), effects[:]); err != nil {
		return err
	}
	return (*mapping.Effect)(e).UnmarshalText(b)
}

var effects = [...]string{"reads", "writes", "destroys"}

// An outputPolicy says whether the schemas of answers are published.
type outputPolicy string

func (p *outputPolicy) UnmarshalText(b []byte) error {
	*p = outputPolicy(b)
	return oneOf(string(b), outputPolicies[:])
}

var outputPolicies = [...]string{"auto", "always", "never"}

// A level is the least important kind of message that is written.
type level string

func (l *level) UnmarshalText(b []byte) error {
	*l = level(b)
	return oneOf(string(b), levels[:])
}

var levels = [...]string{"debug", "info", "warn", "error"}

// slog returns the level in slog's numbers.
func (l level) slog() slog.Level {
	switch l {
	case "debug":
		return slog.LevelDebug
	case "warn":
		return slog.LevelWarn
	case "error":
		return slog.LevelError
	}
	return slog.LevelInfo
}

func oneOf(word string, words []string) error {
	if slices.Contains(words, word) {
		return nil
	}
	return fmt.Errorf("%q is not one of %s", word, strings.Join(words, ", "))
}

// A tablesPolicy says whether each table of a database gets tools of its own.
type tablesPolicy string

func (p *tablesPolicy) UnmarshalText(b []byte) error {
	*p = tablesPolicy(b)
	return oneOf(string(b), tablesPolicies[:])
}

var tablesPolicies = [...]string{"auto", "each", "generic"}

// A queryPolicy says whether a model may write SQL of its own.
type queryPolicy string

func (p *queryPolicy) UnmarshalText(b []byte) error {
	*p = queryPolicy(b)
	return oneOf(string(b), queryPolicies[:])
}

var queryPolicies = [...]string{"auto", "off", "allow"}

// A role is who says a message of a prompt; "" is the user.
type role string

func (r *role) UnmarshalText(b []byte) error {
	*r = role(b)
	return oneOf(string(b), roles[:])
}

var roles = [...]string{"user", "assistant"}
