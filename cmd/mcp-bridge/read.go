package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"

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
	result, err := b.ReadResource(ctx, cmd.URI)
	if err != nil {
		return err
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
	var indented bytes.Buffer
	if json.Indent(&indented, []byte(text), "", "  ") == nil {
		text = indented.String()
	}
	_, err := fmt.Fprintln(w, text)
	return err
}

func printNote(w io.Writer, mime string, size int) error {
	_, err := fmt.Fprintf(w, "[%s, %d bytes; --json prints them as base64]\n", mime, size)
	return err
}
