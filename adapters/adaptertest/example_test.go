package adaptertest_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A glossary is a whole adapter: it looks up words. It imports mapping alone.
type glossary struct {
	words  map[string]string
	closed atomic.Bool
}

// Catalog describes what can be called and read.
func (g *glossary) Catalog(ctx context.Context) (*mapping.Catalog, error) {
	return &mapping.Catalog{
		Scheme: "glossary",
		About:  "A glossary of mountain words.",
		Operations: []mapping.Operation{{
			Key: "words/get", Name: "get_word", Verb: "get", Noun: "word",
			Summary: "Get what a word means",
			Effect:  mapping.Reads,
			Params: []mapping.Param{{
				In: "path", Name: "word", Required: true, Text: "The word, in small letters.",
				Schema: json.RawMessage(`{"type": "string", "maxLength": 40}`),
			}},
		}},
		Resources: []mapping.Resource{{Path: "words/{word}", Name: "word", MIME: "application/json", Operation: "words/get"}},
	}, ctx.Err()
}

// Call looks up one word.
func (g *glossary) Call(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	if g.closed.Load() {
		return nil, &mapping.Error{Code: mapping.Unavailable, Problem: "the glossary has been closed"}
	}
	var word string
	if c.Key != "words/get" || json.Unmarshal(c.Arg("path", "word"), &word) != nil {
		return nil, &mapping.Error{Code: mapping.Invalid, Problem: "word is missing or no text"}
	}
	meaning, ok := g.words[word]
	if !ok {
		return nil, &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("the glossary has no word %q", word)}
	}
	text, err := json.Marshal(map[string]string{"word": word, "meaning": meaning})
	if err == nil && int64(len(text)) > c.MaxBytes {
		return nil, &mapping.Error{Code: mapping.Exhausted, Problem: "the meaning is longer than is allowed"}
	}
	return &mapping.Result{JSON: text}, err
}

// Read has nothing to answer: the only resource is an operation's answer.
func (g *glossary) Read(context.Context, mapping.Read) (*mapping.Result, error) {
	return nil, &mapping.Error{Code: mapping.NotFound, Problem: "there is no such resource"}
}

// Close ends the adapter.
func (g *glossary) Close() error {
	g.closed.Store(true)
	return nil
}

// A test calls Run with its t. Check is the same for a program.
func ExampleCheck() {
	word := func(text string) mapping.Call {
		return mapping.Call{Key: "words/get", Args: []mapping.Arg{{In: "path", Name: "word", Value: json.RawMessage(text)}}}
	}
	err := adaptertest.Check(context.Background(), adaptertest.Harness{
		Open: func(context.Context) (*adaptertest.Subject, error) {
			return &adaptertest.Subject{Adapter: &glossary{words: map[string]string{"tarn": "a small mountain lake"}}}, nil
		},
		Calls:        []adaptertest.KnownCall{{Call: word(`"tarn"`), Want: adaptertest.Holds("lake")}},
		Reads:        []adaptertest.KnownRead{{Path: "words/tarn", Want: adaptertest.Holds("lake")}},
		MissingCalls: []mapping.Call{word(`"volcano"`)},
		MissingReads: []string{"words/volcano"},
	})
	fmt.Println(err)
	// Output: <nil>
}
