package main

import (
	"context"
	"errors"
	"fmt"
	"net"
	"strconv"
	"strings"
	"syscall"
)

// defaultListen is the address of a --http without one.
const defaultListen = "127.0.0.1:8808"

// A listenFlag is --http [ADDR].
type listenFlag struct {
	given   bool
	address string // "" is the default
}

// usual is the value of a --http without an address.
const usual = "the usual address"

// Set implements [pflag.Value].
func (l *listenFlag) Set(word string) error {
	l.given, l.address = true, ""
	if word == usual {
		return nil
	}
	address, ok := parseAddress(word)
	if !ok {
		return fmt.Errorf("%q is not an address; write HOST:PORT such as 127.0.0.1:8808, or only the port: 8808", word)
	}
	l.address = address
	return nil
}

func (l *listenFlag) String() string { return l.address }

// Type implements [pflag.Value].
func (l *listenFlag) Type() string { return "ADDR" }

// withAddress lets the word after --http be its address if it looks like one, so
// that a SOURCE may follow a bare --http.
func withAddress(args []string) []string {
	var joined []string
	for i := 0; i < len(args); i++ {
		word := args[i]
		if word == "--" {
			return append(joined, args[i:]...)
		}
		if word == "--http" && i+1 < len(args) {
			if meansAddress(args[i+1]) {
				i++
				word += "=" + args[i]
			}
		}
		joined = append(joined, word)
	}
	return joined
}

// meansAddress reports whether a word is an address, or was meant to be one.
func meansAddress(word string) bool {
	_, ok := parseAddress(word)
	host, port, err := net.SplitHostPort(word)
	return ok || word == "localhost" || net.ParseIP(word) != nil || err == nil && port != "" && (host == "localhost" || net.ParseIP(host) != nil) ||
		strings.HasPrefix(word, "http://localhost") || strings.HasPrefix(word, "http://127.0.0.1")
}

// listenAt opens an address. The error says what to do.
func listenAt(ctx context.Context, address string) (net.Listener, error) {
	l, err := new(net.ListenConfig).Listen(ctx, "tcp", address)
	switch {
	case errors.Is(err, syscall.EADDRINUSE):
		return nil, fmt.Errorf("%s is in use, perhaps by another mcp-bridge: stop that, or choose another port", address)
	case errors.Is(err, syscall.EADDRNOTAVAIL):
		return nil, fmt.Errorf("%s is not an address of this machine: listen on one that is, such as 127.0.0.1", address)
	case errors.Is(err, syscall.EACCES):
		return nil, fmt.Errorf("%s needs more rights than this user has: choose a port from 1024", address)
	}
	return l, err
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
