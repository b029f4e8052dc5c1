package mysql

import (
	"strings"
	"unicode/utf8"
)

// A token is one lexical token of MySQL and MariaDB under the sql_mode that our
// sessions set: double quotes are strings, backslashes escape.
type token struct {
	kind tokenKind
	text string // of a name, in lower case
	// touching is of a name: a bracket follows with nothing between.
	touching bool
}

func (t token) is(text string) bool { return t.kind == sign && t.text == text }

type tokenKind int

const (
	name tokenKind = iota // an identifier or a keyword
	quotedName
	literal
	sign
	broken // what is refused whatever it means; the text says what it is
)

// lex splits SQL into tokens. A token of kind broken is the last one.
func lex(sql string) []token {
	l := &lexer{rest: sql}
	for l.rest != "" {
		l.next()
		if n := len(l.tokens); n > 0 && l.tokens[n-1].kind == broken {
			break
		}
	}
	return l.tokens
}

type lexer struct {
	rest   string
	tokens []token
}

func (l *lexer) emit(kind tokenKind, text string, length int) {
	l.rest = l.rest[length:]
	l.tokens = append(l.tokens, token{kind, text, kind == name && strings.HasPrefix(l.rest, "(")})
}

func (l *lexer) next() {
	rest := l.rest
	switch c := rest[0]; {
	case c <= ' ':
		l.rest = rest[1:]
	case c == '#' || strings.HasPrefix(rest, "--") && (len(rest) == 2 || rest[2] <= ' '):
		l.rest = rest[lineEnd(rest):]
	case strings.HasPrefix(rest, "/*"):
		l.comment()
	case c == '\'' || c == '"':
		l.text(c)
	case c == '`':
		l.identifier()
	case c == '@':
		l.variable()
	case letter(c) || digit(c):
		end := 1
		for end < len(rest) && (letter(rest[end]) || digit(rest[end])) {
			end++
		}
		kind := name // 1e is one
		if strings.Trim(rest[:end], "0123456789") == "" {
			kind = literal
		}
		l.emit(kind, strings.ToLower(rest[:end]), end)
	default:
		l.emit(sign, rest[:1], 1)
	}
}

func lineEnd(rest string) int {
	if i := strings.IndexByte(rest, '\n'); i >= 0 {
		return i
	}
	return len(rest)
}

// comment skips a plain comment. One that the server may run, and one that
// instructs the optimizer (it can lift limits), are refused.
func (l *lexer) comment() {
	body := l.rest[2:]
	if strings.HasPrefix(body, "!") || strings.HasPrefix(body, "M!") || strings.HasPrefix(body, "m!") {
		l.emit(broken, "a comment that the server would run", len(l.rest))
		return
	}
	if strings.HasPrefix(body, "+") {
		l.emit(broken, "an optimizer hint", len(l.rest))
		return
	}
	end := strings.Index(body, "*/")
	if end < 0 {
		l.emit(broken, "a comment without an end", len(l.rest))
		return
	}
	if strings.Contains(body[:end], "/*") {
		l.emit(broken, "a comment within a comment", len(l.rest))
		return
	}
	l.rest = body[end+2:]
}

func (l *lexer) text(quote byte) {
	for i := 1; i < len(l.rest); i++ {
		switch l.rest[i] {
		case '\\':
			i++
		case quote:
			if i+1 < len(l.rest) && l.rest[i+1] == quote {
				i++
				continue
			}
			l.emit(literal, "'", i+1)
			return
		}
	}
	l.emit(broken, "a string without an end", len(l.rest))
}

func (l *lexer) identifier() {
	for i := 1; i < len(l.rest); i++ {
		if l.rest[i] != '`' {
			continue
		}
		if i+1 < len(l.rest) && l.rest[i+1] == '`' {
			i++
			continue
		}
		l.emit(quotedName, strings.ToLower(strings.ReplaceAll(l.rest[1:i], "``", "`")), i+1)
		return
	}
	l.emit(broken, "a quoted name without an end", len(l.rest))
}

// variable refuses user variables, which a session keeps; system variables are
// only read here.
func (l *lexer) variable() {
	if !strings.HasPrefix(l.rest, "@@") {
		l.emit(broken, "a user variable", len(l.rest))
		return
	}
	l.emit(sign, "@@", 2)
}

func letter(c byte) bool {
	return c == '_' || c == '$' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || c >= utf8.RuneSelf
}

func digit(c byte) bool { return '0' <= c && c <= '9' }
