// Package mytest starts a throw-away MariaDB for tests, from the binaries of the
// machine.
package mytest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"testing"
	"time"
)

// A Server is one MariaDB with a data folder of its own.
type Server struct {
	// Port on 127.0.0.1. The user "root" needs no password.
	Port int
	Dir  string

	daemon string
	owner  *user.User
	cmd    *exec.Cmd
}

// Start starts a server that stops with the test. Without binaries the test is
// skipped, and fails where CI is set.
func Start(t testing.TB) *Server {
	t.Helper()
	daemon, _ := exec.LookPath("mariadbd")
	install, _ := exec.LookPath("mariadb-install-db")
	if daemon == "" || install == "" {
		if os.Getenv("CI") != "" {
			t.Fatal("mariadbd is not on this machine, and CI needs it: install Debian's package mariadb-server")
		}
		t.Skip("mariadbd is not on this machine: install Debian's package mariadb-server to run this test")
	}
	dir, err := os.MkdirTemp("", "my")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	s := &Server{Dir: dir, Port: freePort(t), daemon: daemon}
	args := []string{"--no-defaults", "--datadir=" + filepath.Join(dir, "data"), "--auth-root-authentication-method=normal", "--skip-test-db"}
	if s.owner = unprivileged(t, dir); s.owner != nil {
		args = append(args, "--user="+s.owner.Username)
	}
	if out, err := exec.CommandContext(t.Context(), install, args...).CombinedOutput(); err != nil {
		t.Fatalf("mariadb-install-db: %v\n%s", err, out)
	}
	s.Launch(t)
	t.Cleanup(s.Kill)
	return s
}

// Launch starts the server again after a Kill.
func (s *Server) Launch(t testing.TB) {
	t.Helper()
	s.cmd = exec.Command(s.daemon, "--no-defaults", "--datadir="+filepath.Join(s.Dir, "data"), "--bind-address=127.0.0.1", //nolint:noctx // Kill ends it
		"--tmpdir="+s.Dir, "--port="+strconv.Itoa(s.Port), "--socket="+filepath.Join(s.Dir, "s"), "--pid-file="+filepath.Join(s.Dir, "pid"),
		"--log-error="+filepath.Join(s.Dir, "log"), "--innodb-flush-log-at-trx-commit=0", "--innodb-buffer-pool-size=32M", "--secure-file-priv=")
	if s.owner != nil {
		uid, _ := strconv.Atoi(s.owner.Uid)
		gid, _ := strconv.Atoi(s.owner.Gid)
		s.cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: uint32(uid), Gid: uint32(gid)}}
	}
	if err := s.cmd.Start(); err != nil {
		t.Fatal(err)
	}
	s.await(t)
}

// await dials until the server greets.
func (s *Server) await(t testing.TB) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for !s.greets(ctx) {
		select {
		case <-ctx.Done():
			log, _ := os.ReadFile(filepath.Join(s.Dir, "log"))
			t.Fatalf("MariaDB did not start:\n%s", log)
		case <-tick.C:
		}
	}
}

// greets reports whether the server sends the first packet of its handshake.
func (s *Server) greets(ctx context.Context) bool {
	var d net.Dialer
	conn, err := d.DialContext(ctx, "tcp", fmt.Sprintf("127.0.0.1:%d", s.Port))
	if err != nil {
		return false
	}
	defer conn.Close()
	if err := conn.SetReadDeadline(time.Now().Add(time.Second)); err != nil {
		return false
	}
	n, err := conn.Read(make([]byte, 1))
	return n == 1 && err == nil
}

// Kill ends the server at once. Killing a dead server does nothing.
func (s *Server) Kill() {
	if s.cmd == nil {
		return
	}
	_ = s.cmd.Process.Kill()
	_ = s.cmd.Wait()
	s.cmd = nil
}

// Pause stops the server's process where it stands: its connections stay open and
// nothing answers. It returns when every thread has stopped.
func (s *Server) Pause(t testing.TB) {
	t.Helper()
	s.signal(t, syscall.SIGSTOP)
	var status syscall.WaitStatus
	if _, err := syscall.Wait4(s.cmd.Process.Pid, &status, syscall.WUNTRACED, nil); err != nil || !status.Stopped() {
		t.Fatalf("MariaDB did not stop: %v, %v", status, err)
	}
}

// Resume lets the server go on after a Pause.
func (s *Server) Resume(t testing.TB) { s.signal(t, syscall.SIGCONT) }

func (s *Server) signal(t testing.TB, signal syscall.Signal) {
	t.Helper()
	if err := s.cmd.Process.Signal(signal); err != nil {
		t.Fatal(err)
	}
}

// DSN is a connection string for a user without password and a database.
func (s *Server) DSN(name, database string) string {
	return fmt.Sprintf("%s@tcp(127.0.0.1:%d)/%s", name, s.Port, database)
}

// unprivileged gives the folder to another user where the test runs as root, as
// whom MariaDB refuses to run; nil elsewhere.
func unprivileged(t testing.TB, dir string) *user.User {
	if os.Geteuid() != 0 {
		return nil
	}
	for _, name := range []string{"mysql", "nobody"} {
		u, err := user.Lookup(name)
		if err != nil {
			continue
		}
		uid, _ := strconv.Atoi(u.Uid)
		gid, _ := strconv.Atoi(u.Gid)
		if err := os.Chown(dir, uid, gid); err != nil {
			t.Fatal(err)
		}
		return u
	}
	t.Fatal("running as root, and there is no user mysql or nobody to run MariaDB as")
	return nil
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
