package main

import (
	"bytes"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"github.com/mcp-bridge/mcp-bridge/bench/process"
)

// figures are what one stretch of calls showed.
type figures struct {
	calls   int64
	elapsed time.Duration
	cpu     time.Duration // of the server's process
	rss     int64         // bytes, when the last call had returned
}

func (f figures) perSecond() float64 { return float64(f.calls) / f.elapsed.Seconds() }

func (f figures) cpuPerCall() time.Duration { return f.cpu / time.Duration(max(f.calls, 1)) }

// A load is one call that several callers repeat.
type load struct {
	tool    string
	callers int
	// more says whether call number n (from 1) is still to be made.
	more func(n int64) bool
}

// run makes the calls and measures the server meanwhile. The first failed call
// ends it.
func (l load) run(s *server) (f figures, err error) {
	before, err := process.CPU(s.cmd.Process.Pid)
	if err != nil {
		return f, err
	}
	var n, done atomic.Int64
	var once sync.Once
	var failed atomic.Bool
	var all sync.WaitGroup
	begin := time.Now()
	for range l.callers {
		all.Go(func() {
			for !failed.Load() && l.more(n.Add(1)) {
				if e := call(s, l.tool); e != nil {
					once.Do(func() { err = e })
					failed.Store(true)
					return
				}
				done.Add(1)
			}
		})
	}
	all.Wait()
	f.calls, f.elapsed = done.Load(), time.Since(begin)
	if err != nil {
		return f, err
	}
	after, err := process.CPU(s.cmd.Process.Pid)
	if err != nil {
		return f, err
	}
	f.cpu = after - before
	f.rss, _, err = process.Memory(s.cmd.Process.Pid)
	return f, err
}

// product is what every call asks for.
const product = "JKT-R"

// call gets one product, and fails when the answer does not hold it.
func call(s *server, tool string) error {
	result, err := s.ask("tools/call", fmt.Sprintf(`{"name":%q,"arguments":{"sku":%q}}`, tool, product))
	if err != nil {
		return err
	}
	if bytes.Contains(result, []byte(`"isError":true`)) || !bytes.Contains(result, []byte("price_cents")) {
		return fmt.Errorf("%s answered %.500s", tool, result)
	}
	return nil
}
