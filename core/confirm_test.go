package core_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A deleting bridge asks before it deletes, and counts.
type deleting struct {
	*core.Bridge
	done *atomic.Int64
}

func newDeleting(t *testing.T, key string) deleting {
	t.Helper()
	done := &atomic.Int64{}
	count := func(context.Context, mapping.Call) (*mapping.Result, error) { done.Add(1); return nil, nil }
	offer := shop()
	offer.Operations = append(offer.Operations, mapping.Operation{Key: "wipe", Name: "wipe", Summary: "Wipes.", Effect: mapping.Destroys,
		Params: []mapping.Param{{In: "path", Name: "id", Required: true, Schema: json.RawMessage(`{"type":"integer"}`)}}},
		mapping.Operation{Key: "mark", Name: "mark", Summary: "Marks.", Effect: mapping.Destroys,
			Params: []mapping.Param{{Name: "text", Schema: json.RawMessage(`{"type":"string"}`)}, {Name: "force", Schema: json.RawMessage(`{"type":"boolean"}`)}}})
	b := newBridge(t, core.Options{Auth: twoCallers(), ConfirmKey: key, Rules: mapping.Rules{Confirm: []string{"effect:destroys"}}},
		core.Sources{"shop": &adaptertest.Fake{Offer: offer, Calls: map[string]adaptertest.CallFunc{"delete": count, "wipe": count}}})
	return deleting{b, done}
}

// send calls a tool, with an answer to a question if there is a state, and returns
// the state of the question that comes back, "" if none does.
func (d deleting) send(t *testing.T, caller, tool, args, state, action string) (asked, answer string) {
	t.Helper()
	answered := ""
	if state != "" {
		answered = fmt.Sprintf(`,"requestState":%q,"inputResponses":{"confirm":{"action":%q}}`, state, action)
	}
	p := post{header: with(modernHeader("tools/call", tool), "Authorization", "Bearer "+caller), body: strings.Replace(
		modernBody("tools/call", fmt.Sprintf(`"name":%q,"arguments":%s%s`, tool, args, answered)),
		`"io.modelcontextprotocol/clientCapabilities":{}`, `"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}`, 1)}
	w := bodyOf(t, d.Bridge, p)
	var got struct {
		Result struct {
			RequestState string `json:"requestState"`
			ResultType   string `json:"resultType"`
		} `json:"result"`
	}
	if err := json.Unmarshal([]byte(w), &got); err != nil {
		t.Fatalf("%v: %s", err, w)
	}
	return got.Result.RequestState, w
}

const accept = "accept"

// The question wants no more than yes or no, so an answer needs no content: it may
// be missing, or null.
func TestConsentWithoutContent(t *testing.T) {
	d := newDeleting(t, "")
	for _, content := range []string{``, `,"content":null`, `,"content":{}`} {
		before := d.done.Load()
		state, _ := d.send(t, "ann", "delete_order", `{"id":7}`, "", "")
		p := post{header: with(modernHeader("tools/call", "delete_order"), "Authorization", "Bearer ann"), body: strings.Replace(
			modernBody("tools/call", fmt.Sprintf(`"name":"delete_order","arguments":{"id":7},"requestState":%q,"inputResponses":{"confirm":{"action":"accept"%s}}`, state, content)),
			`"io.modelcontextprotocol/clientCapabilities":{}`, `"io.modelcontextprotocol/clientCapabilities":{"elicitation":{"form":{}}}`, 1)}
		if answer := bodyOf(t, d.Bridge, p); d.done.Load() != before+1 {
			t.Errorf("accepted with %q: %s", content, answer)
		}
	}
}

// A consent is for one call by one caller, within ten minutes, and counts once.
func TestConsent(t *testing.T) {
	inBubble(t, func(t *testing.T) {
		d := newDeleting(t, "")
		const tool, args = "delete_order", `{"id":7}`
		want := func(what string, asked, answer string, question bool, done int64) {
			t.Helper()
			if (asked != "") != question || d.done.Load() != done {
				t.Errorf("%s: question %v, done %d times; want %v, %d\n%s", what, asked != "", d.done.Load(), question, done, answer)
			}
		}
		state, answer := d.send(t, "ann", tool, args, "", "")
		want("the first call", state, answer, true, 0)
		other, answer := d.send(t, "ann", tool, args, "", "")
		want("the same call again", other, answer, true, 0)
		if other == state {
			t.Error("two questions have one state")
		}
		asked, answer := d.send(t, "bob", tool, args, state, accept)
		want("another caller", asked, answer, true, 0)
		asked, answer = d.send(t, "ann", tool, `{"id":8}`, state, accept)
		want("other arguments", asked, answer, true, 0)
		asked, answer = d.send(t, "ann", "wipe", args, state, accept)
		want("another tool", asked, answer, true, 0)
		asked, answer = d.send(t, "ann", tool, args, state, "maybe")
		want("an answer that is none", asked, answer, false, 0)

		state, _ = d.send(t, "ann", tool, args, "", "")
		asked, answer = d.send(t, "ann", tool, args, state, accept)
		want("the right answer", asked, answer, false, 1)
		asked, answer = d.send(t, "ann", tool, args, state, accept)
		want("the right answer again", asked, answer, false, 1)
		if !strings.Contains(answer, "this confirmation has been used already. look whether the call has been carried out before you call again") {
			t.Errorf("a second use is told %s", answer)
		}
		asked, answer = d.send(t, "ann", tool, args, other, "decline")
		want("a refusal", asked, answer, false, 1)
		asked, answer = d.send(t, "ann", tool, args, other, accept)
		want("consent after a refusal", asked, answer, false, 1)

		state, _ = d.send(t, "ann", tool, args, "", "")
		time.Sleep(10*time.Minute + time.Second)
		asked, answer = d.send(t, "ann", tool, args, state, accept)
		want("a late answer", asked, answer, true, 1)
	})
}

