package github

import (
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// prompts are conversations that a user may begin. A sentence about an operation
// that is not served is left out by mapping.
func (a *Adapter) prompts(rows []row) []mapping.Prompt {
	var args []mapping.PromptArg
	where := "{{owner}}/{{repo}}"
	if owner, repo, one := a.allow.only(); one {
		where = owner + "/" + repo
	} else {
		args = []mapping.PromptArg{{Name: "owner", Text: "The repository's owner.", Required: true}, {Name: "repo", Text: "The repository's name.", Required: true}}
	}
	with := func(name, text string) []mapping.PromptArg {
		return append(args[:len(args):len(args)], mapping.PromptArg{Name: name, Text: text, Required: true})
	}
	var list []mapping.Prompt
	if rowNamed(rows, "get_pull_diff") != nil {
		list = append(list, prompt("review_pull_request", "Review a pull request: what it does, what is wrong, what is missing.", with("number", "The pull request's number."),
			"Review pull request {{number}} of "+where+".",
			"Read what it is for with [[get_pull]].",
			"Read all of its changes with [[get_pull_diff]], page by page.",
			"Where a change cannot be judged by itself, read the file around it with [[get_file]] at the pull request's head_sha.",
			"See what others have said with [[list_pull_reviews]], and whether its checks pass with [[get_pull_checks]].",
			"Then tell me, most important first: faults, each with file and line and why it is one; what is not tested; what is unclear.",
			"Say so if you find nothing. Change nothing on GitHub.",
		))
	}
	if rowNamed(rows, "get_job_log") == nil {
		return list
	}
	run := []string{"Find out why the checks of pull request {{number}} of " + where + " fail.", "[[get_pull_checks]] tells which do."}
	which := with("number", "The number of the pull request whose checks fail.")
	if rowNamed(rows, "list_jobs") != nil {
		which = with("run_id", "The id of the run.")
		run = []string{"Find out why run {{run_id}} of GitHub Actions in " + where + " failed.", "[[get_run]] tells what ran, and [[list_jobs]] which job failed in which step."}
	}
	return append(list, prompt("explain_failed_run", "Find out why a run of GitHub Actions failed.", which, append(run,
		"Read the log of each job that failed with [[get_job_log]].",
		"If the cause is in the code, read it with [[get_file]] at the commit that ran.",
		"Then tell me the first error with its lines of the log, what caused it, and what would mend it.",
		"Say so if the log does not tell. Change nothing on GitHub.",
	)...))
}

func prompt(name, text string, args []mapping.PromptArg, sentences ...string) mapping.Prompt {
	return mapping.Prompt{Name: name, Text: text, Args: args, Messages: []mapping.PromptMessage{{Role: "user", Text: strings.Join(sentences, " ")}}}
}
