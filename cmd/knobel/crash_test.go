package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/games/record"
	"knobel/store"
)

// sent is a press as somebody has sent it.
type sent struct {
	by       *visitor
	id       string
	press    string
	answered bool // an answer came
	refused  bool
}

// TestKillAtAnyMoment kills the program over and over while people press
// buttons, and looks each time whether it has kept what it had promised: each
// press that was answered is there, none counts twice, the books add up to
// zero, the old buttons still work, and games come to their end.
func TestKillAtAnyMoment(t *testing.T) {
	t.Parallel()
	rounds := kills(t, 20)
	program, listen := build(t), freePort(t)
	db := filepath.Join(t.TempDir(), "knobel.db")
	chance := rand.New(rand.NewPCG(2026, 11))

	s := start(t, program, listen, db)
	people := make([]*visitor, 3)
	for i := range people {
		v := visits(t, listen)
		people[i] = v
	}
	people[0].opens(t, "/shutbox 7 tiles=5")
	// Where the dice will have it that no game ends, some more rounds are played.
	enough := func() bool { return verifyAll(t, db) >= rounds/8 }
	for round := 0; round < rounds || round < 5*rounds && !enough(); round++ {
		crowd := crowd{people: people, round: round, rest: int64(5 + chance.IntN(60))}
		presses := crowd.pressUntilKilled(s, chance.Uint64())
		kept := read(t, db)
		kept.check(t, presses)
		examine(t, program, db)
		s = start(t, program, listen, db)
		again(t, s, presses, db, kept)
	}
	s.kill()
	examine(t, program, db)
	n := verifyAll(t, db)
	t.Logf("%d rounds, %d games finished", rounds, n)
	if n < rounds/8 {
		t.Errorf("only %d games came to an end in %d rounds", n, rounds)
	}
}

// kills is how often the program is killed: once, and more often where tests may
// take long; as often as somebody wishes by KNOBEL_TEST_KILLS.
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

// crowd are people who press whatever there is to press.
type crowd struct {
	people []*visitor
	round  int
	rest   int64 // presses until the program is killed
	count  atomic.Int64
}

// pressUntilKilled lets everybody press at once, kills the program in the
// middle, and returns all that was pressed.
func (c *crowd) pressUntilKilled(s *serving, seed uint64) []*sent {
	killed, ready := make(chan struct{}), make(chan struct{})
	close(ready) // a channel that never lets anybody wait
	var all []*sent
	var mu sync.Mutex
	var pressing sync.WaitGroup
	for i, v := range c.people {
		pressing.Go(func() { v.follow(s.t.Context()) })
		pressing.Go(func() {
			chance := rand.New(rand.NewPCG(seed, uint64(i)))
			for {
				button, ok := choose(v.newest(), chance)
				var wait <-chan struct{} = ready
				if !ok {
					wait = v.news
				}
				select {
				case <-killed:
					return
				case <-s.ended:
					return
				case <-wait:
				}
				if !ok {
					continue
				}
				n := c.count.Add(1)
				if n == c.rest {
					go func() {
						_ = s.cmd.Process.Kill()
						close(killed)
					}()
				}
				p := &sent{by: v, id: fmt.Sprintf("%d-%d-%d", c.round, i, n), press: button}
				a, err := v.press(p.id, p.press)
				p.answered, p.refused = err == nil, a.Refused
				if strings.HasPrefix(a.Toast, "That was quick") {
					time.Sleep(leisure)
				}
				mu.Lock()
				all = append(all, p)
				mu.Unlock()
			}
		})
	}
	pressing.Wait()
	<-s.ended
	return all
}

// choose takes one of the buttons that carry a game on.
func choose(m chat.Message, chance *rand.Rand) (string, bool) {
	var useful []string
	for _, row := range m.Buttons {
		for _, b := range row {
			what := b.Press[strings.LastIndex(b.Press, ":")+1:]
			switch {
			case strings.HasPrefix(what, "/"):
			case !strings.HasPrefix(what, "!"), what == "!join", what == "!agree", what == "!start", what == "!rematch":
				useful = append(useful, b.Press)
			}
		}
	}
	if len(useful) == 0 {
		return "", false
	}
	return useful[chance.IntN(len(useful))], true
}

// kept is what a database holds: the moves of each table.
type kept map[int64][]store.Move

func read(t *testing.T, db string) kept {
	t.Helper()
	st, err := store.OpenReadOnly(context.Background(), db)
	if err != nil {
		t.Fatal(err)
	}
	defer st.Close()
	all := kept{}
	err = st.View(context.Background(), func(tx *store.Tx) error {
		return tx.Tables.Tables(func(id int64) (err error) {
			all[id], err = tx.Tables.Moves(id)
			return err
		})
	})
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// check finds every move that was answered gladly.
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

// has reports whether a table's move of that turn is this one.
func (k kept) has(table int64, turn int, move string) bool {
	moves := k[table]
	return turn < len(moves) && moves[turn].Move == move
}

// parse reads a press that is a move.
func parse(press string) (table int64, turn int, move string, ok bool) {
	part := strings.SplitN(press, ":", 4)
	if len(part) != 4 || strings.HasPrefix(part[3], "!") || strings.HasPrefix(part[3], "/") {
		return 0, 0, "", false
	}
	table, err1 := strconv.ParseInt(part[1], 10, 64)
	turn, err2 := strconv.Atoi(part[2])
	return table, turn, part[3], err1 == nil && err2 == nil
}

// again sends what had no answer once more, as a browser does: what had counted
// does not count again, and the rest counts now or is refused.
func again(t *testing.T, s *serving, presses []*sent, db string, before kept) {
	t.Helper()
	http.DefaultClient.CloseIdleConnections() // to the program that was killed
	for _, p := range presses {
		if p.answered {
			continue
		}
		a, err := p.by.press(p.id, p.press)
		if err != nil {
			t.Errorf("press %s after the restart: %v\n%s", p.press, err, s.said)
			continue
		}
		table, turn, move, ok := parse(p.press)
		if !ok {
			continue
		}
		now := read(t, db)
		switch had := before.has(table, turn, move); {
		case had && len(now[table]) < len(before[table]):
			t.Errorf("table %d has lost moves: %d, and had %d", table, len(now[table]), len(before[table]))
		case !had && !a.Refused && a.Board != 0 && !now.has(table, turn, move):
			// Without a board it was the silent answer to what had been dealt
			// with before: refused, and the answer lost.
			t.Errorf("press %s was accepted after the restart and is not there", p.press)
		}
	}
}

// examine runs the examination of the database.
func examine(t *testing.T, program, db string) {
	t.Helper()
	d := launch(t, program, []string{"KNOBEL_DB=" + db, "KNOBEL_LISTEN=127.0.0.1:1"}, "doctor")
	<-d.ended
	if d.err != nil {
		t.Fatalf("doctor: %v\n%s", d.err, d.said)
	}
}

// verifyAll exports all finished games and verifies each.
func verifyAll(t *testing.T, db string) int {
	t.Helper()
	var records strings.Builder
	w := worldOf(&records, io.Discard, map[string]string{"KNOBEL_DB": db})
	if code := run(context.Background(), w, []string{"export"}); code != 0 {
		t.Fatalf("export ends with %d", code)
	}
	if records.Len() == 0 { // none has ended, which would be a fault of a file
		return 0
	}
	n, err := record.ReadLines(strings.NewReader(records.String()), played(), &record.Solutions{},
		func(int, record.Record) {}, func(line int, f record.Fault) { t.Errorf("record %d: %s", line, f) })
	if err != nil {
		t.Fatal(err)
	}
	return n
}
