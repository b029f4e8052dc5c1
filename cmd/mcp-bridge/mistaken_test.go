package main

import (
	"net"
	"strings"
	"testing"
)

func TestAddressesOfGitHub(t *testing.T) {
	for _, c := range []struct{ given, want string }{
		{"github.com/o/r", "github:o/r"},
		{"https://github.com/o/r", "github:o/r"},
		{"https://www.github.com/o/r/", "github:o/r"},
		{"http://github.com/o/r.git", "github:o/r"},
		{"git@github.com:o/r.git", "github:o/r"},
		{"ssh://git@github.com/o/r.git", "github:o/r"},
		{"git+https://github.com/o/r.git", "github:o/r"},
		{"https://github.com/o", "github:o"},
		{"github:o/r", "github:o/r"},
		{"github:o/r.git", "github:o/r"},
		{"github:https://github.com/o/r", "github:o/r"},
		{"github:o", "github:o"},
		{"https://github.com/o/r/issues", "https://github.com/o/r/issues"},
		{"https://api.github.com/openapi.json", "https://api.github.com/openapi.json"},
		{"api.github.com.json", "api.github.com.json"},
		{"o/r", "o/r"},
	} {
		if got := asGitHub(c.given); got != c.want {
			t.Errorf("asGitHub(%q) = %q, want %q", c.given, got, c.want)
		}
	}
	s, err := parseSource("git@github.com:octo/Hello_World.git")
	if err != nil || s.kind != "github" || s.name != "hello-world" || s.location != "github:octo/Hello_World" {
		t.Errorf("git@github.com:octo/Hello_World.git is %+v, %v", s, err)
	}
}

func TestBaseURLs(t *testing.T) {
	for text, good := range map[string]bool{
		"": true, "http://localhost:8080": true, "https://api.example/v1": true,
		"localhost:8080": false, "/v1": false, "api.example": false, "ftp://x": false, "http://": false, "http:/x": false,
	} {
		if err := checkBaseURL(text); (err == nil) != good {
			t.Errorf("checkBaseURL(%q) = %v", text, err)
		}
	}
}

// What is no address but was meant to be one is not taken for a SOURCE.
func TestAddressesThatAreNone(t *testing.T) {
	for _, word := range []string{"localhost", "127.0.0.1", "http://localhost:8808", "localhost:http", "0.0.0.0:99999"} {
		_, err := parse([]string{"serve", "x.yaml", "--http", word}, nil)
		if err == nil || !strings.Contains(err.Error(), "only the port: 8808") {
			t.Errorf("--http %s: %v", word, err)
		}
	}
}

func TestAddressInUse(t *testing.T) {
	l, err := new(net.ListenConfig).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	address := l.Addr().String()
	_, err = listenAt(t.Context(), address)
	if want := address + " is in use, perhaps by another mcp-bridge: stop that, or choose another port"; err == nil || err.Error() != want {
		t.Errorf("got %v, want %s", err, want)
	}
}
