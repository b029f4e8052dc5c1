package clients

import (
	"context"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"
)

// A goClient is what the clients written in Go can all do, each in its own way.
type goClient interface {
	tools(ctx context.Context) ([]string, error)
	// call returns the texts of the answer, and whether the tool failed.
	call(ctx context.Context, name string, args map[string]any) (text string, failed bool, err error)
	read(ctx context.Context, uri string) (text string, err error)
	// told is sent to whenever the list of tools has changed.
	told() <-chan struct{}
}

// A dialer connects a client that says yes to every question: to a URL, or by
// starting the command where that is empty.
type dialer func(t *testing.T, revision, url string, command *exec.Cmd) goClient

// confirmConfig serves the demo API and asks before it destroys anything.
const confirmConfig = `{"name": "demo", "sources": {"shop": {"kind": "demo-api", "prefix": ""}}, "rules": {"confirm": ["effect:destroys"]}}`

func TestGoClients(t *testing.T) {
	for name, dial := range map[string]dialer{"go-sdk": dialGoSDK, "mcp-go": dialMCPGo} {
		for _, revision := range []string{"2025-11-25", "2026-07-28"} {
			t.Run(name+"/stdio/"+revision, func(t *testing.T) {
				config := writeConfig(t, confirmConfig)
				tryOut(t, dial(t, revision, "", exec.CommandContext(t.Context(), program, "serve", "--config", config)))
			})
			t.Run(name+"/http/"+revision, func(t *testing.T) {
				config := writeConfig(t, confirmConfig)
				url, process := startServer(t, config)
				c := dial(t, revision, url, nil)
				tryOut(t, c)
				wantTold(t, c, config, process)
			})
		}
	}
}

func writeConfig(t *testing.T, text string) string {
	t.Helper()
	file := filepath.Join(t.TempDir(), "bridge.json")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// tryOut lists, calls, reads and confirms.
func tryOut(t *testing.T, c goClient) {
	t.Helper()
	ctx := t.Context()
	names, err := c.tools(ctx)
	if err != nil || !slices.Contains(names, "get_product") || !slices.Contains(names, "delete_product") {
		t.Errorf("tools %v, %v", names, err)
	}
	for _, call := range []struct {
		name   string
		args   map[string]any
		says   string
		failed bool
	}{
		{"get_product", map[string]any{"sku": "TENT-2P"}, "Ridge 2 trail tent", false},
		{"get_order", map[string]any{"order_id": "9007199254740993"}, "9007199254740993", false},
		{"get_product", map[string]any{"sku": "TENT-99P"}, "404", true},
		{"delete_product", map[string]any{"sku": "TARP-01"}, "", false}, // which asks first
		{"get_product", map[string]any{"sku": "TARP-01"}, "404", true},
	} {
		text, failed, err := c.call(ctx, call.name, call.args)
		if err != nil || failed != call.failed || !strings.Contains(text, call.says) {
			t.Errorf("%s(%v) answers %q, failed %t, %v; want %q and %t", call.name, call.args, text, failed, err, call.says, call.failed)
		}
	}
	if _, _, err := c.call(ctx, "no_such_tool", nil); err == nil {
		t.Error("an unknown tool is no error")
	}
	if text, err := c.read(ctx, "api://shop/products/TENT-2P"); err != nil || !strings.Contains(text, "Ridge 2 trail tent") {
		t.Errorf("reading gave %q, %v", text, err)
	}
	if _, err := c.read(ctx, "api://nobody/products"); err == nil {
		t.Error("reading what does not exist is no error")
	}
}

// wantTold changes the config until the client has been told of other tools. A
// client may begin to listen only after it has connected.
func wantTold(t *testing.T, c goClient, config string, process *os.Process) {
	t.Helper()
	for n := 0; ; n++ {
		text := strings.Replace(confirmConfig, `"prefix": ""`, `"prefix": "`+strings.Repeat("x", n%5)+`"`, 1)
		if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		if err := process.Signal(syscall.SIGHUP); err != nil {
			t.Fatal(err)
		}
		select {
		case <-c.told():
			return
		case <-moment():
		case <-t.Context().Done():
			t.Fatal(t.Context().Err())
		}
	}
}
