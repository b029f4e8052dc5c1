// Package pgtest starts a throw-away PostgreSQL for tests, from the binaries of
// the machine.
package pgtest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"syscall"
	"testing"
)

// A Server is one PostgreSQL with a data folder of its own.
type Server struct {
	// Port on 127.0.0.1. The superuser "postgres" needs no password.
	Port int
	Dir  string

	bin  string
	cred *syscall.SysProcAttr
}

// Start starts a server that stops with the test. Without binaries the test is
// skipped, and fails where CI is set.
func Start(t testing.TB) *Server {
	t.Helper()
	bin := binaries()
	if bin == "" {
		lacking(t, "PostgreSQL's initdb and pg_ctl", "postgresql")
	}
	dir, err := os.MkdirTemp("", "pg")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	archive, err := cluster()
	if err != nil {
		t.Fatal(err)
	}
	as, err := owner()
	if err != nil {
		t.Fatal(err)
	}
	if as != nil {
		if err := os.Chown(dir, int(as.Uid), int(as.Gid)); err != nil {
			t.Fatal(err)
		}
	}
	s := &Server{Dir: dir, bin: bin, Port: freePort(t), cred: &syscall.SysProcAttr{Credential: as}}
	if err := unpack(archive, filepath.Join(dir, "data"), as); err != nil {
		t.Fatal(err)
	}
	s.Launch(t)
	t.Cleanup(func() { s.Stop(t, "immediate") })
	return s
}

// lacking ends a test that needs what Debian's package brings.
func lacking(t testing.TB, what, debian string) {
	t.Helper()
	text := what + " cannot be found on this machine: install Debian's package " + debian
	if os.Getenv("CI") != "" {
		t.Fatal(text + ", which CI needs")
	}
	t.Skip(text + " to run this test")
}

// Launch starts the server again after a Stop.
func (s *Server) Launch(t testing.TB) {
	t.Helper()
	options := fmt.Sprintf("-c listen_addresses=127.0.0.1 -p %d -c unix_socket_directories='' -c fsync=off -c max_connections=60", s.Port)
	s.run(t, "pg_ctl", "-D", filepath.Join(s.Dir, "data"), "-w", "-l", filepath.Join(s.Dir, "log"), "-o", options, "start")
}

// Stop ends the server; mode is pg_ctl's: smart, fast or immediate. Stopping a
// stopped server does nothing.
func (s *Server) Stop(t testing.TB, mode string) {
	t.Helper()
	if _, err := os.Stat(filepath.Join(s.Dir, "data", "postmaster.pid")); err != nil {
		return
	}
	s.run(t, "pg_ctl", "-D", filepath.Join(s.Dir, "data"), "-w", "-m", mode, "stop")
}

// DSN is a connection string for a role and a database.
func (s *Server) DSN(role, database string) string {
	return fmt.Sprintf("postgres://%s@127.0.0.1:%d/%s?sslmode=disable", role, s.Port, database)
}

func (s *Server) run(t testing.TB, name string, args ...string) {
	t.Helper()
	cmd := exec.CommandContext(context.Background(), filepath.Join(s.bin, name), args...)
	cmd.SysProcAttr, cmd.Dir = s.cred, s.Dir
	// Output goes to a file: the server inherits it, and a pipe would never end.
	log, err := os.CreateTemp(s.Dir, name)
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Run(); err != nil {
		text, _ := os.ReadFile(log.Name())
		t.Fatalf("%s: %v\n%s", name, err, text)
	}
}

func freePort(t testing.TB) int {
	var config net.ListenConfig
	l, err := config.Listen(context.Background(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	return l.Addr().(*net.TCPAddr).Port
}
