package store_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"

	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/store"
	"knobel/store/storetest"
)

// Environment variables of a child process of this test. crashing is the database file that it works on until it is
// killed. stopping says where it kills itself, before any change has its answer: "write 17" (at that write to the log),
// "flush 3" (before that flush) or "flushed 3" (after it).
const (
	crashing = "KNOBEL_TEST_CRASHING"
	stopping = "KNOBEL_TEST_STOPPING"
)

// TestMain runs more tests in parallel than there are processors, because they wait for the disk and the server.
func TestMain(m *testing.M) {
	if file := os.Getenv(crashing); file != "" {
		fmt.Fprintln(os.Stderr, workUntilKilled(file, os.Getenv(stopping)))
		os.Exit(1)
	}
	fakes.AtOnce(2 * runtime.GOMAXPROCS(0))
	os.Exit(storetest.MainOnBoth(m, onServerToo, aboutFiles))
}

// atWork is the number of tables played at once, so that they share commits.
const atWork = 6

// workUntilKilled plays tables in a database file without end, each in three transactions, and prints the number of
// each table once its last transaction is committed. stop is as for killDisk.
func workUntilKilled(file, stop string) error {
	if stop != "" {
		if _, err := storetest.Install(killDisk(stop)); err != nil {
			return err
		}
	}
	s, err := store.Open(context.Background(), file)
	if err != nil {
		return err
	}
	ended := make(chan error)
	for worker := range atWork {
		go func() { ended <- playForever(s, worker) }()
	}
	return <-ended
}

// killDisk returns a disk on which the process kills itself at stop: "write 20" is the 20th write to the log, and
// "flush" and "flushed" are before and after a flush.
func killDisk(stop string) storetest.Disk {
	what, count, _ := strings.Cut(stop, " ")
	left, _ := strconv.ParseInt(count, 10, 64)
	var done atomic.Int64
	at := func(here string) func(bool) bool {
		return func(log bool) bool {
			if log && here == what && done.Add(1) == left {
				self, err := os.FindProcess(os.Getpid())
				if err != nil || self.Kill() != nil {
					os.Exit(1)
				}
				select {} // waits until it is killed
			}
			return true
		}
	}
	flushed := at("flushed")
	return storetest.Disk{Write: at("write"), Flush: at("flush"), Flushed: func(log bool) { flushed(log) }}
}

// playForever plays tables without end, as the worker with this number, and returns the first error.
func playForever(s *store.Store, worker int) error {
	ctx := context.Background()
	for n := 0; ; n++ {
		table := lobby(fmt.Sprintf("test:%d of %d in %d", n, worker, os.Getpid()))
		err := s.Update(ctx, func(tx *store.Tx) (err error) {
			table.ID, err = tx.Tables.AddTable(table)
			return err
		})
		if err != nil {
			return err
		}
		err = s.Update(ctx, func(tx *store.Tx) error {
			table.State, table.Match = store.Playing, []byte("match")
			if err := tx.Books.Post(stakes(table)); err != nil {
				return err
			}
			return tx.Tables.SaveTable(table)
		})
		if err != nil {
			return err
		}
		if err := s.Update(ctx, func(tx *store.Tx) error { _, err := finish(tx, table); return err }); err != nil {
			return err
		}
		fmt.Println(table.ID)
	}
}

// TestKilledAtWork kills a process at any moment, also inside a commit or before its answers: the database must open
// again, be sound, and contain all changes that were reported as committed.
func TestKilledAtWork(t *testing.T) {
	t.Parallel()
	rounds := 4
	if needs.IsLong() {
		rounds = 12
	}
	file := filepath.Join(t.TempDir(), "knobel.db")
	kept := map[int64]bool{}
	for round := range rounds {
		stop := ""
		switch n := round / 4; round % 4 {
		case 1:
			stop = fmt.Sprint("write ", 40+37*n)
		case 2:
			stop = fmt.Sprint("flush ", 5+3*n)
		case 3:
			stop = fmt.Sprint("flushed ", 5+3*n)
		}
		for _, table := range workAndKill(t, file, stop, 3+5*round) {
			kept[table] = true
		}
		s, err := store.Open(t.Context(), file)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		wantNoFaults(t, s)
		view(t, s, func(tx *store.Tx) error {
			for table := range kept {
				got, err := tx.Tables.Table(table)
				if err != nil || got.State != store.Over {
					t.Errorf("round %d: table %d is %s: %v", round, table, got.State, err)
				}
			}
			return nil
		})
		closeDB(t, s)
	}
	if len(kept) == 0 {
		t.Error("no table was finished")
	}
}

// workAndKill runs workUntilKilled(file, stop) in a child process. If stop is "", it kills the process once that has
// finished the given number of tables. It returns the numbers of all tables that the process has reported.
func workAndKill(t *testing.T, file, stop string, tables int) (finished []int64) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), crashing+"="+file, stopping+"="+stop)
	var complaint strings.Builder
	command.Stderr = &complaint
	out, err := command.StdoutPipe()
	check(t, err)
	check(t, command.Start())
	lines := bufio.NewReader(out)
	for {
		line, err := lines.ReadString('\n')
		if err != nil {
			if err != io.EOF {
				t.Error(err)
			}
			break
		}
		table, err := strconv.ParseInt(strings.TrimSpace(line), 10, 64)
		check(t, err)
		finished = append(finished, table)
		if stop == "" && len(finished) == tables {
			check(t, command.Process.Kill())
		}
	}
	_ = command.Wait() // the error only says that it was killed
	if complaint.Len() > 0 || stop == "" && len(finished) < tables {
		t.Fatalf("%q: only %d tables: %s", stop, len(finished), complaint.String())
	}
	return finished
}
