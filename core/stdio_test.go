package core_test

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// oddities is a source whose operations do what adapters should not.
func oddities() *adaptertest.Fake {
	read := func(key string) mapping.Operation {
		return mapping.Operation{Key: key, Name: key, Summary: "Does " + key + ".", Effect: mapping.Reads}
	}
	echo := read("echo")
	echo.Params = []mapping.Param{
		{Name: "n", Schema: json.RawMessage(`{"type":"integer"}`)},
		{Name: "s", Schema: json.RawMessage(`{"type":"string"}`)},
	}
	return &adaptertest.Fake{
		Offer: mapping.Catalog{
			Scheme:     "odd",
			Operations: []mapping.Operation{echo, read("panics"), read("fails"), read("waits")},
			Resources: []mapping.Resource{
				{Path: "note", Name: "note", MIME: "text/plain"},
				{Path: "broken", Name: "broken"},
				{Path: "things/{name}", Name: "thing"},
			},
			Prompts: []mapping.Prompt{{
				Name:     "greet",
				Args:     []mapping.PromptArg{{Name: "who", Required: true}},
				Messages: []mapping.PromptMessage{{Role: "user", Text: "Greet {{who}}."}},
			}},
		},
		Calls: map[string]adaptertest.CallFunc{
			"panics": func(context.Context, mapping.Call) (*mapping.Result, error) { panic("secret of the adapter") },
			"fails": func(context.Context, mapping.Call) (*mapping.Result, error) {
				return nil, errors.New("dial tcp 10.0.0.1: secret")
			},
			"waits": func(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
				c.Progress(1, 2, "waiting")
				<-ctx.Done()
				return nil, ctx.Err()
			},
		},
		Reads: map[string]adaptertest.ReadFunc{
			"note": adaptertest.Content(mapping.Block{Kind: mapping.Text, Text: "noted"}),
			"broken": func(context.Context, mapping.Read) (*mapping.Result, error) {
				return nil, &mapping.Error{Code: mapping.Unavailable, Problem: "the backend is away", Next: "wait 40s"}
			},
			"things/{name}": func(_ context.Context, r mapping.Read) (*mapping.Result, error) {
				if r.Vars["name"] != "é/x" {
					return nil, &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("there is no thing %q", r.Vars["name"])}
				}
				return &mapping.Result{Blocks: []mapping.Block{{Kind: mapping.Text, Text: "a thing"}}}, nil
			},
		},
	}
}

// A pipe is a client on the other side of Run.
type pipe struct {
	t    *testing.T
	in   *io.PipeWriter
	out  *bufio.Reader
	done chan error
}

func startPipe(t *testing.T, b *core.Bridge) *pipe {
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	p := &pipe{t, inWrite, bufio.NewReader(outRead), make(chan error, 1)}
	go func() {
		p.done <- b.Run(t.Context(), inRead, outWrite)
		outWrite.Close()
	}()
	t.Cleanup(func() { inWrite.Close() })
	return p
}

func (p *pipe) send(line string) {
	p.t.Helper()
	if _, err := io.WriteString(p.in, line+"\n"); err != nil {
		p.t.Fatal(err)
	}
}

func (p *pipe) next() string {
	p.t.Helper()
	line, err := p.out.ReadString('\n')
	if err != nil {
		p.t.Fatalf("no more lines: %v", err)
	}
	return line
}

// end closes the input and wants Run to return without saying more.
func (p *pipe) end() {
	p.t.Helper()
	p.in.Close()
	rest, err := io.ReadAll(p.out)
	if err != nil || len(rest) > 0 {
		p.t.Errorf("after the end of input came %q, %v", rest, err)
	}
	if err := <-p.done; err != nil {
		p.t.Errorf("Run: %v", err)
	}
}

func decode(t *testing.T, line string) any {
	t.Helper()
	d := json.NewDecoder(strings.NewReader(line))
	d.UseNumber()
	var v any
	if err := d.Decode(&v); err != nil {
		t.Fatalf("%v in %s", err, line)
	}
	return v
}

