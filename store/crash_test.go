package store_test

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"knobel/store"
)

// crashing names the database that a process of this test works on until it
// is killed.
const crashing = "KNOBEL_TEST_CRASHING"

func TestMain(m *testing.M) {
	if file := os.Getenv(crashing); file != "" {
		fmt.Fprintln(os.Stderr, workUntilKilled(file))
		os.Exit(1)
	}
	os.Exit(m.Run())
}

// workUntilKilled plays tables for ever, each in three transactions, and says
// the number of each that is finished after its commit.
func workUntilKilled(file string) error {
	ctx := context.Background()
	s, err := store.Open(ctx, file)
	if err != nil {
		return err
	}
	for n := 0; ; n++ {
		table := lobby(fmt.Sprintf("test:%d of %d", n, os.Getpid()))
		err := s.Update(ctx, func(tx *store.Tx) (err error) {
			table.ID, err = tx.AddTable(table)
			return err
		})
		if err != nil {
			return err
		}
		err = s.Update(ctx, func(tx *store.Tx) error {
			table.State, table.Match = store.Playing, []byte("match")
			if err := tx.Post(stakes(table)); err != nil {
				return err
			}
			return tx.SaveTable(table)
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

// Killed at any moment, a database opens again, is sound, and has kept what
// was said to be kept.
func TestKilledAtWork(t *testing.T) {
	rounds := 3
	if os.Getenv("KNOBEL_TEST_LONG") != "" {
		rounds = 30
	}
	file := filepath.Join(t.TempDir(), "knobel.db")
	kept := map[int64]bool{}
	for round := range rounds {
		for _, table := range workAndKill(t, file, 3+5*round) {
			kept[table] = true
		}
		s, err := store.Open(t.Context(), file)
		if err != nil {
			t.Fatalf("round %d: %v", round, err)
		}
		sound(t, s)
		for table := range kept {
			view(t, s, func(tx *store.Tx) error {
				got, err := tx.Table(table)
				if got.State != store.Over {
					t.Errorf("round %d: table %d is %s", round, table, got.State)
				}
				return err
			})
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
	}
}

// workAndKill has another process work, kills it once it has finished that
// many tables, and returns all that it said to have finished.
func workAndKill(t *testing.T, file string, tables int) (finished []int64) {
	t.Helper()
	command := exec.CommandContext(t.Context(), os.Args[0])
	command.Env = append(os.Environ(), crashing+"="+file)
	var complaint strings.Builder
	command.Stderr = &complaint
	out, err := command.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := command.Start(); err != nil {
		t.Fatal(err)
	}
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
		if err != nil {
			t.Fatal(err)
		}
		finished = append(finished, table)
		if len(finished) == tables {
			if err := command.Process.Kill(); err != nil {
				t.Fatal(err)
			}
		}
	}
	_ = command.Wait() // killed: it has no better end
	if len(finished) < tables {
		t.Fatalf("only %d tables: %s", len(finished), complaint.String())
	}
	return finished
}
