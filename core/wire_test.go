package core_test

import (
	"fmt"
	"maps"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/core"
	"golang.org/x/tools/txtar"
)

// TestWire plays the conversations of testdata/wire with the bridge of
// [wireworks]. A file is one conversation or several, by their section's name:
// "stdio", "http", "both", which is played over either, or "sse", which is http
// with the older handler.
//
// In stdio and both, a line that begins with > is sent, and one that begins with
// < is what the server's next message holds at least: every field named there
// has this value, and "(absent)" is no such field.
//
// In http a line may name its exchange before the > or <, so that several can
// be open at once. What is sent is a method, headers ("(none)" leaves out what
// every request has) and a body. What comes is a status, headers, messages as
// above, or "end" where no more of them follow; "endpoint" is where to POST in
// sse. "!" hangs up.
//
// A comment's line "revisions: …" plays the file at each of them. Words that
// begin with $ stand for what [player.expand] says.
func TestWire(t *testing.T) {
	files, err := filepath.Glob("testdata/wire/*.txtar")
	if err != nil || len(files) == 0 {
		t.Fatalf("no conversations: %v", err)
	}
	for _, file := range files {
		archive, err := txtar.ParseFile(file)
		if err != nil {
			t.Fatal(err)
		}
		name := strings.TrimSuffix(filepath.Base(file), ".txtar")
		revisions := []string{""}
		if m := regexp.MustCompile(`(?m)^revisions: (.*)$`).FindSubmatch(archive.Comment); m != nil {
			revisions = strings.Fields(string(m[1]))
		}
		for _, section := range archive.Files {
			transports := map[string]func(*testing.T, *core.Bridge) transport{"stdio": overPipe, "http": overHTTP, "sse": overSSE}
			switch section.Name {
			case "stdio", "http", "sse":
				transports = map[string]func(*testing.T, *core.Bridge) transport{section.Name: transports[section.Name]}
			case "both":
				transports["http"] = overPosts
				delete(transports, "sse")
			default:
				t.Fatalf("%s: a section is stdio, http, both or sse, not %q", file, section.Name)
			}
			for _, by := range slices.Sorted(maps.Keys(transports)) {
				for _, revision := range revisions {
					t.Run(strings.Trim(name+"/"+by+"/"+revision, "/"), func(t *testing.T) {
						p := &player{t: t, revision: revision, transport: transports[by](t, wireworks(t))}
						p.play(file, string(archive.Comment), string(section.Data))
					})
				}
			}
		}
	}
}

// A transport carries what a conversation says. Exchange is the name before the
// > or <, which only http has.
type transport interface {
	send(t *testing.T, exchange, text string)
	// expect says what is missing in what comes next; "" is nothing.
	expect(t *testing.T, exchange, want string) string
	hangUp(exchange string)
	// session is the newest Mcp-Session-Id, or endpoint.
	session() string
	// end wants that nothing more comes.
	end(t *testing.T)
}

// A player plays one conversation.
type player struct {
	t         *testing.T
	transport transport
	revision  string
}

func (p *player) play(file, comment, script string) {
	first := 2 + strings.Count(comment, "\n") // as if the section were the file's only one
	for i, line := range strings.Split(script, "\n") {
		if line == "" || line[0] == '#' {
			continue
		}
		m := regexp.MustCompile(`^([a-z0-9]*)([<>!]) ?(.*)$`).FindStringSubmatch(line)
		if m == nil {
			p.t.Fatalf("%s:%d: a line begins with >, <, ! or #", file, first+i)
		}
		text := p.expand(m[3])
		switch m[2] {
		case ">":
			p.transport.send(p.t, m[1], text)
		case "!":
			p.transport.hangUp(m[1])
		case "<":
			if problem := p.transport.expect(p.t, m[1], text); problem != "" {
				p.t.Errorf("%s:%d: %s\nwant %s", file, first+i, problem, text)
			}
		}
	}
	p.transport.end(p.t)
}

// expand puts in what a conversation leaves out.
func (p *player) expand(text string) string {
	// $modern is the _meta of a request of 2026-07-28, whose client can be asked
	// nothing, and $asking is that of one that can.
	const modern = `"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":%s}`
	return strings.NewReplacer(
		"$revision", p.revision,
		"$session", p.transport.session(),
		"$endpoint", p.transport.session(),
		"$modern", fmt.Sprintf(modern, `{}`),
		"$asking", fmt.Sprintf(modern, `{"elicitation":{}}`),
		// $hello is a handshake at $revision.
		"$hello", p.hello(`{}`),
		"$ask-hello", p.hello(`{"elicitation":{}}`),
	).Replace(text)
}

func (p *player) hello(capabilities string) string {
	return fmt.Sprintf(`{"jsonrpc":"2.0","id":"hello","method":"initialize","params":{"protocolVersion":%q,"capabilities":%s,"clientInfo":{"name":"t","version":"1"}}}`, p.revision, capabilities)
}

// heard compares one message with what it should hold.
func heard(t *testing.T, got, want string) string {
	t.Helper()
	if problem := holds(decode(t, got), decode(t, want)); problem != "" {
		return fmt.Sprintf("%s\n got %s", problem, got)
	}
	return ""
}

// A wirePipe is a conversation over two pipes.
type wirePipe struct {
	*pipe
	told []string // announcements that came before they were expected
}

func overPipe(t *testing.T, b *core.Bridge) transport { return &wirePipe{pipe: startPipe(t, b)} }

func (p *wirePipe) send(_ *testing.T, _, text string) { p.pipe.send(text) }
func (p *wirePipe) hangUp(string)                     { p.in.Close() }
func (p *wirePipe) session() string                   { return "" }

// expect takes the next message. What is announced, and not in answer to
// anything, may come earlier or later than the answers around it.
func (p *wirePipe) expect(t *testing.T, _, want string) string {
	t.Helper()
	if announces(want) && len(p.told) > 0 {
		got := p.told[0]
		p.told = p.told[1:]
		return heard(t, got, want)
	}
	got := p.next()
	for announces(got) && !announces(want) {
		p.told = append(p.told, got)
		got = p.next()
	}
	return heard(t, got, want)
}

func announces(message string) bool {
	return regexp.MustCompile(`"method": ?"notifications/[a-z/]*(/updated|/list_changed)"`).MatchString(message)
}

func (p *wirePipe) end(t *testing.T) {
	t.Helper()
	p.pipe.end()
	if len(p.told) > 0 {
		t.Errorf("more was announced: %q", p.told)
	}
}
