package main

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/internal/strictjson"
	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/spf13/pflag"
)

// maxArgs bounds --args -: a tool's arguments are far smaller.
const maxArgs = 16 << 20

type callCommand struct {
	Tool string
	backendFlags
	Args string
	Yes  bool
	JSON bool
}

func (cmd *callCommand) flags(f *pflag.FlagSet) {
	cmd.backendFlags.flags(f)
	f.StringVar(&cmd.Args, "args", "{}", "arguments as a `JSON` object; - reads them from standard input")
	f.BoolVar(&cmd.Yes, "yes", false, "confirm the call where the rules ask for it")
	f.BoolVar(&cmd.JSON, "json", false, "print the whole result as a client gets it")
}

func (cmd *callCommand) take(args []string) error {
	if len(args) == 0 {
		return errors.New("the name of a TOOL is missing; inspect shows them")
	}
	cmd.Tool = args[0]
	if looksLikeSource(cmd.Tool) {
		return fmt.Errorf("%q cannot be the name of a tool: the TOOL stands first, and sources behind it", cmd.Tool)
	}
	if i := slices.IndexFunc(args, func(arg string) bool { return strings.HasPrefix(arg, "{") }); i > 0 {
		return errors.New("arguments of the tool are given with --args, as one JSON object")
	}
	return cmd.backendFlags.take(args[1:])
}

// Run calls the tool and prints its answer; an answer that is an error fails.
func (cmd *callCommand) Run(ctx context.Context, p *process) error {
	if cmd.Args == "-" && cmd.useInput() {
		return errors.New("standard input cannot carry both a document and arguments: save one of them to a file")
	}
	args, err := cmd.arguments(p)
	if err != nil {
		return err
	}
	b, failed := cmd.loaded(ctx, p)
	if b == nil {
		return failed
	}
	defer b.Close()
	p.warn(failed)
	tool := b.Surface().Tool(cmd.Tool)
	if why := b.Surface().ToolUnseen(cmd.Tool, mapping.Caller{}); why != "" {
		return unseen(cmd.Tool, why, tool != nil)
	}
	if tool == nil {
		return unknownTool(cmd.Tool, b.Surface())
	}
	if err := cmd.confirm(p, tool, args); err != nil {
		return err
	}
	result, err := b.CallTool(ctx, cmd.Tool, args)
	if err != nil {
		return err
	}
	if cmd.JSON {
		err = p.printJSON(result)
	} else {
		err = printContent(p.out, result.Content)
	}
	if err == nil && result.IsError {
		return errShown
	}
	return err
}

// arguments returns --args, which must be one JSON object.
func (cmd *callCommand) arguments(p *process) (json.RawMessage, error) {
	text := []byte(cmd.Args)
	if cmd.Args == "-" {
		var err error
		if text, err = io.ReadAll(io.LimitReader(p.in, maxArgs+1)); err != nil {
			return nil, fmt.Errorf("--args -: %w", err)
		}
		if len(text) > maxArgs {
			return nil, fmt.Errorf("--args - has more than %d bytes", maxArgs)
		}
	}
	v, err := strictjson.Parse("--args", text)
	if err != nil {
		return nil, err
	}
	return text, v.Decode(&map[string]*strictjson.Value{})
}

// confirm asks the user where the rules want it: by --yes, or on a terminal.
func (cmd *callCommand) confirm(p *process, tool *mapping.Tool, args json.RawMessage) error {
	if !tool.Confirm || cmd.Yes {
		return nil
	}
	if cmd.Args == "-" || !p.terminal {
		return fmt.Errorf("%s asks to be confirmed before each call: run this on a terminal, or say --yes", tool.Name)
	}
	fmt.Fprintf(p.err, "Run %s (effect: %s) with %s? [y/N] ", tool.Name, tool.Effect, args)
	answer, err := bufio.NewReader(p.in).ReadString('\n')
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	switch strings.ToLower(strings.TrimSpace(answer)) {
	case "y", "yes":
		return nil
	}
	return errors.New("not called")
}

// unseen says why there is nothing for whoever uses this program, who has no token.
func unseen(what, why string, toSome bool) error {
	if toSome {
		return fmt.Errorf("%s is hidden from callers without a token, as you are here: %s; change that rule to use it from here", what, why)
	}
	return fmt.Errorf("%s is left out: %s; change that rule to use it", what, why)
}

func unknownTool(name string, s *mapping.Surface) error {
	var names []string
	for _, t := range s.Tools() {
		names = append(names, t.Name)
	}
	if near := mapping.Nearest(name, names, 3); near != nil {
		return fmt.Errorf("there is no tool %q; did you mean %s?", name, strings.Join(near, ", or "))
	}
	return fmt.Errorf("there is no tool %q; mcp-bridge inspect lists those that there are (%d)", name, len(names))
}
