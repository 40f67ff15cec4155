package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"golang.org/x/sync/errgroup"

	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/cmd/wiring"
	"knobel/store"
	"knobel/store/engine/postgrestest"
	"knobel/store/storetest"
)

// TestManyGamesMoveThereAndBack moves many games to a server and back to a file and compares their records. If one row
// changes on the way, the output names its table.
func TestManyGamesMoveThereAndBack(t *testing.T) {
	games := 12
	if needs.IsLong() {
		games = 60_000
	}
	folder := t.TempDir()
	file, back := filepath.Join(folder, "knobel.db"), filepath.Join(folder, "back.db")
	check(t, playMany(t.Context(), file, games))
	address := filepath.Join(folder, "address")
	writePrivate(t, address, []byte(storetest.OnServer(t)+"\n"))
	var shown bytes.Buffer
	knobel := func(args ...string) string {
		t.Helper()
		var out, errs bytes.Buffer
		w := world{out: &out, err: &errs, getenv: func(string) string { return "" }, bar: &shown}
		if code := run(t.Context(), w, args); code != 0 {
			t.Fatalf("knobel %s: %d\n%s%s", strings.Join(args, " "), code, out.String(), errs.String())
		}
		return out.String()
	}
	before := knobel("export", "--db", file)
	if n := strings.Count(before, "\n"); n != games {
		t.Errorf("%d games of %d are over", n, games)
	}
	for _, way := range [][]string{{file, "@" + address}, {"@" + address, back}} {
		if said := knobel("move", way[0], way[1]); !strings.Contains(said, "All tables are equal, row by row.") {
			t.Error(said)
		}
	}
	rest := shown.String()
	for _, want := range []string{"copying rows", "finishing the copy", "comparing rows",
		"adding up balances in " + file, "exporting records from " + file,
		"adding up balances in postgres://", "exporting records from postgres://",
		"checking the copy"} {
		_, after, is := strings.Cut(rest, want)
		if rest = after; !is {
			t.Fatalf("no %q is shown, or not then: %q", want, shown.String())
		}
	}
	if after := knobel("export", "--db", back); after != before {
		t.Error("the records are others")
	}
}

// TestWhatIsServedIsNotMoved tries to move from and to databases that are in use.
func TestWhatIsServedIsNotMoved(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file, free := filepath.Join(folder, "knobel.db"), filepath.Join(folder, "free.db")
	served, shared := storetest.OnServer(t), storetest.OnServer(t) // used by one process, and by replicas
	for name, options := range map[string][]store.Option{file: nil, served: nil, shared: {store.Shared()}} {
		st, err := store.Open(t.Context(), name, options...)
		check(t, err)
		defer st.Close()
	}
	check(t, playMany(t.Context(), free, 1))
	fresh := filepath.Join(folder, "new.db")
	t.Run("ways", func(t *testing.T) {
		for name, way := range map[string][2]string{
			"from a file":       {file, fresh + "1"},
			"from a server":     {served, fresh + "2"},
			"from replicas":     {shared, fresh + "3"},
			"onto a server":     {free, served},
			"onto the replicas": {storetest.Copy(t, free), shared}, // a copy, because free is in use by the case above
		} {
			t.Run(name, func(t *testing.T) {
				t.Parallel()
				var out, errs bytes.Buffer
				w := worldOf(&out, &errs, nil)
				if code := run(t.Context(), w, []string{"move", way[0], way[1]}); code == 0 ||
					!strings.Contains(errs.String(), "another instance ") {
					t.Errorf("%d, %s%s", code, out.String(), errs.String())
				}
			})
		}
	})
	if left, err := filepath.Glob(filepath.Join(folder, "new*")); err != nil || len(left) > 0 {
		t.Errorf("there are %q", left)
	}
}

