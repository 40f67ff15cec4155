// Package postgrestest starts a PostgreSQL server for the tests of a process, in a folder used by it alone and as a
// user other than root, and creates databases on it.
package postgrestest

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net"
	"os"
	"os/exec"
	"os/user"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
)

// Need returns the server of this process as Start does. It skips the test if the machine has no PostgreSQL, and fails
// it if PostgreSQL does not start.
func Need(tb testing.TB) *Server {
	tb.Helper()
	needs.PostgreSQL(tb)
	s, err := Start()
	if err != nil {
		tb.Fatal(err)
	}
	return s
}

// Server is a PostgreSQL server that runs, unless it was ended by Crash.
type Server struct {
	Port   int            // on 127.0.0.1
	Folder string         // used by this server only
	input  io.WriteCloser // of the script that runs the server
	ended  chan error     // gets the result of the script when that ends
	gone   atomic.Bool    // the server was ended by Crash
	made   int            // how many databases were created, for their names
	mu     sync.Mutex     // held while a database is created
}

// Start returns the server of this process. The first call starts it; it stops when the process ends.
var Start = sync.OnceValues(func() (*Server, error) { return start(needs.FindPostgreSQL(), 0, nil) })

// New starts a separate server, until the test ends, with settings such as "ssl=on" and with files, contents by name,
// in its folder. The test is skipped if the machine has no PostgreSQL.
func New(tb testing.TB, files map[string][]byte, settings ...string) *Server {
	tb.Helper()
	s, err := start(needs.PostgreSQL(tb), 0, files, settings...)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(s.end)
	return s
}

// end stops the server for good.
func (s *Server) end() {
	_ = s.input.Close()
	<-s.ended
}

// script runs a server in the folder $1 with the programs in $2 and the settings from $4 on. When its input ends,
// because this process has ended, it stops the server and removes the folder. If $3 is not 0, the server is a standby
// of the one at port $3. Text is sorted as in German dictionaries, unless a column is sorted by bytes. A line of the
// input crashes the server, starts it again, or promotes a standby.
const script = `
	folder=$1 programs=$2 of=$3
	shift 3
	if [ "$of" = 0 ]; then
		"$programs/initdb" -D "$folder/data" -A trust -U knobel -E UTF8 --locale=C --locale-provider=icu \
			--icu-locale=de-DE -N >"$folder/log" 2>&1 || exit 1
	else
		"$programs/pg_basebackup" -D "$folder/data" -h 127.0.0.1 -p "$of" -U knobel -R -c fast \
			>"$folder/log" 2>&1 || exit 1
	fi
	start() { "$programs/postgres" -D "$folder/data" "$@" >>"$folder/log" 2>&1 & server=$!; }
	crash() { kill -QUIT "$server"; wait "$server"; }
	start "$@"
	while read -r order; do
		case $order in
		crash) crash; ;;
		start) start "$@" ;;
		promote) "$programs/pg_ctl" promote -s -D "$folder/data" >>"$folder/log" 2>&1 ;;
		esac
	done
	crash
	rm -rf "$folder"`

// serversRoom is how many bytes of memory must be free for the servers' folders to be in memory, which is faster.
const serversRoom = 4 << 30

// start starts a server with the programs in the folder programs, a standby of the server at primaryPort unless that is
// 0. files, contents by name, are put into the server's folder; settings are such as "ssl=on".
func start(programs string, primaryPort int, files map[string][]byte, settings ...string) (*Server, error) {
	folder, err := os.MkdirTemp(needs.Memory(serversRoom), "knobel-postgres-*")
	if err != nil {
		return nil, err
	}
	s := &Server{Folder: folder, ended: make(chan error, 1)}
	if s.Port, err = freePort(); err != nil {
		return nil, err
	}
	args := []string{"-c", script, "sh", folder, programs, strconv.Itoa(primaryPort), "-p",
		strconv.Itoa(s.Port), "-k", folder}
	for _, setting := range append([]string{"listen_addresses=127.0.0.1", "fsync=off", "max_connections=300",
		"shared_buffers=64MB", "log_min_messages=warning"}, settings...) {
		args = append(args, "-c", setting)
	}
	run := exec.Command("sh", args...)
	run.Dir = "/"
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(folder, name), content, 0o600); err != nil {
			return nil, err
		}
	}
	if os.Geteuid() == 0 {
		if err := runAsNobody(run, folder); err != nil {
			return nil, err
		}
	}
	if s.input, err = run.StdinPipe(); err != nil { // open until this process ends
		return nil, err
	}
	if err := run.Start(); err != nil {
		return nil, fmt.Errorf("start PostgreSQL: %w", err)
	}
	go func() { s.ended <- run.Wait() }()
	return s, s.wait()
}

