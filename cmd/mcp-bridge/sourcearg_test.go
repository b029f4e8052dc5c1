package main

import (
	"strings"
	"testing"
)

func TestSourcesAreNamed(t *testing.T) {
	for _, c := range []struct{ arg, name, path string }{
		{"petstore.yaml", "petstore", "petstore.yaml"},
		{"../specs/Pet Store.json", "pet-store", "../specs/Pet Store.json"},
		{"api.github.com.json", "api-github-com", "api.github.com.json"},
		{"/specs/petstore", "petstore", "/specs/petstore"},
		{"2024_orders.yaml", "orders", "2024_orders.yaml"},
		{"the-complete-archived-api.yaml", "the-complete-arc", "the-complete-archived-api.yaml"},
		{"fifteen-letters-x.yaml", "fifteen-letters", "fifteen-letters-x.yaml"},
		{"pets=v2/petstore.yaml", "pets", "v2/petstore.yaml"},
		{"pets=a=b.yaml", "pets", "a=b.yaml"},
		{"./a=b.yaml", "a-b", "./a=b.yaml"},
		{"Äpfel.yaml", "pfel", "Äpfel.yaml"},
	} {
		got, err := parseSource(c.arg)
		if err != nil || got.name != c.name || got.path != c.path {
			t.Errorf("parseSource(%q) = %q %q, %v; want %q %q", c.arg, got.name, got.path, err, c.name, c.path)
		}
	}
}

func TestSourcesThatCannotBe(t *testing.T) {
	for _, c := range []struct{ arg, want string }{
		{"", "empty"},
		{"-", "standard input"},
		{"pets=-", "standard input"},
		{"https://user:secret@example.com/openapi.json", "https://… is a URL"},
		{"pets=http://example.com/?a=secret", "http://… is a URL"},
		{"file:///specs/petstore.yaml", "file://… is a URL"},
		{"postgres://user:secret@db/shop?sslmode=disable", "PostgreSQL"},
		{"shop=postgresql://user:secret@db/shop", "PostgreSQL"},
		{"mysql://user:secret@db/shop", "MySQL"},
		{"sqlite:shop.db", "SQLite"},
		{"github:octo/hello", "GitHub"},
		{"2024.yaml", "no name can be made of 2024.yaml"},
		{"Pets=petstore.yaml", `cannot be called "Pets"`},
		{"a_b=petstore.yaml", `cannot be called "a_b"`},
		{"the-complete-archived=petstore.yaml", `cannot be called`},
	} {
		_, err := parseSource(c.arg)
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("parseSource(%q) fails with %v, want %q in it", c.arg, err, c.want)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("parseSource(%q) shows a secret: %v", c.arg, err)
		}
	}
}

func TestSourcesThatClash(t *testing.T) {
	_, err := parseSources([]string{"v1/petstore.yaml", "shop.yaml", "v2/petstore.json"})
	want := "v1/petstore.yaml and v2/petstore.json are both called petstore; give one of them a name of its own: NAME=v2/petstore.json"
	if err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
	list, err := parseSources([]string{"v1/petstore.yaml", "v2=v2/petstore.json"})
	if err != nil || len(list) != 2 {
		t.Errorf("got %v, %v; want two sources", list, err)
	}
}
