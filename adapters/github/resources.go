package github

import (
	"context"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A resource is what has an address: the answer of a row, or a text that is
// better read as it is than in JSON.
type resource struct {
	path       string // below OWNER/REPO
	name, text string
	row        string
	// show makes content of the row's place; nil is the row's answer.
	show func(ctx context.Context, r *request) (*mapping.Result, error)
	mime string
}

const jsonType = "application/json"

func resourceTable() []resource {
	return []resource{
		{path: "", name: "repository", text: "A repository: description, default branch, counts.", row: "get_repository", mime: jsonType},
		{path: "/contents{/path*}{?ref}", name: "contents", text: "A file as it is, or what is in a directory.", row: "get_file", show: showContents},
		{path: "/tree{?ref}", name: "tree", text: "All paths of a repository.", row: "get_tree", mime: jsonType},
		{path: "/readme{?ref}", name: "readme", text: "The README that GitHub shows.", row: "get_readme", show: showReadme},
		{path: "/issues/{number}{?comments}", name: "issue", text: "An issue with its body and its first comments.", row: "get_issue", mime: jsonType},
		{path: "/pulls/{number}{?comments}", name: "pull", text: "A pull request: text, branches, mergeability, first comments.", row: "get_pull", mime: jsonType},
		{path: "/pulls/{number}/diff{?file}", name: "diff", text: "The unified diff of a pull request, or of one file in it.", row: "get_pull_diff", show: showDiff, mime: "text/x-diff"},
		{path: "/commits/{ref}", name: "commit", text: "A commit: message, author, changed files.", row: "get_commit", mime: jsonType},
		{path: "/releases/{tag}", name: "release", text: "A release: notes and assets.", row: "get_release", mime: jsonType},
		{path: "/actions/jobs/{job_id}/log{?tail}", name: "log", text: "The end of a job's log.", row: "get_job_log", show: showLog, mime: "text/plain"},
	}
}

// resources are those whose toolset is served. One that is the answer of an
// operation names it, so that it goes where the operation goes.
func (a *Adapter) resources(rows []row) []mapping.Resource {
	var list []mapping.Resource
	for _, res := range resourceTable() {
		of := rowNamed(a.all, res.row)
		if !slices.ContainsFunc(rows, func(r row) bool { return r.set == of.set }) {
			continue
		}
		m := mapping.Resource{Path: a.below() + res.path, Name: res.name, Text: res.text, MIME: res.mime}
		if res.show == nil && rowNamed(rows, res.row) != nil {
			m.Operation = res.row
		}
		list = append(list, m)
	}
	return list
}

// below is where the paths of resources begin. They are the same however many
// repositories are allowed.
func (a *Adapter) below() string {
	if owner, repo, one := a.allow.only(); one {
		return owner + "/" + repo
	}
	return "{owner}/{repo}"
}

func rowNamed(rows []row, name string) *row {
	for i := range rows {
		if rows[i].name == name {
			return &rows[i]
		}
	}
	return nil
}

// Read returns a resource that is not an operation's answer.
func (a *Adapter) Read(ctx context.Context, read mapping.Read) (*mapping.Result, error) {
	if err := a.usable(); err != nil {
		return nil, err
	}
	path, found := strings.CutPrefix(read.Path, a.below())
	list := resourceTable()
	i := slices.IndexFunc(list, func(res resource) bool { return res.path == path })
	if !found || i < 0 {
		return nil, &mapping.Error{Code: mapping.NotFound, Problem: "there is no such resource"}
	}
	r, err := a.reading(*rowNamed(a.all, list[i].row), read)
	if err != nil {
		return nil, err
	}
	run := list[i].show
	if run == nil {
		run = r.row.shape.run
	}
	result, err := run(withLog(ctx, read.Log), r)
	if err != nil {
		return nil, a.worded(ctx, err)
	}
	return within(result, read.MaxBytes)
}

// reading makes a request of a read, its variables being a row's arguments.
func (a *Adapter) reading(row row, read mapping.Read) (*request, error) {
	call := mapping.Call{
		Key: row.name, Caller: read.Caller, Trace: read.Trace, Budget: read.Budget, MaxBytes: read.MaxBytes, Log: read.Log,
		Progress: func(float64, float64, string) {},
	}
	for name, value := range read.Vars {
		if name == "path" && strings.Trim(value, "/") == "" {
			return nil, &mapping.Error{Code: mapping.NotFound, Problem: "there is no such resource: the path is empty", Next: "leave it out for the root"}
		}
		arg := mapping.Arg{Name: name, Value: json.RawMessage(value)}
		if slices.Contains([]string{"number", "job_id", "tail", "comments"}, name) {
			if n, err := strconv.ParseInt(value, 10, 64); err != nil || n < 1 || strconv.FormatInt(n, 10) != value {
				return nil, &mapping.Error{Code: mapping.NotFound, Problem: "there is no such resource: " + name + " is a number"}
			}
		} else {
			text, err := encode(value)
			if err != nil {
				return nil, err
			}
			arg.Value = text
		}
		call.Args = append(call.Args, arg)
	}
	return a.newRequest(row, call)
}

// showContents shows a file as it is, and a directory as a list.
func showContents(ctx context.Context, r *request) (*mapping.Result, error) {
	at, err := r.place()
	if err != nil {
		return nil, err
	}
	c, err := r.at(ctx, at)
	if err != nil {
		return nil, err
	}
	if c.file == nil {
		return listDirectory(ctx, r)
	}
	b, err := r.load(ctx, at, c.file)
	if err != nil {
		return nil, err
	}
	return b.show()
}

func showReadme(ctx context.Context, r *request) (*mapping.Result, error) {
	b, err := r.readme(ctx)
	if err != nil {
		return nil, err
	}
	return b.show()
}

// show is the content of a file as a resource.
func (b *blob) show() (*mapping.Result, error) {
	switch {
	case b.data == nil || b.kind == kindSymlink && len(b.data) == 0: // there is no content, so tell what it is
		return answer(b.describe())
	case b.text():
		return &mapping.Result{Blocks: []mapping.Block{{Kind: mapping.TextResource, Text: string(b.data), MIME: mimeOf(b.path)}}}, nil
	}
	return &mapping.Result{Blocks: []mapping.Block{{Kind: mapping.Blob, Data: b.data, MIME: b.describe().MIME}}}, nil
}

// mimeOf says what kind of text a file is by its name, where a reader may care.
func mimeOf(path string) string {
	switch {
	case strings.HasSuffix(path, ".md"), strings.HasSuffix(path, ".markdown"):
		return "text/markdown"
	case strings.HasSuffix(path, ".json"):
		return jsonType
	case strings.HasSuffix(path, ".html"):
		return "text/html"
	}
	return "text/plain"
}

func showDiff(ctx context.Context, r *request) (*mapping.Result, error) {
	return textOf[diffAnswer](ctx, r, func(d diffAnswer) string { return d.Diff }, "text/x-diff")
}

func showLog(ctx context.Context, r *request) (*mapping.Result, error) {
	return textOf[logAnswer](ctx, r, func(l logAnswer) string { return l.Tail }, "text/plain")
}

// textOf is the text in the answer of a row.
func textOf[T any](ctx context.Context, r *request, text func(T) string, mime string) (*mapping.Result, error) {
	result, err := r.row.shape.run(ctx, r)
	if err != nil {
		return nil, err
	}
	var v T
	if err := json.Unmarshal(result.JSON, &v); err != nil {
		return nil, err
	}
	return &mapping.Result{
		Blocks:    []mapping.Block{{Kind: mapping.TextResource, Text: text(v), MIME: mime}},
		Truncated: result.Truncated, Note: result.Note,
	}, nil
}
