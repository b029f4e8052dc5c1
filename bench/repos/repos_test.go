package repos

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/bench/process"
	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
)

const (
	callers = 8
	token   = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
)

// A served is the built program before a fake GitHub.
type served struct {
	cmd      *exec.Cmd
	endpoint string
	hub      *githubfake.GitHub
}

func serve(b *testing.B) *served {
	b.Helper()
	var issues []githubfake.Issue
	for i := range 100 {
		issues = append(issues, githubfake.Issue{Title: fmt.Sprintf("Issue %d", i), Body: strings.Repeat("text ", 400)})
	}
	hub, api := githubfake.Start(b, githubfake.World{Token: token, Limit: 1 << 30, Repositories: []githubfake.Repository{{
		Owner: "octo", Name: "hello", Issues: issues,
		Commits:   []githubfake.Commit{{Message: "Begin", Files: map[string]githubfake.File{"src/main.go": githubfake.Text(strings.Repeat("// A line of code.\n", 200))}}},
		Workflows: []githubfake.Workflow{{Name: "CI", File: "ci.yml"}},
		Runs:      []githubfake.Run{{Workflow: "CI", Conclusion: "failure", Jobs: []githubfake.Job{{Name: "long", LogSize: 100 << 20}}}},
	}}})
	dir := b.TempDir()
	program := filepath.Join(dir, "mcp-bridge")
	if out, err := exec.CommandContext(b.Context(), "go", "build", "-o", program, "../../cmd/mcp-bridge").CombinedOutput(); err != nil {
		b.Fatalf("build: %v\n%s", err, out)
	}
	config := filepath.Join(dir, "bridge.json")
	text := fmt.Sprintf(`{"sources": {"gh": {"kind": "github", "repositories": ["octo/*"], "token": %q, "baseURL": %q, "toolsets": ["all"], "prefix": ""}}}`, token, api.URL)
	if err := os.WriteFile(config, []byte(text), 0o600); err != nil {
		b.Fatal(err)
	}
	s := &served{cmd: exec.CommandContext(context.WithoutCancel(b.Context()), program, "serve", "--config", config, "--http", "127.0.0.1:0"), hub: hub}
	said, err := s.cmd.StderrPipe()
	if err != nil {
		b.Fatal(err)
	}
	if err := s.cmd.Start(); err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.cmd.Process.Kill(); s.cmd.Wait() })
	lines := bufio.NewScanner(said)
	for lines.Scan() && s.endpoint == "" {
		if _, at, found := strings.Cut(lines.Text(), "serving MCP at "); found {
			s.endpoint = at
		}
	}
	go io.Copy(io.Discard, said)
	return s
}

// call calls a tool and fails unless the answer holds a text.
func (s *served) call(ctx context.Context, tool, args, want string) error {
	_, err := s.ask(ctx, tool, args, want)
	return err
}

func (s *served) ask(ctx context.Context, tool, args, want string) ([]byte, error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":%q,"arguments":%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, tool, args)
	req, err := http.NewRequestWithContext(ctx, http.MethodPost, s.endpoint, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	for name, value := range map[string]string{
		"Content-Type": "application/json", "Accept": "application/json, text/event-stream",
		"Mcp-Protocol-Version": "2026-07-28", "Mcp-Method": "tools/call", "Mcp-Name": tool,
	} {
		req.Header.Set(name, value)
	}
	resp, err := http.DefaultTransport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	defer resp.Body.Close()
	answer, err := io.ReadAll(resp.Body)
	if err == nil && !bytes.Contains(answer, []byte(want)) {
		err = fmt.Errorf("%s answered %.300s", tool, answer)
	}
	return answer, err
}

// BenchmarkCalls has 8 callers ask over HTTP. It prints calls per second, requests
// to GitHub for each, and the memory of the program afterwards.
func BenchmarkCalls(b *testing.B) {
	s := serve(b)
	for _, c := range []struct{ tool, args, want string }{
		{"get_file", `{"owner":"octo","repo":"hello","path":"src/main.go"}`, "A line of code"},
		{"list_issues", `{"owner":"octo","repo":"hello"}`, "next_cursor"},
	} {
		b.Run(c.tool, func(b *testing.B) {
			s.hub.Forget()
			var left atomic.Int64
			left.Store(int64(b.N))
			failed := make(chan error, callers)
			b.ResetTimer()
			for range callers {
				go func() {
					var err error
					for err == nil && left.Add(-1) >= 0 {
						err = s.call(b.Context(), c.tool, c.args, c.want)
					}
					failed <- err
				}()
			}
			for range callers {
				if err := <-failed; err != nil {
					b.Fatal(err)
				}
			}
			b.StopTimer()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "calls/s")
			b.ReportMetric(float64(len(s.hub.Requests()))/float64(b.N), "requests/call")
			s.memory(b)
		})
	}
}

// BenchmarkLog reads logs of 100 MB, one after the other.
func BenchmarkLog(b *testing.B) {
	s := serve(b)
	id := func(tool, args string) string {
		answer, err := s.ask(b.Context(), tool, args, `"id":`)
		if err != nil {
			b.Fatal(err)
		}
		return string(regexp.MustCompile(`"structuredContent":.*?"id":(\d+)`).FindSubmatch(answer)[1])
	}
	run := id("list_runs", `{"owner":"octo","repo":"hello"}`)
	args := fmt.Sprintf(`{"owner":"octo","repo":"hello","job_id":%s}`, id("list_jobs", fmt.Sprintf(`{"owner":"octo","repo":"hello","run_id":%s}`, run)))
	before, _, err := process.Memory(s.cmd.Process.Pid)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if err := s.call(b.Context(), "get_job_log", args, "of a long log"); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(100*float64(b.N)/b.Elapsed().Seconds(), "MB/s")
	b.ReportMetric(float64(before)/(1<<20), "MB-before")
	s.memory(b)
}

func (s *served) memory(b *testing.B) {
	b.Helper()
	now, peak, err := process.Memory(s.cmd.Process.Pid)
	if err != nil {
		b.Fatal(err)
	}
	b.ReportMetric(float64(now)/(1<<20), "MB-RSS")
	b.ReportMetric(float64(peak)/(1<<20), "MB-peak")
}
