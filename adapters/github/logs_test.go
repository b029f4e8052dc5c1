package github_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"runtime"
	"runtime/debug"
	"strings"
	"testing"
	"time"

	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// logged is a hub with one job, and the call that reads its log.
func logged(t *testing.T, job githubfake.Job) (*hub, string) {
	t.Helper()
	d := newHub(t, githubfake.World{Repositories: []githubfake.Repository{{
		Owner: "octo", Name: "hello", Commits: []githubfake.Commit{{Message: "Begin"}},
		Workflows: []githubfake.Workflow{{Name: "CI", File: "ci.yml"}},
		Runs:      []githubfake.Run{{Workflow: "CI", Conclusion: "failure", Jobs: []githubfake.Job{job}}},
	}}})
	var listed struct{ Runs, Jobs []struct{ ID json.Number } } // beyond what a float holds
	d.into(&listed, "list_runs", `{"owner":"octo","repo":"hello"}`)
	d.into(&listed, "list_jobs", fmt.Sprintf(`{"owner":"octo","repo":"hello","run_id":%s}`, listed.Runs[0].ID))
	return d, fmt.Sprintf(`{"owner":"octo","repo":"hello","job_id":%s`, listed.Jobs[0].ID)
}

func TestTheEndOfALog(t *testing.T) {
	var log strings.Builder
	for i := range 500 {
		fmt.Fprintf(&log, "2024-12-31T23:00:00.0000000Z \x1b[32mline %d\x1b[0m\r\n", i+1)
	}
	log.WriteString("2024-12-31T23:00:01.0000000Z ##[error]it broke\u202e")
	d, args := logged(t, githubfake.Job{Name: "test", Conclusion: "failure", Steps: []githubfake.Step{{Name: "Test", Conclusion: "failure"}}, Log: []byte(log.String())})
	got := d.get("get_job_log", args+`,"tail":3}`)
	if got["tail"] != "line 499\nline 500\n##[error]it broke" || got["lines"] != 501.0 || got["failed_step"] != "Test" || got["conclusion"] != "failure" {
		t.Errorf("got %v", got)
	}
	for _, r := range d.Requests() {
		if r.Blob && r.Header.Get("Authorization") != "" {
			t.Error("the token went to the server of logs")
		}
	}
}

func TestLogsThatAreHardToRead(t *testing.T) {
	for name, c := range map[string]struct{ log, tail string }{
		"nothing":        {"", ""},
		"no newline":     {"all bad", "all bad"},
		"a long line":    {strings.Repeat("x", 10<<20) + "\nend\n", strings.Repeat("x", 1000) + "\nend"},
		"no UTF-8":       {"a\xffb\n", "a\uFFFDb"},
		"empty lines":    {"\n\n", "\n"},
		"ends in a mark": {"\uFEFF2024-12-31T23:00:00.0000000Z first\n", "first"},
	} {
		d, args := logged(t, githubfake.Job{Name: "test", Log: []byte(c.log)})
		if got := d.get("get_job_log", args+`}`); got["tail"] != c.tail {
			t.Errorf("%s: the tail is %.80q, want %.80q", name, got["tail"], c.tail)
		}
	}
	d, args := logged(t, githubfake.Job{Name: "test", NoLog: true})
	if _, err := d.call("get_job_log", args+`}`); mapping.CodeOf(err) != mapping.NotFound {
		t.Errorf("an expired log: %v", err)
	}
}

// A log of 100 MB is read in less memory than it has, and never held.
func TestALongLogTakesLittleMemory(t *testing.T) {
	d, args := logged(t, githubfake.Job{Name: "test", LogSize: 100 << 20})
	// Garbage may grow with what lives, and GitHub's description may live here.
	defer debug.SetGCPercent(debug.SetGCPercent(5))
	var before, after runtime.MemStats
	peak := uint64(0)
	runtime.GC()
	runtime.ReadMemStats(&before)
	c := mapping.Call{Key: "get_job_log", Progress: func(float64, float64, string) {
		runtime.ReadMemStats(&after)
		peak = max(peak, after.HeapAlloc)
	}}
	r, err := d.callWith(c, args+`}`)
	if err != nil {
		t.Fatal(err)
	}
	var got struct{ Lines int }
	if err := json.Unmarshal(r.JSON, &got); err != nil || got.Lines < 1_000_000 {
		t.Fatalf("%s: %v", r.JSON, err)
	}
	if grown := int64(peak) - int64(before.HeapAlloc); grown > 16<<20 {
		t.Errorf("the heap grew by %d bytes", grown)
	}
}

func TestALogThatHangsCanBeLeft(t *testing.T) {
	d, args := logged(t, githubfake.Job{Name: "test", Log: []byte("x")})
	d.Fail(githubfake.Fault{Blob: true, Hang: true})
	ctx, cancel := context.WithTimeout(t.Context(), 200*time.Millisecond)
	defer cancel()
	if _, err := d.callIn(ctx, mapping.Call{Key: "get_job_log"}, args+`}`); !errors.Is(err, context.DeadlineExceeded) {
		t.Errorf("got %v, want that the deadline passed", err)
	}
}
