package clients

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// A plan says what a client script has to do. The scripts read what concerns
// them.
type plan struct {
	URL     string   `json:"url,omitempty"`
	Mode    any      `json:"mode,omitempty"` // versionNegotiation.mode of the version 2 client
	Command string   `json:"command,omitempty"`
	Args    []string `json:"args,omitempty"`
	Calls   []call   `json:"calls"`
	Reads   []string `json:"reads"`
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

// run runs a client script and returns what it saw.
func run(t *testing.T, script string, p plan) visit {
	t.Helper()
	needPackages(t)
	text, err := json.Marshal(p)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), "node", filepath.Join("testdata", script), string(text))
	var stderr strings.Builder
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("node %s: %v\n%s", script, err, stderr.String())
	}
	var v visit
	if err := json.Unmarshal(out, &v); err != nil {
		t.Fatalf("node %s printed %s: %v", script, out, err)
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
