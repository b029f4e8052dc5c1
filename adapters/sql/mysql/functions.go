package mysql

import (
	_ "embed"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

//go:embed functions.txt
var functionsText string

// ownFunctions are the server's own functions that a model may call. The server
// looks a name up among its own before all others, so no function that somebody
// added takes the place of one of them. The value is what functions.txt says of the
// name: "", "tight" or "constructors".
type ownFunctions map[string]string

// functionsOf lists the functions of a server by what it says its version is.
func functionsOf(version string) ownFunctions {
	product := "MySQL"
	if strings.Contains(version, "MariaDB") {
		product = "MariaDB"
	}
	own, listed, how := ownFunctions{}, false, ""
	for line := range strings.Lines(functionsText) {
		words := strings.Fields(strings.TrimSuffix(strings.TrimSpace(line), ":"))
		switch {
		case len(words) == 0 || words[0] == "#":
		case strings.HasPrefix(line, " "):
			for _, name := range words {
				if listed {
					own[name] = how
				}
			}
		default:
			listed = (words[0] == product || words[0] == "both") && !older(version, words[1])
			how = strings.Join(words[2:], "")
		}
	}
	return own
}

// older compares the first two numbers of versions.
func older(version, than string) bool {
	return slices.Compare(numbers(version), numbers(than)) < 0
}

func numbers(version string) []int {
	parts := append(strings.FieldsFunc(version, func(r rune) bool { return r < '0' || r > '9' }), "0", "0")
	major, _ := strconv.Atoi(parts[0])
	minor, _ := strconv.Atoi(parts[1])
	return []int{major, minor}
}

// beforeBracket are the words of the language that a bracket may follow. The
// server takes none of them, unquoted, for the name of a function of somebody's.
var beforeBracket = []string{
	"all", "and", "any", "as", "between", "bigint", "binary", "bit", "blob", "both", "by", "case", "char", "character",
	"dec", "decimal", "datetime", "distinct", "distinctrow", "div", "double", "else", "except", "exists", "float",
	"for", "from", "group", "having", "high_priority", "in", "index", "int", "integer", "intersect", "join", "key",
	"leading", "like", "limit", "match", "mediumint", "nchar", "not", "numeric", "nvarchar", "offset", "on", "or",
	"order", "over", "partition", "real", "regexp", "returning", "rlike", "row", "select", "smallint", "some",
	"sql_big_result", "sql_buffer_result", "sql_cache", "sql_calc_found_rows", "sql_no_cache", "sql_small_result",
	"straight_join", "table", "text", "then", "tinyint", "trailing", "union", "using", "varbinary", "varchar", "when",
	"where", "with", "xor",
}

// call refuses what could be a call of a function that is not the server's own.
func (g *gate) call(tokens []token, i int) error {
	t := tokens[i]
	called, next := t.text, "write the statement without it; the operator can allow a function of their own in the source's functions"
	how, own := g.own[t.text]
	switch {
	case i > 0 && tokens[i-1].is("."):
		called = tokens[i-2].text + "." + t.text
		if i > 2 && tokens[i-3].is(".") {
			called = "of a package, " + called
		}
	case namesColumns(tokens, i), t.kind == name && (slices.Contains(beforeBracket, t.text) || own && fits(how, t, tokens[i+2:]) || inPlace(tokens, i)):
		return nil
	case own && t.kind == quotedName:
		next = "write the server's own function without quotes"
	case how == "tight":
		next = "write the bracket of the server's own function with no space before it"
	}
	if slices.Contains(g.allowed, called) {
		return nil
	}
	return &mapping.Error{
		Code:    mapping.Denied,
		Problem: fmt.Sprintf("the function %s is not allowed, because it is not one of the server's own that only compute", called),
		Allowed: "the server's own functions that only compute are allowed",
		Next:    next,
	}
}

// fits reports whether an own function is called in the one way in which the server
// looks no further.
func fits(how string, t token, inside []token) bool {
	switch how {
	case "tight":
		return t.touching
	case "constructors":
		return constructs(t, inside)
	}
	return true
}

// namesColumns reports whether a bracket behind a name holds the names of columns:
// AS name (…), or name (a, b) AS (…). No call of a function stands so.
func namesColumns(tokens []token, i int) bool {
	if i > 0 && tokens[i-1].kind == name && tokens[i-1].text == "as" {
		return true
	}
	for i += 2; i+3 < len(tokens) && (tokens[i].kind == name || tokens[i].kind == quotedName); i += 2 {
		if tokens[i+1].is(")") {
			return tokens[i+2].kind == name && tokens[i+2].text == "as" && tokens[i+3].is("(")
		}
		if !tokens[i+1].is(",") {
			return false
		}
	}
	return false
}

// inPlace reports whether a word that may name a function as well stands where only
// the word fits.
func inPlace(tokens []token, i int) bool {
	before := token{}
	if i > 0 {
		before = tokens[i-1]
	}
	switch tokens[i].text {
	case "columns": // JSON_TABLE(…, '$' COLUMNS (
		return before.kind == literal
	case "against": // MATCH (…) AGAINST (
		return before.is(")")
	case "of": // … MEMBER OF (
		return before.kind == name && before.text == "member"
	case "lateral": // LATERAL (SELECT
		return i+2 < len(tokens) && tokens[i+2].kind == name && slices.Contains(opening, tokens[i+2].text)
	case "json_table":
		return hasColumns(tokens[i+2:])
	}
	return false
}

// hasColumns reports whether what stands in a bracket is that of JSON_TABLE.
func hasColumns(inside []token) bool {
	return slices.ContainsFunc(outermost(inside), func(i int) bool {
		return inside[i].kind == name && inside[i].text == "columns" && inPlace(inside, i)
	})
}

// constructs reports whether the server takes what stands in the bracket of point,
// linestring and such for coordinates; it looks further where there are too few.
func constructs(t token, inside []token) bool {
	commas := 0
	in := outermost(inside)
	for _, i := range in {
		if inside[i].is(",") {
			commas++
		}
	}
	return len(in) > 0 && (t.text != "point" || commas == 1)
}

// outermost returns the places of the tokens up to the bracket that closes, but for
// those in brackets of their own.
func outermost(inside []token) (places []int) {
	depth := 0
	for i, t := range inside {
		switch {
		case t.is("("):
			depth++
		case t.is(")"):
			depth--
		}
		if depth < 0 {
			return places
		}
		if depth == 0 {
			places = append(places, i)
		}
	}
	return places
}
