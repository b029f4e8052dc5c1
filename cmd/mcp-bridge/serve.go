package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"strings"
	"sync/atomic"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/spf13/pflag"
)

type serveCommand struct {
	backendFlags
	HTTP        listenFlag
	AllowRemote bool
	Trace       string
}

func (cmd *serveCommand) flags(f *pflag.FlagSet) {
	cmd.backendFlags.flags(f)
	f.Var(&cmd.HTTP, "http", "serve over HTTP at `ADDR`/mcp instead of stdio; without ADDR at http.listen of the config file, else "+defaultListen)
	f.Lookup("http").NoOptDefVal = usual
	f.BoolVar(&cmd.AllowRemote, "allow-remote", false, "listen where other machines reach it, without http.auth in the config file: whoever reaches it may call every tool")
	f.StringVar(&cmd.Trace, "trace", "", "add every message, in both directions, to `FILE` as a line of JSON; secrets are hidden, arguments and answers are not")
}

// Run serves until the client hangs up (stdio) or a signal comes. Standard
// output carries the protocol and nothing else.
func (cmd *serveCommand) Run(ctx context.Context, p *process) error {
	if !cmd.HTTP.given && cmd.useInput() {
		return errors.New("standard input cannot carry both a document and the protocol: save the document to a file, or serve over HTTP with --http")
	}
	hangup, stopHangups := hangups()
	defer stopHangups()
	c, err := cmd.config(p)
	if err != nil {
		return err
	}
	listener, err := cmd.listen(ctx, c)
	if err != nil {
		return err
	}
	look, err := cmd.lookout(ctx, p, c)
	if err != nil {
		return err
	}
	defer func() { p.warn(look.close()) }()
	s := newServed(c)
	b, err := core.New(look.options(c.options(look.log, 0)), s.sources)
	if err != nil {
		return err
	}
	defer b.Close()

	ctx, stop := context.WithCancel(ctx)
	defer stop()
	look.admin.serve(ctx, b, p.err, look.log)
	s.follow(ctx, hangup, look.log, func() error {
		look.reopen()
		err := s.reload(ctx, b, func() (*config, error) {
			c, err := cmd.config(p)
			look.hide(c)
			return c, err
		})
		if err == nil {
			reportNotes(p.err, s.config, b.Surface())
		}
		return err
	})
	reported := make(chan error, 1)
	go func() {
		err := report(ctx, p.err, c, b)
		if err != nil {
			stop()
		}
		p.spareCollector()
		reported <- err
	}()
	err = p.serve(ctx, c, b, listener, look)
	stop()
	if nothing := <-reported; nothing != nil {
		return nothing
	}
	return err
}

// serve serves the bridge over HTTP, or on stdio if listener is nil, until the
// client hangs up or ctx ends. What was asked before is still answered.
func (p *process) serve(ctx context.Context, c *config, b *core.Bridge, listener net.Listener, look *lookout) error {
	if listener != nil {
		fmt.Fprintf(p.err, "mcp-bridge: serving MCP at http://%s/mcp\n", listener.Addr())
		if c.HTTP.SSE {
			fmt.Fprintf(p.err, "mcp-bridge: serving MCP of 2024-11-05 at http://%s/sse\n", listener.Addr())
		}
		return c.serveHTTP(ctx, listener, b, look)
	}
	fmt.Fprintln(p.err, "mcp-bridge: serving MCP on standard input and output")
	in := &heard{Reader: p.in}
	err := b.Run(context.WithoutCancel(ctx), untilDone(ctx, look.tape.in(in)), look.tape.out(p.out))
	if err == nil && in.ended.Load() && !in.any {
		return errors.New("standard input ended before a client said anything: let a host start this command and speak to it, or serve over HTTP with --http")
	}
	return err
}

// heard knows whether anything has been read, and whether that was all.
type heard struct {
	io.Reader
	any   bool // read when ended is true
	ended atomic.Bool
}

