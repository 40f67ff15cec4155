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

// build is the program as it is shipped, in a file that lasts as long as the tests do.
func build(t *testing.T) string {
	t.Helper()
	file, err := built()
	check(t, err)
	return file
}

// built builds the program once, beside the one of the scripts, whose folder is
// taken away when all tests have ended.
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

// ports are those that tests have programs listen on. Systems give others, above
// them, to whoever asks for any and to those who connect: nobody is given one
// before its program has come to listen, or while it is away.
const firstPort, ports = 10_000, 20_000

var taken atomic.Int64

// freePort returns an address on loopback that nothing listens on.
func freePort(t *testing.T) string {
	t.Helper()
	for range ports {
		port := firstPort + (int64(os.Getpid())*100+taken.Add(1))%ports
		l, err := net.Listen("tcp", fmt.Sprintf("127.0.0.1:%d", port))
		if err != nil {
			continue // it is another program's
		}
		closes(t, l)
		return l.Addr().String()
	}
	t.Fatal("no port is free")
	return ""
}

// nobody is an address on loopback on which no program listens.
const nobody = "127.0.0.1:1"

// serving is a running program.
type serving struct {
	t      *testing.T
	cmd    *exec.Cmd
	listen string
	said   *fakes.Journal
	ended  chan struct{} // closed when the process has ended
	err    error         // how it ended
}

// start starts the program with an environment of its own and waits until it
// is well. A database file that is not there yet is a copy of an empty one, which
// takes a tenth of the time that the program takes to make it.
func start(t *testing.T, program, listen, db string, env ...string) *serving {
	t.Helper()
	if store.IsFile(db) && !exists(db) {
		check(t, os.Rename(storetest.Empty(t), db))
	}
	s := launch(t, program, append([]string{"KNOBEL_LISTEN=" + listen, "KNOBEL_DB=" + db}, env...))
	s.listen = listen
	s.until("it is well", func() bool { return healthy(context.Background(), listen) == nil })
	return s
}

// exists reports whether there is a file.
func exists(file string) bool {
	_, err := os.Stat(file)
	return err == nil
}

// launch starts the program.
func launch(t *testing.T, program string, env []string, args ...string) *serving {
	t.Helper()
	return launchIn(t, t.TempDir(), program, env, args...)
}

// launchIn is launch in a folder.
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
	_ = s.cmd.Process.Kill() // it may have ended already
	<-s.ended
}

// until waits for a condition, for as long as the program runs.
func (s *serving) until(what string, holds func() bool) {
	s.t.Helper()
	awaits(s.t, what, s.ended, holds, s.said.String)
}

// visitor is a browser at the browser table.
type visitor struct {
	client *http.Client
	base   string
	news   chan struct{} // gets something when the feed has brought a board

	mu    sync.Mutex
	board chat.Message // the newest
	ref   chat.Ref
}

// visits opens the page.
func visits(t *testing.T, listen string) *visitor {
	t.Helper()
	v := &visitor{client: browser(t), base: "http://" + listen, news: make(chan struct{}, 1)}
	fetched(t, v.client, v.base+"/me", struct{}{}) // which the page asks first: it makes the browser a visitor
	return v
}

// told is the answer to a page.
type told struct {
	Toast   string
	Refused bool
	Board   int64
}

// post sends a press or a command. An error means that the answer never came.
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
		return told{Refused: true}, nil // faster than any person: nothing was done
	}
	if resp.StatusCode != http.StatusOK {
		text, _ := io.ReadAll(resp.Body)
		return told{}, fmt.Errorf("%s: %s", resp.Status, text)
	}
	var a told
	return a, json.NewDecoder(resp.Body).Decode(&a)
}

// leisure is more than the taps of a double tap have between them.
const leisure = 601 * time.Millisecond

// press presses a button; the same id is the same press.
func (v *visitor) press(id, press string) (told, error) {
	v.mu.Lock()
	on := v.ref
	v.mu.Unlock()
	return v.post("/press", map[string]any{"id": id, "as": 0, "press": press, "on": on})
}

