package main

import (
	"bufio"
	"fmt"
	"io"
	"net/http"
	"strings"
	"syscall"
	"testing"
	"time"
)

const (
	oneTool  = `{"openapi": "3.1.0", "info": {"title": "Doc", "version": "1"}, "paths": {"/one": {"$ref": "paths.json#/one"}}}`
	onePath  = `{"one": {"get": {"operationId": "getOne", "responses": {"200": {"description": "ok"}}}}}`
	twoPaths = `{"one": {"get": {"operationId": "getOne", "responses": {"200": {"description": "ok"}}}, "post": {"operationId": "addOne", "responses": {"200": {"description": "ok"}}}}}`
	listen   = `{"jsonrpc":"2.0","id":7,"method":"subscriptions/listen","params":{"notifications":{"toolsListChanged":true},"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`
	changed  = "notifications/tools/list_changed"
)

// stream opens a stream of a session of 2025-11-25.
func stream(t *testing.T, endpoint string) *bufio.Reader {
	t.Helper()
	open := func(method, session, body string) (http.Header, io.Reader) {
		req, err := http.NewRequestWithContext(t.Context(), method, endpoint, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		req.Header.Set("Accept", "application/json, text/event-stream")
		req.Header.Set("Content-Type", "application/json")
		if session != "" {
			req.Header.Set("Mcp-Session-Id", session)
			req.Header.Set("Mcp-Protocol-Version", "2025-11-25")
		}
		resp, err := new(http.Client).Do(req)
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { resp.Body.Close() })
		if resp.StatusCode > 202 {
			t.Fatalf("%s %s is answered with %s", method, body, resp.Status)
		}
		return resp.Header, resp.Body
	}
	hello, _ := open(http.MethodPost, "", initialize)
	session := hello.Get("Mcp-Session-Id")
	open(http.MethodPost, session, ready)
	_, events := open(http.MethodGet, session, "")
	return bufio.NewReader(events)
}

// untilLine reads lines until one holds part.
func untilLine(t *testing.T, what string, lines *bufio.Reader, part string) {
	t.Helper()
	found := make(chan error, 1)
	go func() {
		for {
			line, err := lines.ReadString('\n')
			if err != nil || strings.Contains(line, part) {
				found <- err
				return
			}
		}
	}()
	select {
	case err := <-found:
		if err != nil {
			t.Fatalf("%s ends without %s: %v", what, part, err)
		}
	case <-time.After(time.Minute):
		t.Fatalf("%s has no %s", what, part)
	}
}

// A file that the document refers to changes, and clients of both eras are told
// over both transports.
func TestChangedDocumentIsServed(t *testing.T) {
	t.Parallel() // it waits for files to keep still
	dir := t.TempDir()
	document := write(t, dir, "doc.json", oneTool)
	write(t, dir, "paths.json", onePath)
	web := start(t, "serve", document, "--http", "127.0.0.1:0")
	endpoint := web.endpoint()
	if got := tools(t, endpoint); got != "get_one" {
		t.Errorf("the tools are %q, want get_one", got)
	}
	session := stream(t, endpoint)
	newest := bufio.NewReader(post(t, endpoint, "subscriptions/listen", "", `"notifications":{"toolsListChanged":true}`))
	untilLine(t, "the stream of 2026-07-28", newest, "acknowledged")
	old, young := start(t, "serve", document), start(t, "serve", document)
	old.send(initialize)
	old.receive()
	old.send(ready)
	old.send(`{"jsonrpc":"2.0","id":2,"method":"tools/list"}`)
	old.receive()
	young.send(listen)
	untilLine(t, "stdio of 2026-07-28", young.out, "acknowledged")
	young.told("source loaded") // it has asked for nothing that waits for that

	write(t, dir, "paths.json", twoPaths)
	untilLine(t, "the stream of 2025-11-25", session, changed)
	untilLine(t, "the stream of 2026-07-28", newest, changed)
	untilLine(t, "stdio of 2025-11-25", old.out, changed)
	untilLine(t, "stdio of 2026-07-28", young.out, changed)
	if got := tools(t, endpoint); got != "add_one get_one" && got != "get_one add_one" {
		t.Errorf("the tools are %q, want both", got)
	}

	before := tools(t, endpoint)
	write(t, dir, "doc.json", "no document")
	web.told("source not loaded, what it offered before stays")
	if got := tools(t, endpoint); got != before {
		t.Errorf("the tools are %q after the document broke, want %q", got, before)
	}
	write(t, dir, "doc.json", oneTool)
	web.told("source loaded")
	if got := tools(t, endpoint); got != before {
		t.Errorf("the tools are %q after the document was mended, want %q", got, before)
	}
}

