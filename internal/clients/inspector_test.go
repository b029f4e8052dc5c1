package clients

import (
	"encoding/json"
	"errors"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// The Inspector's command line says by its exit status what a server did.
const (
	inspectorWorked     = 0
	inspectorToolFailed = 5
)

// TestInspector runs one command of the Inspector after another, over stdio in
// the newest revision and over HTTP in those with a handshake. It cannot be asked
// anything, so what has to be confirmed is refused.
func TestInspector(t *testing.T) {
	needPackages(t)
	config := writeConfig(t, confirmConfig)
	stdio := map[string]any{"type": "stdio", "command": program, "args": []string{"serve", "--config", config}}
	http := map[string]any{"type": "http", "url": serve(t, config)}
	for era, server := range map[string]map[string]any{"modern": stdio, "legacy": http} {
		server["protocolEra"] = era
		text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"bridge": server}})
		if err != nil {
			t.Fatal(err)
		}
		servers := writeConfig(t, string(text))
		for _, c := range []struct {
			args string
			exit int
			says string
		}{
			{"--method tools/list", inspectorWorked, `"get_product"`},
			{"--method tools/call --tool-name get_product --tool-arg sku=TENT-2P", inspectorWorked, `"Ridge 2 trail tent"`},
			{"--method tools/call --tool-name get_product --tool-arg sku=TENT-99P", inspectorToolFailed, "404"},
			{"--method tools/call --tool-name delete_product --tool-arg sku=TARP-01", inspectorToolFailed, "confirmed"},
			{"--method resources/templates/list", inspectorWorked, "api://shop/products/{sku}"},
			{"--method resources/read --uri api://shop/products/TENT-2P", inspectorWorked, "Ridge 2 trail tent"},
			{"--method prompts/list", inspectorWorked, `"prompts"`},
		} {
			exit, says := inspect(t, servers, strings.Fields(c.args)...)
			if exit != c.exit || !strings.Contains(says, c.says) {
				t.Errorf("%s: %s ends with %d and %s; want %d and %s", era, c.args, exit, says, c.exit, c.says)
			}
		}
	}
}

// inspect runs the Inspector and returns its exit status and what it printed.
func inspect(t *testing.T, servers string, args ...string) (exit int, says string) {
	t.Helper()
	args = append([]string{filepath.Join("testdata", "node_modules", ".bin", "mcp-inspector"), "--cli", "--config", servers, "--server", "bridge"}, args...)
	cmd := exec.CommandContext(t.Context(), "node", args...)
	cmd.Env = append(cmd.Environ(), "MCP_INSPECTOR_SECRET_STORE=memory", "HOME="+t.TempDir())
	out, err := cmd.Output()
	var ended *exec.ExitError
	if err != nil && !errors.As(err, &ended) {
		t.Fatal(err)
	}
	return cmd.ProcessState.ExitCode(), string(out)
}
