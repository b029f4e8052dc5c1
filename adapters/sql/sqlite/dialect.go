package sqlite

import (
	"encoding/base64"
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

func (dialect) Project(quoted string, _ *bridgesql.Column) string { return quoted }

func (dialect) Operand(quoted string, _ *bridgesql.Column) string { return quoted }

func (dialect) Operator(sign string, _ *bridgesql.Column) string { return sign }

// Like compares without regard to the case of ASCII letters, as SQLite's LIKE
// does.
func (dialect) Like(operand, placeholder string) string {
	return operand + ` LIKE ` + placeholder + ` ESCAPE '\'`
}

func decodeBytes(s string) (any, error) {
	b, err := base64.StdEncoding.DecodeString(s)
	if err != nil {
		return nil, &mapping.Error{Code: mapping.Invalid, Problem: "a value for a binary column is not base64", Err: err}
	}
	return b, nil
}

// single refuses text with more than one statement. SQLite's own tokens are
// followed: four kinds of quotes and two of comments.
func single(text string) error {
	for i := 0; i < len(text); {
		switch c := text[i]; {
		case c == '\'' || c == '"' || c == '`':
			i = after(text, i+1, string(c))
		case c == '[':
			i = after(text, i+1, "]")
		case strings.HasPrefix(text[i:], "--"):
			i = after(text, i+2, "\n")
		case strings.HasPrefix(text[i:], "/*"):
			i = after(text, i+2, "*/")
		case c == ';':
			if rest := strings.TrimLeftFunc(text[i+1:], func(r rune) bool { return unicode.IsSpace(r) || r == ';' }); rest != "" && !comment(rest) {
				return &mapping.Error{Code: mapping.Denied, Problem: "the text holds more than one statement", Allowed: "one SELECT, WITH, VALUES or EXPLAIN of one is allowed", Next: fmt.Sprintf("leave out what follows the semicolon at character %d", i+1)}
			}
			i++
		default:
			i++
		}
	}
	return nil
}

func comment(text string) bool {
	return strings.HasPrefix(text, "--") && !strings.Contains(text, "\n")
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
