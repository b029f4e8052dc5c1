// Command mcp-bridge puts existing backends in front of a model over MCP.
//
// Everything here is wiring: the command line, the config file with its
// secrets, and the table that makes an adapter of a kind (kinds.go). What a
// model sees is decided in mapping, how it is served in core.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log"
	"os"
	"os/signal"
	"strings"
	"syscall"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

func main() {
	// Packages that were handed no logger write here. Of a backend's answers net/http
	// repeats the beginning, past everything that hides what is secret.
	log.SetOutput(io.Discard)
	p := &process{in: os.Stdin, out: os.Stdout, err: os.Stderr, lookup: os.LookupEnv, terminal: isTerminal(os.Stdin)}
	os.Exit(p.run(os.Args[1:]))
}

// A process is what the program has of the world around it.
type process struct {
	in       io.Reader
	out, err io.Writer
	lookup   func(name string) (string, bool)
	terminal bool // somebody can be asked on in
}

// isTerminal reports whether f is a device that somebody may type on.
func isTerminal(f *os.File) bool {
	stat, err := f.Stat()
	return err == nil && stat.Mode()&os.ModeCharDevice != 0
}

// The exit codes.
const (
	exitOK     = 0
	exitFailed = 1
	exitUsage  = 2
)

// errShown ends the program with exitFailed where the reason has been written
// already.
var errShown = errors.New("failed")

// run does what the arguments say and returns the exit code.
func (p *process) run(args []string) int {
	cmd, err := parse(args, p.out)
	if errors.Is(err, errHelp) {
		return exitOK
	}
	if err != nil {
		stop := "; "
		if strings.HasSuffix(err.Error(), "?") {
			stop = " "
		}
		return p.fail(fmt.Errorf("%w%smcp-bridge --help lists the commands, and COMMAND --help its flags", err, stop), exitUsage)
	}
	ctx, stop := untilSignal()
	defer stop()
	if err := cmd.Run(ctx, p); err != nil {
		return p.fail(err, exitFailed)
	}
	return exitOK
}

// untilSignal returns a context that ends when the program is asked to end. From
// then on a signal does what it does to any program: it ends it at once.
func untilSignal() (ctx context.Context, stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	signals := make(chan os.Signal, 1)
	signal.Notify(signals, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-signals:
		case <-ctx.Done():
		}
		signal.Stop(signals)
		cancel()
	}()
	return ctx, cancel
}

// forUser words an error for whoever typed the command, without its cause: it may
// hold what was sent.
func forUser(err error) string {
	var e *mapping.Error
	if !errors.As(err, &e) {
		return err.Error()
	}
	plain := *e
	plain.Err = nil
	return strings.Replace(err.Error(), e.Error(), mapping.ForOperator(&plain), 1)
}

// fail writes why the program ends, and returns the code that it ends with.
func (p *process) fail(err error, code int) int {
	if !errors.Is(err, errShown) {
		fmt.Fprintf(p.err, "mcp-bridge: %s\n", forUser(err))
	}
	return code
}