// wait waits until the server answers, and returns an error if it has ended or does not answer for long.
func (s *Server) wait() error {
	for began := time.Now(); time.Since(began) < fakes.Patience; {
		select {
		case err := <-s.ended:
			log, _ := os.ReadFile(filepath.Join(s.Folder, "log"))
			return fmt.Errorf("PostgreSQL has ended: %v: %s", err, log)
		case <-time.After(20 * time.Millisecond):
		}
		if s.exec("postgres", "SELECT 1") == nil {
			return nil
		}
	}
	return errors.New("PostgreSQL never answers")
}

// Crash ends the server as a power failure would, and returns once no client can reach it.
func (s *Server) Crash(tb testing.TB) {
	tb.Helper()
	s.sendOrder(tb, "crash")
	for s.exec("postgres", "SELECT 1") == nil {
		time.Sleep(10 * time.Millisecond)
	}
	s.gone.Store(true)
}

// Restart starts the server again after Crash, and returns once it answers.
func (s *Server) Restart(tb testing.TB) {
	tb.Helper()
	s.gone.Store(false)
	s.sendOrder(tb, "start")
	if err := s.wait(); err != nil {
		tb.Fatal(err)
	}
}

// sendOrder sends a line, such as "crash", to the script that runs the server.
func (s *Server) sendOrder(tb testing.TB, line string) {
	tb.Helper()
	if _, err := io.WriteString(s.input, line+"\n"); err != nil {
		tb.Fatal(err)
	}
}

// runAsNobody makes the command run as the user nobody, since PostgreSQL refuses root, and gives the folder to nobody.
func runAsNobody(run *exec.Cmd, folder string) error {
	nobody, err := user.Lookup("nobody")
	if err != nil {
		return err
	}
	uid, err := strconv.Atoi(nobody.Uid)
	if err != nil {
		return err
	}
	gid, err := strconv.Atoi(nobody.Gid)
	if err != nil {
		return err
	}
	if err := filepath.WalkDir(folder, func(name string, _ fs.DirEntry, err error) error {
		return errors.Join(err, os.Chown(name, uid, gid))
	}); err != nil {
		return err
	}
	setUser(run, uid, gid)
	return nil
}

// freePort returns a port of this machine that was free a moment ago.
func freePort() (int, error) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		return 0, err
	}
	defer l.Close()
	_, port, err := net.SplitHostPort(l.Addr().String())
	if err != nil {
		return 0, err
	}
	return strconv.Atoi(port)
}

// Address returns the address of a database on the server, with parameters such as "sslmode=disable".
func (s *Server) Address(database string, parameters ...string) string {
	address := fmt.Sprintf("postgres://knobel@127.0.0.1:%d/%s", s.Port, database)
	if len(parameters) > 0 {
		address += "?" + strings.Join(parameters, "&")
	}
	return address
}

// Standby starts a standby of this server, until the test ends. From then on the server answers a commit only once the
// standby has it on its disk.
func (s *Server) Standby(tb testing.TB) *Server {
	tb.Helper()
	standby, err := start(needs.PostgreSQL(tb), s.Port, nil)
	if err != nil {
		tb.Fatal(err)
	}
	tb.Cleanup(standby.end)
	for _, statement := range []string{`ALTER SYSTEM SET synchronous_standby_names = '*'`, `SELECT pg_reload_conf()`} {
		if err := s.exec("postgres", statement); err != nil {
			tb.Fatal(err)
		}
	}
	s.waitUntil(tb, `SELECT 1 / COUNT(*) FROM pg_stat_replication WHERE sync_state = 'sync'`,
		"the standby does not follow")
	return standby
}

// waitUntil runs a statement until it succeeds. If that takes long, it fails the test with the text failure.
func (s *Server) waitUntil(tb testing.TB, statement, failure string) {
	tb.Helper()
	for deadline := time.Now().Add(fakes.Patience); s.exec("postgres", statement) != nil; {
		if time.Now().After(deadline) {
			tb.Fatal(failure)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// Promote makes this standby the main server, after the main server has crashed, and returns once it accepts changes.
func (s *Server) Promote(tb testing.TB) {
	tb.Helper()
	s.sendOrder(tb, "promote")
	s.waitUntil(tb, `SELECT 1 / (CASE WHEN pg_is_in_recovery() THEN 0 ELSE 1 END)`, "the standby does not take over")
}
