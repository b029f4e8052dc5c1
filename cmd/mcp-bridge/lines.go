package main

import (
	"errors"
	"fmt"
	"log/slog"
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
	mode os.FileMode
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
	info, err := file.Stat()
	if err != nil {
		return nil, errors.Join(reason(err), file.Close())
	}
	return &lineFile{File: file, mode: info.Mode()}, nil
}

// warn says that others on this machine can read a file which was there before. Its
// mode stays: who collects logs may need it.
func (f *lineFile) warn(log *slog.Logger) {
	if f.mode.IsRegular() && f.mode.Perm()&0o077 != 0 {
		log.Warn("others on this machine can read this file; chmod 600 keeps it to one user", "file", f.Name(), "mode", fmt.Sprintf("%04o", f.mode.Perm()))
	}
}

// settle waits until what has been added is on the disk. A pipe or a device has
// none.
func (f *lineFile) settle() error {
	if !f.mode.IsRegular() {
		return nil
	}
	return f.Sync()
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
