package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os/exec"
	"time"

	"github.com/mcp-bridge/mcp-bridge/bench/process"
)

// measured is what one run of the command showed. Times are from process start,
// sizes in bytes.
type measured struct {
	initialized time.Duration // to the answer of initialize
	listed      time.Duration // to the last page of tools/list
	tools       int
	listBytes   int
	cpu         time.Duration // used by the process in all
	idle        int64         // resident once the list has been sent
	peak        int64         // most that was ever resident
}

// measure starts the command on stdio, shakes hands and lists as a host does.
func measure(ctx context.Context, program string, args []string) (m measured, err error) {
	cmd := exec.CommandContext(ctx, program, append([]string{"serve"}, args...)...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	in, err := cmd.StdinPipe()
	if err != nil {
		return m, err
	}
	out, err := cmd.StdoutPipe()
	if err != nil {
		return m, err
	}
	start := time.Now()
	if err := cmd.Start(); err != nil {
		return m, err
	}
	defer func() {
		in.Close() // end of input ends the command
		if e := cmd.Wait(); e != nil {
			err = errors.Join(err, fmt.Errorf("%w\n%s", e, stderr.Bytes()))
		}
		m.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}()
	s := &session{in: in, out: bufio.NewReader(out)}
	if _, err := s.ask("initialize", `{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`); err != nil {
		return m, err
	}
	m.initialized = time.Since(start)
	if _, err := io.WriteString(in, `{"jsonrpc":"2.0","method":"notifications/initialized"}`+"\n"); err != nil {
		return m, err
	}
	if err := s.list(&m); err != nil {
		return m, err
	}
	m.listed = time.Since(start)
	m.idle, m.peak, err = process.Memory(cmd.Process.Pid)
	return m, err
}

// A session speaks JSON-RPC on a pipe, one question at a time.
type session struct {
	in  io.Writer
	out *bufio.Reader
	id  int
}

// ask sends a request and returns the line that answers it.
func (s *session) ask(method, params string) ([]byte, error) {
	s.id++
	if _, err := fmt.Fprintf(s.in, `{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`+"\n", s.id, method, params); err != nil {
		return nil, fmt.Errorf("send %s: %w", method, err)
	}
	for {
		line, err := s.out.ReadBytes('\n')
		if err != nil {
			return nil, fmt.Errorf("read the answer of %s: %w", method, err)
		}
		var head struct {
			ID    int
			Error json.RawMessage
		}
		if err := json.Unmarshal(line, &head); err != nil {
			return nil, fmt.Errorf("%s answered %s: %w", method, line, err)
		}
		if len(head.Error) > 0 {
			return nil, fmt.Errorf("%s answered %s", method, head.Error)
		}
		if head.ID == s.id { // else a notification
			return line, nil
		}
	}
}

// list reads all pages of tools/list.
func (s *session) list(m *measured) error {
	params := `{}`
	for {
		line, err := s.ask("tools/list", params)
		if err != nil {
			return err
		}
		var page struct {
			Result struct {
				Tools      []json.RawMessage
				NextCursor string
			}
		}
		if err := json.Unmarshal(line, &page); err != nil {
			return fmt.Errorf("read a page: %w", err)
		}
		m.tools += len(page.Result.Tools)
		m.listBytes += len(line)
		if page.Result.NextCursor == "" {
			return nil
		}
		params = fmt.Sprintf(`{"cursor":%q}`, page.Result.NextCursor)
	}
}
