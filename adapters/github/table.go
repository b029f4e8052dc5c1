package github

import (
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A row is one operation: what it is called, what it takes, how it looks on the
// wire, and how its answer is made. A new operation is a new row.
type row struct {
	name string // also the key
	set  string // its toolset
	// extra keeps the row out of the toolset "default".
	extra      bool
	noun, verb string
	summary    string
	use, avoid string
	text       string
	// effect is of what is not a GET; forgotten, it counts as the worst.
	effect     mapping.Effect
	idempotent bool
	// needs is the fine-grained permission of a token, as GitHub's documentation has
	// it: "issues: write"; "" is none.
	needs string
	// at is the method and the path below the API, with the names of params in
	// braces. A row whose path has {owner} takes a repository.
	at     string
	params []param
	shape  shape
}

// A param is one argument of a row.
type param struct {
	name, text string
	schema     string // JSON
	required   bool
	// wire is what GitHub calls it; "" is the same, "-" is not sent as it is.
	wire string
}

// A shape makes the answer of a row: output is its JSON Schema.
type shape struct {
	output json.RawMessage
	pages  int // items of a page; 0 does not take limit and cursor
	run    func(ctx context.Context, r *request) (*mapping.Result, error)
}

func (r row) inRepo() bool { return strings.Contains(r.at, "{owner}") }

func (r row) reads() bool { return strings.HasPrefix(r.at, "GET ") }

// The schemas of params.
const (
	aText    = `{"type":"string"}`
	aTime    = `{"type":"string","format":"date-time"}`
	aNumber  = `{"type":"integer","minimum":1}`
	aFlag    = `{"type":"boolean"}`
	someText = `{"type":"array","items":{"type":"string"}}`
)

func oneOf(words ...string) string {
	text, err := json.Marshal(words)
	if err != nil {
		return aText
	}
	return `{"type":"string","enum":` + string(text) + `}`
}

func need(name, text, schema string) param {
	return param{name: name, text: text, schema: schema, required: true}
}

func may(name, text, schema string) param {
	return param{name: name, text: text, schema: schema}
}

func (p param) as(wire string) param {
	p.wire = wire
	return p
}

// local marks a param that the shape reads itself.
func (p param) local() param { return p.as("-") }

// table is every operation there is, in the order of the catalog.
func table() []row {
	return slices.Concat(
		repoRows(), historyRows(), releaseRows(), fileRows(), fileWriteRows(), searchRows(),
		issueRows(), issueWriteRows(), pullRows(), pullWriteRows(), actionRows(), actionWriteRows(),
	)
}

// sets are the toolsets, in the order of the table.
func sets(all []row) []string {
	var names []string
	for _, r := range all {
		if !slices.Contains(names, r.set) {
			names = append(names, r.set)
		}
	}
	return names
}

// chosen returns the rows that the options ask for.
func chosen(o Options, all []row) ([]row, error) {
	wanted := o.Toolsets
	if len(wanted) == 0 {
		wanted = []string{"default"}
	}
	known := append([]string{"default", "all"}, sets(all)...)
	for i, name := range wanted {
		if !slices.Contains(known, name) {
			return nil, fmt.Errorf("toolsets[%d]: there is no toolset %q%s the toolsets are %s", i, name, meant(name, known), strings.Join(known, ", "))
		}
	}
	for i, name := range o.Tools {
		if !slices.ContainsFunc(all, func(r row) bool { return r.name == name }) {
			var names []string
			for _, r := range all {
				names = append(names, r.name)
			}
			return nil, fmt.Errorf("tools[%d]: there is no tool %q%s", i, name, strings.TrimSuffix(meant(name, names), ";"))
		}
	}
	return slices.DeleteFunc(slices.Clone(all), func(r row) bool {
		in := slices.Contains(wanted, "all") || slices.Contains(wanted, r.set) ||
			!r.extra && slices.Contains(wanted, "default") || slices.Contains(o.Tools, r.name)
		return !in
	}), nil
}

// meant proposes the name that was perhaps mistyped.
func meant(name string, known []string) string {
	if near := mapping.Nearest(name, known, 1); len(near) > 0 {
		return fmt.Sprintf("; did you mean %q?", near[0])
	}
	return ";"
}

// newCatalog describes the rows.
func (a *Adapter) newCatalog(rows []row) *mapping.Catalog {
	c := &mapping.Catalog{Scheme: "github", OpenWorld: true, About: a.about()}
	for _, r := range rows {
		c.Operations = append(c.Operations, a.operation(r))
	}
	c.Resources = a.resources(rows)
	c.Prompts = a.prompts(rows)
	return c
}

func (a *Adapter) about() string {
	if owner, repo, one := a.allow.only(); one {
		return "The GitHub repository " + owner + "/" + repo + "."
	}
	return "Repositories on GitHub; " + a.allow.words() + "."
}

func (a *Adapter) operation(r row) mapping.Operation {
	o := mapping.Operation{
		Key: r.name, Name: r.name, Group: r.set, Noun: r.noun, Verb: r.verb,
		Summary: r.summary, Use: r.use, Avoid: r.avoid, Text: r.text,
		Effect: r.effect, Idempotent: r.idempotent,
		Output: r.shape.output, Exact: true, Where: r.at,
	}
	if r.reads() {
		o.Effect, o.Idempotent = mapping.Reads, true
	}
	for _, p := range a.params(r) {
		o.Params = append(o.Params, mapping.Param{Name: p.name, Text: p.text, Required: p.required, Schema: json.RawMessage(p.schema)})
	}
	return o
}

// params are the arguments of a row with those that follow from its path and
// shape. With one repository allowed there is no choice, so nothing to ask.
func (a *Adapter) params(r row) []param {
	var list []param
	_, _, one := a.allow.only()
	if r.inRepo() && !one {
		list = append(list, need("owner", "Its owner.", aText), need("repo", "Its name.", aText))
	}
	for _, p := range r.params {
		if !one || p.name != "owner" && p.name != "repo" {
			list = append(list, p)
		}
	}
	if n := r.shape.pages; n > 0 {
		list = append(list, may("limit", fmt.Sprintf("Page size; %d by default.", n), fmt.Sprintf(`{"type":"integer","minimum":1,"maximum":%d}`, max(n, 100))).local(),
			may("cursor", "next_cursor of the page before.", aText).local())
	}
	return list
}
