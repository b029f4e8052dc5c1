package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcp-bridge/mcp-bridge/bench/process"
)

// counts are what has happened so far.
type counts struct {
	answered, wrong, told, broken atomic.Int64
	example                       atomic.Pointer[string] // of what went wrong
}

func (c *counts) fails(what string) {
	c.wrong.Add(1)
	c.example.CompareAndSwap(nil, &what)
}

// measure starts the server as a process of its own and the clients here.
func measure(ctx context.Context, f flags) error {
	program, err := os.Executable()
	if err != nil {
		return err
	}
	server := exec.CommandContext(ctx, program, "-serve", fmt.Sprint("-clients=", f.clients), fmt.Sprint("-reload=", f.reload))
	server.Stderr = os.Stderr
	in, err := server.StdinPipe()
	if err != nil {
		return err
	}
	out, err := server.StdoutPipe()
	if err != nil {
		return err
	}
	if err := server.Start(); err != nil {
		return err
	}
	url, err := bufio.NewReader(out).ReadString('\n')
	if err != nil {
		return err
	}
	c := &counts{}
	attack(ctx, f, strings.TrimSpace(url), c, func(part int) {
		resident, peak, err := process.Memory(server.Process.Pid)
		held := fmt.Sprintf("server holds %d MB, at most %d MB", resident>>20, peak>>20)
		if err != nil {
			held = err.Error()
		}
		fmt.Printf("%d/4: %d answered, %d wrong, %d told, %d streams broken; %s\n",
			part, c.answered.Load(), c.wrong.Load(), c.told.Load(), c.broken.Load(), held)
	})
	if example := c.example.Load(); example != nil {
		fmt.Println("for example:", *example)
	}
	in.Close()
	return server.Wait()
}

// attack lets clients call and listen for a while, and reports at every quarter.
func attack(ctx context.Context, f flags, url string, c *counts, report func(part int)) {
	transport := &http.Transport{MaxIdleConnsPerHost: f.clients + f.listens}
	defer transport.CloseIdleConnections()
	client := &http.Client{Transport: transport}
	calling, stopCalls := context.WithTimeout(ctx, f.length)
	defer stopCalls()
	listening, stopListens := context.WithCancel(ctx)
	defer stopListens()
	var callers, listeners sync.WaitGroup
	for range f.listens {
		listeners.Go(func() {
			if err := listen(listening, client, url, c); listening.Err() == nil {
				c.broken.Add(1)
				c.fails(fmt.Sprint("a stream ended: ", err))
			}
		})
	}
	for id := range f.clients {
		callers.Go(func() {
			for n := id; calling.Err() == nil; n += f.clients {
				call(ctx, client, url, n, c)
			}
		})
	}
	for part := range 4 {
		select {
		case <-time.After(f.length / 4):
		case <-ctx.Done():
		}
		report(part + 1)
	}
	callers.Wait()
	stopListens()
	listeners.Wait()
}

// request makes a request of 2026-07-28.
func request(ctx context.Context, url, method, name, params string) (*http.Request, error) {
	body := fmt.Sprintf(`{"jsonrpc":"2.0","id":1,"method":%q,"params":{%s,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}}}`, method, params)
	r, err := http.NewRequestWithContext(ctx, http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return nil, err
	}
	r.Header.Set("Content-Type", "application/json")
	r.Header.Set("Accept", "application/json, text/event-stream")
	r.Header.Set("Mcp-Protocol-Version", "2026-07-28")
	r.Header.Set("Mcp-Method", method)
	if name != "" {
		r.Header.Set("Mcp-Name", name)
	}
	return r, nil
}

// call calls the tool once and wants its own number back.
func call(ctx context.Context, client *http.Client, url string, n int, c *counts) {
	r, err := request(ctx, url, "tools/call", "echo", fmt.Sprintf(`"name":"echo","arguments":{"n":%d}`, n))
	if err != nil {
		c.fails(err.Error())
		return
	}
	response, err := client.Do(r)
	if err != nil {
		c.fails(err.Error())
		return
	}
	defer response.Body.Close()
	answer, err := io.ReadAll(response.Body)
	if err != nil || !strings.Contains(string(answer), fmt.Sprintf(`"structuredContent":{"args":{"n":%d}}`, n)) {
		c.fails(fmt.Sprintf("%s %s %v", response.Status, answer, err))
		return
	}
	c.answered.Add(1)
}

// listen counts what it is told until the stream ends.
func listen(ctx context.Context, client *http.Client, url string, c *counts) error {
	r, err := request(ctx, url, "subscriptions/listen", "", `"notifications":{"toolsListChanged":true}`)
	if err != nil {
		return err
	}
	response, err := client.Do(r)
	if err != nil {
		return err
	}
	defer response.Body.Close()
	lines := bufio.NewScanner(response.Body)
	for lines.Scan() {
		if strings.Contains(lines.Text(), "tools/list_changed") {
			c.told.Add(1)
		}
	}
	return lines.Err()
}
