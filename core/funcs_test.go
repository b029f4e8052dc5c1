package core_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
)

type refundInput struct {
	ID     int64  `json:"id" jsonschema:"the order's number"`
	Reason string `json:"reason,omitempty" jsonschema:"why, for the customer"`
}

type refundOutput struct {
	Refunded int64 `json:"refunded"`
}

func TestFunc(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"desk": core.Funcs(
		core.Func("refund_order", "Refund an order in full.", mapping.Destroys,
			func(_ context.Context, in refundInput) (refundOutput, error) {
				if in.ID < 0 {
					return refundOutput{}, &mapping.Error{Code: mapping.NotFound, Problem: "there is no such order"}
				}
				if in.ID == 0 {
					return refundOutput{}, errors.New("secret")
				}
				return refundOutput{in.ID}, nil
			}),
		core.Func("motto", "Tells the motto.", mapping.Reads,
			func(context.Context, struct{}) (string, error) { return "<b>Buy & sell</b>", nil },
			func(op *mapping.Operation) { op.Idempotent = true }),
		core.Func("raw", "Tells numbers.", mapping.Reads,
			func(context.Context, struct{}) (json.RawMessage, error) {
				return json.RawMessage(`[9007199254740993]`), nil
			}),
		core.Func("logo", "Shows the logo.", mapping.Reads,
			func(context.Context, struct{}) (*mapping.Result, error) {
				return &mapping.Result{Blocks: []mapping.Block{{Kind: mapping.Image, MIME: "image/png", Data: []byte("\x89PNG")}}}, nil
			}),
		core.Func("nothing", "Does nothing.", mapping.Writes,
			func(context.Context, struct{}) (struct{}, error) { return struct{}{}, nil }),
		core.Func("caller", "Tells who calls.", mapping.Reads,
			func(ctx context.Context, _ struct{}) (map[string]any, error) {
				call := core.CallOf(ctx)
				call.Progress(1, 1, "")
				return map[string]any{"key": call.Key, "bounded": call.MaxBytes > 0}, nil
			}),
	)})
	if err := b.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct{ tool, args, want string }{
		{"refund_order", `{"id":9007199254740993}`, `{"refunded":9007199254740993}`},
		{"refund_order", `{"id":-1}`, `there is no such order`},
		{"refund_order", `{"id":0}`, `internal error`},
		{"refund_order", `{"reason":"none"}`, `id`},
		{"motto", ``, `<b>Buy & sell</b>`},
		{"raw", ``, `{"result":[9007199254740993]}`},
		{"caller", ``, `{"bounded":true,"key":"caller"}`},
	} {
		result, err := b.CallTool(t.Context(), c.tool, json.RawMessage(c.args))
		if err != nil {
			t.Errorf("%s: %v", c.tool, err)
			continue
		}
		block, ok := result.Content[0].(*mcp.TextContent)
		if !ok || !strings.Contains(block.Text, c.want) {
			t.Errorf("%s(%s) = %s, want %s", c.tool, c.args, text(t, result), c.want)
		}
	}
	result, err := b.CallTool(t.Context(), "logo", nil)
	if err != nil || text(t, result.Content) != `[{"type":"image","mimeType":"image/png","data":"iVBORw=="}]` {
		t.Errorf("logo = %s, %v", text(t, result), err)
	}
	if result, err := b.CallTool(t.Context(), "nothing", nil); err != nil || result.IsError {
		t.Errorf("nothing = %s, %v", text(t, result), err)
	}

	tool := b.Surface().Tool("refund_order")
	if want := `{"type":"object","required":["id"],"properties":{"id":{"type":"integer","description":"the order's number"},"reason":{"type":"string","description":"why, for the customer"}},"additionalProperties":false}`; problem(t, tool.Input, want) != "" {
		t.Errorf("input schema = %s, want %s", tool.Input, want)
	}
	if tool.Hints.ReadOnly || !tool.Hints.Destructive {
		t.Errorf("hints = %+v, want destructive", tool.Hints)
	}
}

