package adaptertest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"strconv"
	"sync"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/core"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A notebook is a small backend that a Fake speaks for: notes that can be
// listed, read and added, and files that can be read. It uses a bit of
// everything that an adapter can do, so the kit has nothing to skip.
type notebook struct {
	mu    sync.Mutex
	notes []string // the note with id n is notes[n-1]
	files map[string]string
	log   string

	fake   *adaptertest.Fake
	bell   *adaptertest.Bell
	offers adaptertest.CompleteFunc
	check  adaptertest.CheckFunc
	// adapter, if set, replaces what the kit sees.
	adapter core.Adapter
}

// token is the credential that the notebook's backend asks for.
const token = "tok-8c1f44-not-for-eyes"

func newNotebook() *notebook {
	n := &notebook{
		files: map[string]string{"docs/a.txt": "alpha, and much more to come", "docs/b.txt": "beta"},
		bell:  &adaptertest.Bell{},
	}
	for i := range 30 {
		n.notes = append(n.notes, fmt.Sprintf("remember the number %d", i+1))
	}
	n.fake = &adaptertest.Fake{
		Offer: notebookCatalog(),
		Calls: map[string]adaptertest.CallFunc{
			"notes/list": n.list, "notes/get": n.get, "notes/add": n.add,
			"wait": adaptertest.Block(nil),
		},
		Reads: map[string]adaptertest.ReadFunc{
			"motd":          adaptertest.Content(mapping.Block{Kind: mapping.TextResource, Text: "write it down", MIME: "text/plain"}),
			"files/{+path}": n.file,
		},
	}
	n.offers = func(context.Context, mapping.Completion) (mapping.Completions, error) {
		return mapping.Completions{Values: []string{"docs/a.txt", "docs/b.txt"}, Total: 2}, nil
	}
	n.check = func(context.Context) ([]mapping.Finding, error) {
		return []mapping.Finding{{OK: true, Text: "the notebook is open"}}, nil
	}
	return n
}

func notebookCatalog() mapping.Catalog {
	id := json.RawMessage(`{"$ref": "#/$defs/ID"}`)
	return mapping.Catalog{
		About: "A notebook.",
		Operations: []mapping.Operation{
			{
				Key: "notes/list", Name: "list_notes", Effect: mapping.Reads,
				Params: []mapping.Param{{In: "query", Name: "after", Text: "The id before the first note.", Schema: id}},
			},
			{
				Key: "notes/get", Name: "get_note", Effect: mapping.Reads,
				Params: []mapping.Param{{In: "path", Name: "id", Required: true, Text: "Number of the note.", Schema: id}},
				Output: json.RawMessage(`{"type": "object", "required": ["id", "text"], "properties": {"id": {"type": "integer"}, "text": {"type": "string"}}}`),
				Exact:  true,
			},
			{
				Key: "notes/add", Name: "add_note", Effect: mapping.Writes,
				Body: &mapping.Body{Required: true, Schema: json.RawMessage(
					`{"type": "object", "required": ["text"], "properties": {"text": {"type": "string", "description": "What to write."}}}`)},
			},
			{Key: "wait", Name: "wait", Effect: mapping.Reads},
		},
		Resources: []mapping.Resource{
			{Path: "motd", Name: "Word of the day", MIME: "text/plain"},
			{Path: "notes/{id}", Name: "A note", Operation: "notes/get"},
			{Path: "files/{+path}", Name: "A file", MIME: "text/plain"},
		},
		Prompts: []mapping.Prompt{{
			Name: "sum_up", Args: []mapping.PromptArg{{Name: "topic", Required: true}},
			Messages: []mapping.PromptMessage{{Role: "user", Text: "Sum up my notes on {{topic}} with [[notes/list]]."}},
		}},
		Defs: map[string]json.RawMessage{"ID": json.RawMessage(`{"type": "string", "pattern": "^[0-9]+$"}`)},
	}
}

// list returns whole notes until the budget is used up.
func (n *notebook) list(_ context.Context, c mapping.Call) (*mapping.Result, error) {
	after, err := number(c.Arg("query", "after"))
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	room := min(c.Budget, c.MaxBytes, 400)
	answer := &mapping.Result{JSON: json.RawMessage(`[]`)}
	items := []string{}
	for i := after; i < len(n.notes); i++ {
		longer, err := json.Marshal(append(items, n.notes[i]))
		if err != nil {
			return nil, err
		}
		if int64(len(longer)) > room-100 { // the note and Next take some too
			answer.Truncated = true
			answer.Note = "there are more notes"
			answer.Next = &mapping.Next{Args: []mapping.Arg{{In: "query", Name: "after", Value: json.RawMessage(strconv.Quote(strconv.Itoa(i)))}}}
			return answer, nil
		}
		items = append(items, n.notes[i])
		answer.JSON = longer
	}
	return answer, nil
}

