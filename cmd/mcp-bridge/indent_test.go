package main

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// However an answer is nested, printing it takes no more than some lines of 200
// spaces: about as many bytes for each of its own.
func TestPrintNestedAnswers(t *testing.T) {
	nested := func(open, end string, depth int) string {
		return strings.Repeat(open, depth) + "1" + strings.Repeat(end, depth)
	}
	for _, c := range []struct {
		name, text string
		lines      int
	}{
		{"lists", nested("[", "]", 100), 201},
		{"objects", nested(`{"]]":`, "}", 100), 201},
		{"lists that are too deep", nested("[", "]", 101), 1},
		{"objects that are too deep", nested(`{"}":`, "}", 9000), 1},
		{"what is cut off", strings.Repeat("[", 9000), 1},
		{"what stands behind a quote", `["\"` + strings.Repeat("[", 200) + `"]`, 3},
		{"no JSON", "a [b", 1},
	} {
		var shown bytes.Buffer
		if err := printText(&shown, c.text); err != nil {
			t.Fatal(err)
		}
		if lines := strings.Count(shown.String(), "\n"); lines != c.lines {
			t.Errorf("%s: %d lines in %d bytes, want %d lines", c.name, lines, shown.Len(), c.lines)
		}
	}
	var whole bytes.Buffer
	result := &mcp.CallToolResult{StructuredContent: json.RawMessage(nested("[", "]", 9000))}
	if err := (&process{out: &whole}).printJSON(result); err != nil || whole.Len() > 20_000 {
		t.Errorf("%d bytes of a result of 18000, %v", whole.Len(), err)
	}
}
