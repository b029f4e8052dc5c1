package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"

	"github.com/mcp-bridge/mcp-bridge/mapping"
	"github.com/modelcontextprotocol/go-sdk/mcp"
	"github.com/spf13/pflag"
)

type readCommand struct {
	URI string
	backendFlags
	JSON bool
}

func (cmd *readCommand) flags(f *pflag.FlagSet) {
	cmd.backendFlags.flags(f)
	f.BoolVar(&cmd.JSON, "json", false, "print the whole result as a client gets it")
}

func (cmd *readCommand) take(args []string) error {
	if len(args) == 0 {
		return errors.New("the URI of a resource is missing; inspect shows them")
	}
	cmd.URI = args[0]
	if !isURL(cmd.URI) {
		return fmt.Errorf("%q is not the URI of a resource, such as api://pets/pets/3: the URI stands first, and sources behind it", cmd.URI)
	}
	return cmd.backendFlags.take(args[1:])
}

// Run reads the resource and prints it.
func (cmd *readCommand) Run(ctx context.Context, p *process) error {
	b, failed := cmd.loaded(ctx, p)
	if b == nil {
		return failed
	}
	defer b.Close()
	p.warn(failed)
	if why := b.Surface().ResourceUnseen(cmd.URI, mapping.Caller{}); why != "" {
		target, _ := b.Surface().Resolve(cmd.URI)
		return unseen(cmd.URI, why, target != nil)
	}
	result, err := b.ReadResource(ctx, cmd.URI)
	if err != nil {
		return nearResource(cmd.URI, b.Surface(), err)
	}
	if cmd.JSON {
		return p.printJSON(result)
	}
	for _, c := range result.Contents {
		if err := printResource(p.out, c); err != nil {
			return err
		}
	}
	return nil
}

// nearResource adds to an error the resources that were perhaps meant by a URI to
// which none belongs.
func nearResource(uri string, s *mapping.Surface, err error) error {
	if target, _ := s.Resolve(uri); target != nil {
		return err
	}
	var known []string
	for _, a := range s.Addresses() {
		path, _, _ := strings.Cut(a.URI, "{?")
		known = append(known, path)
	}
	if near := mapping.Nearest(uri, known, 3); near != nil {
		return fmt.Errorf("there is no resource %q; did you mean %s?", uri, strings.Join(near, ", or "))
	}
	return err
}

// printContent writes the blocks of an answer for a person: JSON indented, other
// text as it stands, and a note in the place of what is no text.
func printContent(w io.Writer, blocks []mcp.Content) error {
	for _, block := range blocks {
		var err error
		switch c := block.(type) {
		case *mcp.TextContent:
			err = printText(w, c.Text)
		case *mcp.ImageContent:
			err = printNote(w, c.MIMEType, len(c.Data))
		case *mcp.AudioContent:
			err = printNote(w, c.MIMEType, len(c.Data))
		case *mcp.ResourceLink:
			_, err = fmt.Fprintf(w, "[%s: %s]\n", c.Name, c.URI)
		case *mcp.EmbeddedResource:
			err = printResource(w, c.Resource)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

func printResource(w io.Writer, c *mcp.ResourceContents) error {
	if c.Blob != nil {
		return printNote(w, c.MIMEType, len(c.Blob))
	}
	return printText(w, c.Text)
}

func printText(w io.Writer, text string) error {
	_, err := fmt.Fprintf(w, "%s\n", indented([]byte(text)))
	return err
}

func printNote(w io.Writer, mime string, size int) error {
	_, err := fmt.Fprintf(w, "[%s, %d bytes; --json prints them as base64]\n", mime, size)
	return err
}
