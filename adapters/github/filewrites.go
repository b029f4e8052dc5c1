package github

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"net/http"
	"slices"

	"github.com/google/go-github/v66/github"
	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// fileWriteRows change branches and files. What they replace stays in the
// history.
func fileWriteRows() []row {
	on := may("branch", "Branch to commit to; default branch if left out.", aText).local()
	path := need("path", "Path from the root.", aText).local()
	message := need("message", "Commit message.", aText).local()
	return []row{
		{
			name: "create_branch", set: "repos", noun: "branch", verb: "create", needs: "contents: write", effect: mapping.Writes,
			summary: "Make a branch at a commit.",
			use:     "Use when work is to begin on a branch of its own.",
			avoid:   "Do not use to commit to a branch that there is; use [[commit_files]] instead.",
			at:      "POST /repos/{owner}/{repo}/git/refs",
			params: []param{
				need("branch", "Name of the new branch.", aText).local(),
				may("from", "Branch, tag or SHA where it begins; default branch if left out.", aText).local(),
			},
			shape: shape{output: schemaOf[branch](), run: createBranch},
		},
		{
			name: "write_file", set: "repos", noun: "file", verb: "replace", needs: "contents: write", effect: mapping.Writes,
			summary: "Create a file, or replace the one whose blob SHA is given, in a commit.",
			use:     "Use when one file is to be created or replaced.",
			avoid:   "Do not use for several files; use [[commit_files]] instead.",
			text:    "Without sha the file must not exist yet.",
			at:      "PUT /repos/{owner}/{repo}/contents/{path}",
			params: []param{
				path, need("content", "The whole new content.", aText).local(), message, on,
				may("sha", "sha of the file that is replaced, as get_file tells it; leave it out only to create.", aText).local(),
				may("encoding", "base64 if content is not text.", oneOf("utf-8", "base64")).local(),
			},
			shape: shape{output: schemaOf[committed](), run: writeFile},
		},
		{
			name: "delete_file", set: "repos", noun: "file", verb: "delete", needs: "contents: write", effect: mapping.Destroys,
			summary: "Delete a file in a commit.",
			use:     "Use when one file is to be deleted.",
			avoid:   "Do not use for several changes at once; use [[commit_files]] instead.",
			at:      "DELETE /repos/{owner}/{repo}/contents/{path}",
			params:  []param{path, need("sha", "sha of the file, as get_file tells it.", aText).local(), message, on},
			shape:   shape{output: schemaOf[committed](), run: deleteFile},
		},
		{
			name: "commit_files", set: "repos", noun: "files", verb: "", needs: "contents: write", effect: mapping.Destroys,
			summary: "Create, replace and delete several files in one commit.",
			use:     "Use when several files are to change together.",
			avoid:   "Do not use for one file; use [[write_file]] instead.",
			text:    "Either all files change or none. A file without sha must not exist yet.",
			at:      "POST /repos/{owner}/{repo}/git/commits",
			params: []param{
				need("branch", "Branch to commit to.", aText).local(), message,
				need("files", "The changes.", changesSchema).local(),
			},
			shape: shape{output: schemaOf[committed](), run: commitFiles},
		},
	}
}

const changesSchema = `{"type":"array","minItems":1,"maxItems":100,"items":{"type":"object","additionalProperties":false,"required":["path"],"properties":{` +
	`"path":{"type":"string","description":"Path from the root."},` +
	`"content":{"type":"string","description":"The whole new content."},` +
	`"encoding":{"type":"string","enum":["utf-8","base64"],"description":"base64 if content is not text."},` +
	`"sha":{"type":"string","description":"sha of the file that is replaced or deleted; leave it out only to create."},` +
	`"delete":{"type":"boolean","description":"Delete the file."},` +
	`"executable":{"type":"boolean","description":"Whether it is a program; as it was if left out."}}}}`

// A committed is what a commit made.
type committed struct {
	Commit string      `json:"commit"`
	Branch string      `json:"branch,omitempty"`
	Files  []writtenAt `json:"files,omitempty"`
	URL    string      `json:"url,omitempty"`
}

type writtenAt struct {
	Path string `json:"path"`
	SHA  string `json:"sha,omitempty"` // of the new blob; "" where it was deleted
}

func createBranch(ctx context.Context, r *request) (*mapping.Result, error) {
	name := trimHeads(r.text("branch"))
	if err := checkRef("branch", name); err != nil {
		return nil, err
	}
	from, err := r.ref("from")
	if err != nil {
		return nil, err
	}
	sha, err := r.commitOf(ctx, place{ref: from})
	if err != nil {
		return nil, err
	}
	var ref github.Reference
	x := exchange{method: http.MethodPost, path: r.path("/git/refs"), body: map[string]string{"ref": "refs/heads/" + name, "sha": sha}, max: r.call.MaxBytes}
	if _, err := r.do(ctx, x, &ref); err != nil {
		return nil, r.missing(err)
	}
	return answer(branch{Name: name, SHA: ref.GetObject().GetSHA()})
}

