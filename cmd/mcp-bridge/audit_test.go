package main

import (
	"encoding/json"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
)

// auditLines returns what a file holds, without what differs each time.
func auditLines(t *testing.T, file string) []string {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	var lines []string
	for line := range strings.Lines(string(text)) {
		var fields map[string]any
		if err := json.Unmarshal([]byte(line), &fields); err != nil {
			t.Fatalf("%v in %q", err, line)
		}
		if fields["time"] == nil || fields["seconds"] == nil {
			t.Errorf("no time in %s", line)
		}
		delete(fields, "time")
		delete(fields, "seconds")
		rest, err := json.Marshal(fields)
		if err != nil {
			t.Fatal(err)
		}
		lines = append(lines, string(rest))
	}
	return lines
}

func TestAudit(t *testing.T) {
	dir := t.TempDir()
	config := write(t, dir, "bridge.json", `{"sources": {"shop": {"kind": "demo-api"}}, "audit": {"file": "audit.jsonl", "sync": true}}`)
	file := filepath.Join(dir, "audit.jsonl")
	r := start(t, "serve", "--config", config, "--http", "127.0.0.1:0")
	endpoint := r.endpoint()
	calls := func(arguments string) {
		t.Helper()
		if _, err := io.Copy(io.Discard, post(t, endpoint, "tools/call", "shop_get_product", fmt.Sprintf(`"name":"shop_get_product","arguments":%s`, arguments))); err != nil {
			t.Fatal(err)
		}
	}
	// The hashes are sha256sum's.
	const tent = "084e0b04265574238979590d46b5ca4edc38a95b4196ba1323ecc95971334e7a"
	calls(`{"sku": "TENT-2P"}`)
	info, err := os.Stat(file)
	if err != nil {
		t.Fatal(err)
	}
	if info.Mode().Perm() != 0o600 {
		t.Errorf("the file's mode is %v, want 0600", info.Mode())
	}
	moved := filepath.Join(dir, "audit.1")
	if err := os.Rename(file, moved); err != nil {
		t.Fatal(err)
	}
	calls(`{}`) // still into the file that was moved
	r.cmd.Process.Signal(syscall.SIGHUP)
	r.told("reloaded because=SIGHUP")
	calls(`{"sku": "TENT-2P"}`)
	r.cmd.Process.Signal(syscall.SIGTERM)
	if code, _ := r.ended(); code != 0 {
		t.Errorf("the signal ends it with %d", code)
	}
	done := `{"argumentsSHA256":"` + tent + `","decision":"allowed","key":"GET /products/{sku}","method":"tools/call","outcome":"done","source":"shop","tool":"shop_get_product"}`
	refused := `{"argumentsSHA256":"44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a","code":"invalid","decision":"refused","key":"GET /products/{sku}","method":"tools/call","outcome":"failed","source":"shop","tool":"shop_get_product"}`
	if got := auditLines(t, moved); fmt.Sprint(got) != fmt.Sprint([]string{done, refused}) {
		t.Errorf("the first file holds\n%s", strings.Join(got, "\n"))
	}
	if got := auditLines(t, file); fmt.Sprint(got) != fmt.Sprint([]string{done}) {
		t.Errorf("the second file holds\n%s", strings.Join(got, "\n"))
	}
}

// An audit that others can read is said to be, a pipe takes one with sync, and one
// that cannot be opened again keeps nothing else from being reloaded.
func TestAuditIntoWhatWasThere(t *testing.T) {
	dir := t.TempDir()
	file := filepath.Join(dir, "audit.jsonl")
	if err := os.WriteFile(file, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(file, 0o644); err != nil { // whatever the umask
		t.Fatal(err)
	}
	config := write(t, dir, "bridge.json", `{"sources": {"shop": {"kind": "demo-api"}}, "audit": {"file": "audit.jsonl"}}`)
	r := start(t, "serve", "--config", config, "--http", "127.0.0.1:0")
	r.told("others on this machine can read this file")
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if err := os.Mkdir(file, 0o700); err != nil {
		t.Fatal(err)
	}
	r.cmd.Process.Signal(syscall.SIGHUP)
	r.told("the audit goes on in the file that is open")
	r.told("reloaded because=SIGHUP")
}

// What cannot be opened is said at the start, what cannot be written in the log.
func TestAuditFails(t *testing.T) {
	config := write(t, t.TempDir(), "bridge.json", `{"sources": {"shop": {"kind": "demo-api"}}, "audit": {"file": "no/such/folder"}}`)
	r := start(t, "serve", "--config", config)
	r.told("audit.file: ")
	if code, _ := r.ended(); code != 1 {
		t.Errorf("it ends with %d, want 1", code)
	}
	if _, err := os.Stat("/dev/full"); err != nil {
		if os.Getenv("CI") != "" {
			t.Fatal(err)
		}
		t.Skip("no device here is always full")
	}
	config = write(t, t.TempDir(), "bridge.json", `{"sources": {"shop": {"kind": "demo-api"}}, "audit": {"file": "/dev/full"}}`)
	r = start(t, "serve", "--config", config, "--http", "127.0.0.1:0")
	endpoint := r.endpoint()
	for range 2 {
		answer, err := io.ReadAll(post(t, endpoint, "tools/call", "shop_list_products", `"name":"shop_list_products"`))
		if err != nil || !strings.Contains(string(answer), `"result"`) {
			t.Errorf("the call is answered with %s, %v", answer, err)
		}
	}
	r.told("the audit is not written")
}
