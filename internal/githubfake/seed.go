package githubfake

import (
	"bytes"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"time"
)

// A repo is a repository as it is now.
type repo struct {
	Repository
	id      int64
	git     *store
	pulls   []*issue // those issues that are pull requests
	issues  []*issue // number n is issues[n-1]
	runs    []*run
	created time.Time
}

func (r *repo) fullName() string { return r.Owner + "/" + r.Name }

// plant makes a repository of its seed.
func (g *GitHub) plant(seed Repository) (*repo, error) {
	if seed.Default == "" {
		seed.Default = "main"
	}
	g.repoIDs++
	r := &repo{Repository: seed, id: g.repoIDs, created: began()}
	dir := filepath.Join(g.dir, strconv.FormatInt(r.id, 10)+".git")
	if err := os.MkdirAll(dir, 0o700); err != nil {
		return nil, err
	}
	var err error
	if r.git, err = newStore(dir); err != nil {
		return nil, err
	}
	if _, err := r.git.write(nil, "symbolic-ref", "HEAD", "refs/heads/"+seed.Default); err != nil {
		return nil, err
	}
	if err := g.grow(r); err != nil {
		return nil, fmt.Errorf("%s: %w", r.fullName(), err)
	}
	for _, who := range r.authors() {
		g.person(who)
	}
	for _, i := range seed.Issues {
		if err := g.open(r, i); err != nil {
			return nil, fmt.Errorf("%s: %w", r.fullName(), err)
		}
	}
	for _, run := range seed.Runs {
		if err := g.start(r, run); err != nil {
			return nil, fmt.Errorf("%s: %w", r.fullName(), err)
		}
	}
	return r, nil
}

// authors are the logins that a seed names.
func (r *repo) authors() []string {
	all := []string{r.Owner}
	for _, c := range r.Commits {
		all = append(all, c.By)
	}
	for _, i := range r.Issues {
		all = append(append(all, i.By), i.Assignees...)
		for _, c := range i.Comments {
			all = append(all, c.By)
		}
	}
	return slices.DeleteFunc(all, func(who string) bool { return who == "" || who == Ghost })
}

// grow makes the commits and tags of a seed with one git process.
func (g *GitHub) grow(r *repo) error {
	var in bytes.Buffer
	tips := map[string]int{}
	for i, c := range r.Commits {
		if c.Branch == "" {
			c.Branch = r.Default
		}
		who, at := g.login(c.By), began().Add(time.Duration(i)*time.Minute).Unix()
		fmt.Fprintf(&in, "commit refs/heads/%s\nmark :%d\n", c.Branch, i+1)
		fmt.Fprintf(&in, "author %s <%[1]s@example.com> %d +0000\ncommitter %[1]s <%[1]s@example.com> %[2]d +0000\n", who, at)
		datum(&in, []byte(c.Message))
		if from, ok := tips[c.Branch]; ok {
			fmt.Fprintf(&in, "from :%d\n", from)
		} else if c.From != "" {
			fmt.Fprintf(&in, "from :%d\n", tips[c.From])
		}
		if c.Merge != "" {
			fmt.Fprintf(&in, "merge :%d\n", tips[c.Merge])
		}
		for _, path := range slices.Sorted(maps.Keys(c.Files)) {
			place(&in, path, c.Files[path])
		}
		tips[c.Branch] = i + 1
	}
	for _, tag := range slices.Sorted(maps.Keys(r.Tags)) {
		r.tag(&in, tag, tips)
	}
	_, err := r.git.write(in.Bytes(), "fast-import", "--quiet")
	return err
}

// tag adds a tag of the seed, annotated where the seed has a note for it.
func (r *repo) tag(in *bytes.Buffer, tag string, tips map[string]int) {
	mark, ok := tips[r.Tags[tag]]
	if n, err := strconv.Atoi(r.Tags[tag]); err == nil && !ok {
		mark = n + 1
	}
	if note := r.Notes[tag]; note != "" {
		fmt.Fprintf(in, "tag %s\nfrom :%d\ntagger octocat <octocat@example.com> %d +0000\n", tag, mark, began().Unix())
		datum(in, []byte(note))
		return
	}
	fmt.Fprintf(in, "reset refs/tags/%s\nfrom :%d\n\n", tag, mark)
}

func place(in *bytes.Buffer, path string, f File) {
	switch {
	case f.Gone:
		fmt.Fprintf(in, "D %s\n", path)
	case f.Mode == "160000":
		fmt.Fprintf(in, "M 160000 %s %s\n", f.Data, path)
	default:
		mode := f.Mode
		if mode == "" {
			mode = "100644"
		}
		fmt.Fprintf(in, "M %s inline %s\n", mode, path)
		datum(in, f.Data)
	}
}

func datum(in *bytes.Buffer, data []byte) {
	fmt.Fprintf(in, "data %d\n%s\n", len(data), data)
}