// commitOf is the SHA of the commit that a ref names.
func (r *request) commitOf(ctx context.Context, at place) (string, error) {
	var c github.RepositoryCommit
	if _, err := r.get(ctx, r.path("/commits/%s", at.head()), map[string][]string{"per_page": {"1"}}, &c); err != nil {
		return "", r.unknownRef(ctx, err, at.ref)
	}
	return c.GetSHA(), nil
}

// A change is one file of a commit.
type change struct {
	Path       string  `json:"path"`
	Content    *string `json:"content"`
	Encoding   string  `json:"encoding"`
	SHA        string  `json:"sha"`
	Delete     bool    `json:"delete"`
	Executable *bool   `json:"executable"`
	mode       string  // that it has, "" of a new file
}

// bytes is the new content.
func (c *change) bytes() ([]byte, error) {
	switch {
	case c.Content == nil:
		return nil, &mapping.Error{Code: mapping.Invalid, Problem: "content of " + c.Path + " is missing", Next: "give content, or delete"}
	case c.Encoding != "base64":
		return []byte(*c.Content), nil
	}
	data, err := base64.StdEncoding.DecodeString(*c.Content)
	if err != nil {
		return nil, &mapping.Error{Code: mapping.Invalid, Problem: "content of " + c.Path + " is not base64", Next: "encode it, or leave encoding out for text"}
	}
	return data, nil
}

// check holds a change against what is there: the file that is to be replaced
// must be the one that was read, and a link is not written through.
func (r *request) check(ctx context.Context, c *change, at place) error {
	path, err := checkPath(c.Path)
	if err != nil {
		return err
	}
	if path == "" {
		return &mapping.Error{Code: mapping.Invalid, Problem: "path is empty"}
	}
	c.Path, at.path = path, path
	e, err := r.entryAt(ctx, at)
	if err != nil {
		return err
	}
	switch {
	case e == nil && c.SHA == "" && !c.Delete:
		return nil
	case e == nil:
		return r.noPath(ctx, at)
	case kindOf(e.GetMode()) == kindDir || kindOf(e.GetMode()) == kindSubmodule:
		return &mapping.Error{Code: mapping.Conflict, Problem: fmt.Sprintf("%s is a %s", path, kindOf(e.GetMode())), Next: "give another path"}
	case c.SHA == "":
		return &mapping.Error{Code: mapping.Conflict, Problem: path + " exists already", Next: "read it with [[get_file]] and give its sha to replace it"}
	case e.GetSHA() != c.SHA:
		return &mapping.Error{Code: mapping.Conflict, Problem: path + " has changed: its sha is not the one that was given", Next: "read it again with [[get_file]] and repeat the change on what it has now"}
	case kindOf(e.GetMode()) == kindSymlink && !c.Delete:
		return &mapping.Error{Code: mapping.Conflict, Problem: path + " is a symbolic link; writing would turn it into a broken one", Next: "write the file that it points at, or delete the link first"}
	}
	c.mode = e.GetMode()
	return nil
}

// branch is the argument as a place; "" is the default branch.
func (r *request) branch() (place, error) {
	name := trimHeads(r.text("branch"))
	if name == "" {
		return place{}, nil
	}
	return place{ref: "heads/" + name}, checkRef("branch", name)
}

func writeFile(ctx context.Context, r *request) (*mapping.Result, error) {
	content := r.text("content")
	return r.writeOne(ctx, &change{Path: r.text("path"), Content: &content, Encoding: r.text("encoding"), SHA: r.text("sha")})
}

func deleteFile(ctx context.Context, r *request) (*mapping.Result, error) {
	return r.writeOne(ctx, &change{Path: r.text("path"), SHA: r.text("sha"), Delete: true})
}

// writeOne changes one file by the contents API: it keeps the mode, signs the
// commit, and works in a repository without commits.
func (r *request) writeOne(ctx context.Context, c *change) (*mapping.Result, error) {
	at, err := r.branch()
	if err != nil {
		return nil, err
	}
	if err := r.check(ctx, c, at); err != nil && (!isEmpty(err) || c.SHA != "") {
		return nil, err
	}
	body := map[string]string{"message": r.text("message")}
	x := exchange{method: http.MethodDelete, path: r.path("/contents/%s", rest(c.Path)), body: body, max: r.call.MaxBytes}
	if !c.Delete {
		data, err := c.bytes()
		if err != nil {
			return nil, err
		}
		x.method, body["content"] = http.MethodPut, base64.StdEncoding.EncodeToString(data)
	}
	if c.SHA != "" {
		body["sha"] = c.SHA
	}
	name := trimHeads(at.ref)
	if name != "" {
		body["branch"] = name
	}
	var done github.RepositoryContentResponse
	if _, err := r.do(ctx, x, &done); err != nil {
		return nil, r.missing(err)
	}
	return answer(committed{
		Commit: done.Commit.GetSHA(), Branch: name, URL: done.Commit.GetHTMLURL(),
		Files: []writtenAt{{c.Path, done.Content.GetSHA()}},
	})
}

