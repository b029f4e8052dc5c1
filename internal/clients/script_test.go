package clients

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A javaScript client is one of the scripts' SDKs.
type javaScript struct {
	sdk  int
	mode any // versionNegotiation.mode of version 2
}

// A plan says what the script has to do.
type plan struct {
	SDK       int      `json:"sdk"`
	Mode      any      `json:"mode,omitempty"`
	Transport string   `json:"transport"`
	URL       string   `json:"url,omitempty"`
	Command   string   `json:"command,omitempty"`
	Args      []string `json:"args,omitempty"`
	Calls     []call   `json:"calls"`
	Reads     []string `json:"reads"`
	Edit      planned  `json:"edit"`
	URI       string   `json:"uri,omitempty"` // to subscribe to; without it the tools are watched
}

// A planned edit is made by the script, which knows when it has been told.
type planned struct {
	File     string `json:"file"`
	Text     string `json:"text"`
	Patience int64  `json:"patience"` // in milliseconds
}

type call struct {
	Name      string         `json:"name"`
	Arguments map[string]any `json:"arguments"`
}

// A visit is what a client saw, as it printed it.
type visit struct {
	Protocol  string `json:"protocol"`
	Server    struct{ Name string }
	Tools     []tool    `json:"tools"`
	Resources []address `json:"resources"`
	Templates []address `json:"templates"`
	Calls     []answer  `json:"calls"`
	Reads     []answer  `json:"reads"`
	Asked     []string  `json:"asked"` // what the user was asked, who said yes
	Heard     []string  `json:"heard"` // which resources it was told of, "" for the tools
	After     struct {  // being told
		Tools []tool `json:"tools"`
		Read  struct {
			Contents []content `json:"contents"`
		} `json:"read"`
	} `json:"after"`
}

type tool struct {
	Name        string          `json:"name"`
	Description string          `json:"description"`
	InputSchema json.RawMessage `json:"inputSchema"`
	Annotations map[string]bool `json:"annotations"`
}

type address struct {
	URI         string `json:"uri"`
	URITemplate string `json:"uriTemplate"`
}

// An answer is a result, or a protocol error.
type answer struct {
	Result struct {
		IsError           bool            `json:"isError"`
		StructuredContent json.RawMessage `json:"structuredContent"`
		Content           []content       `json:"content"`
		Contents          []content       `json:"contents"`
	} `json:"result"`
	Code    int    `json:"code"`
	Message string `json:"message"`
	Data    struct {
		URI string `json:"uri"`
	} `json:"data"`
}

type content struct {
	Type     string `json:"type"`
	Text     string `json:"text"`
	Data     []byte `json:"data"`
	Blob     []byte `json:"blob"`
	MIMEType string `json:"mimeType"`
	URI      string `json:"uri"`
}

// tour runs the script with one call or read of each kind.
func (j javaScript) tour(revision string, notFound int) func(t *testing.T, at door, e edit) {
	return func(t *testing.T, at door, e edit) {
		v := j.visit(t, at, e, tour())
		checkTour(t, v, revision, notFound)
		if !slices.ContainsFunc(v.After.Tools, func(x tool) bool { return isNewNote(x.Name) }) {
			t.Errorf("after it was told, it listed %v; want a note later than %s", v.After.Tools, firstNote)
		}
	}
}

func (j javaScript) follow(t *testing.T, at door, uri string, e edit) string {
	v := j.visit(t, at, e, plan{URI: uri})
	if len(v.Heard) == 0 || slices.ContainsFunc(v.Heard, func(u string) bool { return u != uri }) {
		t.Errorf("told of %q, want %s", v.Heard, uri)
	}
	text := ""
	for _, c := range v.After.Read.Contents {
		text += c.Text
	}
	return text
}

// visit runs the script and returns what it saw.
func (j javaScript) visit(t *testing.T, at door, e edit, p plan) visit {
	t.Helper()
	needPackages(t)
	p.SDK, p.Mode = j.sdk, j.mode
	p.Transport, p.URL = map[string]string{overStdio: "stdio", overHTTP: "http", overSSE: "sse"}[at.transport], at.url
	if at.command != nil {
		p.Command, p.Args = at.command[0], at.command[1:]
	}
	p.Edit = planned{e.file, e.text, patience.Milliseconds()}
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", "visit.mjs"), string(text))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node visit.mjs: %v\n%s", err, stderr.String())
	}
	var v visit
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatalf("node visit.mjs printed %s: %v", out, err)
	}
	return v
}

// needPackages ends the test where the clients are not installed.
func needPackages(t *testing.T) {
	t.Helper()
	_, err := exec.LookPath("node")
	if err == nil {
		_, err = os.Stat(filepath.Join("testdata", "node_modules"))
	}
	switch {
	case err == nil:
	case os.Getenv("CI") == "true":
		t.Fatalf("the JavaScript clients are not installed, and CI must not pass without them: %v", err)
	default:
		t.Skipf("the JavaScript clients are not installed (npm install --no-save --prefix internal/clients/testdata): %v", err)
	}
}
