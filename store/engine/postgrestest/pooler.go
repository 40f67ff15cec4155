package postgrestest

// A connection pooler (PgBouncer) between clients and the server.

import (
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"testing"
	"time"

	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
)

// poolerScript runs the program $2, a pooler, in the folder $1 until the script's input ends.
const poolerScript = `
	"$2" -q "$1/pgbouncer.ini" >>"$1/log" 2>&1 &
	pooler=$!
	cat >/dev/null
	kill -INT "$pooler"
	wait "$pooler"`

// Pooler starts a pooler in transaction mode in front of the server, until the test ends, and returns its port. It
// shares few connections to the server among many clients, each for the length of one transaction. The test is skipped
// if the machine has no PgBouncer.
func (s *Server) Pooler(tb testing.TB) int {
	tb.Helper()
	program := needs.PgBouncer(tb)
	port, err := freePort()
	if err != nil {
		tb.Fatal(err)
	}
	folder, err := os.MkdirTemp("", "knobel-pooler-*") // not t.TempDir: another user needs access
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() { _ = os.RemoveAll(folder) })
	config := fmt.Sprintf("[databases]\n* = host=127.0.0.1 port=%d\n[pgbouncer]\nlisten_addr = 127.0.0.1\n"+
		"listen_port = %d\nunix_socket_dir =\npool_mode = transaction\ndefault_pool_size = 3\n"+
		"ignore_startup_parameters = extra_float_digits\n", s.Port, port)
	config += "auth_type = trust\nauth_file = " + filepath.Join(folder, "users") + "\n"
	for name, content := range map[string]string{"pgbouncer.ini": config, "users": "\"knobel\" \"\"\n"} {
		if err := os.WriteFile(filepath.Join(folder, name), []byte(content), 0o600); err != nil {
			tb.Fatal(err)
		}
	}
	run := exec.Command("sh", "-c", poolerScript, "sh", folder, program)
	run.Dir = "/"
	if os.Geteuid() == 0 {
		if err := runAsNobody(run, folder); err != nil {
			tb.Fatal(err)
		}
	}
	input, err := run.StdinPipe()
	if err == nil {
		err = run.Start()
	}
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(func() {
		_ = input.Close() // ends the script
		_ = run.Wait()
	})
	for began := time.Now(); time.Since(began) < fakes.Patience; time.Sleep(10 * time.Millisecond) {
		if conn, err := net.Dial("tcp", net.JoinHostPort("127.0.0.1", strconv.Itoa(port))); err == nil {
			_ = conn.Close()
			return port
		}
	}
	log, err := fs.ReadFile(os.DirFS(folder), "log")
	tb.Fatalf("the pooler does not listen: %s (%v)", log, err)
	return 0
}
