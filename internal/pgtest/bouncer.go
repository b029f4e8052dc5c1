package pgtest

import (
	"context"
	"fmt"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
)

// Bounce starts a PgBouncer in front of the server that pools transactions over
// at most size connections for each role, of those named. It stops with the test.
// Without the binary the test is skipped, and fails where CI is set. The server
// that is returned is the same one at PgBouncer's port; only its DSN is of use.
func (s *Server) Bounce(t testing.TB, size int, roles ...string) *Server {
	t.Helper()
	bin, err := exec.LookPath("pgbouncer")
	if err != nil {
		bin = "/usr/sbin/pgbouncer"
	}
	if _, err := os.Stat(bin); err != nil {
		lacking(t, "PgBouncer", "pgbouncer")
	}
	b := &Server{Port: freePort(t), Dir: s.Dir, bin: s.bin, cred: s.cred}
	config := s.configure(t, b.Port, size, roles)
	log, err := os.Create(config + ".log")
	if err != nil {
		t.Fatal(err)
	}
	defer log.Close()
	cmd := exec.CommandContext(context.WithoutCancel(t.Context()), bin, config)
	cmd.SysProcAttr, cmd.Dir, cmd.Stdout, cmd.Stderr = s.cred, s.Dir, log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	listening(t, b.Port, log.Name())
	return b
}

// configure writes the files of a PgBouncer and returns the path of the first.
func (s *Server) configure(t testing.TB, port, size int, roles []string) string {
	t.Helper()
	config, users := filepath.Join(s.Dir, "bouncer.ini"), filepath.Join(s.Dir, "bouncer.users")
	var list strings.Builder
	for _, role := range roles {
		fmt.Fprintf(&list, "%q \"\"\n", role)
	}
	text := fmt.Sprintf("[databases]\n* = host=127.0.0.1 port=%d\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = %d\nunix_socket_dir =\nauth_type = trust\nauth_file = %s\npool_mode = transaction\ndefault_pool_size = %d\nmax_client_conn = 200\n", s.Port, port, users, size)
	for path, content := range map[string]string{config: text, users: list.String()} {
		if err := os.WriteFile(path, []byte(content), 0o644); err != nil { //nolint:gosec // it runs as another user than the test
			t.Fatal(err)
		}
	}
	return config
}

// listening waits until something answers at the port.
func listening(t testing.TB, port int, log string) {
	t.Helper()
	tick := time.NewTicker(20 * time.Millisecond)
	defer tick.Stop()
	var dialer net.Dialer
	deadline := time.After(30 * time.Second)
	for {
		c, err := dialer.DialContext(t.Context(), "tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err == nil {
			c.Close()
			return
		}
		select {
		case <-tick.C:
		case <-deadline:
			text, _ := os.ReadFile(log)
			t.Fatalf("nothing answers at port %d: %s", port, text)
		}
	}
}
