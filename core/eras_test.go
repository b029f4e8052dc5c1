package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"net/http/httptest"
	"testing"
	"time"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/jsonrpc"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// everywhere runs a test over every transport at every revision. dial connects
// the SDK's client to a bridge; the session is closed with the test.
func everywhere(t *testing.T, test func(t *testing.T, revision string, dial func(*core.Bridge, *mcp.ClientOptions) *mcp.ClientSession)) {
	transports := map[string]func(*testing.T, *core.Bridge) mcp.Transport{
		"memory": memoryTransport,
		"pipe":   pipeTransport,
		"http":   httpTransport,
	}
	for name, transport := range transports {
		for _, revision := range mcp.SupportedProtocolVersions() {
			t.Run(name+"/"+revision, func(t *testing.T) {
				test(t, revision, func(b *core.Bridge, o *mcp.ClientOptions) *mcp.ClientSession {
					client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, o)
					session, err := client.Connect(t.Context(), transport(t, b), &mcp.ClientSessionOptions{ProtocolVersion: revision})
					if err != nil {
						t.Fatal(err)
					}
					t.Cleanup(func() { session.Close() })
					if got := session.InitializeResult().ProtocolVersion; got != revision {
						t.Fatalf("negotiated %s, want %s", got, revision)
					}
					return session
				})
			})
		}
	}
}

func memoryTransport(t *testing.T, b *core.Bridge) mcp.Transport {
	here, there := mcp.NewInMemoryTransports()
	if _, err := b.SDK().Connect(t.Context(), there, nil); err != nil {
		t.Fatal(err)
	}
	return here
}

func pipeTransport(t *testing.T, b *core.Bridge) mcp.Transport {
	inRead, inWrite := io.Pipe()
	outRead, outWrite := io.Pipe()
	done := make(chan struct{})
	go func() {
		defer close(done)
		b.Run(context.Background(), inRead, outWrite)
		outWrite.Close()
	}()
	t.Cleanup(func() {
		inWrite.Close()
		<-done
	})
	return &mcp.IOTransport{Reader: outRead, Writer: inWrite}
}

func httpTransport(t *testing.T, b *core.Bridge) mcp.Transport {
	server := httptest.NewServer(b.Handler())
	t.Cleanup(server.Close)
	return &mcp.StreamableClientTransport{Endpoint: server.URL}
}

func TestEverywhere(t *testing.T) {
	everywhere(t, func(t *testing.T, revision string, dial func(*core.Bridge, *mcp.ClientOptions) *mcp.ClientSession) {
		c := dial(newBridge(t, core.Options{}, core.Sources{"odd": oddities()}), nil)

		tools, err := c.ListTools(t.Context(), nil)
		if err != nil || len(tools.Tools) != 4 || tools.Tools[0].Name != "echo" {
			t.Errorf("tools = %+v, %v", tools, err)
		}
		result, err := c.CallTool(t.Context(), &mcp.CallToolParams{
			Name:      "echo",
			Arguments: json.RawMessage(`{"n":9007199254740993}`),
		})
		if err != nil {
			t.Fatal(err)
		}
		if got, want := text(t, result.Content), `[{"type":"text","text":"{\"args\":{\"n\":9007199254740993}}"}]`; got != want {
			t.Errorf("content = %s, want %s", got, want)
		}
		result, err = c.CallTool(t.Context(), &mcp.CallToolParams{Name: "panics"})
		if err != nil || !result.IsError {
			t.Errorf("a panic is %+v, %v", result, err)
		}
		_, err = c.CallTool(t.Context(), &mcp.CallToolParams{Name: "no_such"})
		wantCode(t, "unknown tool", err, jsonrpc.CodeInvalidParams)

		read, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "odd://odd/note"})
		if err != nil || read.Contents[0].Text != "noted" {
			t.Errorf("read = %+v, %v", read, err)
		}
		_, err = c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "odd://odd/no-such/ünknown"})
		missing := int64(-32002)
		if revision >= "2026-07-28" {
			missing = jsonrpc.CodeInvalidParams
		}
		wantCode(t, "unknown resource", err, missing)

		templates, err := c.ListResourceTemplates(t.Context(), nil)
		if err != nil || len(templates.ResourceTemplates) != 1 {
			t.Errorf("templates = %+v, %v", templates, err)
		}
		prompt, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "greet", Arguments: map[string]string{"who": "Ann"}})
		if err != nil || len(prompt.Messages) != 1 {
			t.Errorf("prompt = %+v, %v", prompt, err)
		}
	})
}

func wantCode(t *testing.T, what string, err error, want int64) {
	t.Helper()
	var coded *jsonrpc.Error
	if !errors.As(err, &coded) || coded.Code != want {
		t.Errorf("%s: error %v, want code %d", what, err, want)
	}
}

