package github_test

import (
	"fmt"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/internal/githubfake"
)

// token is the one that the fake GitHub knows.
const token = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"

// png is the beginning of a picture: bytes that are not text in any encoding.
const png = "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR\xff\xfe"

// pointer is what Git LFS leaves in a repository.
const pointer = "version https://git-lfs.github.com/spec/v1\noid sha256:4d7a214614ab2935c943f9e0ff69d22eadbb8f32b1258daaa5e2ca24d17e2393\nsize 12345\n"

// big is a file that the contents API does not show.
var big = strings.Repeat("0123456789abcde\n", 1<<17)

// names are branches and paths that are legal in git and trouble elsewhere.
var (
	hardRefs  = []string{"feature/x", "fix#1", "100%", "a/b/c", "ünïcode/分支", "plus+and&more", "semi;colon=eq", "quote'd", `dquote"d`, "dot.ted", "{braces}"}
	hardPaths = []string{"a b/c d.txt", "100%.md", "a%20b", "hash#tag.md", "q?uery", "x..y.txt", "ünïcode/文件.txt", "plus+.txt", "a&b=c", "semi;colon", "[brackets]", "'quotes'.md", `back\slash`, "...", "contents", "-dash"}
)

// world is what most tests begin with.
func world() githubfake.World {
	return githubfake.World{Token: token, Repositories: []githubfake.Repository{
		theHello(),
		{Owner: "octo", Name: "empty", Private: true},
		{Owner: "octo", Name: "old", Archived: true, Commits: []githubfake.Commit{{Message: "One", Files: map[string]githubfake.File{"README.md": githubfake.Text("old\n")}}}},
		{Owner: "evil", Name: "secret", Commits: []githubfake.Commit{{Message: "canary-of-evil", Files: map[string]githubfake.File{"README.md": githubfake.Text("canary-of-evil package\n")}}},
			Issues: []githubfake.Issue{{Title: "canary-of-evil", Body: "breaks"}}},
	}}
}

func theHello() githubfake.Repository {
	text := githubfake.Text
	files := map[string]githubfake.File{
		"README.md": text("# Hello\n\nText with <b>&\n"), "src/main.go": text("package main\n\nfunc main() {}\n"), "empty.txt": text(""), "logo.png": {Data: []byte(png)},
		"latin1.txt": {Data: []byte("caf\xe9\n")}, "utf16.txt": {Data: []byte("\xff\xfeh\x00i\x00")}, "big.txt": text(big), "run.sh": {Data: []byte("#!/bin/sh\n"), Mode: "100755"},
		"link": {Data: []byte("README.md"), Mode: "120000"}, "outside": {Data: []byte("/etc/hosts"), Mode: "120000"}, "model.bin": text(pointer),
		".gitmodules": text("[submodule \"lib\"]\n\tpath = lib\n\turl = https://github.example/octo/lib.git\n[submodule \"abroad\"]\n\tpath = abroad\n\turl = https://elsewhere.example/abroad.git\n"),
		"lib":         {Data: []byte("1234567890123456789012345678901234567890"), Mode: "160000"},
		"abroad":      {Data: []byte("1234567890123456789012345678901234567890"), Mode: "160000"},
		"lines.txt":   text("one\ntwo\nthree\nfour\n"),
	}
	for i, p := range hardPaths {
		files[p] = text(fmt.Sprintf("path %d\n", i))
	}
	commits := []githubfake.Commit{
		{Message: "Begin\n\nWith a body", Files: files},
		{Branch: "topic", From: "main", Message: "Say world", By: "hubot", Files: map[string]githubfake.File{"README.md": text("# Hello\n\nWorld\n"), "logo.png": {Gone: true}}},
	}
	for i, ref := range hardRefs {
		commits = append(commits, githubfake.Commit{Branch: ref, From: "main", Message: "On " + ref, Files: map[string]githubfake.File{"here.txt": text(fmt.Sprintf("ref %d\n", i))}})
	}
	return githubfake.Repository{
		Owner: "octo", Name: "hello", Description: "Says hello", Private: true, Former: []string{"octo/hi"}, Commits: commits,
		Tags: map[string]string{"v1.0": "0", "release/2": "topic"}, Notes: map[string]string{"release/2": "Second"},
		Labels:     []githubfake.Label{{Name: "bug", Color: "d73a4a", Description: "Wrong"}, {Name: "no description"}},
		Milestones: []string{"1.0"},
		Issues: []githubfake.Issue{
			{Title: "It breaks", Body: "At noon", Labels: []string{"bug", "no description"}, Milestone: 1, Comments: []githubfake.Comment{{By: "hubot", Body: "Me too"}, {By: githubfake.Ghost, Body: "I am gone"}}},
			{Title: "From nobody", By: githubfake.Ghost, Labels: []string{"no description"}},
			{Title: "Say world", Body: "Please", By: "hubot", Pull: &githubfake.Pull{
				Head: "topic", Base: "main", Reviews: []githubfake.Review{{By: "octocat", State: "APPROVED", Body: "Good"}},
				Remarks: []githubfake.Remark{{By: "octocat", Path: "README.md", Body: "Why?", Line: 3}},
			}},
			{Title: "Done", Closed: true, Body: "It was easy"},
		},
		Releases:  []githubfake.Release{{Tag: "v1.0", Name: "First", Body: "Notes of it"}},
		Workflows: []githubfake.Workflow{{Name: "CI", File: "ci.yml"}},
		Runs: []githubfake.Run{{Workflow: "CI", Branch: "topic", Conclusion: "failure", Jobs: []githubfake.Job{
			{Name: "test", Conclusion: "failure", Steps: []githubfake.Step{{Name: "Check out"}, {Name: "Test", Conclusion: "failure"}},
				Log: []byte("2025-01-01T00:00:00.0000000Z begin\n2025-01-01T00:00:00.5000000Z \x1b[31mFAIL\x1b[0m it is bad\n")},
			{Name: "expired", NoLog: true},
		}}},
		Checks: []githubfake.Check{{Branch: "topic", Name: "lint", Conclusion: "success"}, {Branch: "topic", Name: "slow"}, {Branch: "topic", Name: "ci/old", Status: "failure", Summary: "Broke"}},
	}
}