// The config file and the secrets that it names are looked at as well. A call
// that is under way ends as it began.
func TestChangedConfigIsServed(t *testing.T) {
	t.Parallel() // it waits for files to keep still
	slow := newBackend(t)
	dir := t.TempDir()
	write(t, dir, "slow.json", slowDocument)
	write(t, dir, "base", slow.URL)
	config := write(t, dir, "bridge.json", `{"sources": {"a": {"kind": "openapi", "location": "slow.json", "baseURL": "${file:base}"}}, "name": "x"}`)
	r := start(t, "serve", "--config", config, "--http", "127.0.0.1:0")
	endpoint := r.endpoint()
	if got := tools(t, endpoint); got != "a_get_slow" {
		t.Errorf("the tools are %q, want a_get_slow", got)
	}
	called := make(chan string)
	call := func() {
		body, err := io.ReadAll(post(t, endpoint, "tools/call", "a_get_slow", `"name":"a_get_slow"`))
		called <- fmt.Sprint(string(body), err)
	}
	go call()
	<-slow.asked

	other := newBackend(t)
	write(t, dir, "base", other.URL)
	r.told(`reloaded because="a changed file"`)
	go call()
	<-other.asked // the second call goes to the other backend, while the first is under way
	close(other.answer)
	close(slow.answer)
	for range 2 {
		if answer := <-called; !strings.Contains(answer, `"slow":true`) {
			t.Errorf("a call is answered with %s", answer)
		}
	}

	write(t, dir, "bridge.json", `{"sources": {"b": {"kind": "openapi", "location": "slow.json", "prefix": "c_"}}, "name": "x"}`)
	r.told(`reloaded because="a changed file"`)
	if got := tools(t, endpoint); got != "c_get_slow" {
		t.Errorf("the tools are %q, want c_get_slow", got)
	}
	write(t, dir, "bridge.json", `{"sources": {`)
	r.told("not reloaded")
	if got := tools(t, endpoint); got != "c_get_slow" {
		t.Errorf("the tools are %q, want c_get_slow", got)
	}
}

// A config that names a secret file which is not there yet is served once it is.
func TestConfigIsMendedByItsFiles(t *testing.T) {
	t.Parallel() // it waits for files to keep still
	dir := t.TempDir()
	write(t, dir, "slow.json", slowDocument)
	config := write(t, dir, "bridge.json", `{"sources": {"a": {"kind": "openapi", "location": "slow.json", "baseURL": "http://127.0.0.1:9"}}, "name": "x"}`)
	r := start(t, "serve", "--config", config, "--http", "127.0.0.1:0")
	endpoint := r.endpoint()
	write(t, dir, "bridge.json", `{"sources": {"b": {"kind": "openapi", "location": "slow.json", "baseURL": "${file:later}"}}, "name": "x"}`)
	r.told("not reloaded")
	write(t, dir, "later", "http://127.0.0.1:9")
	r.told(`reloaded because="a changed file"`)
	if got := tools(t, endpoint); got != "b_get_slow" {
		t.Errorf("the tools are %q, want b_get_slow", got)
	}
}

// A rule that matches nothing is told after a reload as it is at the start: a deny
// with a typing mistake keeps nobody out.
func TestReloadTellsOfRulesThatMatchNothing(t *testing.T) {
	dir := t.TempDir()
	file := write(t, dir, "bridge.json", `{"sources": {"shop": {"kind": "demo-api"}}}`)
	r := start(t, "serve", "--http=127.0.0.1:0", "--config", file)
	r.told("shop: ") // what is told at the start has been told
	write(t, dir, "bridge.json", `{"sources": {"shop": {"kind": "demo-api"}}, "rules": {"deny": ["shop_delete_produkt"]}}`)
	r.cmd.Process.Signal(syscall.SIGHUP)
	r.told(`note: rules.deny[0]: "shop_delete_produkt" matches nothing`)
}
