package github

import (
	"context"
	"fmt"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// fileRows are about what is in a repository's files.
func fileRows() []row {
	ref := may("ref", "Branch, tag or SHA; default branch if left out.", aText).local()
	return []row{
		{
			name: "get_file", set: "repos", noun: "file", verb: "get", needs: "contents: read",
			summary: "One file with the blob SHA that writing it asks for.",
			text:    "sha is what [[write_file]] asks for.",
			use:     "Use when you need the content of a file, or a range of its lines.",
			avoid:   "Do not use for several files; use [[read_files]] instead, or for a directory; use [[list_directory]] instead.",
			at:      "GET /repos/{owner}/{repo}/contents/{path}",
			params: []param{
				need("path", "Path from the root.", aText).local(), ref,
				may("start_line", "First line, from 1.", aNumber).local(),
				may("end_line", "Last line.", aNumber).local(),
			},
			shape: shape{output: schemaOf[file](), run: getFile},
		},
		{
			name: "read_files", set: "repos", noun: "files", verb: "get", needs: "contents: read",
			summary: "Several text files at once.",
			use:     "Use when you need the contents of two to twenty files.",
			avoid:   "Do not use for one file or some lines of it; use [[get_file]] instead.",
			at:      "GET /repos/{owner}/{repo}/contents/{path}",
			params: []param{
				need("paths", "Paths from the root.", `{"type":"array","items":{"type":"string"},"minItems":1,"maxItems":20}`).local(), ref,
			},
			shape: shape{output: schemaOf[filesAnswer](), run: readFiles},
		},
		{
			name: "list_directory", set: "repos", noun: "directory", verb: "list", needs: "contents: read",
			summary: "What is directly in a directory.",
			use:     "Use when you need the names in one directory.",
			avoid:   "Do not use for everything below it; use [[get_tree]] instead.",
			at:      "GET /repos/{owner}/{repo}/contents/{path}",
			params:  []param{may("path", "Path from the root; root if left out.", aText).local(), ref},
			shape:   shape{output: pageSchema[entry]("entries"), pages: maxListed, run: listDirectory},
		},
		{
			name: "get_tree", set: "repos", noun: "tree", verb: "list", needs: "contents: read",
			summary: "All paths below a directory.",
			use:     "Use when you need the layout of a repository or a part of it.",
			avoid:   "Do not use for one directory; use [[list_directory]] instead, or to find words; use [[search_code]] instead.",
			at:      "GET /repos/{owner}/{repo}/git/trees/{ref}",
			params:  []param{may("path", "Directory to start from; root if left out.", aText).local(), ref},
			shape:   shape{output: pageSchema[entry]("entries"), pages: maxListed, run: getTree},
		},
		{
			name: "get_readme", set: "repos", extra: true, noun: "README", verb: "get", needs: "contents: read",
			summary: "The README that GitHub shows.",
			use:     "Use when you want to know what a repository is for.",
			avoid:   "Do not use for any other file; use [[get_file]] instead.",
			at:      "GET /repos/{owner}/{repo}/readme",
			params:  []param{ref},
			shape:   shape{output: schemaOf[file](), run: getReadme},
		},
	}
}

func getFile(ctx context.Context, r *request) (*mapping.Result, error) {
	at, err := r.place()
	if err != nil {
		return nil, err
	}
	b, err := r.blob(ctx, at)
	if err != nil {
		return nil, err
	}
	return r.fileResult(b, r.number("start_line", 1), r.number("end_line", 0))
}

// fileResult shows the lines of a text, or binary content as it is.
func (r *request) fileResult(b *blob, from, to int) (*mapping.Result, error) {
	f := b.describe()
	result := &mapping.Result{}
	switch {
	case b.text() && f.Kind != kindSubmodule:
		cut := cutLines(string(b.data), from, to, int(r.call.Budget-reserve))
		if cut.beyond {
			return nil, &mapping.Error{Code: mapping.Invalid, Problem: fmt.Sprintf("start_line %d is behind the end: %s has %d lines", from, b.path, cut.total), Next: "give a smaller start_line"}
		}
		f.Text, f.Start, f.End, f.Lines = &cut.text, cut.from, cut.to, cut.total
		result.Note = b.note(cut)
		if cut.more {
			result.Truncated = true
			result.Next = r.next("start_line", fmt.Appendf(nil, "%d", cut.to+1))
		}
	case b.data != nil:
		result.Blocks = []mapping.Block{b.block()}
	}
	text, err := encode(f)
	result.JSON = text
	return result, err
}

func getReadme(ctx context.Context, r *request) (*mapping.Result, error) {
	b, err := r.readme(ctx)
	if err != nil {
		return nil, err
	}
	return r.fileResult(b, 1, 0)
}

func (r *request) readme(ctx context.Context) (*blob, error) {
	ref, err := r.ref("ref")
	if err != nil {
		return nil, err
	}
	at := place{ref: ref}
	c, err := r.content(ctx, r.path("/readme"), at)
	if err != nil {
		return nil, r.unknownRef(ctx, r.missing(err), ref)
	}
	at.path = c.file.GetPath()
	return r.load(ctx, at, c.file)
}

// A filesAnswer holds several files, or why one could not be read.
type filesAnswer struct {
	Files []file   `json:"files"`
	Rest  []string `json:"not_read,omitempty"` // paths for which there was no room
}

// readFiles reads a few files at a time, in the order of the paths.
func readFiles(ctx context.Context, r *request) (*mapping.Result, error) {
	ref, err := r.ref("ref")
	if err != nil {
		return nil, err
	}
	paths := r.list("paths")
	out := filesAnswer{Files: []file{}}
	room := r.call.Budget - reserve
	result := &mapping.Result{}
	for i, path := range paths {
		r.call.Progress(float64(i), float64(len(paths)), path)
		f, err := r.brief(ctx, path, ref, int(room))
		if err != nil {
			return nil, err
		}
		size := int64(300 + len(path))
		if f.Text != nil {
			size += int64(escapedSize(*f.Text))
		}
		if room -= size; room < 0 && i > 0 {
			out.Rest = paths[i:]
			break
		}
		out.Files = append(out.Files, *f)
	}
	if out.Rest != nil {
		rest, err := encode(out.Rest)
		if err != nil {
			return nil, err
		}
		result.Truncated, result.Next = true, r.next("paths", rest)
	}
	result.JSON, err = encode(out)
	return result, err
}

// brief is one of several files. That one cannot be read is told in its place;
// what would meet the others too is an error.
func (r *request) brief(ctx context.Context, path, ref string, room int) (*file, error) {
	clean, err := checkPath(path)
	if err == nil {
		var b *blob
		if b, err = r.blob(ctx, place{path: clean, ref: ref}); err == nil {
			f := b.describe()
			if b.text() && f.Kind != kindSubmodule {
				cut := cutLines(string(b.data), 1, 0, room)
				f.Text, f.Lines = &cut.text, cut.total
				if cut.more {
					f.Start, f.End = cut.from, cut.to
				}
			}
			return &f, nil
		}
	}
	switch mapping.CodeOf(err) {
	case mapping.NotFound, mapping.Invalid, mapping.Unsupported:
		return &file{Path: path, Problem: err.Error()}, nil
	default:
		return nil, err
	}
}
