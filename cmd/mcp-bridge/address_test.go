package main

import "testing"

func TestAddress(t *testing.T) {
	for _, c := range []struct {
		word, address string
		loopback      bool
	}{
		{"127.0.0.1:8808", "127.0.0.1:8808", true},
		{"localhost:0", "localhost:0", true},
		{"[::1]:80", "[::1]:80", true},
		{"8808", "127.0.0.1:8808", true},
		{":8808", ":8808", false},
		{"0.0.0.0:8808", "0.0.0.0:8808", false},
		{"[::]:8808", "[::]:8808", false},
		{"192.0.2.1:8808", "192.0.2.1:8808", false},
		{"bridge.example:8808", "bridge.example:8808", false},
		{"localhost.example:80", "localhost.example:80", false},
		{"petstore.yaml", "", false},
		{"pets=petstore.yaml", "", false},
		{"github:octo", "", false},
		{"127.0.0.1", "", false},
		{"127.0.0.1:http", "", false},
		{"127.0.0.1:65536", "", false},
		{"", "", false},
	} {
		address, ok := parseAddress(c.word)
		if address != c.address || ok != (c.address != "") {
			t.Errorf("parseAddress(%q) = %q, %v; want %q", c.word, address, ok, c.address)
		}
		if got := isLoopback(address); got != c.loopback {
			t.Errorf("isLoopback(%q) = %v, want %v", address, got, c.loopback)
		}
	}
}
