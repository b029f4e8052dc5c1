package clients

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// program is the built command.
var program string

func TestMain(m *testing.M) {
	if len(os.Args) > 2 && os.Args[1] == folderCommand {
		if err := serveFolder(os.Args[2:]); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		return
	}
	os.Exit(func() int {
		dir, err := os.MkdirTemp("", "clients")
		if err != nil {
			fmt.Fprintln(os.Stderr, err)
			return 1
		}
		defer os.RemoveAll(dir)
		program = filepath.Join(dir, "mcp-bridge")
		build := exec.CommandContext(context.Background(), "go", "build", "-o", program, "../../cmd/mcp-bridge")
		build.Stderr = os.Stderr
		if err := build.Run(); err != nil {
			fmt.Fprintln(os.Stderr, "go build:", err)
			return 1
		}
		return m.Run()
	}())
}

// meet returns where a server is met: over stdio its command, else the URL at
// which it has been started.
func meet(t *testing.T, transport string, command ...string) door {
	t.Helper()
	if transport == overStdio {
		return door{transport: transport, command: command}
	}
	url := serve(t, append(command, "--http", "127.0.0.1:0")...)
	if transport == overSSE {
		url = strings.TrimSuffix(url, "/mcp") + "/sse"
	}
	return door{transport: transport, url: url}
}

// serve starts a server and returns its endpoint. When the test ends it asks it to
// stop, which has to work.
func serve(t *testing.T, command ...string) string {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), command[0], command[1:]...)
	stderr, err := cmd.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	lines := bufio.NewScanner(stderr)
	drained := make(chan struct{})
	t.Cleanup(func() {
		if err := cmd.Process.Signal(os.Interrupt); err != nil {
			t.Errorf("interrupt: %v", err)
		}
		<-drained
		if err := cmd.Wait(); err != nil {
			t.Errorf("after an interrupt, the command ended with %v, want success", err)
		}
	})
	endpoint := regexp.MustCompile(`http://[^\s]+/mcp`)
	for lines.Scan() {
		t.Log(lines.Text())
		if url := endpoint.FindString(lines.Text()); url != "" {
			go func() {
				for lines.Scan() {
				}
				close(drained)
			}()
			return url
		}
	}
	close(drained)
	t.Fatal("the command ended without naming its endpoint on stderr")
	return ""
}
