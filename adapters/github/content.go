package github

import (
	"bytes"
	"context"
	"crypto/sha1" //nolint:gosec // git names blobs by it
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A place is a path at a ref; "" is the default branch.
type place struct{ path, ref string }

func (r *request) place() (place, error) {
	path, err := checkPath(r.text("path"))
	if err != nil {
		return place{}, err
	}
	ref, err := r.ref("ref")
	return place{path, ref}, err
}

// checkPath takes a path as people write it and refuses what is none in git.
func checkPath(path string) (string, error) {
	clean := strings.TrimSuffix(strings.TrimPrefix(strings.TrimPrefix(path, "./"), "/"), "/")
	parts := strings.Split(clean, "/")
	if slices.Contains(parts, ".") || slices.Contains(parts, "..") || clean != "" && slices.Contains(parts, "") ||
		strings.ContainsRune(clean, 0) || len(clean) > 4096 {
		return "", &mapping.Error{Code: mapping.Invalid, Problem: fmt.Sprintf("path %q is not a path in a repository", excerpt(path, 80)), Allowed: "it is written from the root, without . and .., such as src/main.go"}
	}
	return clean, nil
}

func (p place) words() string {
	if p.path == "" {
		return "the root"
	}
	return p.path
}

// query writes the ref as the contents API takes it in every form.
func (p place) query() url.Values {
	if p.ref == "" {
		return nil
	}
	ref := p.ref
	if strings.HasPrefix(ref, "heads/") || strings.HasPrefix(ref, "tags/") || strings.HasPrefix(ref, "pull/") {
		ref = "refs/" + ref
	}
	return url.Values{"ref": {ref}}
}

// head is the ref where GitHub wants one.
func (p place) head() string {
	if p.ref == "" {
		return "HEAD"
	}
	return p.ref
}

// A content is what the contents API has at a place: a file or a directory.
type content struct {
	file *github.RepositoryContent
	dir  []*github.RepositoryContent
}

// content asks at a path of the API. Go-github's own call refuses two dots
// anywhere, and does not escape.
func (r *request) content(ctx context.Context, path string, at place) (*content, error) {
	var raw json.RawMessage
	if _, err := r.get(ctx, path, at.query(), &raw); err != nil {
		return nil, err
	}
	c := &content{}
	var err error
	if bytes.HasPrefix(bytes.TrimSpace(raw), []byte("[")) {
		c.dir = []*github.RepositoryContent{}
		err = json.Unmarshal(raw, &c.dir)
	} else {
		err = json.Unmarshal(raw, &c.file)
	}
	if err != nil {
		return nil, fmt.Errorf("read contents: %w", err)
	}
	return c, nil
}

// at asks for a place, and says what was wrong with it if there is nothing.
func (r *request) at(ctx context.Context, at place) (*content, error) {
	c, err := r.content(ctx, r.path("/contents/%s", rest(at.path)), at)
	if err != nil {
		return nil, r.unknownPath(ctx, err, at)
	}
	return c, nil
}

// A blob is one file with its bytes.
type blob struct {
	path, kind string
	sha        string
	size       int
	data       []byte // nil of a submodule
	target     string // of a symbolic link
	moduleURL  string
}

// The kinds of what can be at a path.
const (
	kindFile      = "file"
	kindSymlink   = "symlink"
	kindSubmodule = "submodule"
	kindLFS       = "lfs_pointer"
	kindDir       = "directory"
)

func (r *request) blob(ctx context.Context, at place) (*blob, error) {
	c, err := r.at(ctx, at)
	if err != nil {
		return nil, err
	}
	if c.file == nil {
		return nil, &mapping.Error{Code: mapping.Unsupported, Problem: at.words() + " is a directory", Next: "use [[list_directory]] for what is in it"}
	}
	return r.load(ctx, at, c.file)
}

// load fetches what the contents API leaves out: files over 1 MB, and where a
// link points.
func (r *request) load(ctx context.Context, at place, f *github.RepositoryContent) (*blob, error) {
	b := &blob{path: at.path, kind: kindFile, sha: f.GetSHA(), size: f.GetSize(), target: f.GetTarget()}
	switch f.GetType() {
	case "submodule":
		b.kind, b.moduleURL = kindSubmodule, f.GetSubmoduleGitURL()
		return b, nil
	case "symlink":
		b.kind, b.data = kindSymlink, []byte{}
		return b, nil
	}
	if f.GetEncoding() == "base64" && f.Content != nil && (f.GetSize() == 0 || *f.Content != "") {
		data, err := base64.StdEncoding.DecodeString(strings.ReplaceAll(*f.Content, "\n", ""))
		if err != nil {
			return nil, fmt.Errorf("decode contents: %w", err)
		}
		b.data = data
	} else if int64(f.GetSize()) > r.call.MaxBytes {
		return nil, &mapping.Error{Code: mapping.Exhausted, Problem: fmt.Sprintf("%s has %d bytes, more than the %d that can be read here", at.path, f.GetSize(), r.call.MaxBytes), Next: "do not retry"}
	} else {
		data, err := r.raw(ctx, b.sha)
		if err != nil {
			return nil, err
		}
		b.data = data
	}
	if link := r.linkAt(ctx, at, b); link != "" {
		target, err := r.raw(ctx, link)
		if err != nil {
			return nil, err
		}
		b.kind, b.sha, b.target = kindSymlink, link, string(target)
		return b, nil
	}
	if pointer(b.data) {
		b.kind = kindLFS
	}
	return b, nil
}

// linkAt returns the SHA of the link that GitHub has followed to a file, "" where
// the file is itself at the place. The contents API does not say; the listing of
// the directory does.
func (r *request) linkAt(ctx context.Context, at place, b *blob) string {
	if b.sha != "" && blobSHA(b.data) != b.sha {
		return b.sha
	}
	dir, name := "", at.path
	if i := strings.LastIndexByte(at.path, '/'); i >= 0 {
		dir, name = at.path[:i], at.path[i+1:]
	}
	in := place{dir, at.ref}
	if _, known := r.links[in]; !known {
		c, err := r.content(ctx, r.path("/contents/%s", rest(dir)), in)
		if err != nil {
			c = &content{} // what was read stays true
		}
		if r.links == nil {
			r.links = map[place]*content{}
		}
		r.links[in] = c
	}
	for _, f := range r.links[in].dir {
		if f.GetName() == name && f.GetType() == kindSymlink {
			return f.GetSHA()
		}
	}
	return ""
}

// raw reads the bytes of a blob.
func (r *request) raw(ctx context.Context, sha string) ([]byte, error) {
	var data bytes.Buffer
	x := exchange{method: http.MethodGet, path: r.path("/git/blobs/%s", sha), accept: "application/vnd.github.raw+json", max: r.call.MaxBytes}
	if _, err := r.do(ctx, x, &data); err != nil {
		return nil, r.missing(err)
	}
	return append([]byte{}, data.Bytes()...), nil
}

// blobSHA is git's name of these bytes.
func blobSHA(data []byte) string {
	h := sha1.New() //nolint:gosec // git names blobs by it
	fmt.Fprintf(h, "blob %d\x00", len(data))
	h.Write(data)
	return hex.EncodeToString(h.Sum(nil))
}

// text reports whether the bytes can be shown as text without changing them.
func (b *blob) text() bool {
	return b.data != nil && utf8.Valid(b.data) && bytes.IndexByte(b.data, 0) < 0 && !slices.ContainsFunc(b.data, odd)
}

// odd controls are in no text; the escape of terminals is in some.
func odd(c byte) bool {
	return c < 0x20 && !unicode.IsSpace(rune(c)) && c != 0x1b && c != '\b'
}

// pointer reports whether a file stands for a large one that Git LFS keeps.
func pointer(data []byte) bool {
	return len(data) < 1024 && bytes.HasPrefix(data, []byte("version https://git-lfs.github.com/spec/"))
}

// A file is how one is shown.
type file struct {
	Path    string  `json:"path"`
	Kind    string  `json:"kind,omitempty"`
	SHA     string  `json:"sha,omitempty"`
	Size    int     `json:"size"`
	Start   int     `json:"start_line,omitempty"`
	End     int     `json:"end_line,omitempty"`
	Lines   int     `json:"lines,omitempty"`
	Target  string  `json:"target,omitempty"`
	Module  string  `json:"submodule_url,omitempty"`
	MIME    string  `json:"mime,omitempty"`
	LFSID   string  `json:"lfs_oid,omitempty"`
	LFSSize string  `json:"lfs_size,omitempty"`
	Text    *string `json:"text,omitempty"`
	Problem string  `json:"problem,omitempty"`
}

func (b *blob) describe() file {
	f := file{Path: b.path, Kind: b.kind, SHA: b.sha, Size: b.size, Target: b.target, Module: b.moduleURL}
	if b.kind == kindLFS {
		for line := range strings.SplitSeq(string(b.data), "\n") {
			if id, found := strings.CutPrefix(line, "oid "); found {
				f.LFSID = id
			}
			if size, found := strings.CutPrefix(line, "size "); found {
				f.LFSSize = size
			}
		}
	}
	if b.data != nil && !b.text() {
		f.MIME = http.DetectContentType(b.data)
		if strings.HasPrefix(f.MIME, "text/") {
			f.MIME = "application/octet-stream" // in another encoding: the bytes are what they are
		}
	}
	return f
}

// block is the content of a file that is no text, exactly.
func (b *blob) block() mapping.Block {
	f := b.describe()
	switch f.MIME {
	case "image/png", "image/jpeg", "image/gif", "image/webp":
		return mapping.Block{Kind: mapping.Image, Data: b.data, MIME: f.MIME}
	}
	return mapping.Block{Kind: mapping.Blob, Data: b.data, MIME: f.MIME}
}

// note says what is odd about the text that is shown.
func (b *blob) note(cut lineCut) string {
	var said []string
	if b.kind == kindLFS {
		said = append(said, "this is the pointer of Git LFS; the file itself is not in the repository")
	}
	if b.kind == kindSymlink {
		said = append(said, "the path is a symbolic link, and the sha is the link's; the text is that of the file it points at")
	}
	if n := hiddenIn(cut.text); n > 0 {
		said = append(said, fmt.Sprintf("the text has %d invisible characters, which are shown as they are", n))
	}
	if cut.within {
		said = append(said, fmt.Sprintf("line %d is longer than fits and is cut", cut.to))
	}
	return strings.Join(said, "; ")
}