// Whichever character of a state is changed, it is no consent.
func TestConsentCannotBeChanged(t *testing.T) {
	d := newDeleting(t, "")
	state, _ := d.send(t, "ann", "delete_order", `{"id":7}`, "", "")
	for i := range state {
		for _, c := range []byte("AQgw_8") {
			changed := state[:i] + string(c) + state[i+1:]
			if changed == state {
				continue
			}
			if asked, answer := d.send(t, "ann", "delete_order", `{"id":7}`, changed, accept); asked == "" {
				t.Errorf("character %d as %c: %s", i, c, answer)
			}
		}
	}
	for _, changed := range []string{state + "A", state[1:], state[:len(state)-1], state + state, "="} {
		if asked, answer := d.send(t, "ann", "delete_order", `{"id":7}`, changed, accept); asked == "" {
			t.Errorf("%q: %s", changed, answer)
		}
	}
	if n := d.done.Load(); n != 0 {
		t.Errorf("done %d times", n)
	}
}

// Of many who send one consent at once, one gets through.
func TestConsentIsNotUsedTwiceAtOnce(t *testing.T) {
	d := newDeleting(t, "")
	state, _ := d.send(t, "ann", "delete_order", `{"id":7}`, "", "")
	var group sync.WaitGroup
	for range 20 {
		group.Go(func() { d.send(t, "ann", "delete_order", `{"id":7}`, state, accept) })
	}
	group.Wait()
	if n := d.done.Load(); n != 1 {
		t.Errorf("done %d times", n)
	}
}

// Processes with one key take each other's questions; without, they do not.
func TestConsentAcrossProcesses(t *testing.T) {
	const key = "0123456789abcdef0123456789abcdef"
	one, two, other := newDeleting(t, key), newDeleting(t, key), newDeleting(t, "")
	state, _ := one.send(t, "ann", "delete_order", `{"id":7}`, "", "")
	if asked, _ := other.send(t, "ann", "delete_order", `{"id":7}`, state, accept); asked == "" || other.done.Load() != 0 {
		t.Error("a process with another key takes the consent")
	}
	if asked, answer := two.send(t, "ann", "delete_order", `{"id":7}`, state, accept); asked != "" || two.done.Load() != 1 {
		t.Errorf("a process with the same key does not take it: %s", answer)
	}
	if _, err := core.New(core.Options{ConfirmKey: key[1:]}, nil); err == nil || !strings.Contains(err.Error(), "confirmKey has 31 characters and needs 32") {
		t.Errorf("a short key: %v", err)
	}
}

// However a model writes its arguments, the user sees each of them, and nothing
// that would make the question look like another.
func TestQuestionShowsWhatIsAsked(t *testing.T) {
	d := newDeleting(t, "")
	for _, c := range []struct{ what, args, want string }{
		{"a long one first", `{"text":"` + strings.Repeat("a", 5000) + `","force":true}`,
			`{"text":"` + strings.Repeat("a", 299) + `… (4702 more characters),"force":true}`},
		{"blank lines", "{\n\n\n\"text\" :\n\"a b\",\n\n\n\"force\":true}", `{"text":"a b","force":true}`},
		{"text that runs backwards", "{\"text\":\"gpj.\u202eexe\"}", `{"text":"gpj.\u202eexe"}`},
		{"tags, which no screen shows", "{\"text\":\"a\U000e0041\u200bb\"}", `{"text":"a\udb40\udc41\u200bb"}`},
		{"other scripts", `{"text":"Grüße 数据 🚲"}`, `{"text":"Grüße 数据 🚲"}`},
		{"none", `{}`, "no arguments"},
	} {
		_, answer := d.send(t, "ann", "mark", c.args, "", "")
		var got struct {
			Result struct {
				InputRequests struct {
					Confirm struct{ Params struct{ Message string } }
				}
			}
		}
		if err := json.Unmarshal([]byte(answer), &got); err != nil {
			t.Fatalf("%s: %v: %s", c.what, err, answer)
		}
		if asked, want := got.Result.InputRequests.Confirm.Params.Message, "Run mark on shop with "+c.want+"? It may overwrite or delete something."; asked != want {
			t.Errorf("%s: asked\n%s\nwant\n%s", c.what, asked, want)
		}
	}
}
