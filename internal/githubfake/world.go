package githubfake

import "time"

// A World is what exists before the first request.
type World struct {
	// Token is the one token that GitHub knows. A request with another is
	// refused, one without any sees what is public.
	Token string
	// Me is whose token it is, "octocat" if empty.
	Me string
	// Limit is the number of requests per hour, 5000 if zero.
	Limit        int
	Repositories []Repository
}

// A Repository without commits is empty, as one is that was just created.
type Repository struct {
	Owner, Name       string
	Description       string
	Private, Archived bool
	// Former are names that the repository had: "octo/before".
	Former []string
	// Default is the default branch, "main" if empty.
	Default    string
	Commits    []Commit          // in the order in which they are made
	Tags       map[string]string // a branch or the number of a commit in Commits, from 0: "v1": "0"
	Notes      map[string]string // messages of those tags that are annotated
	Labels     []Label
	Milestones []string
	Issues     []Issue // issues and pull requests, numbered from 1
	Releases   []Release
	Workflows  []Workflow
	Runs       []Run
	Checks     []Check
}

// A Commit adds to a branch, which begins with it if there is none.
type Commit struct {
	Branch  string // the default branch if empty
	From    string // the branch at whose tip a new branch begins; "" is nowhere
	Merge   string // a branch that is a second parent
	Message string
	By      string // a login, Me if empty
	Files   map[string]File
}

// A File is what a commit puts at a path.
type File struct {
	Data []byte
	// Mode is git's: 100644 if empty, 100755, 120000 for a symbolic link to
	// Data, 160000 for a submodule at the commit Data.
	Mode string
	Gone bool // the path is removed
}

// Text is a file of text.
func Text(s string) File { return File{Data: []byte(s)} }

// A Label of a repository.
type Label struct {
	Name, Color string
	// Description is null where it is empty.
	Description string
}

// An Issue, or a pull request where Pull is not nil.
type Issue struct {
	Title     string
	Body      string // null where it is empty
	By        string // a login; Ghost is nobody, whose account is gone
	Closed    bool
	Locked    bool
	Labels    []string
	Assignees []string
	Milestone int
	Comments  []Comment
	Pull      *Pull
}

// Ghost is the author of what a deleted account wrote: null.
const Ghost = "-"

// A Comment on an issue or a pull request.
type Comment struct{ By, Body string }

// A Pull is what a pull request has beyond an issue.
type Pull struct {
	Head, Base string // branches of the repository
	Draft      bool
	Reviews    []Review
	Remarks    []Remark
}

// A Review in one of GitHub's states: APPROVED, CHANGES_REQUESTED, COMMENTED.
type Review struct{ By, State, Body string }

// A Remark is a review comment on a line of a file.
type Remark struct {
	By, Path, Body string
	Line           int
}

// A Release of a tag.
type Release struct {
	Tag, Name, Body   string
	Draft, Prerelease bool
}

// A Workflow is a file below .github/workflows.
type Workflow struct{ Name, File string }

// A Run of a workflow on a branch.
type Run struct {
	Workflow, Branch   string
	Event              string // "push" if empty
	Status, Conclusion string // "completed" and "success" if empty
	Jobs               []Job
}

// A Job of a run.
type Job struct {
	Name       string
	Conclusion string // "success" if empty
	Steps      []Step
	Log        []byte
	// LogSize makes a log of this size, line by line, instead of Log.
	LogSize int64
	// NoLog is a job whose log has expired.
	NoLog bool
}

// A Step of a job.
type Step struct{ Name, Conclusion string }

// A Check is a check run, or a commit status where Status is set.
type Check struct {
	Branch, Name string
	Conclusion   string // "" is in progress
	Status       string // error, failure, pending or success
	Summary      string
}

// began is when everything in a world was made; each thing takes a minute, so a
// repository's shas are the same in every run.
func began() time.Time { return time.Date(2025, 1, 1, 0, 0, 0, 0, time.UTC) }
