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
		{"-", "api", "-"},
		{"pets=-", "pets", "-"},
		{"https://api.example.com/v1/petstore.json", "petstore", "https://api.example.com/v1/petstore.json"},
		{"https://api.example.com/openapi.json", "api-example-com", "https://api.example.com/openapi.json"},
		{"postgres://user:p@db.example.com/Shop?sslmode=disable", "shop", "postgres://user:p@db.example.com/Shop?sslmode=disable"},
		{"postgres://bridge:${env:PG_PW:-x@y}@db.example.com/shop", "shop", "postgres://bridge:${env:PG_PW:-x@y}@db.example.com/shop"},
		{"postgresql://db.example.com", "db-example-com", "postgresql://db.example.com"},
		{"mysql://user@localhost:3306/web_shop", "web-shop", "mysql://user@localhost:3306/web_shop"},
		{"sqlite:data/music.db", "music", "sqlite:data/music.db"},
		{"sqlite:///data/music.db", "music", "sqlite:///data/music.db"},
		{"github:octo/Hello_World", "hello-world", "github:octo/Hello_World"},
		{"github:octo", "octo", "github:octo"},
	} {
		got, err := parseSource(c.arg)
		if err != nil || got.name != c.name || got.location != c.path {
			t.Errorf("parseSource(%q) = %q %q, %v; want %q %q", c.arg, got.name, got.location, err, c.name, c.path)
		}
	}
}

func TestSourcesThatCannotBe(t *testing.T) {
	for _, c := range []struct{ arg, want string }{
		{"", "empty"},
		{"file:///specs/petstore.yaml", "file://… is not served"},
		{"mongodb://user:secret@db/shop", "mongodb://… is not served"},
		{"github:", "github: says no more"},
		{"sqlite://", "sqlite:// says no more"},
		{"postgres:localhost/shop", "begins with postgres://"},
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