// TestAMoveThatIsKilledBeginsAnew kills the program at different moments of a move. The old database stays unchanged,
// and the next try starts from the beginning.
func TestAMoveThatIsKilledBeginsAnew(t *testing.T) {
	needs.Long(t)
	t.Parallel()
	program, folder := build(t), t.TempDir()
	file, address := filepath.Join(folder, "knobel.db"), filepath.Join(folder, "address")
	check(t, playMany(t.Context(), file, 30))
	fillSettings(t, file, 20_000)
	writePrivate(t, address, []byte(storetest.OnServer(t)+"\n"))
	chance := rand.New(rand.NewPCG(2026, 11))
	for to, rounds := range map[string]int{
		filepath.Join(folder, "new.db"): kills(t, 50), "@" + address: kills(t, 10),
	} {
		for n, moved := 0, false; n <= rounds && !moved; n++ {
			move := exec.Command(program, "move", file, to)
			var said bytes.Buffer
			move.Env, move.Stdout, move.Stderr = []string{}, &said, &said
			check(t, move.Start())
			ended := make(chan error, 1)
			go func() { ended <- move.Wait() }()
			var end <-chan time.Time // nil: the last round runs to its end
			if n < rounds {
				end = time.After(time.Duration(chance.IntN(1500)) * time.Millisecond)
			}
			select {
			case <-end:
				_ = move.Process.Kill()
				<-ended
			case err := <-ended:
				if moved = err == nil; !moved {
					t.Fatalf("%v: %s", err, said.String())
				}
				continue
			}
			// A move killed after marking the old database needs --undo before the next try.
			if moved = exec.Command(program, "move", "--undo", file).Run() == nil; moved {
				t.Logf("it was killed while it ended")
			}
			examine(t, program, file)
		}
		_ = exec.Command(program, "move", "--undo", file).Run() // a no-op without a mark
		examine(t, program, file)
	}
}

// fillSettings adds this number of settings to the database in file, so that copying it takes a while.
func fillSettings(t *testing.T, file string, settings int) {
	t.Helper()
	st, err := store.Open(t.Context(), file)
	check(t, err)
	err = st.Update(t.Context(), func(tx *store.Tx) error {
		for n := range settings {
			if err := tx.Chats.SaveSetting(fmt.Sprint("setting ", n), strings.Repeat("x", 100)); err != nil {
				return err
			}
		}
		return nil
	})
	check(t, errors.Join(err, st.Close()))
}

// TestACopyThatDiffersIsNotTaken changes a row between copying and comparing.
func TestACopyThatDiffersIsNotTaken(t *testing.T) {
	file := filepath.Join(t.TempDir(), "knobel.db")
	check(t, playMany(t.Context(), file, 2))
	st, err := store.Open(t.Context(), file)
	check(t, err)
	defer st.Close()
	c, err := st.CopyTo(t.Context(), storetest.OnServer(t), nil)
	check(t, err)
	err = c.To.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
		table, err := tx.Tables.Table(1)
		table.Board.Page = "rules"
		return errors.Join(err, tx.Tables.SaveTable(table))
	})
	check(t, err)
	var out bytes.Buffer
	w := world{out: &out, err: &out, getenv: func(string) string { return "" }}
	m := moveJob{world: w, st: st, from: &settings{}, to: &settings{}}
	if same, err := m.prove(t.Context(), c); same || err != nil {
		t.Errorf("the same: %t, %v", same, err)
	}
	if said := out.String(); !strings.Contains(said, "\nFAIL   boards differs in the copy\n") ||
		strings.Count(said, "FAIL") != 1 {
		t.Error(said)
	}
	if err := c.GiveUp(); err != nil {
		t.Error(err)
	}
}

// playMany plays games against computer players in a hundred chats: repeatedly one long and nine short ones.
func playMany(ctx context.Context, file string, games int) error {
	const chats = 100
	return withBot(ctx, file, func(b *wiring.Bot) error {
		var all errgroup.Group
		for n := range min(games, chats) {
			all.Go(func() error {
				id := fmt.Sprint("discord:", n)
				g := &gathering{bot: b, chat: chat.Chat(id), place: chat.Place(id + "/1")}
				g.counts(ctx, cleo)
				for i := n; i < games; i += chats {
					text := "5 tiles=3"
					if i/chats%10 == 0 {
						text = "5 golf tiles=4"
					}
					g.open(ctx, text, cleo)
					if g.play(ctx, 1000); g.err != nil {
						return fmt.Errorf("game %d: %w", i, g.err)
					}
				}
				return nil
			})
		}
		return all.Wait()
	})
}