// holds says where got lacks something of want; "" is nowhere. A list that ends
// in "(more)" is a beginning.
func holds(got, want any) string {
	switch w := want.(type) {
	case map[string]any:
		g, ok := got.(map[string]any)
		if !ok {
			return fmt.Sprintf("%v is not an object", got)
		}
		for name, value := range w {
			if value == "(absent)" {
				if _, there := g[name]; there {
					return name + " is there"
				}
				continue
			}
			if problem := holds(g[name], value); problem != "" {
				return name + ": " + problem
			}
		}
		return ""
	case []any:
		g, ok := got.([]any)
		if n := len(w) - 1; n >= 0 && w[n] == "(more)" && len(g) > n {
			g, w = g[:n], w[:n]
		}
		if !ok || len(g) != len(w) {
			return fmt.Sprintf("%v has not %d items", got, len(w))
		}
		for i := range w {
			if problem := holds(g[i], w[i]); problem != "" {
				return fmt.Sprintf("%d: %s", i, problem)
			}
		}
		return ""
	}
	if got != want {
		return fmt.Sprintf("%v is not %v", got, want)
	}
	return ""
}

// A message over 64 KiB ended sessions elsewhere (B71), and 16 MiB is our limit.
func TestStdioLongLines(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"odd": oddities()})
	padded := func(head, tail string, size int) string {
		return head + strings.Repeat("x", size-len(head)-len(tail)) + tail
	}
	call := func(size int) string {
		return padded(`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"s":"`, `"}}}`, size)
	}
	ping := func(size int) string {
		return padded(`{"jsonrpc":"2.0","id":2,"method":"ping","params":{"pad":"`, `"}}`, size)
	}
	const most = 16 << 20
	for _, c := range []struct {
		line string
		want string
	}{
		{call(300_000), `"id":2,"result"`},
		{ping(most), `"id":2,"result"`},
		{ping(most + 1), `"code":-32700`},
		{ping(3 * most), `"code":-32700`},
	} {
		p := startPipe(t, b)
		p.send(handshake)
		p.next()
		p.send(c.line)
		if got := p.next(); !strings.Contains(got, c.want) {
			t.Errorf("%d bytes: answer %.200s lacks %s", len(c.line), got, c.want)
		}
		p.send(`{"jsonrpc":"2.0","id":3,"method":"ping"}`)
		if got, want := p.next(), `{"jsonrpc":"2.0","id":3,"result":{}}`+"\n"; got != want {
			t.Errorf("after %d bytes: %s, want %s", len(c.line), got, want)
		}
		p.end()
	}
}

const handshake = `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}`

// Requests that came before the end of input are answered, so that a shell can
// pipe a few lines in.
func TestStdioAnswersBeforeItEnds(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"odd": oddities()})
	in := strings.Join([]string{
		handshake,
		`{"jsonrpc":"2.0","method":"notifications/initialized"}`,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"echo","arguments":{"n":1}}}`,
		`{"jsonrpc":"2.0","id":3,"method":"ping"}`, // the last line has no newline
	}, "\n")
	var out bytes.Buffer
	if err := b.Run(t.Context(), strings.NewReader(in), &out); err != nil {
		t.Fatal(err)
	}
	var ids []string
	for line := range strings.Lines(out.String()) {
		m, _ := decode(t, line).(map[string]any)
		ids = append(ids, fmt.Sprint(m["id"]))
	}
	slices.Sort(ids)
	if got, want := strings.Join(ids, " "), "1 2 3"; got != want {
		t.Errorf("answered %s, want %s; output:\n%s", got, want, out.String())
	}
}

// When its context ends, Run cancels what is under way and returns.
func TestStdioContext(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"odd": oddities()})
	ctx, cancel := context.WithCancel(t.Context())
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	done := make(chan error, 1)
	go func() { done <- b.Run(ctx, inRead, outWrite) }()
	out := bufio.NewReader(outRead)
	for _, line := range []string{
		handshake,
		`{"jsonrpc":"2.0","id":2,"method":"tools/call","params":{"name":"waits","_meta":{"progressToken":1}}}`,
	} {
		io.WriteString(inWrite, line+"\n")
		if _, err := out.ReadString('\n'); err != nil {
			t.Fatal(err)
		}
	}
	cancel()
	if err := <-done; !errors.Is(err, context.Canceled) {
		t.Errorf("Run = %v, want context.Canceled", err)
	}
}
