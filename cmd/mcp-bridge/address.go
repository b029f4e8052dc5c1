package main

import (
	"fmt"
	"net"
	"strconv"
	"strings"
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
		return fmt.Errorf("%q is not an address such as 127.0.0.1:8808 or :8808", word)
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
			if _, ok := parseAddress(args[i+1]); ok {
				i++
				word += "=" + args[i]
			}
		}
		joined = append(joined, word)
	}
	return joined
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