func (h *heard) Read(p []byte) (int, error) {
	n, err := h.Reader.Read(p)
	if n > 0 {
		h.any = true
	}
	if err != nil {
		h.ended.Store(true)
	}
	return n, err
}

// listen opens the address that the flags and the config ask for; nil is stdio.
func (cmd *serveCommand) listen(ctx context.Context, c *config) (net.Listener, error) {
	if !cmd.HTTP.given {
		return nil, nil
	}
	address := cmp.Or(cmd.HTTP.address, c.HTTP.Listen, defaultListen)
	if !cmd.AllowRemote {
		if err := c.HTTP.mayListen(address); err != nil {
			return nil, err
		}
	}
	return listenAt(ctx, address)
}

// mayListen refuses an address that other machines reach where nobody is asked.
func (h httpConfig) mayListen(address string) error {
	if isLoopback(address) || h.Auth != nil || h.AllowRemote {
		return nil
	}
	return fmt.Errorf("%s can be reached from other machines, and nothing here asks who calls: say who may under http.auth of the config file, listen on 127.0.0.1 behind a proxy that asks, or say --allow-remote", address)
}

// untilDone passes on what can be read of in; when ctx ends, it ends too.
func untilDone(ctx context.Context, in io.Reader) io.Reader {
	r, w := io.Pipe()
	go func() {
		_, err := io.Copy(w, in)
		w.CloseWithError(err)
	}()
	context.AfterFunc(ctx, func() { w.Close() })
	return r
}

// report waits for the first publish and writes what is served; what is not
// stands in the log. The error is for a bridge that has nothing to serve and
// never will.
func report(ctx context.Context, w io.Writer, c *config, b *core.Bridge) error {
	_ = b.Ready(ctx)        // Status has the same by source
	if b.Surface() == nil { // the end came first
		return nil
	}
	hope := false
	for _, s := range b.Status() {
		hope = hope || s.Err == nil || s.Temporary
		if s.Err == nil {
			fmt.Fprintf(w, "mcp-bridge: %s: %s\n", s.Name, published(s))
		}
	}
	if !hope {
		fmt.Fprintln(w, "mcp-bridge: nothing can be served")
		return errShown
	}
	reportDecisions(w, c, b.Surface())
	return nil
}

// published counts what there is of a source, as inspect does: a template is a
// resource, a hidden tool is none of the tools.
func published(s core.SourceStatus) string {
	return mapping.Counted(s.Tools, "tool") + ", " + mapping.Counted(s.Resources+s.Templates, "resource") + ", " + mapping.Counted(s.Prompts, "prompt")
}

// reportDecisions says how much of the backends a model does not see, and what is
// worth knowing of a source as a whole.
func reportDecisions(w io.Writer, c *config, s *mapping.Surface) {
	dropped := 0
	for _, d := range s.Decisions() {
		if d.What == mapping.Dropped {
			dropped++
		}
	}
	if dropped > 0 {
		fmt.Fprintf(w, "mcp-bridge: left out: %d; mcp-bridge inspect says which and why\n", dropped)
	}
	reportNotes(w, c, s)
}

func reportNotes(w io.Writer, c *config, s *mapping.Surface) {
	for _, d := range notes(c, s) {
		fmt.Fprintf(w, "mcp-bridge: note: %s\n", d)
	}
}

// notes returns what an operator should know before a model asks: above all, rules
// that match nothing, perhaps because of a typing mistake.
func notes(c *config, s *mapping.Surface) []string {
	notes := c.unheld()
	for _, d := range s.Decisions() {
		switch {
		case d.What == mapping.Dropped && strings.HasPrefix(d.Where, "queries."): // the operator wrote it
			notes = append(notes, fmt.Sprintf("sources.%s.%s is left out: %s", d.Source, d.Where, d.Why))
		case d.What != mapping.Noted || d.Key != "":
		case d.Source == "" || strings.HasPrefix(d.Why, "sources."+d.Source): // it names its place
			notes = append(notes, d.Why)
		default:
			notes = append(notes, d.Source+": "+d.Why)
		}
	}
	return notes
}