// newest returns the newest board that the visitor sees.
func (v *visitor) newest() chat.Message {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.board
}

// feed reads the feed until ctx is done, the connection breaks or no more is wanted.
func (v *visitor) feed(ctx context.Context, wanted func(news []byte) (more bool)) error {
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, v.base+"/events", nil)
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

// news is one message of the feed.
type news struct {
	All     []chat.Ref
	Entries []struct {
		Ref     chat.Ref
		Message chat.Message
		At      int64
	}
}

// follow reads the feed until ctx is done or the connection breaks.
func (v *visitor) follow(ctx context.Context) {
	_ = v.feed(ctx, func(data []byte) bool { // it is read again, or the test is over
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

// writes writes a file that its owner alone may read.
func writes(t testing.TB, file string, content []byte) {
	t.Helper()
	check(t, os.WriteFile(file, content, 0o600))
}

// check ends a test at an error.
func check(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// closes closes a database.
func closes(t testing.TB, what io.Closer) {
	t.Helper()
	if err := what.Close(); err != nil {
		t.Error(err)
	}
}

// opens opens a table, and returns its number.
func (v *visitor) opens(t *testing.T, command string) int64 {
	t.Helper()
	a, err := v.post("/command", map[string]any{"id": "open", "as": 0, "text": command})
	if err != nil || a.Refused {
		t.Fatalf("no table: %v %+v", err, a)
	}
	return a.Board
}

// worldOf returns the world of a command without input, with an environment and the files of this machine.
func worldOf(out, errs io.Writer, env map[string]string) world {
	return world{in: strings.NewReader(""), out: out, err: errs,
		getenv: func(name string) string { return env[name] }}
}

// runOnce runs a command of the program to its end, and returns what it says.
func runOnce(t *testing.T, program string, env []string, args ...string) string {
	t.Helper()
	s := launch(t, program, env, args...)
	<-s.ended
	if s.err != nil {
		t.Fatalf("%s: %v\n%s", args[0], s.err, s.said)
	}
	return s.said.String()
}

// opened returns a database as others than the program open it, until the test ends.
func opened(t *testing.T, file string) *sql.DB {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	check(t, err)
	t.Cleanup(func() { _ = db.Close() })
	return db
}

// altered changes a database past the program, or fills one.
func altered(t *testing.T, file, statement string) {
	t.Helper()
	db := opened(t, file)
	defer db.Close()
	if _, err := db.Exec(statement); err != nil {
		t.Fatal(err)
	}
}

// asks returns the one text that a query of a database finds.
func asks(t *testing.T, file, query string) (found string) {
	t.Helper()
	db := opened(t, file)
	defer db.Close()
	check(t, db.QueryRow(query).Scan(&found))
	return found
}

// eventually waits for something that is going to happen.
func eventually(t *testing.T, what string, holds func() bool) {
	t.Helper()
	awaits(t, what, nil, holds, func() string { return "" })
}

// awaits waits for a condition, unless something has ended before. What is said then tells why.
func awaits(t *testing.T, what string, ended <-chan struct{}, holds func() bool, said func() string) {
	t.Helper()
	for late := time.After(fakes.Patience); !holds(); {
		select {
		case <-ended:
			t.Fatalf("it has ended before %s\n%s", what, said())
		case <-late:
			t.Fatalf("%s: it never comes to that\n%s", what, said())
		case <-time.After(10 * time.Millisecond):
		}
	}
}

// serves serves in this process. What it returns ends that, and reports the exit code.
func serves(t *testing.T, env map[string]string) (said *fakes.Journal, end func() (code int)) {
	t.Helper()
	ctx, stop := context.WithCancel(t.Context())
	said, ended := &fakes.Journal{}, make(chan int, 1)
	go func() { ended <- run(ctx, worldOf(said, said, env), nil) }()
	return said, sync.OnceValue(func() int {
		stop()
		return <-ended
	})
}
