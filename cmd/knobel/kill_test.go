package main

import (
	"context"
	"errors"
	"io"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes"
	"knobel/bot/fakes/needs"
	"knobel/games/record"
	"knobel/store"
)

// TestKillAtAnyMoment kills the program repeatedly while people play on Telegram, Discord and in browsers, and revokes
// Telegram's last acknowledgements. No answered press is lost, on Telegram no press at all; none counts twice, payments
// add up to zero, old buttons still work, and games end.
func TestKillAtAnyMoment(t *testing.T) {
	t.Parallel()
	p := newParty(t, newSingle(t), false)
	defer p.end()
	p.begin(p.all...)
	stop := p.play()
	defer stop()
	polled := slices.Clone(p.env)
	for round := range kills(t, 20) {
		p.waitForProgress(int64(3 + p.chance.IntN(10)))
		p.waitForWrites()
		p.interrupt(func() {
			p.telegram.Rewind(p.chance.IntN(20))
			p.env = slices.Clone(polled)
			if round%2 == 0 { // alternate between polling and webhooks
				p.env = append(p.env, "KNOBEL_TELEGRAM_WEBHOOK_URL=https://dice.example.org/telegram")
			}
		})
	}
	p.waitForProgress(8)
	stop()
	p.waitIdle(p.openReadOnly())
	p.check()
}

// interrupt kills the only replica, checks its database, calls meanwhile and lets it start again.
func (p *party) interrupt(meanwhile func()) {
	p.t.Helper()
	r := p.all[0]
	r.gate.Lock()
	defer r.gate.Unlock()
	r.kill()
	<-r.s.ended
	p.killed++
	examine(p.t, p.program, p.db)
	meanwhile()
}

// kills returns how often to kill the program: KNOBEL_TEST_KILLS, or else long in long runs and once in short ones.
func kills(t *testing.T, long int) int {
	t.Helper()
	if wish := os.Getenv("KNOBEL_TEST_KILLS"); wish != "" {
		n, err := strconv.Atoi(wish)
		if err != nil || n < 1 {
			t.Fatalf("KNOBEL_TEST_KILLS is %q: give a number", wish)
		}
		return n
	}
	if needs.IsLong() {
		return long
	}
	return 1
}

// choose returns a random button that continues a game, or false if there is none.
func choose(m chat.Message, chance *rand.Rand) (string, bool) {
	var useful []string
	for _, b := range slices.Concat(m.Buttons...) {
		what := b.Press[strings.LastIndex(b.Press, ":")+1:]
		switch {
		case strings.HasPrefix(what, "/"):
		case !strings.HasPrefix(what, "!"), what == "!join", what == "!agree", what == "!start", what == "!rematch":
			useful = append(useful, b.Press)
		}
	}
	if len(useful) == 0 {
		return "", false
	}
	return useful[chance.IntN(len(useful))], true
}

// kept holds the stored moves by table.
type kept map[int64][]store.Move

// read returns the moves in a database.
func read(t *testing.T, db string) kept {
	t.Helper()
	all := kept{}
	viewDatabase(t, db, func(tx *store.Tx) error {
		return tx.Tables.Tables(func(id int64) (err error) {
			all[id], err = tx.Tables.Moves(id)
			return err
		})
	})
	return all
}

// check fails unless every move that was confirmed is stored.
func (k kept) check(t *testing.T, presses []*sent) {
	t.Helper()
	for _, p := range presses {
		table, turn, move, ok := parse(p.press)
		if !ok || !p.answered || p.refused {
			continue
		}
		if !k.has(table, turn, move) {
			t.Errorf("press %s was answered and is not there: table %d has %d moves", p.press, table, len(k[table]))
		}
	}
}

// has reports whether move is the table's stored move of that turn.
func (k kept) has(table int64, turn int, move string) bool {
	moves := k[table]
	return turn < len(moves) && moves[turn].Move == move
}

