package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"sync"
	"sync/atomic"
)

// A server is a process that speaks MCP on stdio. Any number of goroutines may
// ask it at once.
type server struct {
	cmd    *exec.Cmd
	stderr bytes.Buffer
	id     atomic.Int64

	writing sync.Mutex
	in      io.WriteCloser

	mu      sync.Mutex
	waiting map[int64]chan<- answer
	ended   error // why nothing is read any more
}

// An answer is what came back for one request.
type answer struct {
	result json.RawMessage
	err    error
}

// start starts the process and shakes hands.
func start(ctx context.Context, line []string) (*server, error) {
	s := &server{cmd: exec.CommandContext(ctx, line[0], line[1:]...), waiting: map[int64]chan<- answer{}}
	s.cmd.Stderr = &s.stderr
	in, err := s.cmd.StdinPipe()
	if err != nil {
		return nil, err
	}
	s.in = in
	out, err := s.cmd.StdoutPipe()
	if err != nil {
		return nil, err
	}
	if err := s.cmd.Start(); err != nil {
		return nil, err
	}
	go s.read(bufio.NewReaderSize(out, 1<<16))
	if _, err := s.ask("initialize", `{"protocolVersion":"2025-06-18","capabilities":{},"clientInfo":{"name":"bench","version":"1"}}`); err != nil {
		return nil, s.fail(err)
	}
	if err := s.send(`{"jsonrpc":"2.0","method":"notifications/initialized"}`); err != nil {
		return nil, s.fail(err)
	}
	return s, nil
}

// stop ends the process, and waits for it. Not every server ends with its input,
// so it is killed. A second stop does nothing.
func (s *server) stop() error {
	if s.cmd.ProcessState != nil {
		return nil
	}
	if err := s.cmd.Process.Kill(); err != nil && !errors.Is(err, os.ErrProcessDone) {
		return err
	}
	_ = s.cmd.Wait() // says that it was killed
	return nil
}

// fail stops the process and adds to the error what it wrote on standard error.
func (s *server) fail(err error) error {
	err = errors.Join(err, s.stop())
	return fmt.Errorf("%w\n%s", err, s.stderr.Bytes())
}

func (s *server) send(line string) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	_, err := io.WriteString(s.in, line+"\n")
	return err
}

// ask sends a request and waits for its result.
func (s *server) ask(method, params string) (json.RawMessage, error) {
	id, got := s.id.Add(1), make(chan answer, 1)
	s.mu.Lock()
	ended := s.ended
	s.waiting[id] = got
	s.mu.Unlock()
	if ended != nil {
		return nil, ended
	}
	if err := s.send(fmt.Sprintf(`{"jsonrpc":"2.0","id":%d,"method":%q,"params":%s}`, id, method, params)); err != nil {
		return nil, fmt.Errorf("send %s: %w", method, err)
	}
	a := <-got
	return a.result, a.err
}

// read hands every answer to who asked, until the output ends.
func (s *server) read(out *bufio.Reader) {
	for {
		line, err := out.ReadBytes('\n')
		if err != nil {
			s.end(fmt.Errorf("the server's output ended: %w", err))
			return
		}
		var m struct {
			ID     *int64
			Result json.RawMessage
			Error  json.RawMessage
		}
		if err := json.Unmarshal(line, &m); err != nil {
			s.end(fmt.Errorf("the server wrote %.200q: %w", line, err))
			return
		}
		if m.ID == nil {
			continue // a notification
		}
		a := answer{result: m.Result}
		if len(m.Error) > 0 {
			a.err = fmt.Errorf("answered %s", m.Error)
		}
		s.mu.Lock()
		got := s.waiting[*m.ID]
		delete(s.waiting, *m.ID)
		s.mu.Unlock()
		if got != nil {
			got <- a
		}
	}
}

// end fails everything that waits, and whatever is asked later.
func (s *server) end(err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.ended = err
	for _, got := range s.waiting {
		got <- answer{err: err}
	}
}
