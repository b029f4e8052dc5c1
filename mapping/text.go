package mapping

import (
	"fmt"
	"maps"
	"slices"
	"strings"
)

// Text returns the surface as text for a reader: each source with its tools,
// resources, templates and prompts, and why it differs from its catalog. Equal
// surfaces give equal texts.
func (s *Surface) Text() string {
	w := &textWriter{}
	for _, name := range slices.Sorted(maps.Keys(s.sources)) {
		w.source(s, name)
	}
	if own := inSource(s.prompts, "", func(p *NamedPrompt) string { return p.Source }); len(own) > 0 {
		w.line("%s of the operator", Counted(len(own), "prompt"))
		for _, p := range own {
			w.prompt(p)
		}
		w.line("")
	}
	w.decisions(s.decisions, "")
	return w.b.String()
}

type textWriter struct{ b strings.Builder }

func (w *textWriter) line(format string, args ...any) {
	// Names and keys are a document's, and the reader may be a terminal.
	w.b.WriteString(strings.TrimRight(Visible(fmt.Sprintf(format, args...)), " "))
	w.b.WriteByte('\n')
}

func (w *textWriter) source(s *Surface, name string) {
	tools := inSource(s.all, name, func(t *Tool) string { return t.Source })
	addresses := inSource(s.addresses, name, func(a *Address) string { return a.Source })
	prompts := inSource(s.prompts, name, func(p *NamedPrompt) string { return p.Source })
	listed := len(inSource(s.tools, name, func(t *Tool) string { return t.Source }))
	off := ""
	if hidden := len(tools) - listed; hidden > 0 {
		off = " and " + Counted(hidden, "hidden one")
	}
	w.line("source %s: %s%s, %s, %s", name,
		Counted(listed, "tool"), off, Counted(len(addresses), "resource"), Counted(len(prompts), "prompt"))
	for _, t := range tools {
		w.tool(t)
	}
	if len(addresses) > 0 {
		w.line("")
	}
	for _, a := range addresses {
		w.address(a)
	}
	for _, p := range prompts {
		w.prompt(p)
	}
	w.decisions(s.decisions, name)
	w.line("")
}

func inSource[T any](all []T, name string, sourceOf func(T) string) []T {
	return slices.DeleteFunc(slices.Clone(all), func(v T) bool { return sourceOf(v) != name })
}

func (w *textWriter) tool(t *Tool) {
	w.line("\ntool %s  %s  %s", t.Name, t.traits(), t.Key)
	opening := t.Description
	if n := openingLength(opening); n < len(opening) {
		opening = opening[:n]
	}
	w.line("  %s", oneLine(opening))
	for _, arg := range t.arguments() {
		w.line("  - %s", arg)
	}
}

// traits are the hints and demands in words.
func (t *Tool) traits() string {
	var words []string
	switch {
	case t.Hints.ReadOnly:
		words = append(words, "read-only")
	case t.Hints.Destructive:
		words = append(words, "destructive")
	default:
		words = append(words, "writes")
	}
	if t.Hints.Idempotent && !t.Hints.ReadOnly {
		words = append(words, "idempotent")
	}
	if t.Hints.OpenWorld {
		words = append(words, "open-world")
	}
	if t.Confirm {
		words = append(words, "confirm")
	}
	if len(t.Scopes) > 0 {
		words = append(words, "scopes "+strings.Join(t.Scopes, "+"))
	}
	if t.asks.limited {
		words = append(words, t.asks.places())
	}
	if t.Hidden {
		words = append(words, "hidden")
	}
	if t.Output != nil {
		words = append(words, "output schema")
	}
	return strings.Join(words, ", ")
}

// arguments says each argument in one line, in the order of the schema.
func (t *Tool) arguments() []string {
	schema, err := parseJSON(t.Input)
	root, ok := schema.(*object)
	if err != nil || !ok {
		return nil
	}
	properties, ok := root.get("properties").(*object)
	if !ok {
		return nil
	}
	required, _ := root.get("required").([]any)
	lines := make([]string, len(properties.members))
	for i, m := range properties.members {
		lines[i] = m.key + argument(m.value, slices.Contains(required, any(m.key)))
	}
	return lines
}

// argument says in a line what one property takes.
func argument(schema any, required bool) string {
	o, ok := schema.(*object)
	if !ok {
		o = &object{}
	}
	var b strings.Builder
	if word := typeWord(o); word != "" {
		b.WriteString("  " + word)
	}
	if required {
		b.WriteString(", required")
	}
	if values, ok := o.get("enum").([]any); ok {
		b.WriteString(", one of ")
		b.Write(appendJSON(nil, values))
	}
	if text, ok := o.get("description").(string); ok && text != "" {
		b.WriteString("  " + oneLine(text[:sentenceEnd(text)]))
	}
	return b.String()
}

func typeWord(o *object) string {
	switch t := o.get("type").(type) {
	case string:
		return t
	case []any:
		var words []string
		for _, word := range t {
			words = append(words, fmt.Sprint(word))
		}
		return strings.Join(words, " or ")
	}
	ref, _ := o.get("$ref").(string)
	return strings.TrimPrefix(ref, "#/$defs/")
}

func oneLine(text string) string { return strings.Join(strings.Fields(text), " ") }

func (w *textWriter) address(a *Address) {
	kind := "resource"
	if a.Template {
		kind = "template"
	}
	line := kind + " " + a.URI
	if a.MIME != "" {
		line += "  " + a.MIME
	}
	if a.Tool != nil {
		line += "  as " + a.Tool.Name
	}
	w.line("%s", line)
}

func (w *textWriter) prompt(p *NamedPrompt) {
	var args []string
	for _, arg := range p.Prompt.Args {
		if arg.Required {
			args = append(args, arg.Name)
		} else {
			args = append(args, "["+arg.Name+"]")
		}
	}
	w.line("\nprompt %s(%s)  %s", p.Name, strings.Join(args, ", "), p.Prompt.Text)
	for _, m := range p.Prompt.Messages {
		if m.Block != nil {
			w.line("  %s: %s block", m.Role, m.Block.Kind)
			continue
		}
		w.line("  %s: %s", m.Role, oneLine(m.Text))
	}
}

func (w *textWriter) decisions(all []Decision, source string) {
	first := source != ""
	for _, d := range all {
		if d.Source != source {
			continue
		}
		if first {
			w.line("")
			first = false
		}
		line := d.What
		if d.Key != "" {
			line += " " + d.Key
		}
		line += ": " + d.Why
		if d.Where != "" {
			line += " (" + d.Where + ")"
		}
		w.line("%s", line)
	}
}

// openingLength is how much of a description its first two sentences take.
func openingLength(text string) int {
	end := sentenceEnd(text)
	rest := strings.TrimLeft(text[end:], " ")
	if strings.HasPrefix(rest, "Do not ") {
		end = len(text) - len(rest) + sentenceEnd(rest)
	}
	return end
}
