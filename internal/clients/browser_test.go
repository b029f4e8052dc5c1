package clients

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// A sight is what a page saw of a bridge.
type sight struct {
	Modern, Legacy, SSE seenByPage
	Stranger            struct { // what comes of a request without a token
		Status    int
		Challenge string
		Error     string
	}
}

type seenByPage struct {
	Protocol, Product, Stock string
	Error                    string
}

const pageConfig = `{
	"name": "demo",
	"sources": {"shop": {"kind": "demo-api", "prefix": ""}},
	"rules": {"confirm": ["effect:destroys"]},
	"http": {"sse": true, "origins": [%q], "auth": {"tokens": {"page": {"sha256": "%x"}}}}
}`

// TestPageInBrowser has a page in Chromium use the bridge, which is of another
// origin, with the client of the version 2 SDK; then a page whose origin is not
// listed.
func TestPageInBrowser(t *testing.T) {
	needPackages(t)
	const token = "good-for-a-page"
	plan, seen := make(chan string, 1), make(chan sight, 1)
	mux := http.NewServeMux()
	mux.Handle("GET /", http.FileServer(http.Dir("testdata")))
	mux.HandleFunc("GET /plan", func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, <-plan) })
	mux.HandleFunc("POST /seen", func(_ http.ResponseWriter, r *http.Request) {
		var s sight
		if err := json.NewDecoder(r.Body).Decode(&s); err != nil {
			t.Error(err)
		}
		seen <- s
	})
	pages := httptest.NewServer(mux)
	t.Cleanup(pages.Close)
	url := serve(t, program, "serve", "--config", writeFile(t, "bridge.json", fmt.Sprintf(pageConfig, pages.URL, sha256.Sum256([]byte(token)))), "--http", "127.0.0.1:0")
	visit := func(address string) sight {
		plan <- fmt.Sprintf(`{"url": %q, "token": %q}`, url, token)
		browse(t, address)
		return <-seen
	}

	got := visit(pages.URL + "/page.html")
	for revision, s := range map[string]seenByPage{"2026-07-28": got.Modern, "2025-11-25": got.Legacy, "2024-11-05 or later": got.SSE} {
		if s.Error != "" || !strings.Contains(s.Product, "Ridge 2 trail tent") || !strings.Contains(s.Stock, "25") {
			t.Errorf("%s: a page of a listed origin saw %+v", revision, s)
		}
	}
	if got.Stranger.Status != http.StatusUnauthorized || !strings.HasPrefix(got.Stranger.Challenge, "Bearer") {
		t.Errorf("without a token it saw %+v, want status 401 and its challenge", got.Stranger)
	}

	got = visit(strings.Replace(pages.URL, "127.0.0.1", "localhost", 1) + "/page.html")
	// The client gives up when it is not answered what it expects, and says so.
	if got.Modern.Error == "" || got.Legacy.Error == "" || got.SSE.Error == "" || !strings.Contains(got.Stranger.Error, "Failed to fetch") {
		t.Errorf("a page of an origin that is not listed saw %+v, want every fetch to fail", got)
	}
}

// browse opens a page until the test ends. The browser reaches this machine only.
func browse(t *testing.T, address string) {
	t.Helper()
	browser, err := exec.LookPath("chromium")
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatalf("there is no browser, and CI must not pass without one: %v", err)
	default:
		t.Skipf("there is no browser (apt-get install chromium): %v", err)
	}
	// Not t.TempDir, which must be empty in the end: a process of the browser's may
	// outlive it for a moment and write.
	profile, err := os.MkdirTemp("", "browser")
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), browser, "--headless", "--no-sandbox", "--disable-gpu",
		"--disable-dev-shm-usage", "--no-first-run", "--disable-background-networking", "--disable-component-update",
		"--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
		"--user-data-dir="+profile, "--remote-debugging-port=0", address)
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		cmd.Process.Signal(os.Interrupt)
		cmd.Wait() // it says that it was stopped
		os.RemoveAll(profile)
	})
}
