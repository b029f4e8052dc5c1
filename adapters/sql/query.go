package sql

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// queryOperation is the tool for ad-hoc SQL.
func queryOperation(d Dialect, o Options) mapping.Operation {
	return mapping.Operation{
		Key: "query", Name: "query", Noun: "query",
		Summary: "Result of one SELECT that you write.",
		Use:     "Use when an answer needs joins, expressions or aggregates that the other tools cannot make.",
		Avoid:   "Do not use for anything but reading, and do not use where a find, get or count tool does; they cannot fail on syntax.",
		Text:    "One statement: SELECT, WITH, VALUES, TABLE, or EXPLAIN of one. It runs in a read-only transaction that is rolled back.",
		Params: []mapping.Param{
			{Name: "sql", Text: "The statement. Values belong in params, not in the text.", Required: true, Schema: json.RawMessage(`{"type":"string"}`)},
			{Name: "params", Text: fmt.Sprintf("Values for the placeholders (%s, %s and so on), in order.", d.Placeholder(1, nil), d.Placeholder(2, nil)), Schema: array(json.RawMessage(`{"type":["string","number","boolean","null"]}`))},
			{Name: "limit", Text: fmt.Sprintf("How many rows at most; %d if left out.", min(pageRows, o.MaxRows)), Schema: must(map[string]any{"type": "integer", "minimum": 1, "maximum": o.MaxRows})},
		},
		Output: queryOutput,
	}
}

// query runs a statement that a model wrote.
func (a *Adapter) query(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
	var want struct {
		SQL    string            `json:"sql"`
		Params []json.RawMessage `json:"params"`
		Limit  int               `json:"limit"`
	}
	if err := decode(c, &want); err != nil {
		return nil, err
	}
	limit := a.limit(want.Limit)
	got := &rows{max: limit, budget: c.Budget - reserve, cell: cellBytes}
	s := Statement{Text: want.SQL, Args: want.Params, MaxRows: limit + 1}
	if err := a.engine.Foreign(ctx, s, got); err != nil {
		return nil, err
	}
	return table(got)
}

// table writes a result whose column names may repeat: {"columns": […], "rows":
// [[…], …]}.
func table(got *rows) (*mapping.Result, error) {
	type column struct {
		Name string `json:"name"`
		Type string `json:"type,omitempty"`
	}
	columns := make([]column, len(got.columns))
	for i, c := range got.columns {
		columns[i] = column{c.Name, c.Type}
	}
	head, err := json.Marshal(columns)
	if err != nil {
		return nil, fmt.Errorf("write columns: %w", err)
	}
	text := append([]byte(`{"columns":`), head...)
	text = append(append(append(text, `,"rows":[`...), got.out.Bytes()...), "]}"...)
	return &mapping.Result{JSON: text, Truncated: got.more, Note: got.note("raise limit, or add conditions, aggregates or OFFSET to the statement")}, nil
}
