package main

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"fmt"
)

type tokenCommand struct{ bare }

// Run makes a bearer token. The token is for its holder alone, the digest is for
// the config file.
func (tokenCommand) Run(_ context.Context, p *process) error {
	token := "mcp_" + rand.Text()
	_, err := fmt.Fprintf(p.out, "token   %s\nsha256  %x\n", token, sha256.Sum256([]byte(token)))
	return err
}
