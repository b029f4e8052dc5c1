package main

import (
	"fmt"
	"net"
	"strconv"
	"strings"

	"github.com/alecthomas/kong"
)

// defaultListen is the address of a --http without one.
const defaultListen = "127.0.0.1:8808"

// A listenFlag is --http [ADDR]: the word after it is its address if it looks
// like one, so that a SOURCE may follow a bare --http.
type listenFlag struct {
	given   bool
	address string // "" is the default
}

// Decode takes the address off the command line, if one is there.
func (l *listenFlag) Decode(ctx *kong.DecodeContext) error {
	l.given = true
	next := ctx.Scan.Peek()
	word, _ := next.Value.(string)
	address, ok := parseAddress(word)
	if !ok && next.Type == kong.FlagValueToken {
		return fmt.Errorf("%q is not an address such as 127.0.0.1:8808 or :8808", word)
	}
	if ok && next.IsValue() {
		l.address = address
		ctx.Scan.Pop()
	}
	return nil
}

// parseAddress reads HOST:PORT, :PORT, or PORT on the loopback interface.
func parseAddress(word string) (address string, ok bool) {
	if isPort(word) {
		return net.JoinHostPort("127.0.0.1", word), true
	}
	host, port, err := net.SplitHostPort(word)
	if err != nil || !isPort(port) || strings.Contains(host, "/") {
		return "", false
	}
	return word, true
}

func isPort(s string) bool {
	n, err := strconv.ParseUint(s, 10, 16)
	return err == nil && s == strconv.FormatUint(n, 10)
}

// isLoopback reports whether only this machine reaches the address.
func isLoopback(address string) bool {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return false
	}
	ip := net.ParseIP(host)
	return host == "localhost" || ip != nil && ip.IsLoopback()
}
