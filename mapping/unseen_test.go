package mapping

import (
	"encoding/json"
	"testing"
)

// An operator learns why something is not seen; a caller never does.
func TestUnseen(t *testing.T) {
	s := Build(map[string]*Catalog{"shop": {
		Scheme: "api",
		Operations: []Operation{
			{Key: "list", Name: "list", Effect: Reads}, {Key: "secret", Name: "secret", Effect: Reads}, {Key: "wipe", Name: "wipe"},
			{Key: "mine", Name: "mine", Effect: Reads, Params: []Param{{In: "path", Name: "id", Required: true, Schema: json.RawMessage(`{"type": "string"}`)}}},
			{Key: "stock", Name: "stock", Effect: Reads},
		},
		Resources: []Resource{
			{Path: "list", Operation: "list"}, {Path: "secret", Operation: "secret"}, {Path: "mine/{id}", Operation: "mine"}, {Path: "notes"}, {Path: "plan"},
		},
	}}, Rules{
		ReadOnly: true,
		Deny:     []string{"secret", "key:plan"},
		Scopes:   map[string][]string{"stock": {"b", "a"}},
		Access: []Access{
			{Allow: []string{"list", "stock"}},
			{Scopes: []string{"x"}, Claims: map[string][]string{"groups": {"staff", "boss"}}, Allow: []string{"mine", "key:notes", "wipe", "secret"}},
		},
	})
	staff := Caller{Scopes: []string{"x"}, Claims: map[string]json.RawMessage{"groups": json.RawMessage(`"staff"`)}}
	const hidden = "rules.access[1] shows it to callers with the scope x and the claim groups (staff or boss)"
	for _, c := range []struct{ got, want string }{
		{s.ToolUnseen("list", Caller{}), ""},
		{s.ToolUnseen("nothing", Caller{}), ""},
		{s.ToolUnseen("secret", Caller{}), `rules.deny[0] denies "secret"`},
		{s.ToolUnseen("wipe", Caller{}), "rules.readOnly is set, and the operation is not known to be a read"},
		{s.ToolUnseen("mine", Caller{}), hidden},
		{s.ToolUnseen("mine", staff), ""},
		{s.ToolUnseen("stock", staff), "rules.scopes shows it to callers with the scopes a, b"},
		{s.ResourceUnseen("api://shop/list", Caller{}), ""},
		{s.ResourceUnseen("api://shop/nothing", Caller{}), ""},
		{s.ResourceUnseen("api://other/list", Caller{}), ""},
		{s.ResourceUnseen("no uri", Caller{}), ""},
		{s.ResourceUnseen("api://shop/secret", Caller{}), `rules.deny[0] denies "secret"`},
		{s.ResourceUnseen("api://shop/plan", Caller{}), `rules.deny[1] denies "key:plan"`},
		{s.ResourceUnseen("api://shop/mine/3", Caller{}), hidden},
		{s.ResourceUnseen("api://shop/mine/3", staff), ""},
		{s.ResourceUnseen("api://shop/notes", Caller{}), hidden},
	} {
		if c.got != c.want {
			t.Errorf("got %q, want %q", c.got, c.want)
		}
	}
}
