// Package githubfake is a GitHub that runs inside a test: GitHub's REST API as
// an [http.Handler], with real git repositories behind it.
//
// A [World] says what exists at first. [New] makes it, and the handler then
// behaves as GitHub does, writes included: what a test reads back was written by
// git, so every sha, mode and diff can be checked with git itself. Logs and
// archives come from a second server with signed addresses, as they do there.
// [GitHub.Fail] adds what goes wrong in life, and [GitHub.Requests] tells who
// asked for what.
//
// The package knows nobody: package githuboracle holds its answers against
// GitHub's own description, so that a fake and a client cannot agree on an error.
package githubfake