func (n *notebook) get(_ context.Context, c mapping.Call) (*mapping.Result, error) {
	id, err := number(c.Arg("path", "id"))
	if err != nil {
		return nil, err
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	if id < 1 || id > len(n.notes) {
		return nil, &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("there is no note %d", id), Next: "call [[notes/list]] for the ids"}
	}
	text, err := json.Marshal(map[string]any{"id": id, "text": n.notes[id-1]})
	return &mapping.Result{JSON: text}, err
}

func (n *notebook) add(_ context.Context, c mapping.Call) (*mapping.Result, error) {
	var body struct{ Text *string }
	if err := json.Unmarshal(c.Body, &body); err != nil || body.Text == nil {
		return nil, &mapping.Error{Code: mapping.Invalid, Problem: "text is missing or no string"}
	}
	n.mu.Lock()
	defer n.mu.Unlock()
	n.notes = append(n.notes, *body.Text)
	return &mapping.Result{JSON: json.RawMessage(fmt.Sprintf(`{"id": %d}`, len(n.notes)))}, nil
}

func (n *notebook) file(_ context.Context, r mapping.Read) (*mapping.Result, error) {
	text, ok := n.files[r.Vars["path"]]
	if !ok {
		return nil, &mapping.Error{Code: mapping.NotFound, Problem: "there is no such file"}
	}
	return &mapping.Result{Blocks: []mapping.Block{{Kind: mapping.TextResource, Text: text}}}, nil
}

// number reads an argument, 0 if it is absent.
func number(value json.RawMessage) (int, error) {
	if value == nil {
		return 0, nil
	}
	var digits string
	err := json.Unmarshal(value, &digits)
	n := 0
	if err == nil {
		n, err = strconv.Atoi(digits)
	}
	if err != nil || n < 0 {
		return 0, &mapping.Error{Code: mapping.Invalid, Problem: "that is no id", Allowed: "an id is a whole number"}
	}
	return n, nil
}

func (n *notebook) state(context.Context) (string, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	text, err := json.Marshal(n.notes)
	return string(text), err
}

// harness is the notebook's, with each notebook changed by mar before it is
// opened.
func harness(mar func(*notebook)) adaptertest.Harness {
	note := json.RawMessage(`"7"`)
	return adaptertest.Harness{
		Open: func(context.Context) (*adaptertest.Subject, error) {
			n := newNotebook()
			mar(n)
			adapter := n.adapter
			if adapter == nil {
				adapter = n.whole(n.fake)
			}
			return &adaptertest.Subject{Adapter: adapter, State: n.state, Logged: func() string { return n.log }}, nil
		},
		Calls: []adaptertest.KnownCall{
			{Call: mapping.Call{Key: "notes/get", Args: []mapping.Arg{{In: "path", Name: "id", Value: note}}}, Want: adaptertest.JSON(`{"id": 7, "text": "remember the number 7"}`)},
			{Call: mapping.Call{Key: "notes/list"}, Want: adaptertest.Holds("number 1", "number 2")},
			{Call: mapping.Call{Key: "notes/add", Body: json.RawMessage(`{"text": "buy milk"}`)}, Want: adaptertest.JSON(`{"id": 31}`)},
			{Call: mapping.Call{Key: "notes/add", Body: json.RawMessage(`{}`)}, Want: adaptertest.Fails(mapping.Invalid)},
		},
		Reads: []adaptertest.KnownRead{
			{Path: "motd", Want: adaptertest.Holds("write it down")},
			{Path: "notes/7", Want: adaptertest.Holds("remember the number 7")},
			{Path: "files/docs/a.txt", Want: adaptertest.Holds("alpha")},
		},
		MissingCalls: []mapping.Call{{Key: "notes/get", Args: []mapping.Arg{{In: "path", Name: "id", Value: json.RawMessage(`"700"`)}}}},
		MissingReads: []string{"files/docs/c.txt", "notes/700", "nothing"},
		Slow:         &mapping.Call{Key: "wait"},
		Secrets:      []string{token},
		Addresses:    []string{"notebook.example:7777"},
		Stops:        true,
	}
}

// whole puts the notebook's abilities beside an adapter.
func (n *notebook) whole(a core.Adapter) core.Adapter {
	return struct {
		core.Adapter
		core.Watcher
		core.Completer
		core.Checker
	}{a, n.bell, n.offers, n.check}
}
