package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/spf13/pflag"
)

// A command is what one word of the command line does.
type command interface {
	// flags adds what the command takes to f.
	flags(f *pflag.FlagSet)
	// take takes the arguments that are no flags.
	take(args []string) error
	Run(ctx context.Context, p *process) error
}

// A verb is a command with what the help says of it.
type verb struct {
	name, args, what string
	command
}

func verbs() []verb {
	return []verb{
		{"serve", "[SOURCE...]", "Serve backends over MCP, on stdio or over HTTP.", &serveCommand{}},
		{"inspect", "[SOURCE...]", "Show what a model would see, and why.", &inspectCommand{}},
		{"call", "TOOL [SOURCE...]", "Call one tool and print its answer.", &callCommand{}},
		{"read", "URI [SOURCE...]", "Read one resource and print it.", &readCommand{}},
		{"check", "[SOURCE...]", "Load everything and say what is wrong.", &checkCommand{}},
		{"schema", "", "Print the JSON Schema of the config file.", &schemaCommand{}},
		{"token", "", "Make a bearer token for the config file.", &tokenCommand{}},
		{"version", "", "Print the version.", &versionCommand{}},
	}
}

// errHelp says that help was asked for and has been given.
var errHelp = errors.New("help was given")

// parse returns the command that the arguments ask for. Help goes to out.
func parse(args []string, out io.Writer) (command, error) {
	if len(args) == 0 {
		return nil, errors.New("a command is missing")
	}
	switch args[0] {
	case "--help", "-h", "help":
		if len(args) > 1 && args[0] == "help" {
			return parse([]string{args[1], "--help"}, out)
		}
		return nil, help(out)
	case "--version", "-v", "-V":
		args = []string{"version"}
	}
	var names []string
	for _, v := range verbs() {
		if v.name == args[0] {
			return v.parse(args[1:], out)
		}
		names = append(names, v.name)
	}
	hint := meant("", args[0], names)
	if looksLikeSource(args[0]) {
		hint = "; did you mean serve " + args[0] + "?"
	}
	return nil, fmt.Errorf("there is no command %q%s", args[0], hint)
}

// parse reads what stands behind the verb.
func (v verb) parse(args []string, out io.Writer) (command, error) {
	f := pflag.NewFlagSet(v.name, pflag.ContinueOnError)
	f.SetOutput(io.Discard)
	f.SortFlags = false
	f.Usage = func() {}
	v.flags(f)
	err := f.Parse(withAddress(args))
	var unknown *pflag.NotExistError
	switch {
	case errors.Is(err, pflag.ErrHelp):
		return nil, v.help(out, f)
	case errors.As(err, &unknown):
		return nil, v.unknownFlag(unknown, f)
	case err != nil:
		return nil, err
	}
	return v.command, v.take(f.Args())
}

// unknownFlag says which flag was perhaps meant by one that the command does not
// have.
func (v verb) unknownFlag(unknown *pflag.NotExistError, f *pflag.FlagSet) error {
	name, dashes := unknown.GetSpecifiedName(), "--"
	if short := unknown.GetSpecifiedShortnames(); short != "" { // -config is taken for -c onfig
		name, dashes = short, "-"
	}
	known := namesOf(f)
	hint := meant("--", name, known)
	switch name {
	case "stdio":
		hint = "; without --http it serves on standard input and output"
	case "port", "host", "listen", "address", "addr", "transport", "sse":
		if f.Lookup("http") != nil {
			hint = "; --http ADDR serves over HTTP"
		}
	}
	if hint == "" && len(known) > 0 {
		hint = "; its flags are --" + strings.Join(known, ", --")
	}
	return fmt.Errorf("%s has no flag %s%s%s", v.name, dashes, name, hint)
}

func namesOf(f *pflag.FlagSet) []string {
	var names []string
	f.VisitAll(func(flag *pflag.Flag) { names = append(names, flag.Name) })
	return names
}

// meant proposes the name that was likeliest meant, if one is near.
func meant(dashes, word string, names []string) string {
	if near := mapping.Nearest(word, names, 1); near != nil {
		return fmt.Sprintf("; did you mean %s%s?", dashes, near[0])
	}
	return ""
}

// help says which commands there are.
func help(out io.Writer) error {
	var b strings.Builder
	b.WriteString("Usage: mcp-bridge COMMAND [flags]\n\nPuts existing backends in front of a model over MCP.\n\nCommands:\n")
	for _, v := range verbs() {
		fmt.Fprintf(&b, "  %-26s%s\n", strings.TrimSpace(v.name+" "+v.args), v.what)
	}
	b.WriteString("\nmcp-bridge COMMAND --help says what a command takes.\n")
	return written(out, b.String())
}

// help says what the command takes.
func (v verb) help(out io.Writer, f *pflag.FlagSet) error {
	var b strings.Builder
	line := v.name + " " + v.args
	if f.HasFlags() {
		line += " [flags]"
	}
	fmt.Fprintf(&b, "Usage: mcp-bridge %s\n\n%s\n", strings.Join(strings.Fields(line), " "), v.what)
	if strings.Contains(v.args, "SOURCE") {
		b.WriteString("\n" + sourceHelp + "\n")
	}
	lead := "\nFlags:\n"
	f.VisitAll(func(flag *pflag.Flag) {
		b.WriteString(lead + usage(flag))
		lead = ""
	})
	return written(out, b.String())
}

// usage is the line of a flag.
func usage(flag *pflag.Flag) string {
	value, text := pflag.UnquoteUsage(flag)
	switch {
	case flag.Value.Type() == "bool":
		value = ""
	case flag.NoOptDefVal != "":
		value = "[" + value + "]"
	}
	short := "   "
	if flag.Shorthand != "" {
		short = "-" + flag.Shorthand + ","
	}
	return fmt.Sprintf("  %s %-20s%s\n", short, strings.TrimSpace("--"+flag.Name+" "+value), text)
}

func written(out io.Writer, text string) error {
	if _, err := io.WriteString(out, text); err != nil {
		return err
	}
	return errHelp
}

// bare are the flags and arguments of a command that has none.
type bare struct{}

func (bare) flags(*pflag.FlagSet) {}

func (bare) take(args []string) error { return unexpected(args) }

func unexpected(args []string) error {
	if len(args) > 0 {
		return fmt.Errorf("unexpected argument %s", args[0])
	}
	return nil
}
