package mapping

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"
)

// seenBy returns the names of what a caller may use, see and get.
func seenBy(s *Surface, c Caller) string {
	var seen []string
	for _, t := range s.Tools() {
		if t.MayUse(c) {
			seen = append(seen, t.Name)
		}
	}
	for _, a := range s.Addresses() {
		if a.MaySee(c) {
			seen = append(seen, a.Path)
		}
	}
	for _, p := range s.Prompts() {
		if p.MaySee(c) {
			seen = append(seen, p.Name)
		}
	}
	return strings.Join(seen, " ")
}

// twoSources have an operation of each effect, a resource that is an answer, one
// that is not, and a prompt.
func twoSources() map[string]*Catalog {
	all := map[string]*Catalog{}
	for _, name := range []string{"pets", "shop"} {
		all[name] = &Catalog{
			Scheme: "api",
			Operations: []Operation{
				{Key: "list", Name: "list", Effect: Reads, Group: "public"},
				{Key: "add", Name: "add", Effect: Writes, Group: "public"},
				{Key: "wipe", Name: "wipe", Effect: Destroys, Group: "admin"},
			},
			Resources: []Resource{{Path: "all", Name: "all", Operation: "list"}, {Path: "readme", Name: "readme"}},
			Prompts:   []Prompt{{Name: "ask", Messages: []PromptMessage{{Role: "user", Text: "?"}}}},
		}
	}
	return all
}

func TestAccess(t *testing.T) {
	const (
		pets  = "pets_list pets_add pets_wipe"
		rest  = "all readme"
		reads = "pets_list shop_list all readme all readme pets_ask shop_ask"
		every = "pets_list pets_add pets_wipe shop_list shop_add shop_wipe all readme all readme pets_ask shop_ask"
	)
	reader, admin, nobody := Caller{Scopes: []string{"read"}}, Caller{Scopes: []string{"read", "admin"}}, Caller{}
	staff := func(groups string) Caller {
		return Caller{Claims: map[string]json.RawMessage{"groups": json.RawMessage(groups)}}
	}
	nested := Caller{Claims: map[string]json.RawMessage{"realm": json.RawMessage(`{"roles":["x","staff"]}`)}}
	for _, c := range []struct {
		name   string
		access []Access
		caller Caller
		want   string
	}{
		{"no rules", nil, nobody, every},
		{"a rule for all", []Access{{}}, nobody, every},
		{"lacks the scope", []Access{{Scopes: []string{"read"}}}, nobody, ""},
		{"has the scope", []Access{{Scopes: []string{"read"}}}, reader, every},
		{"lacks one of two", []Access{{Scopes: []string{"read", "admin"}}}, reader, ""},
		{"by effect", []Access{{Allow: []string{"effect:reads"}}}, nobody, reads},
		{"by group", []Access{{Allow: []string{"tag:admin"}}}, nobody, "pets_wipe shop_wipe"},
		{"by source", []Access{{Sources: []string{"pets"}}}, nobody, pets + " " + rest + " pets_ask"},
		{"by glob of sources", []Access{{Sources: []string{"p*"}}}, nobody, pets + " " + rest + " pets_ask"},
		{"of no source", []Access{{Sources: []string{"none"}}}, nobody, ""},
		{"one rule is enough", []Access{{Scopes: []string{"admin"}}, {Sources: []string{"pets"}, Allow: []string{"add"}}, {Allow: []string{"*_add"}}}, reader, "pets_add shop_add"},
		{"rules add up", []Access{{Allow: []string{"effect:reads"}}, {Scopes: []string{"admin"}}}, admin, every},
		{"a claim in a list", []Access{{Claims: map[string][]string{"groups": {"staff", "boss"}}}}, staff(`["x","boss"]`), every},
		{"a claim that is a text", []Access{{Claims: map[string][]string{"groups": {"staff"}}}}, staff(`"staff"`), every},
		{"a claim that is a number", []Access{{Claims: map[string][]string{"groups": {"7"}}}}, staff(`7`), every},
		{"a claim within a claim", []Access{{Claims: map[string][]string{"realm.roles": {"staff"}}}}, nested, every},
		{"another claim", []Access{{Claims: map[string][]string{"groups": {"staff"}}}}, staff(`["staffx","x staff"]`), ""},
		{"a claim that is null", []Access{{Claims: map[string][]string{"groups": {"staff"}}}}, staff(`null`), ""},
		{"no claim", []Access{{Claims: map[string][]string{"groups": {"staff"}}}}, reader, ""},
		{"scopes and claims are both asked", []Access{{Scopes: []string{"read"}, Claims: map[string][]string{"groups": {"staff"}}}}, staff(`"staff"`), ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			rules := Rules{Access: c.access}
			if err := rules.Check(); err != nil {
				t.Fatal(err)
			}
			if got := seenBy(Build(twoSources(), rules), c.caller); got != c.want {
				t.Errorf("sees %q, want %q", got, c.want)
			}
		})
	}
}

