package mapping

import (
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"
)

func TestMatchGlob(t *testing.T) {
	for _, c := range []struct {
		glob, text string
		want       bool
	}{
		{"pets", "pets", true},
		{"pets", "pet", false},
		{"pet", "pets", false},
		{"*", "", true},
		{"?", "", false},
		{"?", "é", true},
		{"list_*", "list_pets", true},
		{"list_*", "list", false},
		{"*_pets", "list_all_pets", true},
		{"*pets*", "list_pets_again", true},
		{"a*b*c", "a-b-b-c", true},
		{"a*b*c", "a-b-b", false},
		{"GET /pets/{id}", "GET /pets/{id}", true},
		{"GET *", "GET /pets/{id}", true},
		{"[ab]", "a", false},
		{"Pets", "pets", false},
		{"", "", true},
		{"", "a", false},
	} {
		if got := MatchGlob(c.glob, c.text); got != c.want {
			t.Errorf("MatchGlob(%q, %q) = %v, want %v", c.glob, c.text, got, c.want)
		}
	}
}

// A regular expression is the second implementation.
func FuzzMatchGlob(f *testing.F) {
	f.Add("a*b?c", "axxbyc")
	f.Add("**?*", "é")
	f.Add("*a*a*a*a", "aaaaaaaaaaaab")
	f.Fuzz(func(t *testing.T, glob, text string) {
		if !utf8.ValidString(glob) || !utf8.ValidString(text) {
			t.Skip("globs and what they match are UTF-8")
		}
		pattern := regexp.QuoteMeta(glob)
		pattern = strings.NewReplacer(`\*`, `.*`, `\?`, `.`).Replace(pattern)
		want := regexp.MustCompile(`(?s)\A` + pattern + `\z`).MatchString(text)
		if got := MatchGlob(glob, text); got != want {
			t.Errorf("MatchGlob(%q, %q) = %v, want %v", glob, text, got, want)
		}
	})
}

// What policy drops is in no table, so nothing can reach it by any way.
func TestDroppedIsAbsent(t *testing.T) {
	catalog := &Catalog{
		Scheme: "api",
		Operations: []Operation{
			{Key: "GET /keys", Name: "listKeys", Effect: Reads, Group: "admin"},
			{Key: "GET /pets", Name: "listPets", Effect: Reads, Text: "For keys call [[GET /keys]]."},
		},
		Resources: []Resource{{Path: "keys", Name: "keys", Operation: "GET /keys"}, {Path: "pets", Name: "pets", Operation: "GET /pets"}},
	}
	s := Build(map[string]*Catalog{"src": catalog}, Rules{Deny: []string{"tag:admin"}})
	if s.Tool("list_keys") != nil {
		t.Error("the denied tool can be called")
	}
	if target, err := s.Resolve("api://src/keys"); CodeOf(err) != NotFound {
		t.Errorf("the denied resource can be read: %+v, %v", target, err)
	}
	if s.Address("api://src/keys") != nil {
		t.Error("the denied resource has an address")
	}
	if kept := s.Tool("list_pets"); kept == nil || strings.Contains(kept.Description, "keys") {
		t.Errorf("the kept tool is %+v, which names the denied one", kept)
	}
}

// The list and the call ask the same question.
func TestMayUse(t *testing.T) {
	tool := &Tool{asks: asks{scopes: []string{"read", "write"}}}
	for _, c := range []struct {
		scopes []string
		want   bool
	}{{nil, false}, {[]string{"read"}, false}, {[]string{"write", "other", "read"}, true}} {
		if got := tool.MayUse(Caller{Scopes: c.scopes}); got != c.want {
			t.Errorf("MayUse with %v = %v, want %v", c.scopes, got, c.want)
		}
	}
	if !new(Tool).MayUse(Caller{}) {
		t.Error("a tool without scopes may be used by anybody")
	}
}

