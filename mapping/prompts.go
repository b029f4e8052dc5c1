package mapping

import (
	"fmt"
	"maps"
	"regexp"
	"slices"
	"strings"
)

// prompt publishes the operator's prompts as they stand, and those of the sources
// under their names. A deny entry may
// drop one by its name; allow entries are about what reaches a backend, and a
// prompt is only words.
func (b *builder) prompt() {
	var claims []claim
	var prompts []*NamedPrompt
	for _, p := range b.rules.Prompts {
		claims = append(claims, claim{key: p.Name, own: p.Name, base: p.Name, fixed: true})
		asks := b.policy.asks(&subject{name: p.Name, key: p.Name, effect: Reads})
		if asks.limited && len(asks.grants) == 0 {
			b.decide(Decision{What: Noted, Why: fmt.Sprintf(`prompts.%s: nobody sees it, because no entry of rules.access covers it; an entry without sources does, such as {"allow": ["name:%s"]}`, p.Name, p.Name)})
		}
		prompts = append(prompts, &NamedPrompt{Prompt: p, asks: asks})
	}
	for _, src := range b.sources {
		seen := map[string]bool{}
		for i := range src.catalog.Prompts {
			p := &src.catalog.Prompts[i]
			why := unreadable(p, seen)
			subject := src.promptSubject(p)
			asks := src.policy.asks(subject)
			if why == "" && asks.limited && len(asks.grants) == 0 {
				why = "the access entries do not cover it, so no caller would see it"
			}
			if denied := first(src.policy.deny, subject); why == "" && denied != nil {
				why = fmt.Sprintf("%s denies %q", denied.place, denied.text)
			}
			if why != "" {
				b.decide(Decision{Source: src.name, Key: p.Name, What: Dropped, Why: "prompt: " + why})
				continue
			}
			seen[p.Name] = true
			claims = append(claims, newClaim(src.name, p.Name, p.Name, src.prefix, ""))
			prompts = append(prompts, &NamedPrompt{Source: src.name, Prompt: src.worded(p), asks: asks})
		}
	}
	settle(claims)
	for i, p := range prompts {
		p.Name = claims[i].name
		if d := claims[i].decision(""); d != nil {
			b.decide(*d)
		}
		b.surface.byPrompt[p.Name] = p
	}
	b.surface.prompts = prompts
}

func (s *source) promptSubject(p *Prompt) *subject {
	return &subject{name: s.prefix + snake(p.Name), key: p.Name, effect: Reads}
}

// unreadable says what is wrong with a prompt in itself.
func unreadable(p *Prompt, seen map[string]bool) string {
	if p.Name == "" {
		return "it has no name"
	}
	if seen[p.Name] {
		return "an earlier prompt of the catalog has the same name"
	}
	args := map[string]bool{}
	for _, arg := range p.Args {
		if arg.Name == "" || args[arg.Name] {
			return fmt.Sprintf("the name of its argument %q is empty or taken", arg.Name)
		}
		args[arg.Name] = true
	}
	for _, m := range p.Messages {
		if m.Role != "user" && m.Role != "assistant" {
			return fmt.Sprintf("the role %q of a message is neither user nor assistant", m.Role)
		}
	}
	return ""
}

// unknownPlaces are what the messages have a place for and the arguments do not.
func (p *Prompt) unknownPlaces() []string {
	known := map[string]bool{}
	for _, arg := range p.Args {
		known[arg.Name] = true
	}
	var unknown []string
	for _, m := range p.Messages {
		for _, place := range regexp.MustCompile(`{{([^{}]*)}}`).FindAllStringSubmatch(m.Text, -1) {
			if !known[place[1]] && !slices.Contains(unknown, place[1]) {
				unknown = append(unknown, place[1])
			}
		}
	}
	return unknown
}

// worded returns a copy of the prompt with published names in it.
func (s *source) worded(p *Prompt) Prompt {
	worded := *p
	worded.Text = s.words(p.Text)
	worded.Args = slices.Clone(p.Args)
	for i := range worded.Args {
		worded.Args[i].Text = s.words(worded.Args[i].Text)
	}
	worded.Messages = slices.Clone(p.Messages)
	for i := range worded.Messages {
		m := &worded.Messages[i]
		m.Text = s.words(m.Text)
		if m.Block != nil {
			block := *m.Block
			block.Text = s.words(block.Text)
			m.Block = &block
		}
	}
	return worded
}

// Prompt returns the prompt of this name, nil if there is none.
func (s *Surface) Prompt(name string) *NamedPrompt { return s.byPrompt[name] }

// Render fills the arguments into the prompt's messages: into their text, and
// into the text and the URI of their blocks. An optional argument that is absent
// leaves its place empty. The error is a *Error with code Invalid that names
// every missing and unknown argument.
func (p *NamedPrompt) Render(args map[string]string) ([]PromptMessage, error) {
	if err := p.check(args); err != nil {
		return nil, err
	}
	pairs := make([]string, 0, 2*len(p.Prompt.Args))
	for _, arg := range p.Prompt.Args {
		pairs = append(pairs, "{{"+arg.Name+"}}", args[arg.Name])
	}
	// One pass, so that a value which looks like a placeholder stays a value.
	fill := strings.NewReplacer(pairs...)
	messages := slices.Clone(p.Prompt.Messages)
	for i := range messages {
		m := &messages[i]
		m.Text = fill.Replace(m.Text)
		if m.Block != nil {
			block := *m.Block
			block.Text, block.URI = fill.Replace(block.Text), fill.Replace(block.URI)
			m.Block = &block
		}
	}
	return messages, nil
}

func (p *NamedPrompt) check(args map[string]string) error {
	var problems, names []string
	known := map[string]bool{}
	for _, arg := range p.Prompt.Args {
		known[arg.Name] = true
		names = append(names, arg.Name)
		if _, given := args[arg.Name]; arg.Required && !given {
			problems = append(problems, fmt.Sprintf("the argument %s is missing", arg.Name))
		}
	}
	for _, name := range slices.Sorted(maps.Keys(args)) {
		if !known[name] {
			problems = append(problems, fmt.Sprintf("there is no argument %q", name))
		}
	}
	if problems == nil {
		return nil
	}
	allowed := fmt.Sprintf("%s takes %s", p.Name, strings.Join(names, ", "))
	if names == nil {
		allowed = p.Name + " takes no arguments"
	}
	return &Error{Code: Invalid, Problem: strings.Join(problems, "; "), Allowed: allowed}
}