// commitFiles changes several files by the git API: all of them or none.
func commitFiles(ctx context.Context, r *request) (*mapping.Result, error) {
	var changes []*change
	if err := json.Unmarshal(r.args["files"], &changes); err != nil || slices.Contains(changes, nil) {
		return nil, &mapping.Error{Code: mapping.Invalid, Problem: "files is not a list of changes"}
	}
	at, err := r.branch()
	if err != nil {
		return nil, err
	}
	head, tree, err := r.tip(ctx, at)
	if err != nil {
		return nil, err
	}
	entries, written, err := r.entries(ctx, changes, place{ref: tree})
	if err != nil {
		return nil, err
	}
	var made struct {
		SHA  string `json:"sha"`
		HTML string `json:"html_url"`
	}
	if err := r.post(ctx, "/git/trees", map[string]any{"base_tree": tree, "tree": entries}, &made); err != nil {
		return nil, err
	}
	if err := r.post(ctx, "/git/commits", map[string]any{"message": r.text("message"), "tree": made.SHA, "parents": []string{head}}, &made); err != nil {
		return nil, err
	}
	x := exchange{method: http.MethodPatch, path: r.path("/git/refs/%s", rest(at.ref)), body: map[string]any{"sha": made.SHA, "force": false}, max: r.call.MaxBytes}
	if _, err := r.do(ctx, x, nil); err != nil {
		if code := mapping.CodeOf(err); code == mapping.Invalid || code == mapping.Conflict {
			return nil, &mapping.Error{Code: mapping.Conflict, Problem: "the branch has moved in the meantime, or may not be moved, so nothing was changed", Next: "read the files again and repeat the commit", Err: err}
		}
		return nil, r.missing(err)
	}
	return answer(committed{Commit: made.SHA, Branch: trimHeads(at.ref), Files: written, URL: made.HTML})
}

func (r *request) post(ctx context.Context, path string, body, v any) error {
	_, err := r.do(ctx, exchange{method: http.MethodPost, path: r.path(path), body: body, max: r.call.MaxBytes}, v)
	return r.missing(err)
}

// tip is the commit of a branch, and its tree.
func (r *request) tip(ctx context.Context, at place) (commit, tree string, err error) {
	var ref github.Reference
	if _, err := r.get(ctx, r.path("/git/ref/%s", rest(at.ref)), nil, &ref); err != nil {
		return "", "", r.unknownRef(ctx, err, at.ref)
	}
	var c github.Commit
	if _, err := r.get(ctx, r.path("/git/commits/%s", ref.GetObject().GetSHA()), nil, &c); err != nil {
		return "", "", r.missing(err)
	}
	return ref.GetObject().GetSHA(), c.GetTree().GetSHA(), nil
}

// entries makes the entries of a tree, and a blob of each new content.
func (r *request) entries(ctx context.Context, changes []*change, at place) (entries []map[string]any, written []writtenAt, err error) {
	seen := map[string]bool{}
	for _, c := range changes { // all are checked before anything is sent
		if err := r.check(ctx, c, at); err != nil {
			return nil, nil, err
		}
		if seen[c.Path] {
			return nil, nil, &mapping.Error{Code: mapping.Invalid, Problem: c.Path + " is changed twice"}
		}
		seen[c.Path] = true
	}
	for i, c := range changes {
		r.call.Progress(float64(i), float64(len(changes)), c.Path)
		e := map[string]any{"path": c.Path, "mode": c.newMode(), "type": "blob", "sha": nil}
		w := writtenAt{Path: c.Path}
		if !c.Delete {
			data, err := c.bytes()
			if err != nil {
				return nil, nil, err
			}
			var made struct {
				SHA string `json:"sha"`
			}
			if err := r.post(ctx, "/git/blobs", map[string]string{"content": base64.StdEncoding.EncodeToString(data), "encoding": "base64"}, &made); err != nil {
				return nil, nil, err
			}
			e["sha"], w.SHA = made.SHA, made.SHA
		}
		entries, written = append(entries, e), append(written, w)
	}
	return entries, written, nil
}

// newMode is the mode after the change: what it was, unless it is said.
func (c *change) newMode() string {
	switch {
	case c.Executable != nil && *c.Executable:
		return "100755"
	case c.Executable != nil || c.mode == "":
		return "100644"
	}
	return c.mode
}
