package postgres

import (
	"strings"
	"unicode/utf8"
)

// A token is one lexical token of PostgreSQL (documentation §4.1). Comments and
// space are not tokens.
type token struct {
	kind tokenKind
	// text of a name is folded as the server folds it: lower case unless quoted.
	text string
	at   int // byte offset
}

type tokenKind int

const (
	name tokenKind = iota // an identifier or a keyword
	quotedName
	literal // a string, a number, a parameter
	sign    // one character of an operator or of punctuation
	broken  // what the server's lexer would read in more than one way
)

// lex splits SQL into tokens. A token of kind broken is the last one.
func lex(sql string) []token {
	l := lexer{sql: sql}
	for l.at < len(sql) {
		l.next()
		if n := len(l.tokens); n > 0 && l.tokens[n-1].kind == broken {
			break
		}
	}
	return l.tokens
}

type lexer struct {
	sql    string
	at     int
	tokens []token
}

func (l *lexer) emit(kind tokenKind, text string, end int) {
	l.tokens = append(l.tokens, token{kind, text, l.at})
	l.at = end
}

func (l *lexer) next() {
	rest := l.sql[l.at:]
	switch c := rest[0]; {
	case strings.IndexByte(" \t\r\n\f\v", c) >= 0:
		l.at++
	case strings.HasPrefix(rest, "--"):
		l.at += lineEnd(rest)
	case strings.HasPrefix(rest, "/*"):
		l.comment(rest)
	case c == '\'':
		l.quoted(rest, 1, false)
	case c == '"':
		l.identifier(rest)
	case (c == 'e' || c == 'E') && strings.HasPrefix(rest[1:], "'"):
		l.quoted(rest, 2, true)
	case (c == 'b' || c == 'B' || c == 'x' || c == 'X' || c == 'n' || c == 'N') && strings.HasPrefix(rest[1:], "'"):
		l.quoted(rest, 2, false)
	case (c == 'u' || c == 'U') && strings.HasPrefix(rest[1:], "&") && len(rest) > 2 && (rest[2] == '\'' || rest[2] == '"'):
		l.emit(broken, `U& escapes`, len(l.sql))
	case c == '$':
		l.dollar(rest)
	case letter(c):
		end := 1
		for end < len(rest) && (letter(rest[end]) || digit(rest[end]) || rest[end] == '$') {
			end++
		}
		l.emit(name, clip(fold(rest[:end])), l.at+end)
	case digit(c):
		end := 1
		for end < len(rest) && (digit(rest[end]) || letter(rest[end])) {
			end++
		}
		if strings.HasPrefix(rest[end:], "$") {
			l.emit(broken, "a number that runs into a name", len(l.sql)) // versions differ
			return
		}
		l.emit(literal, rest[:end], l.at+end)
	default:
		l.emit(sign, rest[:1], l.at+1)
	}
}

func lineEnd(rest string) int {
	if i := strings.IndexAny(rest, "\r\n"); i >= 0 {
		return i
	}
	return len(rest)
}

// comment skips a comment; PostgreSQL's nest.
func (l *lexer) comment(rest string) {
	depth := 0
	for i := 0; i < len(rest)-1; i++ {
		switch rest[i : i+2] {
		case "/*":
			depth++
			i++
		case "*/":
			depth--
			i++
			if depth == 0 {
				l.at += i + 1
				return
			}
		}
	}
	l.emit(broken, "a comment without an end", len(l.sql))
}

// quoted reads a string that begins behind start. Without E”, a backslash is an
// ordinary character: standard_conforming_strings is on in every transaction of
// ours.
func (l *lexer) quoted(rest string, start int, escapes bool) {
	// A string that goes on behind a line break keeps the escapes of its first part.
	if n := len(l.tokens); start == 1 && n > 0 && l.tokens[n-1].text == "'" && l.tokens[n-1].kind == literal {
		l.emit(broken, "a string continued behind a line break", len(l.sql))
		return
	}
	for i := start; i < len(rest); i++ {
		switch {
		case rest[i] == '\\' && escapes:
			i++
		case rest[i] == '\'' && strings.HasPrefix(rest[i+1:], "'"):
			i++
		case rest[i] == '\'':
			l.emit(literal, "'", l.at+i+1)
			return
		}
	}
	l.emit(broken, "a string without an end", len(l.sql))
}

func (l *lexer) identifier(rest string) {
	for i := 1; i < len(rest); i++ {
		if rest[i] != '"' {
			continue
		}
		if strings.HasPrefix(rest[i+1:], `"`) {
			i++
			continue
		}
		l.emit(quotedName, clip(strings.ReplaceAll(rest[1:i], `""`, `"`)), l.at+i+1)
		return
	}
	l.emit(broken, "a quoted name without an end", len(l.sql))
}

// dollar reads $1, or a dollar-quoted string.
func (l *lexer) dollar(rest string) {
	end := 1
	for end < len(rest) && (letter(rest[end]) || digit(rest[end])) {
		end++
	}
	if end > 1 && digit(rest[1]) {
		if strings.ContainsFunc(rest[1:end], func(r rune) bool { return r < '0' || r > '9' }) || strings.HasPrefix(rest[end:], "$") {
			l.emit(broken, "a parameter that runs into a name", len(l.sql)) // versions differ
			return
		}
		l.emit(literal, rest[:end], l.at+end)
		return
	}
	if end >= len(rest) || rest[end] != '$' {
		l.emit(sign, "$", l.at+1)
		return
	}
	tag := rest[:end+1]
	i := strings.Index(rest[len(tag):], tag)
	if i < 0 {
		l.emit(broken, "a dollar-quoted string without an end", len(l.sql))
		return
	}
	l.emit(literal, "'", l.at+2*len(tag)+i)
}

func letter(c byte) bool {
	return c == '_' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf
}

func digit(c byte) bool { return '0' <= c && c <= '9' }

// clip cuts a name where the server does, which keeps 63 bytes of it.
func clip(name string) string {
	const most = 63
	if len(name) <= most {
		return name
	}
	end := most
	for !utf8.RuneStart(name[end]) {
		end--
	}
	return name[:end]
}

// fold lowers ASCII letters only, as the server does in UTF-8.
func fold(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}