// A reload is announced to clients of both eras, once it changes something.
func TestListChanged(t *testing.T) {
	everywhere(t, func(t *testing.T, revision string, dial func(*core.Bridge, *mcp.ClientOptions) *mcp.ClientSession) {
		fake := oddities()
		b := newBridge(t, core.Options{}, core.Sources{"odd": fake})
		if err := b.Ready(t.Context()); err != nil {
			t.Fatal(err)
		}
		changed := make(chan string, 10)
		c := dial(b, &mcp.ClientOptions{
			ToolListChangedHandler:     func(context.Context, *mcp.ToolListChangedRequest) { changed <- "tools" },
			ResourceListChangedHandler: func(context.Context, *mcp.ResourceListChangedRequest) { changed <- "resources" },
			PromptListChangedHandler:   func(context.Context, *mcp.PromptListChangedRequest) { changed <- "prompts" },
		})
		if err := b.Reload(t.Context()); err != nil { // no difference: no notification
			t.Fatal(err)
		}
		// A client of 2026-07-28 asks to be told only after Connect has returned,
		// so the first change may be too early for it.
		told := ""
		for n := 2; told == ""; n = 5 - n {
			offer := fake.Offer
			offer.Operations = offer.Operations[:n]
			fake.Change(offer)
			if err := b.Reload(t.Context()); err != nil {
				t.Fatal(err)
			}
			select {
			case told = <-changed:
			case <-time.After(200 * time.Millisecond):
			case <-t.Context().Done():
				t.Fatal(t.Context().Err())
			}
		}
		for more := true; more; {
			if told != "tools" {
				t.Errorf("changed %s, want tools", told)
			}
			select {
			case told = <-changed:
			default:
				more = false
			}
		}
		tools, err := c.ListTools(t.Context(), nil)
		if err != nil || len(tools.Tools) != len(b.Surface().Tools()) {
			t.Errorf("tools = %+v, %v", tools, err)
		}
	})
}

func TestConfirm(t *testing.T) {
	rules := mapping.Rules{Confirm: []string{"effect:destroys"}}
	everywhere(t, func(t *testing.T, revision string, dial func(*core.Bridge, *mcp.ClientOptions) *mcp.ClientSession) {
		deleted := 0
		b := newBridge(t, core.Options{Rules: rules}, core.Sources{"shop": &adaptertest.Fake{
			Offer: shop(),
			Calls: map[string]adaptertest.CallFunc{"delete": func(context.Context, mapping.Call) (*mapping.Result, error) {
				deleted++
				return nil, nil
			}},
		}})
		for _, c := range []struct {
			action  string // what the user does; "" is a client that cannot ask
			deleted int
			says    string
		}{
			{"", 0, "cannot ask"},
			{"decline", 0, "did not agree"},
			{"cancel", 0, "did not agree"},
			{"accept", 1, ""},
		} {
			o := &mcp.ClientOptions{}
			if c.action != "" {
				o.ElicitationHandler = func(_ context.Context, r *mcp.ElicitRequest) (*mcp.ElicitResult, error) {
					if want := `Run delete_order on shop with {"id":7}? It may overwrite or delete something.`; r.Params.Message != want {
						t.Errorf("question %q, want %q", r.Params.Message, want)
					}
					return &mcp.ElicitResult{Action: c.action}, nil
				}
			}
			result, err := dial(b, o).CallTool(t.Context(), &mcp.CallToolParams{
				Name:      "delete_order",
				Arguments: json.RawMessage(`{"id":7}`),
			})
			if err != nil {
				t.Errorf("%q: %v", c.action, err)
				continue
			}
			if result.IsError != (c.says != "") || deleted != c.deleted {
				t.Errorf("%q: answer %s, deleted %d times, want %d", c.action, text(t, result), deleted, c.deleted)
			}
			if says := text(t, result.Content); !contains(says, c.says) {
				t.Errorf("%q: answer %s lacks %q", c.action, says, c.says)
			}
		}
	})
}

// The answer to one question cannot be used for another call, and an invented
// one not at all.
func TestConfirmCannotBeForged(t *testing.T) {
	b := newBridge(t, core.Options{Rules: mapping.Rules{Confirm: []string{"effect:destroys"}}}, core.Sources{"shop": &adaptertest.Fake{Offer: shop()}})
	client := mcp.NewClient(&mcp.Implementation{Name: "test", Version: "1"}, &mcp.ClientOptions{
		MultiRoundTrip: &mcp.MultiRoundTripOptions{Disabled: true},
		Capabilities:   &mcp.ClientCapabilities{Elicitation: &mcp.ElicitationCapabilities{}},
	})
	c, err := client.Connect(t.Context(), memoryTransport(t, b), nil)
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	send := func(args, state string) *mcp.CallToolResult {
		t.Helper()
		p := &mcp.CallToolParams{Name: "delete_order", Arguments: json.RawMessage(args), RequestState: state}
		if state != "" {
			p.InputResponses = mcp.InputResponseMap{"confirm": &mcp.ElicitResult{Action: "accept"}}
		}
		result, err := c.CallTool(t.Context(), p)
		if err != nil {
			t.Fatal(err)
		}
		return result
	}
	asked := send(`{"id":7}`, "")
	if !asked.NeedsInput() {
		t.Fatalf("no question but %s", text(t, asked))
	}
	if !send(`{"id":8}`, asked.RequestState).NeedsInput() {
		t.Error("the answer for 7 was taken for 8")
	}
	if !send(`{"id":7}`, asked.RequestState[:40]+"AAAA"+asked.RequestState[44:]).NeedsInput() {
		t.Error("a forged state was taken")
	}
	if !send(`{"id":7}`, "AAAA").NeedsInput() {
		t.Error("a short state was taken")
	}
	if done := send(`{"id":7}`, asked.RequestState); done.NeedsInput() || done.IsError {
		t.Errorf("the right state was refused: %s", text(t, done))
	}
	if again := send(`{"id":7}`, asked.RequestState); !again.IsError || !contains(text(t, again), "used already") {
		t.Errorf("an answer counts twice: %s", text(t, again))
	}
}