// problem says where some JSON lacks something of want.
func problem(t *testing.T, got json.RawMessage, want string) string {
	t.Helper()
	return holds(decode(t, string(got)), decode(t, want))
}

func TestFuncsTextsAndPrompts(t *testing.T) {
	b := newBridge(t, core.Options{}, core.Sources{"desk": core.Funcs(
		core.Text("house-rules", "house rules", "text/plain", "Be kind."),
		core.Text("empty", "empty", "text/plain", ""),
		core.PromptText("greet", "Greets somebody.", "Say hello to {{who}}.", mapping.PromptArg{Name: "who", Required: true}),
	)})
	read, err := b.ReadResource(t.Context(), "app://desk/house-rules")
	if err != nil || text(t, read.Contents) != `[{"uri":"app://desk/house-rules","mimeType":"text/plain","text":"Be kind."}]` {
		t.Errorf("read = %s, %v", text(t, read), err)
	}
	// The SDK leaves an empty text out, and contents need one of text and blob.
	read, err = b.ReadResource(t.Context(), "app://desk/empty")
	if err != nil || text(t, read.Contents) != `[{"uri":"app://desk/empty","mimeType":"text/plain","blob":""}]` {
		t.Errorf("read = %s, %v", text(t, read), err)
	}
	c := connect(t, b, nil)
	prompt, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "greet", Arguments: map[string]string{"who": "Ann"}})
	if err != nil || text(t, prompt.Messages) != `[{"content":{"type":"text","text":"Say hello to Ann."},"role":"user"}]` {
		t.Errorf("prompt = %s, %v", text(t, prompt), err)
	}
}

func TestFuncsSayWhatCannotBe(t *testing.T) {
	type recursive struct {
		Next *recursive
		Call func()
	}
	nothing := func(context.Context, struct{}) (string, error) { return "", nil }
	for _, c := range []struct {
		name    string
		entries []core.Entry
		want    string
	}{
		{"twice", []core.Entry{core.Func("a", "", mapping.Reads, nothing), core.Func("a", "", mapping.Reads, nothing)}, "func a is there twice"},
		{"no struct", []core.Entry{core.Func("a", "", mapping.Reads, func(context.Context, int) (string, error) { return "", nil })}, "func a: arguments are a struct, not int"},
		{"no schema of arguments", []core.Entry{core.Func("a", "", mapping.Reads, func(context.Context, recursive) (string, error) { return "", nil })}, "func a: arguments: "},
		{"no schema of the answer", []core.Entry{core.Func("a", "", mapping.Reads, func(context.Context, struct{}) (recursive, error) { return recursive{}, nil })}, "func a: answer: "},
	} {
		_, err := core.Funcs(c.entries...).Catalog(t.Context())
		if err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
}

// An adapter holds no more than it may.
func TestFuncsHeedTheirLimits(t *testing.T) {
	a := core.Funcs(
		core.Func("long", "", mapping.Reads, func(context.Context, struct{}) (string, error) { return strings.Repeat("x", 100), nil }),
		core.Text("long", "long", "", strings.Repeat("x", 100)),
	)
	if _, err := a.Call(t.Context(), mapping.Call{Key: "long", MaxBytes: 99}); mapping.CodeOf(err) != mapping.Exhausted {
		t.Errorf("call: %v, want exhausted", err)
	}
	if _, err := a.Read(t.Context(), mapping.Read{Path: "long", MaxBytes: 99}); mapping.CodeOf(err) != mapping.Exhausted {
		t.Errorf("read: %v, want exhausted", err)
	}
	if _, err := a.Call(t.Context(), mapping.Call{Key: "no", MaxBytes: 99}); mapping.CodeOf(err) != mapping.NotFound {
		t.Errorf("call: %v, want not found", err)
	}
	if _, err := a.Read(t.Context(), mapping.Read{Path: "no", MaxBytes: 99}); mapping.CodeOf(err) != mapping.NotFound {
		t.Errorf("read: %v, want not found", err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := a.Call(ctx, mapping.Call{Key: "long", MaxBytes: 1000}); !errors.Is(err, context.Canceled) {
		t.Errorf("call: %v, want canceled", err)
	}
}
