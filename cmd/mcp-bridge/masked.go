package main

import (
	"io"
	"sync"
)

// A masked writer hides the secrets of configs in what is written through it. Each
// Write must hold whole lines.
type masked struct {
	w io.Writer

	mu   sync.Mutex
	mask *mask
}

func newMasked(w io.Writer, c *config) *masked { return &masked{w: w, mask: newMask(c.hidden())} }

// hide hides what another config says as well.
func (m *masked) hide(c *config) {
	if c == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.mask = m.mask.and(c.hidden())
}

func (m *masked) Write(line []byte) (int, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if _, err := io.WriteString(m.w, m.mask.text(string(line))); err != nil {
		return 0, err
	}
	return len(line), nil
}
