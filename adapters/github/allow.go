package github

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// The forms of GitHub's names. An owner of an enterprise has an underscore.
var (
	ownerForm = regexp.MustCompile(`^[A-Za-z0-9][A-Za-z0-9-]{0,38}(_[A-Za-z0-9]{1,16})?$`)
	repoForm  = regexp.MustCompile(`^[A-Za-z0-9._-]{1,100}$`)
	globForm  = regexp.MustCompile(`^[A-Za-z0-9*_-]{1,60}/[A-Za-z0-9*._-]{1,100}$`)
)

func isRepo(owner, repo string) bool {
	return ownerForm.MatchString(owner) && repoForm.MatchString(repo) && repo != "." && repo != ".."
}

// A glob is one entry of an allow-list, in lower case: GitHub's names have no
// case.
type glob struct{ owner, repo string }

func (g glob) exact() bool { return !strings.Contains(g.owner+g.repo, "*") }

func (g glob) matches(owner, repo string) bool {
	return mapping.MatchGlob(g.owner, strings.ToLower(owner)) && mapping.MatchGlob(g.repo, strings.ToLower(repo))
}

// An allowList says which repositories may be reached. It never changes.
type allowList struct{ allow, deny []glob }

func newAllowList(o Options) (*allowList, error) {
	l := &allowList{}
	var problems []error
	for i, text := range o.Repositories {
		text, denied := strings.CutPrefix(text, "!")
		g, err := parseGlob(text)
		if err != nil {
			problems = append(problems, fmt.Errorf("repositories[%d]: %w", i, err))
		} else if denied {
			l.deny = append(l.deny, g)
		} else {
			l.allow = append(l.allow, g)
		}
	}
	for i, text := range o.Deny {
		g, err := parseGlob(text)
		if err != nil {
			problems = append(problems, fmt.Errorf("deny[%d]: %w", i, err))
		}
		l.deny = append(l.deny, g)
	}
	if len(l.allow) == 0 && len(problems) == 0 {
		if o.Token != "" || o.CallerTokens {
			return nil, errors.New(`repositories: a token reaches everything that its owner may; say which repositories may be reached, such as "octo/hello" or "octo/*", or "*/*" for all`)
		}
		l.allow = []glob{{"*", "*"}}
	}
	return l, errors.Join(problems...)
}

func parseGlob(text string) (glob, error) {
	if !globForm.MatchString(text) {
		return glob{}, fmt.Errorf("%q is not OWNER/REPO, with * for any run of characters", text)
	}
	owner, repo, _ := strings.Cut(strings.ToLower(text), "/")
	return glob{owner, repo}, nil
}

// allows reports whether a repository may be reached.
func (l *allowList) allows(owner, repo string) bool {
	match := func(g glob) bool { return g.matches(owner, repo) }
	return isRepo(owner, repo) && slices.ContainsFunc(l.allow, match) && !slices.ContainsFunc(l.deny, match)
}

// allowsName is allows for OWNER/REPO.
func (l *allowList) allowsName(name string) bool {
	owner, repo, found := strings.Cut(name, "/")
	return found && l.allows(owner, repo)
}

// only returns the one repository that is allowed, if there is just one.
func (l *allowList) only() (owner, repo string, one bool) {
	if len(l.allow) != 1 || !l.allow[0].exact() {
		return "", "", false
	}
	return l.allow[0].owner, l.allow[0].repo, true
}

// words say what is allowed, shortly.
func (l *allowList) words() string {
	var names []string
	for _, g := range l.allow {
		names = append(names, g.owner+"/"+g.repo)
	}
	more := ""
	if len(names) > 10 {
		more = fmt.Sprintf(" and %d more", len(names)-10)
		names = names[:10]
	}
	text := "allowed here: " + strings.Join(names, ", ") + more
	if len(l.deny) > 0 {
		text += ", less what is denied"
	}
	return text
}

// refusal says that a repository is not allowed. It tells nothing of whether the
// repository exists.
func (l *allowList) refusal(owner, repo string) error {
	e := &mapping.Error{Code: mapping.Denied, Allowed: l.words(), Next: "do not retry with this repository; ask the user"}
	if isRepo(owner, repo) {
		e.Problem = fmt.Sprintf("the repository %s/%s is not among those that may be reached from here", owner, repo)
	} else {
		e.Code, e.Problem = mapping.Invalid, "owner and repo do not name a repository: an owner has letters, digits and hyphens, a repository also . and _"
	}
	return e
}
