package main

import (
	"crypto/hmac"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"strings"
)

// A stateKey seals what a tool wants to be told again: the client carries it,
// so it may come back changed.
type stateKey []byte

// newStateKey makes a key for the life of the process.
func newStateKey() stateKey {
	key := make(stateKey, sha256.Size)
	rand.Read(key) // never fails
	return key
}

// seal writes a text so that open can tell whether it was changed or belongs to
// another tool.
func (k stateKey) seal(tool, text string) string {
	enc := base64.RawURLEncoding
	return enc.EncodeToString([]byte(text)) + "." + enc.EncodeToString(k.sum(tool, text))
}

// open returns the sealed text.
func (k stateKey) open(tool, state string) (string, bool) {
	enc := base64.RawURLEncoding
	head, tail, _ := strings.Cut(state, ".")
	text, err := enc.DecodeString(head)
	if err != nil {
		return "", false
	}
	sum, err := enc.DecodeString(tail)
	if err != nil || !hmac.Equal(sum, k.sum(tool, string(text))) {
		return "", false
	}
	return string(text), true
}

func (k stateKey) sum(tool, text string) []byte {
	mac := hmac.New(sha256.New, k)
	mac.Write([]byte(tool + "\x00" + text))
	return mac.Sum(nil)
}
