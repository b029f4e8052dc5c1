package github_test

import (
	"bytes"
	"encoding/json"
	"os/exec"
	"strings"
	"testing"

	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// sha is what git itself calls these bytes.
func sha(t testing.TB, data string) string {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), "git", "hash-object", "--stdin")
	cmd.Stdin = strings.NewReader(data)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	return strings.TrimSpace(string(out))
}

const (
	pngBytes   = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR"
	latinBytes = "caf\xe9\n"
	utf16Bytes = "\xff\xfeh\x00i\x00"
	lfsPointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"
	module     = "1234567890123456789012345678901234567890"
)

func bigText() string { return strings.Repeat("0123456789abcde\n", 1<<17) }

// fileWorld has a file of each form, and refs of each.
func fileWorld() githubfake.World {
	text := githubfake.Text
	raw := func(s string) githubfake.File { return githubfake.File{Data: []byte(s)} }
	return githubfake.World{Repositories: []githubfake.Repository{
		{
			Owner: "octo", Name: "hello",
			Commits: []githubfake.Commit{
				{Message: "Begin", Files: map[string]githubfake.File{
					"README.md": text("# Hello\n"), "src/main.go": text("package main\n\nfunc main() {}\n"), "a b/100%.md": text("percent\n"),
					"x..y.txt": text("dots\n"), "ünï/#1?.txt": text("odd\n"), "empty": text(""), "raw/a": text("another file\n"),
					"logo.png": raw(pngBytes), "latin": raw(latinBytes), "wide": raw(utf16Bytes), "video.mp4": raw(lfsPointer),
					"run.sh": {Data: []byte("#!/bin/sh\n"), Mode: "100755"},
					"latest": {Data: []byte("src/main.go"), Mode: "120000"}, "away": {Data: []byte("/etc/hosts"), Mode: "120000"},
					".gitmodules": text("[submodule \"lib\"]\n\tpath = lib\n\turl = https://github.example/octo/lib.git\n"),
					"lib":         {Data: []byte(module), Mode: "160000"},
					"big.txt":     text(bigText()), "hidden.txt": text("a\u202eb\u200bc\n"),
				}},
				{Branch: "feature/x", From: "main", Message: "Two", Files: map[string]githubfake.File{"README.md": text("of feature/x\n")}},
				{Branch: "feature/x#1", From: "main", Message: "Three", Files: map[string]githubfake.File{"README.md": text("of feature/x#1\n")}},
				{Branch: "50%", From: "main", Message: "Four", Files: map[string]githubfake.File{"README.md": text("of 50%\n")}},
				{Branch: "ünï", From: "main", Message: "Five", Files: map[string]githubfake.File{"README.md": text("of ünï\n")}},
			},
			Tags: map[string]string{"v1.0": "feature/x"},
		},
		{Owner: "octo", Name: "empty"},
	}}
}

func TestFilesInEveryForm(t *testing.T) {
	d := newHub(t, fileWorld())
	for _, c := range []struct {
		path, kind, text string
		sha              string
		more             map[string]any
	}{
		{"README.md", "file", "# Hello\n", sha(t, "# Hello\n"), nil},
		{"/src/main.go", "file", "package main\n\nfunc main() {}\n", sha(t, "package main\n\nfunc main() {}\n"), nil},
		{"a b/100%.md", "file", "percent\n", sha(t, "percent\n"), nil},
		{"x..y.txt", "file", "dots\n", sha(t, "dots\n"), nil},
		{"ünï/#1?.txt", "file", "odd\n", sha(t, "odd\n"), nil},
		{"empty", "file", "", sha(t, ""), nil},
		{"hidden.txt", "file", "a\u202eb\u200bc\n", sha(t, "a\u202eb\u200bc\n"), nil},
		{"run.sh", "file", "#!/bin/sh\n", sha(t, "#!/bin/sh\n"), nil},
		{"video.mp4", "lfs_pointer", lfsPointer, sha(t, lfsPointer), map[string]any{"lfs_oid": "sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393", "lfs_size": "12345"}},
		{"latest", "symlink", "package main\n\nfunc main() {}\n", sha(t, "src/main.go"), map[string]any{"target": "src/main.go"}},
		{"away", "symlink", "", sha(t, "/etc/hosts"), map[string]any{"target": "/etc/hosts"}},
		{"lib", "submodule", "", module, map[string]any{"submodule_url": "https://github.example/octo/lib.git"}},
	} {
		args, err := json.Marshal(map[string]string{"owner": "octo", "repo": "hello", "path": c.path})
		if err != nil {
			t.Fatal(err)
		}
		got := d.get("get_file", string(args))
		text, _ := got["text"].(string)
		if got["kind"] != c.kind || text != c.text || got["sha"] != c.sha {
			t.Errorf("%s is %v, want a %s with sha %s and text %q", c.path, got, c.kind, c.sha, c.text)
		}
		for name, want := range c.more {
			if got[name] != want {
				t.Errorf("%s: %s is %v, want %v", c.path, name, got[name], want)
			}
		}
	}
}

