package core

import (
	"encoding/json"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// Content that a revision does not know becomes what it knows: audio came with
// 2025-03-26, resource links with 2025-06-18.
func TestEncodeBlock(t *testing.T) {
	image := mapping.Block{Kind: mapping.Image, MIME: "image/png", Data: []byte{1}}
	audio := mapping.Block{Kind: mapping.Audio, MIME: "audio/wav", Data: []byte{1}, URI: "x://y/z"}
	link := mapping.Block{Kind: mapping.Link, Text: "a page", URI: "x://y/z", MIME: "text/html"}
	for _, c := range []struct {
		block    mapping.Block
		revision string
		want     string
	}{
		{mapping.Block{Kind: mapping.Text, Text: ""}, "", `{"type":"text","text":""}`},
		{mapping.Block{Kind: mapping.Text, Text: "a", Meta: map[string]any{"k": 1}}, "", `{"type":"text","text":"a","_meta":{"k":1}}`},
		{image, "2024-11-05", `{"type":"image","mimeType":"image/png","data":"AQ=="}`},
		{audio, "2024-11-05", `{"type":"resource","resource":{"uri":"x://y/z","mimeType":"audio/wav","blob":"AQ=="}}`},
		{audio, "2025-03-26", `{"type":"audio","mimeType":"audio/wav","data":"AQ=="}`},
		{link, "2025-03-26", `{"type":"text","text":"a page: x://y/z"}`},
		{link, "2025-06-18", `{"type":"resource_link","mimeType":"text/html","uri":"x://y/z","name":"a page"}`},
		{link, "", `{"type":"resource_link","mimeType":"text/html","uri":"x://y/z","name":"a page"}`},
		{mapping.Block{Kind: mapping.TextResource, URI: "x://y/z", Text: "a"}, "", `{"type":"resource","resource":{"uri":"x://y/z","text":"a"}}`},
		{mapping.Block{Kind: mapping.TextResource, URI: "x://y/z"}, "", `{"type":"resource","resource":{"uri":"x://y/z","blob":""}}`},
		{mapping.Block{Kind: mapping.Blob, URI: "x://y/z", Data: []byte{1}}, "", `{"type":"resource","resource":{"uri":"x://y/z","blob":"AQ=="}}`},
	} {
		got, err := json.Marshal(encodeBlock(c.block, c.revision))
		if err != nil || string(got) != c.want {
			t.Errorf("%s at %q = %s, %v; want %s", c.block.Kind, c.revision, got, err, c.want)
		}
	}
}
