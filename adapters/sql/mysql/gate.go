package mysql

import (
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// gate is the boundary for text of a model's own. It names what is allowed to
// begin a statement and which functions it may call, and refuses every word that
// can make a reading statement do more.
type gate struct {
	own     ownFunctions
	allowed []string // by the operator: NAME or DATABASE.NAME, in lower case
}

func newGate(version string, allowed []string) *gate {
	g := &gate{own: functionsOf(version)}
	for _, name := range allowed {
		g.allowed = append(g.allowed, strings.ToLower(name))
	}
	return g
}

// opening are the words that a statement may begin with.
var opening = []string{"select", "with", "values", "table", "("}

// refusedWords never stand unquoted in a statement that only reads. Those that
// are also names of string functions are allowed where a bracket follows.
var refusedWords = map[string]string{
	"into": "writes to a file or a variable", "procedure": "calls a procedure", "update": "writes or locks", "delete": "writes",
	"insert": "writes", "replace": "writes", "outfile": "writes a file", "dumpfile": "writes a file", "share": "locks rows",
	"begin": "opens a block of code", "execute": "runs text as SQL", "prepare": "runs text as SQL", "call": "calls a procedure",
	"handler": "holds a table open", "analyze": "runs what it explains",
}

var alsoFunctions = []string{"insert", "replace"}

// check refuses text that is not one reading statement with this many
// placeholders, or any number where it is -1.
func (g *gate) check(text string, params int) error {
	if strings.ContainsRune(text, 0) {
		return refuse("the text holds a NUL character")
	}
	tokens := lex(text)
	if n := len(tokens); n > 0 && tokens[n-1].kind == broken {
		return refuse("the text holds " + tokens[n-1].text)
	}
	for n := len(tokens); n > 0 && tokens[n-1].is(";"); n = len(tokens) {
		tokens = tokens[:n-1]
	}
	start := 0
	if len(tokens) > 1 && tokens[0].kind == name && tokens[0].text == "explain" {
		start = 1
		for start+2 < len(tokens) && tokens[start].text == "format" && tokens[start+1].text == "=" {
			start += 3
		}
		if tokens[min(start, len(tokens)-1)].text == "extended" {
			start++
		}
	}
	if start >= len(tokens) {
		return refuse("there is no statement")
	}
	if first := tokens[start]; !slices.Contains(opening, first.text) || first.kind == quotedName {
		return refuse(fmt.Sprintf("only reads are possible, and a statement that begins with %.40s is none", strings.ToUpper(first.text)))
	}
	asked := 0
	for i := start; i < len(tokens); i++ {
		if err := g.admit(tokens, i); err != nil {
			return err
		}
		if tokens[i].is("?") {
			asked++
		}
	}
	if params >= 0 && params != asked {
		return &mapping.Error{Code: mapping.Invalid, Problem: fmt.Sprintf("the statement has %d placeholders, and there are %d params", asked, params), Next: "give one value for each ?, in order"}
	}
	return nil
}

func (g *gate) admit(tokens []token, i int) error {
	t := tokens[i]
	next := token{kind: sign}
	if i+1 < len(tokens) {
		next = tokens[i+1]
	}
	afterDot := i > 0 && tokens[i-1].is(".")
	called := next.is("(")
	switch {
	case t.is(";"):
		return refuse("the text holds more than one statement")
	case t.is(":") && next.is("="):
		return refuse("the text assigns a variable")
	case t.kind == name && !afterDot:
		why, bad := refusedWords[t.text]
		if bad && !(called && slices.Contains(alsoFunctions, t.text)) {
			return refuse(fmt.Sprintf("the word %s is not allowed, because it %s; a column of that name goes in backticks", t.text, why))
		}
		if t.text == "lock" && next.text == "in" || t.text == "next" && next.text == "value" || t.text == "previous" && next.text == "value" {
			return refuse("the statement locks rows or moves a sequence")
		}
	}
	if called && (t.kind == name || t.kind == quotedName) {
		return g.call(tokens, i)
	}
	return nil
}

func refuse(problem string) error {
	return &mapping.Error{Code: mapping.Denied, Problem: problem, Allowed: allowedText}
}