// parse returns the parts of a press; ok reports whether it is a move.
func parse(press string) (table int64, turn int, move string, ok bool) {
	p, ok := chat.ParsePress(press)
	return p.Table, int(p.Turn), p.What, ok && !strings.HasPrefix(p.What, "!") && !strings.HasPrefix(p.What, "/")
}

// examine fails unless doctor finds no fault in the database.
func examine(t *testing.T, program, db string) {
	t.Helper()
	d := launch(t, program, []string{"KNOBEL_DB=" + db, "KNOBEL_LISTEN=127.0.0.1:1"}, "doctor")
	<-d.ended
	if d.err != nil {
		t.Fatalf("doctor: %v\n%s", d.err, d.said)
	}
}

// verifyAll exports and verifies all finished games, and returns their number.
func verifyAll(t *testing.T, db string) int {
	t.Helper()
	var records strings.Builder
	w := worldOf(&records, io.Discard, map[string]string{"KNOBEL_DB": db})
	if code := run(context.Background(), w, []string{"export"}); code != 0 {
		t.Fatalf("export ends with %d", code)
	}
	if records.Len() == 0 { // no game has ended; verify would report an empty file
		return 0
	}
	n, err := record.ReadLines(strings.NewReader(records.String()), allGames(), &record.Solutions{},
		func(int, record.Record) {}, func(line int, f record.Fault) { t.Errorf("record %d: %s", line, f) })
	check(t, err)
	return n
}

// viewDatabase reads a database that other processes may be using.
func viewDatabase(t *testing.T, db string, read func(*store.Tx) error) {
	t.Helper()
	st, err := store.OpenReadOnly(t.Context(), db)
	if err == nil {
		err = errors.Join(st.View(t.Context(), read), st.Close())
	}
	check(t, err)
}

// TestKilledInItsFirstStart kills the program at many moments of its first start, while it creates the database. The
// next start must work with the remains.
func TestKilledInItsFirstStart(t *testing.T) {
	t.Parallel()
	const atOnce = 3
	rounds, program := kills(t, 60), build(t)
	listen, began := freePort(t), time.Now()
	s := launch(t, program, []string{"KNOBEL_LISTEN=" + listen, "KNOBEL_DB=" + filepath.Join(t.TempDir(), "knobel.db")})
	if !s.becomesHealthy(listen) {
		t.Fatalf("it does not start: %v\n%s", s.err, s.said)
	}
	within := time.Since(began) // duration of a first start on this machine
	s.kill()
	var next, unmade, hot atomic.Int64
	var workers sync.WaitGroup
	for range atOnce {
		listen := freePort(t)
		workers.Go(func() {
			for n := next.Add(1); n <= int64(rounds) && !t.Failed(); n = next.Add(1) {
				db := filepath.Join(t.TempDir(), "knobel.db")
				env := []string{"KNOBEL_LISTEN=" + listen, "KNOBEL_DB=" + db}
				s := launch(t, program, env)
				time.Sleep(within * time.Duration(2*n-1) / time.Duration(2*rounds)) // the moment under test
				s.kill()
				if !exists(db) {
					unmade.Add(1)
				}
				if info, err := os.Stat(db + "-journal"); err == nil && info.Size() > 0 {
					hot.Add(1)
				}
				s = launch(t, program, env)
				if !s.becomesHealthy(listen) {
					t.Errorf("killed after %d parts of %d of %v, it does not start again: %v\n%s", n, rounds, within,
						s.err, s.said)
				}
				s.kill()
			}
		})
	}
	workers.Wait()
	t.Logf("%d kills, %d before there was a file, %d left a journal", rounds, unmade.Load(), hot.Load())
	if rounds > 1 && int(unmade.Load()) == rounds {
		t.Error("it was always killed before it had begun")
	}
}

// becomesHealthy reports whether the program becomes healthy before it ends.
func (s *serving) becomesHealthy(listen string) bool {
	late := time.After(fakes.Patience)
	for checkHealth(context.Background(), listen) != nil {
		select {
		case <-s.ended:
			return false
		case <-late:
			return false
		case <-time.After(5 * time.Millisecond):
		}
	}
	return true
}