// Bytes that are no UTF-8 text come out as they are, by the tool and the resource.
func TestBinaryIsExact(t *testing.T) {
	d := newHub(t, fileWorld())
	for _, c := range []struct {
		path, data string
		kind       mapping.BlockKind
	}{
		{"logo.png", pngBytes, mapping.Image},
		{"latin", latinBytes, mapping.Blob},
		{"wide", utf16Bytes, mapping.Blob},
	} {
		r, err := d.call("get_file", `{"owner":"octo","repo":"hello","path":"`+c.path+`"}`)
		if err != nil {
			t.Fatal(err)
		}
		if len(r.Blocks) != 1 || r.Blocks[0].Kind != c.kind || !bytes.Equal(r.Blocks[0].Data, []byte(c.data)) {
			t.Errorf("get_file %s = %v, want its %d bytes", c.path, r.Blocks, len(c.data))
		}
		read, err := d.Read(t.Context(), mapping.Read{
			Path: "{owner}/{repo}/contents{/path*}{?ref}", Vars: map[string]string{"owner": "octo", "repo": "hello", "path": c.path},
			Budget: 60_000, MaxBytes: 1 << 20, Log: func(_, _ string) {},
		})
		if err != nil {
			t.Fatal(err)
		}
		if len(read.Blocks) != 1 || !bytes.Equal(read.Blocks[0].Data, []byte(c.data)) {
			t.Errorf("reading %s = %v, want its %d bytes", c.path, read.Blocks, len(c.data))
		}
	}
}

// B65: every form of a ref means what it means to git, and none is cut short.
func TestRefsInEveryForm(t *testing.T) {
	d := newHub(t, fileWorld())
	tip := d.get("list_branches", `{"owner":"octo","repo":"hello"}`)
	shas := map[string]string{}
	for _, b := range tip["branches"].([]any) {
		branch := b.(map[string]any)
		shas[branch["name"].(string)] = branch["sha"].(string)
	}
	for ref, want := range map[string]string{
		"": "# Hello\n", "main": "# Hello\n", "heads/main": "# Hello\n", "refs/heads/main": "# Hello\n", shas["main"]: "# Hello\n",
		"feature/x": "of feature/x\n", "refs/heads/feature/x": "of feature/x\n", "feature/x#1": "of feature/x#1\n", "heads/feature/x#1": "of feature/x#1\n",
		"v1.0": "of feature/x\n", "tags/v1.0": "of feature/x\n", "refs/tags/v1.0": "of feature/x\n", "50%": "of 50%\n", "ünï": "of ünï\n",
	} {
		args, err := json.Marshal(map[string]string{"owner": "octo", "repo": "hello", "path": "README.md", "ref": ref})
		if err != nil {
			t.Fatal(err)
		}
		if got := d.get("get_file", string(args)); got["text"] != want {
			t.Errorf("README.md at %q is %q, want %q", ref, got["text"], want)
		}
		if ref == "" {
			continue
		}
		if got := d.get("get_commit", `{"owner":"octo","repo":"hello","ref":`+quote(t, ref)+`}`); !strings.HasPrefix(got["message"].(string), messages()[want]) {
			t.Errorf("commit %q is %q, want %q", ref, got["message"], messages()[want])
		}
		tree := d.get("get_tree", `{"owner":"octo","repo":"hello","path":"src","ref":`+quote(t, ref)+`}`)
		if entries := tree["entries"].([]any); len(entries) != 1 || entries[0].(map[string]any)["path"] != "src/main.go" {
			t.Errorf("tree of src at %q is %v, want src/main.go", ref, entries)
		}
	}
}

func messages() map[string]string {
	return map[string]string{"# Hello\n": "Begin", "of feature/x\n": "Two", "of feature/x#1\n": "Three", "of 50%\n": "Four", "of ünï\n": "Five"}
}

