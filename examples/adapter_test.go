package examples_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync/atomic"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/adapters/adaptertest"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A glossary is a whole adapter: words, each with what it means.
type glossary struct {
	words  map[string]string
	closed atomic.Bool
}

func (g *glossary) Catalog(ctx context.Context) (*mapping.Catalog, error) {
	if err := g.usable(ctx); err != nil {
		return nil, err
	}
	return &mapping.Catalog{
		Scheme: "glossary",
		About:  "What the words of this trade mean.",
		Operations: []mapping.Operation{{
			Key: "words/get", Name: "get_word", Verb: "get", Noun: "word",
			Summary: "Get what a word means",
			Effect:  mapping.Reads, Idempotent: true,
			Params: []mapping.Param{{
				In: "path", Name: "word", Required: true, Text: "The word, in lower case.",
				Schema: json.RawMessage(`{"type": "string"}`),
			}},
		}},
		Resources: []mapping.Resource{{Path: "words/{word}", Name: "word", MIME: "application/json", Operation: "words/get"}},
	}, nil
}

func (g *glossary) Call(ctx context.Context, c mapping.Call) (*mapping.Result, error) {
	if err := g.usable(ctx); err != nil {
		return nil, err
	}
	if c.Key != "words/get" {
		return nil, &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("there is no operation %q", c.Key), Next: "list the tools again"}
	}
	var word string
	if err := json.Unmarshal(c.Arg("path", "word"), &word); err != nil {
		return nil, &mapping.Error{Code: mapping.Invalid, Problem: "word must be text", Err: err}
	}
	meaning, known := g.words[word]
	if !known {
		return nil, &mapping.Error{Code: mapping.NotFound, Problem: fmt.Sprintf("the glossary has no word %q", word), Next: "try another form of the word"}
	}
	answer, err := json.Marshal(map[string]string{"word": word, "meaning": meaning})
	if int64(len(answer)) > c.MaxBytes {
		return nil, &mapping.Error{Code: mapping.Exhausted, Problem: "what the glossary says of this word is too long"}
	}
	return &mapping.Result{JSON: answer}, err
}

// Read has nothing to answer: every resource is the answer of an operation.
func (g *glossary) Read(context.Context, mapping.Read) (*mapping.Result, error) {
	return nil, &mapping.Error{Code: mapping.NotFound, Problem: "there is no such resource"}
}

func (g *glossary) Close() error {
	g.closed.Store(true)
	return nil
}

func (g *glossary) usable(ctx context.Context) error {
	if g.closed.Load() {
		return errors.New("the glossary is closed")
	}
	return ctx.Err()
}

func TestGlossary(t *testing.T) {
	word := []mapping.Arg{{In: "path", Name: "word", Value: json.RawMessage(`"adit"`)}}
	unknown := []mapping.Arg{{In: "path", Name: "word", Value: json.RawMessage(`"none"`)}}
	adaptertest.Run(t, adaptertest.Harness{
		Open: func(context.Context) (*adaptertest.Subject, error) {
			return &adaptertest.Subject{Adapter: &glossary{words: map[string]string{"adit": "a way into a mine"}}}, nil
		},
		Calls: []adaptertest.KnownCall{{
			Call: mapping.Call{Key: "words/get", Args: word},
			Want: adaptertest.JSON(`{"word": "adit", "meaning": "a way into a mine"}`),
		}},
		Reads:        []adaptertest.KnownRead{{Path: "words/adit", Want: adaptertest.Holds("a way into a mine")}},
		MissingCalls: []mapping.Call{{Key: "words/get", Args: unknown}},
		MissingReads: []string{"words/none"},
	})
}