// cutMove describes a move that loses the connection to its server at the very end, and the expected result.
type cutMove struct {
	fromServer bool // from a server to a file, else from a file to a server
	off        bool // the server is unreachable when moveJob.finish is called
	cut        postgrestest.Cut
	fails      bool // the move returns an error
	undo       bool // the error names --undo; ignored with off
	marked     bool // the old database is marked as moved
	whole      bool // the new database is servable
}

// TestTheEndOfAMoveIsCut cuts the connection to the server at the end of moves. Both databases must never be servable
// at once. If the outcome is unknown, the error explains how to proceed. In cases named "… is the last" the server
// still carries out that commit, but is unreachable before it can answer.
func TestTheEndOfAMoveIsCut(t *testing.T) {
	t.Parallel()
	const before, after, lost = postgrestest.BeforeCommit, postgrestest.AfterCommit, postgrestest.Lost
	for name, m := range map[string]cutMove{
		"the copy's end is not answered": {cut: after, marked: true, whole: true},
		"the copy's end does not arrive": {cut: before, marked: true, whole: true},
		"the copy's end is the last":     {cut: lost, fails: true, undo: true, marked: true, whole: true},
		"it is gone before the copy's":   {off: true, fails: true},
		"the mark is not answered":       {fromServer: true, cut: after, marked: true, whole: true},
		"the mark does not arrive":       {fromServer: true, cut: before, marked: true, whole: true},
		"the mark is the last":           {fromServer: true, cut: lost, fails: true, undo: true, marked: true},
		"it is gone before the mark":     {fromServer: true, off: true, fails: true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			runCutMove(t, m)
		})
	}
}

// runCutMove runs a move with the cut and the expectations of m.
func runCutMove(t *testing.T, m cutMove) {
	proxy := postgrestest.Need(t).Proxy(t)
	file, server := filepath.Join(t.TempDir(), "knobel.db"), storetest.OnServer(t)
	from, to := &settings{db: file}, &settings{db: proxy.Address(server)}
	if m.fromServer {
		from, to = to, from
	}
	st, err := store.Open(t.Context(), from.db)
	check(t, err)
	defer st.Close()
	c, err := st.CopyTo(t.Context(), to.db, nil)
	check(t, err)
	proxy.Cut(m.cut)
	if m.off {
		proxy.Off()
	}
	var out bytes.Buffer
	w := worldOf(&out, &out, nil)
	err = moveJob{world: w, from: from, to: to, st: st}.finish(t.Context(), c)
	if cuts := proxy.Cuts(); m.cut != postgrestest.Nowhere && cuts != 1 {
		t.Fatalf("%d connections are cut", cuts)
	}
	if (err != nil) != m.fails || strings.Contains(out.String(), "All data is now in ") == m.fails {
		t.Errorf("it ends with %v, and says %q", err, out.String())
	}
	// With off, the error depends on whether the outage is noticed before or after the mark is sent.
	if err != nil && !m.off && strings.Contains(err.Error(), "knobel move --undo") != m.undo {
		t.Errorf("it ends with %v", err)
	}
	proxy.On()
	closeOrFail(t, st)
	if marked := isMarked(t, from.db); marked != m.marked {
		t.Errorf("the old database is marked: %t", marked)
	}
	if whole := isWhole(t, to.db); whole != m.whole {
		t.Errorf("the new database is whole: %t", whole)
	}
	if m.undo {
		if err := unmove(t.Context(), w, from); err != nil || isMarked(t, from.db) {
			t.Errorf("the mark cannot be taken back: %v", err)
		}
	}
}

// isMarked reports whether a database is marked as moved.
func isMarked(t *testing.T, name string) bool {
	t.Helper()
	st, err := store.OpenReadOnly(t.Context(), name)
	check(t, err)
	defer st.Close()
	to, err := movedTo(t.Context(), st)
	if err != nil {
		t.Error(err)
	}
	return to != ""
}

// isWhole reports whether a copy exists and is finished.
func isWhole(t *testing.T, name string) bool {
	t.Helper()
	if _, err := os.Stat(name); store.IsFile(name) && errors.Is(err, fs.ErrNotExist) {
		return false
	}
	st, err := store.OpenReadOnly(t.Context(), name)
	check(t, err)
	defer st.Close()
	unfinished, err := st.Unfinished(t.Context())
	if err != nil {
		t.Error(err)
	}
	return !unfinished
}