func quote(t *testing.T, s string) string {
	t.Helper()
	text, err := json.Marshal(s)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

// What is not there is an error with what may have been meant, and never another
// file.
func TestNothingThere(t *testing.T) {
	d := newHub(t, fileWorld())
	for _, c := range []struct {
		key, args string
		code      mapping.Code
		want      string
	}{
		{"get_file", `"path":"README"`, mapping.NotFound, "README.md"},
		{"get_file", `"path":"main.go"`, mapping.NotFound, "src/main.go"},
		{"get_file", `"path":"README.md","ref":"mian"`, mapping.NotFound, "similar names are main"},
		{"get_file", `"path":"README.md","ref":"feature/y"`, mapping.NotFound, "feature/x"},
		{"get_file", `"path":"src"`, mapping.Unsupported, "list_directory"},
		{"get_file", `"path":"../x"`, mapping.Invalid, "path"},
		{"get_file", `"path":"README.md","ref":"main:src"`, mapping.Invalid, "ref"},
		{"get_file", `"path":"README.md","start_line":9`, mapping.Invalid, "has 1 lines"},
		{"list_directory", `"path":"scr"`, mapping.NotFound, "src"},
		{"list_directory", `"path":"README.md"`, mapping.Unsupported, "get_file"},
		{"get_tree", `"path":"nowhere"`, mapping.NotFound, "nowhere"},
		{"get_commit", `"ref":"mian"`, mapping.NotFound, "similar names are main"},
		{"compare_commits", `"base":"main","head":"evil:main"`, mapping.Invalid, "head"},
		{"compare_commits", `"base":"mian","head":"main"`, mapping.NotFound, "similar names are main"},
		{"list_commits", `"ref":"mian"`, mapping.NotFound, "similar names are main"},
		{"list_commits", `"ref":"evil:main"`, mapping.Invalid, "ref"},
		{"get_readme", `"ref":"mian"`, mapping.NotFound, "similar names are main"},
	} {
		r, err := d.call(c.key, `{"owner":"octo","repo":"hello",`+c.args+`}`)
		if mapping.CodeOf(err) != c.code || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s %s = %v, %v; want %s with %q", c.key, c.args, r, err, c.code, c.want)
		}
	}
	for _, key := range []string{"get_file", "list_directory", "get_tree", "list_commits"} {
		args := `{"owner":"octo","repo":"empty"}`
		if key == "get_file" {
			args = `{"owner":"octo","repo":"empty","path":"a"}`
		}
		if _, err := d.call(key, args); mapping.CodeOf(err) != mapping.Conflict || !strings.Contains(err.Error(), "empty") {
			t.Errorf("%s in an empty repository: %v, want that it is empty", key, err)
		}
	}
}

// B70: a file over 1 MB is read in pieces of whole lines that add up to it.
func TestLargeFilesComeInPieces(t *testing.T) {
	d := newHub(t, fileWorld())
	var whole strings.Builder
	args := `{"owner":"octo","repo":"hello","path":"big.txt"}`
	c := mapping.Call{Key: "get_file", Budget: 500_000}
	r, err := d.callWith(c, args)
	for pieces := 0; ; pieces++ {
		if err != nil || pieces > 10 {
			t.Fatalf("piece %d: %v", pieces, err)
		}
		var got struct{ Text, SHA string }
		if err := json.Unmarshal(r.JSON, &got); err != nil {
			t.Fatal(err)
		}
		if len(r.JSON) > 500_000 || got.SHA != sha(t, bigText()) {
			t.Fatalf("a piece of %d bytes with sha %s", len(r.JSON), got.SHA)
		}
		whole.WriteString(got.Text)
		if r.Next == nil {
			break
		}
		c.Args = r.Next.Args
		r, err = d.callWith(c, `{}`)
	}
	if whole.String() != bigText() {
		t.Errorf("the pieces have %d bytes, want the %d of the file", whole.Len(), len(bigText()))
	}
	got := d.get("get_file", `{"owner":"octo","repo":"hello","path":"src/main.go","start_line":2,"end_line":3}`)
	if got["text"] != "\nfunc main() {}\n" || got["lines"] != 3.0 {
		t.Errorf("lines 2 and 3 are %v", got)
	}
}

func TestSeveralFilesAtOnce(t *testing.T) {
	d := newHub(t, fileWorld())
	got := d.get("read_files", `{"owner":"octo","repo":"hello","paths":["README.md","nope.md","logo.png","x..y.txt"]}`)
	files := got["files"].([]any)
	at := func(i int, name string) any { return files[i].(map[string]any)[name] }
	if len(files) != 4 || at(0, "text") != "# Hello\n" || at(1, "problem") == nil || at(2, "mime") != "image/png" || at(3, "sha") != sha(t, "dots\n") {
		t.Errorf("got %v", got)
	}
}
