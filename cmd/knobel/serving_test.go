package main

import (
	"bufio"
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/store"
	"knobel/store/storetest"
)

// build returns the program, built as for a release. Its file exists until the last test has ended.
func build(t *testing.T) string {
	t.Helper()
	file, err := built()
	check(t, err)
	return file
}

// built builds the program once, in the folder of the scripts' program, which is deleted after all tests.
var built = sync.OnceValues(func() (string, error) {
	scripts, err := exec.LookPath("knobel")
	if err != nil {
		return "", err
	}
	file := filepath.Join(filepath.Dir(scripts), "built", "knobel")
	if out, err := exec.Command("go", "build", "-o", file, "knobel/cmd/knobel").CombinedOutput(); err != nil {
		return "", fmt.Errorf("build: %w\n%s", err, out)
	}
	return file, nil
})

// ports is the number of ports, from firstPort, on which tests let programs listen. Systems assign higher ones to
// connections and to listeners on any port, so none of these is taken before its program listens or while it is
// restarted.
const firstPort, ports = 10_000, 20_000

var taken atomic.Int64

// freePort returns an unused loopback address.
func freePort(t *testing.T) string {
	t.Helper()
	for range ports {
		port := firstPort + (int64(os.Getpid())*100+taken.Add(1))%ports
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue // another program uses the port
		}
		closeOrFail(t, l)
		return l.Addr().String()
	}
	t.Fatal("no port is free")
	return ""
}

// nobody is a loopback address on which no program listens.
const nobody = "127.0.0.1:1"

// serving is a process of the program.
type serving struct {
	t      *testing.T
	cmd    *exec.Cmd
	listen string
	said   *fakes.Journal
	ended  chan struct{} // closed when the process has ended
	err    error         // how it ended
}

// start starts the program with its own environment and waits until it is healthy. A missing database file is first
// replaced by a copy of an empty one, which takes a tenth of the time of creating it.
func start(t *testing.T, program, listen, db string, env ...string) *serving {
	t.Helper()
	if store.IsFile(db) && !exists(db) {
		check(t, os.Rename(storetest.Empty(t), db))
	}
	s := launch(t, program, append([]string{"KNOBEL_LISTEN=" + listen, "KNOBEL_DB=" + db}, env...))
	s.listen = listen
	s.until("it is well", func() bool { return checkHealth(context.Background(), listen) == nil })
	return s
}

// exists reports whether the file exists.
func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// launch starts the program in a new temporary folder.
func launch(t *testing.T, program string, env []string, args ...string) *serving {
	t.Helper()
	return launchIn(t, t.TempDir(), program, env, args...)
}

// launchIn starts the program in a folder.
func launchIn(t *testing.T, folder, program string, env []string, args ...string) *serving {
	t.Helper()
	s := &serving{t: t, cmd: exec.Command(program, args...), said: &fakes.Journal{}, ended: make(chan struct{})}
	s.cmd.Dir = folder
	s.cmd.Env = append([]string{"HOME=" + t.TempDir(), "PATH=" + os.Getenv("PATH")}, env...)
	s.cmd.Stdout, s.cmd.Stderr = s.said, s.said
	check(t, s.cmd.Start())
	go func() {
		s.err = s.cmd.Wait()
		close(s.ended)
	}()
	t.Cleanup(s.kill)
	return s
}

// kill ends the program as a power cut would.
func (s *serving) kill() {
	_ = s.cmd.Process.Kill() // may fail: it may have ended already
	<-s.ended
}

// until waits until holds returns true, described by condition in failures. It fails if the program ends before.
func (s *serving) until(condition string, holds func() bool) {
	s.t.Helper()
	awaits(s.t, condition, s.ended, holds, s.said.String)
}

// visitor is a browser on the browser page.
type visitor struct {
	client *http.Client
	base   string
	query  string        // of the event stream
	news   chan struct{} // receives when the event stream has brought a board

	mu    sync.Mutex
	board chat.Message // the latest board
	ref   chat.Ref
}

// newVisitor returns a new visitor of the page.
func newVisitor(t *testing.T, listen string) *visitor {
	t.Helper()
	v := &visitor{client: browser(t), base: "http://" + listen, news: make(chan struct{}, 1)}
	fetch(t, v.client, v.base+"/me", struct{}{}) // the first request makes the browser a visitor
	return v
}

// told is the reply to a press or a command.
type told struct {
	Toast   string
	Refused bool
	Board   int64
}

// post sends a press or a command. An error means that there was no reply.
func (v *visitor) post(path string, body map[string]any) (told, error) {
	raw, err := json.Marshal(body)
	if err != nil {
		return told{}, err
	}
	resp, err := v.client.Post(v.base+path, "application/json", bytes.NewReader(raw))
	if err != nil {
		return told{}, err
	}
	defer resp.Body.Close()
	if resp.StatusCode == http.StatusTooManyRequests {
		return told{Refused: true}, nil // faster than the limit for a person: it had no effect
	}
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(resp.Body)
		return told{}, fmt.Errorf("%s: %s", resp.Status, text)
	}
	var a told
	return a, json.NewDecoder(resp.Body).Decode(&a)
}

