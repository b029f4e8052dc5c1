package clients

import (
	"bufio"
	"context"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"testing"
)

// program is the built command.
var program string

func TestMain(m *testing.M) {
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

// serve starts the command on a free port and returns its endpoint.
func serve(t *testing.T, config string) string {
	t.Helper()
	url, _ := startServer(t, config)
	return url
}

// startServer also returns the process. When the test ends it asks the command to
// stop, which has to work.
func startServer(t *testing.T, config string) (url string, process *os.Process) {
	t.Helper()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), program, "serve", "--config", config, "--http", "127.0.0.1:0")
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
			return url, cmd.Process
		}
	}
	close(drained)
	t.Fatal("the command ended without naming its endpoint on stderr")
	return "", nil
}