// Scopes that entries ask for are asked for on top, of resources and prompts too.
func TestScopesBesideAccess(t *testing.T) {
	s := Build(twoSources(), Rules{
		Scopes: map[string][]string{"effect:writes": {"w"}, "readme": {"r"}, "shop_ask": {"p"}},
		Access: []Access{{Sources: []string{"shop"}, Claims: map[string][]string{"team": {"a"}}, Scopes: []string{"s"}}, {Sources: []string{"pets"}}},
	})
	team := map[string]json.RawMessage{"team": json.RawMessage(`"a"`)}
	for _, c := range []struct {
		caller Caller
		want   string
	}{
		{Caller{}, "pets_list all pets_ask"},
		{Caller{Scopes: []string{"w", "r", "p"}}, "pets_list pets_add pets_wipe all readme pets_ask"},
		{Caller{Scopes: []string{"w", "s"}, Claims: team}, "pets_list pets_add pets_wipe shop_list shop_add shop_wipe all all pets_ask"},
	} {
		if got := seenBy(s, c.caller); got != c.want {
			t.Errorf("%+v sees %q, want %q", c.caller, got, c.want)
		}
	}
	for _, c := range []struct {
		tool   string
		caller Caller
		want   []string
	}{
		{"pets_list", Caller{}, nil},                                                  // nothing is lacking
		{"pets_add", Caller{}, []string{"w"}},                                         // of the entry
		{"shop_add", Caller{}, nil},                                                   // no scope makes up for a claim
		{"shop_list", Caller{Claims: team}, []string{"s"}},                            // of the access
		{"shop_add", Caller{Claims: team}, []string{"s", "w"}},                        // all at once
		{"shop_add", Caller{Claims: team, Scopes: []string{"s"}}, []string{"s", "w"}}, // with what it holds
	} {
		if got := s.Tool(c.tool).Lacks(c.caller); !slices.Equal(got, c.want) {
			t.Errorf("%s lacks %v for %+v, want %v", c.tool, got, c.caller, c.want)
		}
	}
}

// What no entry covers is in the surface for nobody.
func TestAccessDropsWhatNobodySees(t *testing.T) {
	s := Build(twoSources(), Rules{Access: []Access{{Allow: []string{"effect:reads", "effect:writs"}}}})
	if s.Tool("pets_add") != nil {
		t.Error("pets_add can be called")
	}
	var told []string
	for _, d := range s.Decisions() {
		told = append(told, d.Key+": "+d.Why)
	}
	for _, want := range []string{
		"add: the access entries do not cover it, so no caller would see it",
		`: rules.access[0].allow[1]: "effect:writs" matches nothing; did you mean effect:writes?`,
	} {
		if !slices.Contains(told, want) {
			t.Errorf("%q is not told: %q", want, told)
		}
	}
}

func TestAccessCheck(t *testing.T) {
	err := Rules{Access: []Access{
		{Scopes: []string{"a", ""}, Sources: []string{""}, Allow: []string{"colour:red"}, Claims: map[string][]string{"x": nil, "y": {""}}},
	}}.Check()
	if err == nil {
		t.Fatal("Check = nil")
	}
	for _, place := range []string{"rules.access[0].allow[0]: ", "rules.access[0].scopes: ", "rules.access[0].sources: ", "rules.access[0].claims.x: ", "rules.access[0].claims.y: "} {
		if !strings.Contains(err.Error(), place) {
			t.Errorf("%s is not named: %v", place, err)
		}
	}
}