// leisure is longer than the time within which two presses count as a double tap.
const leisure = 601 * time.Millisecond

// press presses a button. Presses with the same id count once.
func (v *visitor) press(id, press string) (told, error) {
	v.mu.Lock()
	on := v.ref
	v.mu.Unlock()
	return v.post("/press", map[string]any{"id": id, "as": 0, "press": press, "on": on})
}

// newest returns the latest board that the visitor sees.
func (v *visitor) newest() chat.Message {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.board
}

// feed reads the event stream until ctx is done, the connection breaks or wanted returns false.
func (v *visitor) feed(ctx context.Context, wanted func(news []byte) (more bool)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, v.base+"/events"+v.query, nil)
	if err != nil {
		return err
	}
	resp, err := v.client.Do(req)
	if err != nil {
		return err
	}
	defer resp.Body.Close()
	lines := bufio.NewScanner(resp.Body)
	lines.Buffer(nil, 1<<20)
	for lines.Scan() {
		if news, ok := bytes.CutPrefix(lines.Bytes(), []byte("data: ")); ok && !wanted(news) {
			return nil
		}
	}
	return fmt.Errorf("the feed ends: %s %v", resp.Status, lines.Err())
}

// news is one message of the event stream.
type news struct {
	All     []chat.Ref
	Entries []struct {
		Ref     chat.Ref
		Message chat.Message
		At      int64
	}
}

// follow stores the boards of the event stream until ctx is done or the connection breaks.
func (v *visitor) follow(ctx context.Context) {
	_ = v.feed(ctx, func(data []byte) bool { // after an error the caller reads again or the test ends
		var news news
		if json.Unmarshal(data, &news) != nil {
			return false
		}
		v.mu.Lock()
		for _, e := range news.Entries {
			if e.Message.Table >= v.board.Table {
				v.board, v.ref = e.Message, e.Ref
			}
		}
		v.mu.Unlock()
		select {
		case v.news <- struct{}{}:
		default:
		}
		return true
	})
}

// writePrivate creates a file that only its owner can read.
func writePrivate(t testing.TB, file string, content []byte) {
	t.Helper()
	check(t, os.WriteFile(file, content, 0o600))
}

// check ends the test on an error.
var check = fakes.Check

// closeOrFail closes a database. An error fails the test.
func closeOrFail(t testing.TB, closer io.Closer) {
	t.Helper()
	if err := closer.Close(); err != nil {
		t.Error(err)
	}
}

// opens opens a table by a command and returns its number.
func (v *visitor) opens(t *testing.T, command string) int64 {
	t.Helper()
	a, err := v.post("/command", map[string]any{"id": "open", "as": 0, "text": command})
	if err != nil || a.Refused {
		t.Fatalf("no table: %v %+v", err, a)
	}
	return a.Board
}

// worldOf returns a world without input, with the given outputs and environment.
func worldOf(out, errs io.Writer, env map[string]string) world {
	return world{in: strings.NewReader(""), out: out, err: errs,
		getenv: func(name string) string { return env[name] }}
}

// runOnce runs the program with a command until it ends, and returns its output.
func runOnce(t *testing.T, program string, env []string, args ...string) string {
	t.Helper()
	s := launch(t, program, env, args...)
	<-s.ended
	if s.err != nil {
		t.Fatalf("%s: %v\n%s", args[0], s.err, s.said)
	}
	return s.said.String()
}

// openDirect returns a direct connection to a database file, which is closed when the test ends.
func openDirect(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	check(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// executeSQL executes SQL in a database file directly, or creates the file with it.
func executeSQL(t *testing.T, file, statement string) {
	t.Helper()
	db := openDirect(t, file)
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// queryText returns the single text that a query selects.
func queryText(t *testing.T, file, query string) (found string) {
	t.Helper()
	db := openDirect(t, file)
	defer db.Close()
	check(t, db.QueryRow(query).Scan(&found))
	return found
}

// eventually waits until holds returns true, described by condition in failures. It fails after fakes.Patience.
func eventually(t *testing.T, condition string, holds func() bool) {
	t.Helper()
	awaits(t, condition, nil, holds, func() string { return "" })
}

// awaits waits until holds returns true. After fakes.Patience or if ended is closed, it fails with the text of output.
func awaits(t *testing.T, condition string, ended <-chan struct{}, holds func() bool, output func() string) {
	t.Helper()
	for late := time.After(fakes.Patience); !holds(); {
		select {
		case <-ended:
			t.Fatalf("it has ended before %s\n%s", condition, output())
		case <-late:
			t.Fatalf("%s: it never comes to that\n%s", condition, output())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// startServe runs serve in the test's process and returns its output. end stops it and returns the exit code.
func startServe(t *testing.T, env map[string]string) (output *fakes.Journal, end func() (code int)) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	output, ended := &fakes.Journal{}, make(chan int, 1)
	go func() { ended <- run(ctx, worldOf(output, output, env), nil) }()
	return output, sync.OnceValue(func() int {
		stop()
		return <-ended
	})
}
