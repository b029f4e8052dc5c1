package sqlite

import (
	"encoding/base64"
	"encoding/json"
	"fmt"
	"math"
	"strconv"
	"strings"

	bridgesql "github.com/mcp-bridge/mcp-bridge/adapters/sql"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// bind turns the JSON values of a statement into what the driver binds, or refuses
// those that SQLite would hold as something else.
func bind(s bridgesql.Statement) ([]any, error) { return s.Bind(value) }

func value(v json.RawMessage, of *bridgesql.Column) (any, error) {
	text := strings.TrimSpace(string(v))
	switch {
	case text == "null" || text == "":
		return nil, nil
	case text == "true":
		return int64(1), nil
	case text == "false":
		return int64(0), nil
	case text[0] == '[' || text[0] == '{':
		return nil, fmt.Errorf("an array or an object cannot be a parameter")
	case text[0] != '"':
		return number(text)
	}
	var s string
	if err := json.Unmarshal(v, &s); err != nil {
		return nil, fmt.Errorf("not JSON: %w", err)
	}
	if of == nil {
		return s, nil
	}
	switch of.Class {
	case bridgesql.Bytes:
		b, err := base64.StdEncoding.DecodeString(s)
		if err != nil {
			return nil, fmt.Errorf("not base64: %w", err)
		}
		return b, nil
	case bridgesql.Integer, bridgesql.BigInt, bridgesql.Float, bridgesql.Decimal, bridgesql.Boolean:
		return spelled(s)
	default: // text as it is
		return s, nil
	}
}

// spelled returns the number that a string for a numeric column spells, because
// SQLite compares text and numbers as different; any other string stays one.
func spelled(s string) (any, error) {
	switch {
	case s == "Infinity":
		return math.Inf(1), nil
	case s == "-Infinity":
		return math.Inf(-1), nil
	case s != "" && (s[0] == '-' || '0' <= s[0] && s[0] <= '9') && json.Valid([]byte(s)):
		return number(s)
	}
	return s, nil
}

// number reads the text of a JSON number. SQLite holds integers of 64 bits and
// doubles, and would round or overflow the rest without a word.
func number(text string) (any, error) {
	if n, err := strconv.ParseInt(text, 10, 64); err == nil {
		return n, nil
	}
	if !strings.ContainsAny(text, ".eE") {
		return nil, fmt.Errorf("%.40s is beyond the integers of 64 bits that SQLite holds", text)
	}
	f, err := strconv.ParseFloat(text, 64)
	if err != nil {
		return nil, fmt.Errorf("%.40s is beyond the numbers that SQLite holds", text)
	}
	return f, nil
}

// fitting refuses values that are not one for each placeholder. The driver binds
// too many without a word.
func fitting(s bridgesql.Statement) error {
	n, names := placeholders(s.Text)
	e := &mapping.Error{Code: mapping.Invalid, Next: "give one value for each ?, in order"}
	switch {
	case len(names) > 0:
		e.Problem = fmt.Sprintf("the placeholder %s has a name, and params have none", names[0])
	case n > len(s.Args):
		e.Problem = fmt.Sprintf("the statement has %d placeholders, and there are %d params", n, len(s.Args))
	case n < len(s.Args):
		e.Problem = fmt.Sprintf("there are %d params, and the statement has %d placeholders", len(s.Args), n)
	default:
		return nil
	}
	return e
}

// placeholders counts the values that SQLite would ask for: ? takes the next
// number, ?N that one, and a name the next number where it stands first.
func placeholders(text string) (n int, names []string) {
	for i := 0; i < len(text); {
		end := skip(text, i)
		switch c := text[i]; {
		case c == '?':
			for end < len(text) && '0' <= text[end] && text[end] <= '9' {
				end++
			}
			if end == i+1 {
				n++
			} else if at, err := strconv.Atoi(text[i+1 : end]); err == nil {
				n = max(n, at)
			}
		case c == ':' || c == '@' || c == '$' || c == '#':
			for end < len(text) && inName(text[end]) {
				end++
			}
			if end > i+1 {
				names = append(names, text[i:end])
			}
		case inName(c):
			for end < len(text) && inName(text[end]) {
				end++
			}
		}
		i = end
	}
	return n, names
}

// inName reports whether SQLite takes a byte within a name or a number.
func inName(c byte) bool {
	return c == '_' || c == '$' || c >= 0x80 || '0' <= c && c <= '9' || 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z'
}
