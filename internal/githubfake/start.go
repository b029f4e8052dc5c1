package githubfake

import (
	"net/http/httptest"
	"os"
	"os/exec"
	"testing"
)

// Start makes a world and serves it until the test ends. Without git the test is
// skipped, and fails where CI is set.
func Start(t testing.TB, w World) (*GitHub, *httptest.Server) {
	t.Helper()
	g := Open(t, w)
	server := httptest.NewServer(g)
	t.Cleanup(server.Close)
	return g, server
}

// Open makes a world for a test that puts something before its handler.
func Open(t testing.TB, w World) *GitHub {
	t.Helper()
	if _, err := exec.LookPath("git"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal("git is not on this machine, and CI needs it: install Debian's package git")
		}
		t.Skip("git is not on this machine: install Debian's package git to run this test")
	}
	g, err := New(t.TempDir(), w)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(g.Close)
	return g
}
