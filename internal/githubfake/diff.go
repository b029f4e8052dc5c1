package githubfake

import (
	"strconv"
	"strings"
)

// emptyTree is the sha of a tree without entries, which git always knows.
const emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"

// A changed file of a difference.
type changed struct {
	path, before   string
	status         string
	sha            string
	added, removed int
	patch          string // "" where git shows none, as for a binary file
}

// patchLines is where GitHub stops to tell a file's patch.
const patchLines = 20_000

// diff lists what changed from one commit or tree to another.
func (s *store) diff(before, after string) []changed {
	raw, err := s.read("diff", "-M", "--raw", "-z", "--no-abbrev", before, after)
	if err != nil {
		return nil
	}
	files := rawDiff(string(raw))
	text, _ := s.read("diff", "-M", "--full-index", before, after)
	for i, part := range parts(string(text)) {
		if i < len(files) {
			files[i].read(part)
		}
	}
	return files
}

// rawDiff reads git's list of changed files.
func rawDiff(raw string) []changed {
	words := map[byte]string{'A': "added", 'D': "removed", 'M': "modified", 'R': "renamed", 'C': "copied", 'T': "changed"}
	var files []changed
	fields := strings.Split(strings.TrimSuffix(raw, "\x00"), "\x00")
	for i := 0; i+1 < len(fields); i += 2 {
		facts := strings.Fields(fields[i])
		f := changed{status: words[facts[4][0]], sha: facts[3], path: fields[i+1]}
		switch f.status {
		case "renamed", "copied":
			f.before, f.path = f.path, fields[i+2]
			i++
		case "removed":
			f.sha = facts[2]
		}
		files = append(files, f)
	}
	return files
}

// parts cuts a difference into its files. No other line begins as a header does:
// those of a file have a mark before them.
func parts(text string) []string {
	const header = "diff --git "
	text, found := strings.CutPrefix(text, header)
	if !found {
		return nil
	}
	return strings.Split(text, "\n"+header)
}

// read takes a file's hunks and counts their lines.
func (f *changed) read(part string) {
	var hunks []string
	for line := range strings.Lines(part) {
		switch {
		case strings.HasPrefix(line, "@@"):
			hunks = append(hunks, line)
			continue
		case hunks == nil:
			continue
		case line[0] == '+':
			f.added++
		case line[0] == '-':
			f.removed++
		}
		hunks = append(hunks, line)
	}
	if len(hunks) <= patchLines {
		f.patch = strings.TrimSuffix(strings.Join(hunks, ""), "\n")
	}
}

func total(files []changed) (added, removed int) {
	for _, f := range files {
		added += f.added
		removed += f.removed
	}
	return added, removed
}

func (x *exchange) diffEntries(files []changed, sha string) []object {
	list := []object{}
	for _, f := range files {
		o := object{
			"sha": f.sha, "filename": f.path, "status": f.status, "additions": f.added, "deletions": f.removed, "changes": f.added + f.removed,
			"blob_url": x.repo.site() + "/blob/" + sha + "/" + escape(f.path), "raw_url": x.repo.site() + "/raw/" + sha + "/" + escape(f.path),
			"contents_url": x.at(x.repo) + "/contents/" + escape(f.path) + "?ref=" + sha,
		}
		if f.patch != "" {
			o["patch"] = f.patch
		}
		if f.before != "" {
			o["previous_filename"] = f.before
		}
		list = append(list, o)
	}
	return list
}

// count reads a number that a path names, 0 if it is none.
func count(s string) int {
	n, err := strconv.Atoi(s)
	if err != nil {
		return 0
	}
	return n
}
