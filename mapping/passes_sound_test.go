package mapping

import (
	"encoding/json"
	"math/rand/v2"
	"testing"
)

// TestPassesRefuseNothing holds random values against random schemas before and
// after the passes: what a backend takes, a model may send.
func TestPassesRefuseNothing(t *testing.T) {
	held := 0
	for seed := range uint64(500) {
		g := plainGrower{rand.New(rand.NewPCG(seed, 7))}
		raw := map[string]json.RawMessage{"A": appendJSON(nil, g.schema(0)), "B": appendJSON(nil, g.schema(0))}
		before, err := compileSchema(json.RawMessage(`{"$ref":"#/$defs/A","$defs":{"A":` + string(raw["A"]) + `,"B":` + string(raw["B"]) + `}}`))
		if err != nil {
			continue // it refers to itself without an end
		}
		op := &Operation{Key: "x", Name: "x", Params: []Param{{Name: "v", Schema: json.RawMessage(`{"$ref":"#/$defs/A"}`)}}}
		_, schema, _, err := newPlan(op, newDefs(raw, 1))
		if err != nil {
			t.Fatal(err)
		}
		after, err := compileSchema(schema)
		if err != nil {
			t.Fatalf("seed %d: %v\n%s", seed, err, schema)
		}
		for range 40 {
			v := g.value(0)
			if before.Validate(plain(v)) != nil {
				continue
			}
			held++
			if err := after.Validate(map[string]any{"v": plain(v)}); err != nil {
				t.Fatalf("seed %d: %s fits\nA %s\nB %s\nbut not\n%s\n%v", seed, appendJSON(nil, v), raw["A"], raw["B"], schema, err)
			}
		}
	}
	if held < 1000 {
		t.Errorf("only %d values fitted their schema before the passes", held)
	}
}

// A plainGrower makes valid schemas of the keywords that passes rewrite, and
// small values.
type plainGrower struct{ *rand.Rand }

func (g plainGrower) schema(depth int) *object {
	s := &object{}
	for range 1 + g.IntN(3) {
		switch g.IntN(9) {
		case 0, 1:
			s.set("type", []any{"object", "object", "string", "integer", "null", "array", []any{"object", "null"}, []any{"string", "integer"}}[g.IntN(8)])
		case 2, 3:
			props := &object{}
			for range 1 + g.IntN(2) {
				props.set(g.key(), g.sub(depth))
			}
			s.set("properties", props)
		case 4:
			s.set("required", []any{g.key()})
		case 5:
			s.set("allOf", []any{g.sub(depth), g.sub(depth)})
		case 6:
			s.set([]string{"anyOf", "oneOf"}[g.IntN(2)], []any{g.sub(depth), g.sub(depth)})
		case 7:
			s.set("items", g.sub(depth))
		case 8:
			s.set([]string{"maxLength", "minProperties", "maximum", "maxItems"}[g.IntN(4)], json.Number("1"))
		}
	}
	if (s.has("properties") || s.has("required")) && !s.has("type") {
		s.set("type", "object") // who describes properties means an object
	}
	return s
}

func (g plainGrower) sub(depth int) any {
	switch n := g.IntN(8); {
	case n == 0:
		return &object{members: []member{{"$ref", "#/$defs/B"}}}
	case n == 1:
		return &object{members: []member{{"enum", []any{"a", json.Number("1"), nil}}}}
	case depth > 3:
		return &object{}
	}
	return g.schema(depth + 1)
}

func (g plainGrower) key() string { return []string{"a", "b"}[g.IntN(2)] }

func (g plainGrower) value(depth int) any {
	switch n := g.IntN(8); {
	case n < 3 && depth < 3:
		o := &object{}
		for range g.IntN(3) {
			o.set(g.key(), g.value(depth+1))
		}
		return o
	case n == 3 && depth < 3:
		return []any{g.value(depth + 1)}
	case n == 4:
		return json.Number("1")
	case n == 5:
		return "a"
	case n == 6:
		return nil
	}
	return "ab"
}
