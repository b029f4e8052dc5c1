package sqlite

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// dialect writes SQLite's SQL.
type dialect struct{}

func (dialect) Quote(identifier string) string {
	return `"` + strings.ReplaceAll(identifier, `"`, `""`) + `"`
}

func (dialect) Placeholder(n int, _ *bridgesql.Column) string { return "?" + strconv.Itoa(n) }

// Project writes an expression, which has no declared type: the driver would make
// a time, in a zone of its own, out of the text of a column declared as one.
func (dialect) Project(quoted string, _ *bridgesql.Column) string { return "+" + quoted }

func (dialect) Operand(quoted string, _ *bridgesql.Column) string { return quoted }

func (dialect) Operator(sign string, _ *bridgesql.Column) string { return sign }

// Like compares without regard to the case of ASCII letters, as SQLite's LIKE
// does.
func (dialect) Like(operand, placeholder string) string {
	return operand + ` LIKE ` + placeholder + ` ESCAPE '\'`
}

// single returns the one statement of a text, without the semicolon and what
// comes behind it, and refuses a text with more. SQLite's own tokens are followed:
// four kinds of quotes and two of comments.
func single(text string) (string, error) {
	end := len(text)
	for i := 0; i < len(text); {
		next := skip(text, i)
		switch c := rune(text[i]); {
		case text[i] == ';':
			end = min(end, i)
		case end < i && !unicode.IsSpace(c) && !strings.HasPrefix(text[i:], "--") && !strings.HasPrefix(text[i:], "/*"):
			return "", &mapping.Error{Code: mapping.Denied, Problem: "the text holds more than one statement", Allowed: "one SELECT, WITH, VALUES or EXPLAIN of one is allowed", Next: fmt.Sprintf("leave out what follows the semicolon at character %d", end+1)}
		}
		i = next
	}
	return text[:end], nil
}

// skip returns the index behind the quoted text, the comment or the character at i.
func skip(text string, i int) int {
	switch c := text[i]; {
	case c == '\'' || c == '"' || c == '`':
		return after(text, i+1, string(c))
	case c == '[':
		return after(text, i+1, "]")
	case strings.HasPrefix(text[i:], "--"):
		return after(text, i+2, "\n")
	case strings.HasPrefix(text[i:], "/*"):
		return after(text, i+2, "*/")
	}
	return i + 1
}

// after returns the index behind the next end at or after i, or the length. A
// doubled quote inside a quoted token is two tokens side by side, which ends the
// same.
func after(text string, i int, end string) int {
	n := strings.Index(text[i:], end)
	if n < 0 {
		return len(text)
	}
	return i + n + len(end)
}
