package sql

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// This file writes the JSON Schemas of arguments and answers.

var cursorParam = mapping.Param{Name: "cursor", Text: "The next_cursor of the page before; leave it out for the first page.", Schema: json.RawMessage(`{"type":"string"}`)}

// The answers of list_tables and describe_table.
var (
	listOutput     = json.RawMessage(`{"type":"object","properties":{"tables":{"type":"array","items":{"type":"object","properties":{"table":{"type":"string"},"kind":{"type":"string"},"comment":{"type":"string"},"estimated_rows":{"type":"integer"},"key":{"type":"string"}}}},"next_cursor":{"type":"string"}}}`)
	describeOutput = json.RawMessage(`{"type":"object","properties":{"table":{"type":"string"},"kind":{"type":"string"},"comment":{"type":"string"},"estimated_rows":{"type":"integer"},"key":{"type":"array","items":{"type":"string"}},"columns":{"type":"array","items":{"type":"object"}},"references":{"type":"array","items":{"type":"object"}},"referenced_by":{"type":"array","items":{"type":"object"}},"indexes":{"type":"array","items":{"type":"object"}}}}`)
	countOutput    = json.RawMessage(`{"type":"object","properties":{"groups":{"type":"array","items":{"type":"object","properties":{"values":{"type":"object"},"count":{"type":"integer"}}}}}}`)
	queryOutput    = json.RawMessage(`{"type":"object","properties":{"columns":{"type":"array","items":{"type":"object","properties":{"name":{"type":"string"},"type":{"type":"string"}}}},"rows":{"type":"array","items":{"type":"array","items":{}}}}}`)
)

// findParams are the arguments of a find; of any table's for a nil t.
func (a *Adapter) findParams(t *Table) []mapping.Param {
	column := columnSchema(t)
	return []mapping.Param{
		{Name: "where", Text: whereText, Schema: whereSchema(t)},
		{Name: "columns", Text: "Only these columns; leave it out for all.", Schema: array(column)},
		{Name: "order_by", Text: "Columns to sort by, first the most important; then by key. Nulls come last.", Schema: array(must(map[string]any{
			"type": "object", "additionalProperties": false, "required": []string{"column"},
			"properties": map[string]any{
				"column":     column,
				"descending": map[string]any{"type": "boolean", "description": "Largest first."},
			},
		}))},
		{Name: "limit", Text: fmt.Sprintf("How many rows at most; %d if left out.", min(pageRows, a.options.MaxRows)), Schema: must(map[string]any{"type": "integer", "minimum": 1, "maximum": a.options.MaxRows})},
		cursorParam,
	}
}

const whereText = "Conditions, all of which must hold. Comparisons with null never hold; use is_null."

func whereSchema(t *Table) json.RawMessage {
	return array(must(map[string]any{
		"type": "object", "additionalProperties": false, "required": []string{"column", "op"},
		"properties": map[string]any{
			"column": columnSchema(t),
			"op":     map[string]any{"type": "string", "enum": operators},
			"value":  map[string]any{"description": "What to compare with, of the column's type: an array for in and not_in, none for is_null and is_not_null. A number too large for JSON goes as a string."},
		},
	}))
}

// maxEnum bounds how many column names a schema lists; a table with more takes
// any string and says so when it is wrong.
const maxEnum = 100

func columnSchema(t *Table) json.RawMessage {
	if t == nil || len(t.Columns) > maxEnum {
		return json.RawMessage(`{"type":"string"}`)
	}
	names := make([]string, len(t.Columns))
	for i, c := range t.Columns {
		names[i] = c.Name
	}
	return must(map[string]any{"type": "string", "enum": names})
}

// rowSchema is the schema of a row of t, of any row for nil. Every property is
// optional, because a find can ask for some columns only.
func (t *Table) rowSchema() json.RawMessage {
	if t == nil || len(t.Columns) > maxEnum {
		return json.RawMessage(`{"type":"object"}`)
	}
	properties := make(map[string]json.RawMessage, len(t.Columns))
	for _, c := range t.Columns {
		properties[c.Name] = c.schema()
	}
	return must(map[string]any{"type": "object", "properties": properties})
}

func findOutput(t *Table) json.RawMessage {
	return must(map[string]any{"type": "object", "properties": map[string]any{
		"rows":        map[string]any{"type": "array", "items": t.rowSchema()},
		"next_cursor": map[string]any{"type": "string"},
	}})
}

// input is the schema of one value that is compared with the column.
func (c *Column) input() json.RawMessage {
	s := map[string]any{"type": "string"}
	switch c.Class {
	case Boolean:
		s["type"] = "boolean"
	case Integer:
		s["type"] = "integer"
	case BigInt:
		s["type"] = []string{"integer", "string"}
	case Decimal, Float:
		s["type"] = []string{"number", "string"}
	case UUID:
		s["format"] = "uuid"
	case Array, JSON:
		delete(s, "type")
	case Text, Bytes, Date, Time, Timestamp, Other: // text
	}
	if c.Loose {
		s["type"] = []string{"string", "number", "boolean"}
	}
	if len(c.Enum) > 0 {
		s["enum"] = c.Enum
	}
	return must(s)
}

// text describes the column as an argument.
func (c *Column) text() string {
	text := fmt.Sprintf("The column %s (%s).", c.Name, c.Type)
	if c.Comment != "" {
		text += " " + strings.TrimRight(c.Comment, ".") + "."
	}
	return text
}

func object(property string, schema json.RawMessage) json.RawMessage {
	return must(map[string]any{"type": "object", "properties": map[string]any{property: schema}})
}

func array(items json.RawMessage) json.RawMessage {
	return must(map[string]any{"type": "array", "items": items})
}

// must marshals a literal of this package, which cannot fail.
func must(v any) json.RawMessage {
	text, err := json.Marshal(v)
	if err != nil {
		panic("sql: schema literal: " + err.Error())
	}
	return text
}