func TestRulesCheck(t *testing.T) {
	odd := "Odd-"
	rules := Rules{
		Allow:         []string{"name:ok_*", "nmae:x"},
		Deny:          []string{"", "key:GET /a:b", "tag:"},
		Confirm:       []string{"effect:destroys", "effect:*s", "effect:delete"},
		Scopes:        map[string][]string{"group:a": {"s"}, "group:b": nil},
		OutputSchemas: "sometimes",
		ResultBytes:   -1,
		Prompts: []Prompt{
			{Name: "fine", Args: []PromptArg{{Name: "a"}}, Messages: []PromptMessage{{Role: "user", Text: "{{a}}"}}},
			{Name: "typo", Args: []PromptArg{{Name: "a"}}, Messages: []PromptMessage{{Role: "user", Text: "{{b}}"}}},
			{Name: "has space", Messages: []PromptMessage{{Role: "user"}}},
			{Name: "empty"},
			{Name: "fine", Messages: []PromptMessage{{Role: "user"}}},
		},
		Sources: map[string]SourceRules{
			"Pets": {},
			"ok":   {Prefix: &odd, Deny: []string{"colour:red"}, Overrides: map[string]Override{"GET /a": {Name: "has space"}, "GET /b": {Name: "twice"}}},
			"zoo":  {Overrides: map[string]Override{"GET /c": {Name: "twice"}, "GET /d": {Effect: 7}}},
		},
	}
	err := rules.Check()
	if err == nil {
		t.Fatal("Check = nil")
	}
	var places []string
	for line := range strings.SplitSeq(err.Error(), "\n") {
		place, _, _ := strings.Cut(line, ": ")
		places = append(places, place)
	}
	want := []string{
		"rules.allow[1]", "rules.deny[0]", "rules.deny[2]", "rules.confirm[2]", "rules.scopes[group:b]",
		"rules.outputSchemas", "rules.resultBytes", "prompts.typo", "prompts.has space", "prompts.empty", "prompts.fine", "sources.Pets", "sources.ok.prefix", "sources.ok.deny[0]",
		"sources.ok.overrides[GET /a].name", "sources.zoo.overrides[GET /c].name", "sources.zoo.overrides[GET /d].effect",
	}
	if !slices.Equal(places, want) {
		t.Errorf("Check names %q, want %q\n%v", places, want, err)
	}
	if err := (Rules{}).Check(); err != nil {
		t.Errorf("Check of no rules: %v", err)
	}
}

// An entry that matches nothing is told with what was probably meant, as it is to be
// written.
func TestProposals(t *testing.T) {
	catalogs := map[string]*Catalog{"shop": {
		Scheme: "api",
		Operations: []Operation{
			{Key: "GET /pets", Name: "list_pets", Group: "pets", Effect: Reads},
			{Key: "DELETE /pets/{id}", Name: "delete_pet", Group: "admin", Effect: Destroys, Labels: map[string][]string{"table": {"public.secrets"}}},
		},
	}}
	for _, c := range []struct{ entry, want string }{
		{"delete_pat", "; did you mean delete_pet?"},
		{"pets", "; did you mean list_pets?"},
		{"group:pet", "; did you mean group:pets?"},
		{"tag:amdin", "; did you mean tag:admin?"},
		{"key:GET /pet", "; did you mean key:GET /pets?"},
		{"DELETE *", "; did you mean key:DELETE *?"},
		{"admin", "; did you mean group:admin?"},
		{"public.secrets", "; did you mean table:public.secrets?"},
		{"nothing_like_it", ""},
	} {
		s := Build(catalogs, Rules{Confirm: []string{c.entry}})
		want := fmt.Sprintf("rules.confirm[0]: %q matches nothing%s", c.entry, c.want)
		got := ""
		for _, d := range s.Decisions() {
			got += d.Why
		}
		if got != want {
			t.Errorf("%s is told as %q, want %q", c.entry, got, want)
		}
	}
}

// A resource that is an operation's answer is denied with the operation, or by its
// own labels. An entry that would fit its name or path alone denies nothing: it
// must not stand before one that does, and it is told.
func TestDenyOfAnAnswer(t *testing.T) {
	s := Build(map[string]*Catalog{"shop": {
		Scheme:     "api",
		Operations: []Operation{{Key: "GET /pets", Name: "listPets", Effect: Reads}},
		Resources: []Resource{
			{Path: "pets", Name: "listPets", Operation: "GET /pets"},
			{Path: "rows", Name: "rows", Operation: "GET /pets", Labels: map[string][]string{"table": {"pets"}}},
		},
	}}, Rules{Deny: []string{"listPets", "key:rows", "table:pets"}})
	var told []string
	for _, d := range s.Decisions() {
		told = append(told, d.Key+" "+d.Why)
	}
	want := []string{
		` rules.deny[0]: "listPets" matches nothing; did you mean list_pets?`,
		` rules.deny[1]: "key:rows" matches nothing`,
		`rows rules.deny[2] denies "table:pets"`,
	}
	if !slices.Equal(told, want) {
		t.Errorf("decisions\n%s\nwant\n%s", strings.Join(told, "\n"), strings.Join(want, "\n"))
	}
}
