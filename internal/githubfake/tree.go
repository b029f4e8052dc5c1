package githubfake

import (
	"strconv"
	"strings"
)

// An entry is a line of a tree.
type entry struct {
	mode, kind, sha, path string
	size                  int64
}

// tree lists a tree, with everything below it where deep.
func (s *store) tree(sha string, deep bool) []entry {
	args := []string{"ls-tree", "-z", "-l"}
	if deep {
		args = append(args, "-r", "-t")
	}
	out, err := s.read(append(args, sha)...)
	if err != nil {
		return nil
	}
	var all []entry
	for line := range strings.SplitSeq(strings.TrimSuffix(string(out), "\x00"), "\x00") {
		facts, path, ok := strings.Cut(line, "\t")
		if !ok {
			continue
		}
		f := strings.Fields(facts)
		size, _ := strconv.ParseInt(f[3], 10, 64)
		all = append(all, entry{mode: f[0], kind: f[1], sha: f[2], path: path, size: size})
	}
	return all
}

// find walks down to a path; "" is the root.
func (s *store) find(commit, path string) (entry, bool) {
	at := entry{mode: "040000", kind: "tree", sha: s.treeOf(commit)}
	if path == "" {
		return at, at.sha != ""
	}
	for name := range strings.SplitSeq(path, "/") {
		next, ok := entry{}, false
		if at.kind == "tree" {
			for _, e := range s.tree(at.sha, false) {
				if e.path == name {
					next, ok = e, true
				}
			}
		}
		if !ok {
			return entry{}, false
		}
		at = next
	}
	at.path = path
	return at, true
}

// put writes a tree that differs from another at some paths, and returns its
// sha. An entry without a sha is removed.
func (s *store) put(base string, changes []entry) (string, error) {
	index := []string{"GIT_INDEX_FILE=" + s.dir + "/index.fake"}
	clear := []string{"read-tree", "--empty"}
	if base != "" {
		clear = []string{"read-tree", base}
	}
	if _, err := s.writeWith(index, nil, clear...); err != nil {
		return "", err
	}
	var lines strings.Builder
	for _, c := range changes {
		if c.sha == "" {
			lines.WriteString("0 " + strings.Repeat("0", 40) + "\t" + c.path + "\x00")
		} else {
			lines.WriteString(c.mode + " " + c.sha + "\t" + c.path + "\x00")
		}
	}
	if _, err := s.writeWith(index, []byte(lines.String()), "update-index", "-z", "--index-info"); err != nil {
		return "", err
	}
	return s.writeWith(index, nil, "write-tree", "--missing-ok")
}
