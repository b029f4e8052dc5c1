package github

import (
	"testing"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

func listOf(t *testing.T, repositories ...string) *allowList {
	t.Helper()
	l, err := newAllowList(Options{Repositories: repositories})
	if err != nil {
		t.Fatal(err)
	}
	return l
}

func TestAllowList(t *testing.T) {
	l := listOf(t, "octo/*", "Acme/web-*", "acme/core", "!octo/secret", "!octo/*-keys")
	for _, c := range []struct {
		name string
		want bool
	}{
		{"octo/hello", true},
		{"OCTO/Hello", true},
		{"octo/.github", true},
		{"acme/web-shop", true},
		{"acme/core", true},
		{"acme/cores", false},
		{"acme/webshop", false},
		{"octo/secret", false},
		{"Octo/Secret", false},
		{"octo/prod-keys", false},
		{"octocat/hello", false},
		{"octo/..", false},
		{"octo/a/b", false},
		{"octo/", false},
		{"/hello", false},
		{"octo/hello?x", false},
		{"octo/hello#", false},
		{"octo\n/hello", false},
	} {
		if got := l.allowsName(c.name); got != c.want {
			t.Errorf("allowsName(%q) = %v, want %v", c.name, got, c.want)
		}
	}
}

func TestATokenNeedsAList(t *testing.T) {
	if err := Valid(Options{Token: "t"}); err == nil {
		t.Error("a token without repositories is accepted")
	}
	if err := Valid(Options{}); err != nil {
		t.Errorf("no token and no list: %v, want all public repositories", err)
	}
}

// A query may not leave the list, whatever it holds.
func TestQueriesStayInScope(t *testing.T) {
	l := listOf(t, "octo/hello", "acme/*", "!acme/secret")
	for _, c := range []struct{ text, owner, repo, want string }{
		{"bug", "", "", "repo:octo/hello user:acme -repo:acme/secret bug"},
		{"bug", "octo", "hello", "repo:octo/hello bug"},
		{"bug", "acme", "", "user:acme bug"},
		{"repo:octo/hello bug", "", "", "repo:octo/hello bug"},
		{`"a OR b" bug`, "octo", "hello", `repo:octo/hello "a OR b" bug`},
		{"bug NOT", "octo", "hello", "repo:octo/hello bug NOT"},
		{"-repo:octo/hello bug", "acme", "", "user:acme -repo:octo/hello bug"},
		{`label:"good first issue","user: x" bug`, "octo", "hello", `repo:octo/hello label:"good first issue","user: x" bug`},
		{`"http://user:x@y" author:repo 错误：超时`, "octo", "hello", `repo:octo/hello "http://user:x@y" author:repo 错误：超时`},
	} {
		got, err := l.scoped(c.text, c.owner, c.repo, false)
		if err != nil || got != c.want {
			t.Errorf("scoped(%q, %q, %q) = %q, %v; want %q", c.text, c.owner, c.repo, got, err, c.want)
		}
	}
	for _, text := range []string{
		"bug OR repo:evil/x", "a or b", "(a", "repo:evil/x", "REPO:evil/x", `"repo:evil/x`, `repo:"evil/x"`, `"repo:evil/x"`, "org:evil", "user:evil",
		"enterprise:evil", "repo:acme/secret", `a\" OR "b`, "org:octo", "a\tOR\tb", "a\u00a0OR\u00a0b", "repo:evil/x repo:octo/hello", "a || b",
		// A reader of qualifiers may begin a new one behind a quote or a sign, and fold
		// what looks like a letter.
		`label:"a"repo:evil/x`, `"a"repo:evil/x`, `label:"a",repo:evil/x`, "a,repo:evil/x", "+repo:evil/x", "@user:evil", "is:open;org:evil", "a:repo:octo/hello",
		"ｒｅｐｏ：evil/x", "repo：evil/x", "uſer:evil", "repo﹕evil/x", "ｏｒｇ:evil",
	} {
		got, err := l.scoped(text, "", "", true)
		if code := mapping.CodeOf(err); code != mapping.Denied && code != mapping.Invalid {
			t.Errorf("scoped(%q) = %q, %v; want a refusal", text, got, err)
		}
	}
	for _, c := range []struct{ owner, repo string }{{"evil", ""}, {"evil", "x"}, {"acme", "secret"}, {"octo", ""}, {"a repo:evil/x", ""}} {
		if got, err := l.scoped("bug", c.owner, c.repo, true); err == nil {
			t.Errorf("scoped to %s/%s = %q, want a refusal", c.owner, c.repo, got)
		}
	}
}

// A search for issues reads a space between two scopes as and, so they are joined
// by OR; that is the only group which may leave.
func TestScopesOfIssuesAreAlternatives(t *testing.T) {
	l := listOf(t, "octo/hello", "acme/*", "!acme/secret")
	const want = "(repo:octo/hello OR user:acme) -repo:acme/secret is:open"
	if got, err := l.scoped("is:open", "", "", true); err != nil || got != want {
		t.Errorf("scoped = %q, %v; want %q", got, err, want)
	}
	for _, q := range []string{
		"(repo:octo/hello OR repo:evil/x) bug", "(repo:octo/hello OR bug) x", "(repo:octo/hello OR user:acme)(x)", "(repo:octo/hello OR user:acme) (x OR y)",
		"x (repo:octo/hello OR user:acme)", "(repo:octo/hello OR user:acme) OR x", "(repo:octo/hello) x", "((repo:octo/hello OR user:acme) x",
	} {
		if err := l.checkQuery(q); err == nil {
			t.Errorf("%s may leave", q)
		}
	}
}
