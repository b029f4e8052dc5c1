package githubfake

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"maps"
	"os/exec"
	"strings"
	"sync"
)

// A store is one bare repository on disk, spoken to by the git command.
type store struct {
	dir string

	mu sync.Mutex
	// seen holds answers of commands that only read. Those about refs go with each
	// command that writes; objects never change.
	seen map[string][]byte
}

func newStore(dir string) (*store, error) {
	s := &store{dir: dir, seen: map[string][]byte{}}
	_, err := s.run(nil, "init", "--quiet", "--bare", "--template=", "--initial-branch=main", dir)
	return s, err
}

// read runs a command that changes nothing.
func (s *store) read(args ...string) ([]byte, error) {
	key := strings.Join(args, "\x00")
	s.mu.Lock()
	out, ok := s.seen[key]
	s.mu.Unlock()
	if ok {
		return out, nil
	}
	out, err := s.run(nil, args...)
	if err == nil {
		s.mu.Lock()
		s.seen[key] = out
		s.mu.Unlock()
	}
	return out, err
}

// write runs a command that may change something.
func (s *store) write(input []byte, args ...string) (string, error) {
	return s.writeWith(nil, input, args...)
}

// writeWith does so with more in the environment.
func (s *store) writeWith(env []string, input []byte, args ...string) (string, error) {
	out, err := s.runWith(env, input, args...)
	s.mu.Lock()
	maps.DeleteFunc(s.seen, func(command string, _ []byte) bool {
		return strings.HasPrefix(command, "for-each-ref") || strings.HasPrefix(command, "rev-parse")
	})
	s.mu.Unlock()
	return strings.TrimSpace(string(out)), err
}

func (s *store) run(input []byte, args ...string) ([]byte, error) {
	return s.runWith(nil, input, args...)
}

// runWith keeps the machine's own configuration of git out, which could change
// what comes back.
func (s *store) runWith(env []string, input []byte, args ...string) ([]byte, error) {
	cmd := exec.CommandContext(context.Background(), "git", append([]string{"--literal-pathspecs", "-c", "core.quotePath=false"}, args...)...)
	cmd.Dir = s.dir
	cmd.Env = append([]string{
		"HOME=" + s.dir, "LC_ALL=C", "GIT_CONFIG_NOSYSTEM=1", "GIT_CONFIG_GLOBAL=/dev/null", "GIT_DIR=" + s.dir,
	}, env...)
	cmd.Stdin = bytes.NewReader(input)
	out, err := cmd.Output()
	if exit := (*exec.ExitError)(nil); errors.As(err, &exit) {
		return nil, fmt.Errorf("git %s: %w: %s", args[0], err, bytes.TrimSpace(exit.Stderr))
	}
	return out, err
}

// A ref is a branch, a tag or the head of a pull request.
type ref struct {
	name   string // refs/heads/main
	sha    string
	kind   string // commit, tag
	commit string // what an annotated tag leads to, else sha
}

// refs lists what begins so, sorted by name.
func (s *store) refs(prefix string) []ref {
	out, _ := s.read("for-each-ref", "--format=%(refname)%00%(objectname)%00%(objecttype)%00%(*objectname)")
	var all []ref
	for line := range strings.Lines(string(out)) {
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\x00")
		if !strings.HasPrefix(f[0], prefix) {
			continue
		}
		r := ref{name: f[0], sha: f[1], kind: f[2], commit: f[1]}
		if f[3] != "" {
			r.commit = f[3]
		}
		all = append(all, r)
	}
	return all
}

func (s *store) ref(name string) (ref, bool) {
	for _, r := range s.refs(name) {
		if r.name == name {
			return r, true
		}
	}
	return ref{}, false
}

// resolve finds the commit that a branch, a tag, a full ref name or a sha means,
// in GitHub's order.
func (s *store) resolve(name string) (string, bool) {
	for _, full := range []string{"refs/heads/" + name, "refs/tags/" + name, "refs/" + name, name} {
		if r, ok := s.ref(full); ok {
			return r.commit, true
		}
	}
	if !isSHA(name, 7) && name != "HEAD" {
		return "", false
	}
	out, err := s.read("rev-parse", "--verify", "--quiet", name+"^{commit}")
	return strings.TrimSpace(string(out)), err == nil
}

func isSHA(s string, least int) bool {
	return len(s) >= least && len(s) <= 40 && strings.Trim(s, "0123456789abcdef") == ""
}

// kind is blob, tree, commit or tag, "" if there is no such object.
func (s *store) kind(sha string) string {
	if !isSHA(sha, 40) {
		return ""
	}
	out, _ := s.read("cat-file", "-t", sha)
	return strings.TrimSpace(string(out))
}

func (s *store) blob(sha string) ([]byte, bool) {
	if s.kind(sha) != "blob" {
		return nil, false
	}
	out, err := s.read("cat-file", "blob", sha)
	return out, err == nil
}

// treeOf is the tree of a commit.
func (s *store) treeOf(commit string) string {
	out, _ := s.read("rev-parse", "--verify", "--quiet", commit+"^{tree}")
	return strings.TrimSpace(string(out))
}

func (s *store) empty() bool { return len(s.refs("refs/heads/")) == 0 }
