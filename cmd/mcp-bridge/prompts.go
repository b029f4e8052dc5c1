package main

import (
	"cmp"

	"github.com/mcp-bridge/mcp-bridge/mapping"
)

// A promptConfig is one prompt of the config file.
type promptConfig struct {
	Description string           `json:"description,omitempty" jsonschema:"What the prompt is for, as a user reads it."`
	Arguments   []argumentConfig `json:"arguments,omitempty" jsonschema:"What the user fills in, in this order."`
	Messages    []messageConfig  `json:"messages" jsonschema:"The messages that the prompt becomes. {{NAME}} is replaced by the argument of that name; one that is not given leaves its place empty."`
}

type argumentConfig struct {
	Name        string `json:"name" jsonschema:"The name, as it stands between braces in the messages."`
	Description string `json:"description,omitempty" jsonschema:"What to fill in."`
	Required    bool   `json:"required,omitempty" jsonschema:"Refuse the prompt without it."`
}

type messageConfig struct {
	Role role   `json:"role,omitempty" jsonschema:"Who says it. Default: user."`
	Text string `json:"text" jsonschema:"What is said."`
}

// prompts returns what mapping has to know, by name.
func (c *config) prompts() []mapping.Prompt {
	var prompts []mapping.Prompt
	for _, name := range sorted(c.Prompts) {
		from := c.Prompts[name]
		p := mapping.Prompt{Name: name, Text: from.Description}
		for _, a := range from.Arguments {
			p.Args = append(p.Args, mapping.PromptArg{Name: a.Name, Text: a.Description, Required: a.Required})
		}
		for _, m := range from.Messages {
			p.Messages = append(p.Messages, mapping.PromptMessage{Role: string(cmp.Or(m.Role, "user")), Text: m.Text})
		}
		prompts = append(prompts, p)
	}
	return prompts
}
