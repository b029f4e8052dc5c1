package mapping

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
)

// TestAnswers shapes the results of each archive of testdata/answers. An archive
// holds
//
//	catalog.json   the catalog of the source "src"; the first tool is called
//	rules.json     the rules, if there are any
//	schema         the published output schema, indented
//	NAME.result    what the adapter returned, or the error that it returned
//	NAME.answer    what the model sees
func TestAnswers(t *testing.T) {
	eachArchive(t, "answers", func(t *testing.T, in map[string][]byte) func(string) (string, bool) {
		catalog, rules := &Catalog{}, Rules{}
		if err := json.Unmarshal(in["catalog.json"], catalog); err != nil {
			t.Fatalf("catalog.json: %v", err)
		}
		if in["rules.json"] != nil {
			if err := json.Unmarshal(in["rules.json"], &rules); err != nil {
				t.Fatalf("rules.json: %v", err)
			}
		}
		tool := Build(map[string]*Catalog{"src": catalog}, rules).Tools()[0]
		return func(file string) (string, bool) {
			if file == "schema" {
				return indented(t, tool.Output), true
			}
			base, ok := strings.CutSuffix(file, ".answer")
			if !ok {
				return "", false
			}
			if text := in[base+".error"]; text != nil {
				e := &Error{}
				if err := json.Unmarshal(text, e); err != nil {
					t.Fatalf("%s.error: %v", base, err)
				}
				return answerWords(tool.ShapeError(fmt.Errorf("call: %w", e))), true
			}
			result := &Result{}
			if err := json.Unmarshal(in[base+".result"], result); err != nil {
				t.Fatalf("%s.result: %v", base, err)
			}
			return answerWords(tool.Shape(&Call{Key: tool.Key}, result)), true
		}
	})
}

func answerWords(a *Answer) string {
	var b strings.Builder
	if a.IsError {
		b.WriteString("error\n")
	}
	if a.Truncated {
		b.WriteString("truncated\n")
	}
	if a.Structured != nil {
		fmt.Fprintf(&b, "structured %s\n", a.Structured)
	}
	for _, block := range a.Blocks {
		b.WriteString(blockWords(block) + "\n")
	}
	return b.String()
}

func blockWords(b Block) string {
	words := []string{string(b.Kind)}
	if b.MIME != "" {
		words = append(words, b.MIME)
	}
	if b.URI != "" {
		words = append(words, b.URI)
	}
	if b.Data != nil {
		words = append(words, fmt.Sprintf("%q", b.Data))
	}
	if b.Text != "" || b.Data == nil {
		words = append(words, strings.ReplaceAll(b.Text, "\n", "\n    "))
	}
	return strings.Join(words, " ")
}
