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

// An inspector is the Inspector's command line in one era of the protocol.
type inspector string

// tour runs one command after another. The Inspector cannot be asked anything, so
// what has to be confirmed is refused. Each command ends with its answer, so none is
// told of a change; the method resources/subscribe it has only in mcpdo, which is
// another program of the same package.
func (era inspector) tour(t *testing.T, at door, _ edit) {
	needPackages(t)
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
		cmd := era.command(t, at, strings.Fields(c.args)...)
		out, err := cmd.Output()
		var ended *exec.ExitError
		if err != nil && !errors.As(err, &ended) {
			t.Fatal(err)
		}
		exit := cmd.ProcessState.ExitCode()
		if exit != c.exit || !strings.Contains(string(out), c.says) {
			t.Errorf("%s ends with %d and %s; want %d and %s", c.args, exit, out, c.exit, c.says)
		}
	}
}

// command is one run of the Inspector.
func (era inspector) command(t *testing.T, at door, args ...string) *exec.Cmd {
	t.Helper()
	server := map[string]any{"type": map[string]string{overStdio: "stdio", overHTTP: "http", overSSE: "sse"}[at.transport], "protocolEra": era}
	if at.command != nil {
		server["command"], server["args"] = at.command[0], at.command[1:]
	} else {
		server["url"] = at.url
	}
	text, err := json.Marshal(map[string]any{"mcpServers": map[string]any{"bridge": server}})
	if err != nil {
		t.Fatal(err)
	}
	args = append([]string{filepath.Join("testdata", "node_modules", ".bin", "mcp-inspector"),
		"--cli", "--config", writeFile(t, "servers.json", string(text)), "--server", "bridge"}, args...)
	cmd := exec.CommandContext(t.Context(), "node", args...)
	cmd.Env = append(cmd.Environ(), "MCP_INSPECTOR_SECRET_STORE=memory", "HOME="+t.TempDir())
	return cmd
}
