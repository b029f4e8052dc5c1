package sql

import "github.com/mcp-bridge/mcp-bridge/mapping"

func prompts() []mapping.Prompt {
	return []mapping.Prompt{{
		Name: "explore_database",
		Text: "Get to know the database and answer a question from it.",
		Args: []mapping.PromptArg{{Name: "question", Text: "What you want to know.", Required: true}},
		Messages: []mapping.PromptMessage{{Role: "user", Text: `Answer this question from the database: {{question}}

First find out which tables matter and how they refer to each other; the resource of a table, or its description, tells its columns. Then look at a few rows of each before you rely on what a column means. Count before you list. Say which tables and conditions the answer rests on, and what you could not find.`}},
	}}
}
