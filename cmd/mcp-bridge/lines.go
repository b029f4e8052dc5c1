package main

import (
	"errors"
	"os"
	"syscall"
	"time"
)

// pipePatience is how long a line waits for whoever reads a pipe.
const pipePatience = 100 * time.Millisecond

// A lineFile is a file that whole lines are added to. Only one goroutine may use
// it at a time.
type lineFile struct {
	*os.File
	torn bool // it ends in a part of a line
}

// openLines opens a file for adding to it. It never waits: opening a pipe without
// this flag waits for a reader, and no signal ends that.
func openLines(name string) (*lineFile, error) {
	file, err := os.OpenFile(name, os.O_APPEND|os.O_CREATE|os.O_WRONLY|syscall.O_NONBLOCK, 0o600)
	if errors.Is(err, syscall.ENXIO) {
		return nil, errors.New("this is a pipe that nobody reads")
	}
	if err != nil {
		return nil, reason(err)
	}
	return &lineFile{File: file}, nil
}

// add writes a line, given without its end. What a full disk has left of one does
// not spoil the next.
func (f *lineFile) add(line []byte) error {
	line = append(line, '\n')
	if f.torn {
		line = append([]byte{'\n'}, line...)
	}
	_ = f.SetWriteDeadline(time.Now().Add(pipePatience)) // only a pipe has one
	n, err := f.Write(line)
	if n > 0 {
		f.torn = line[n-1] != '\n'
	}
	return err
}
