package telegram

import (
	"context"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"sync"
	"testing"

	"knobel/bot/telegram/telegramtest"
	"knobel/store"
)

// maxWrites is how many sends and edits one player's round may cost.
const maxWrites = 4

// writes is how much the bot has written so far, of whatever kind.
func (e *evening) writes() int {
	n := 0
	for _, c := range e.server.Calls() {
		if strings.HasPrefix(c.Method, "send") || strings.HasPrefix(c.Method, "editMessage") {
			n++
		}
	}
	return n
}

var numbered = regexp.MustCompile(`^1:(\d+):(\d+):`)

// standing is the newest board and the table and turn that its buttons are for.
func (e *evening) standing() (m telegramtest.Message, table, turn int64) {
	for _, m := range slices.Backward(e.messages()) {
		for _, b := range slices.Concat(m.Keyboard...) {
			if found := numbered.FindStringSubmatch(b.Data); found != nil && found[1] != "0" {
				table, _ = strconv.ParseInt(found[1], 10, 64)
				turn, _ = strconv.ParseInt(found[2], 10, 64)
				return m, table, turn
			}
		}
	}
	return m, 0, -1
}

// moves presses a button that moves the game on, and waits until the board
// shows it, as somebody does who looks before pressing again.
func (e *evening) moves(who telegramtest.Person, ends string) {
	e.t.Helper()
	_, _, before := e.standing()
	e.press(who, ends)
	e.until("the board shows "+ends, func() bool { _, _, turn := e.standing(); return turn == before+1 })
}

// lying are the dice on a board, and which of them are kept.
func lying(text string) (faces []int, kept []bool) {
	_, rest, _ := strings.Cut(text, "🎲")
	line, _, _ := strings.Cut(rest, "\n")
	for _, die := range strings.Fields(line) {
		face, locked := strings.CutSuffix(die, "🔒")
		n, _ := strconv.Atoi(face)
		faces, kept = append(faces, n), append(kept, locked)
	}
	return faces, kept
}

// majority says which dice somebody keeps who wants many of one face.
func majority(faces []int) []bool {
	count := map[int]int{}
	for _, f := range faces {
		count[f]++
	}
	best := slices.MaxFunc(faces, func(a, b int) int { return 10*(count[a]-count[b]) + a - b })
	keep := make([]bool, len(faces))
	for i, f := range faces {
		keep[i] = f == best
	}
	return keep
}

// toggles presses the dice that somebody wants to keep or to throw after all,
// one by one, with a change of mind; each is answered by a toast. It says
// whether anything is left to throw.
func (e *evening) toggles(who telegramtest.Person) bool {
	e.t.Helper()
	m, table, turn := e.standing()
	faces, kept := lying(m.Text)
	keep := majority(faces)
	press := func(die int) {
		a := e.answer(e.group.PressData(who, m.ID, fmt.Sprintf("1:%d:%d:!pick %d", table, turn, die)))
		if a.Text == "" || a.Alert {
			e.t.Errorf("a toggle is answered by %+v", a)
		}
	}
	for i := range keep {
		if keep[i] != kept[i] {
			press(i)
		}
	}
	if !slices.Contains(keep, false) {
		return false
	}
	press(0)
	press(0)
	return true
}

// rounds plays one row: up to three throws, then the first row on offer.
func (e *evening) rounds(who telegramtest.Person, throws int) {
	e.t.Helper()
	e.moves(who, ":throw")
	thrown := 1
	for ; thrown < throws && e.toggles(who); thrown++ {
		e.moves(who, ":!play")
	}
	if thrown < 3 {
		e.press(who, ":!show write")
		e.until("the rows are there", func() bool { return len(e.rows()) > 0 })
	}
	row := e.rows()[0]
	e.moves(who, row[strings.LastIndex(row, ":"):])
}

// rows are what the buttons of the board carry that write or strike a row.
func (e *evening) rows() []string {
	m, _, _ := e.standing()
	var all []string
	for _, b := range slices.Concat(m.Keyboard...) {
		if strings.Contains(b.Data, ":write ") || strings.Contains(b.Data, ":strike ") {
			all = append(all, b.Data)
		}
	}
	return all
}

// A whole game of three, from the command to the last sheet and the settling
// up: nobody's round costs more than four sends and edits, and a toggle none.
func TestWuerfelpokerForThree(t *testing.T) {
	e := newEvening(t)
	people := []telegramtest.Person{anna, ben, clara}
	e.sit("/wuerfelpoker point=2", anna, ben, clara)
	e.until("the game is there", func() bool { _, _, ok := e.carries(":throw"); return ok })
	begun, dearest := e.writes(), 0
	for round := range 15 {
		for i, who := range people {
			before := e.writes()
			e.rounds(who, 1+(round+i+2)%3)
			spent := e.writes() - before
			if dearest = max(dearest, spent); spent > maxWrites {
				t.Errorf("round %d of %s costs %d sends and edits", round+1, who.First, spent)
			}
		}
	}
	e.until("it is over", func() bool { _, _, over := e.carries(":!rematch"); return over })
	if spent := e.writes() - begun; spent > 15*len(people)*maxWrites || dearest != maxWrites {
		t.Errorf("the game costs %d sends and edits, a round up to %d", spent, dearest)
	}
	if n := len(e.messages()); n != 1 {
		t.Errorf("%d messages", n)
	}
	sheet := e.reads("Summe")
	for _, part := range []string{"Anna", "Ben", "Clara", "Poker", "Chance"} {
		if !strings.Contains(sheet.Text, part) {
			t.Errorf("%q is not on the sheet:\n%s", part, sheet.Text)
		}
	}
	e.group.Say(clara, "/settle")
	if m := e.reads("→"); len(m.Keyboard) == 0 {
		t.Errorf("the settling up is %+v", m)
	}
}

// Dice pressed as fast as one can, by many fingers at once, are all heard: what
// is kept is what was pressed an odd number of times.
func TestNoToggleIsLost(t *testing.T) {
	e := newEvening(t)
	e.sit("/wuerfelpoker", anna, ben)
	e.moves(anna, ":throw")
	m, table, turn := e.standing()
	before, times := e.writes(), [5]int{31, 20, 17, 30, 8}
	var fingers sync.WaitGroup
	queries := make(chan string, 200)
	for die, n := range times {
		for range n {
			fingers.Go(func() { queries <- e.group.PressData(anna, m.ID, fmt.Sprintf("1:%d:%d:!pick %d", table, turn, die)) })
		}
	}
	fingers.Wait()
	close(queries)
	for query := range queries {
		e.answered(query)
	}
	if spent := e.writes() - before; spent != 0 {
		t.Errorf("toggles cost %d sends and edits", spent)
	}
	e.moves(anna, ":!play")
	var moves []store.Move
	err := e.store.View(context.Background(), func(tx *store.Tx) (err error) {
		moves, err = tx.Moves(table)
		return err
	})
	if err != nil || len(moves) != 2 || moves[1].Move != "keep 10100" {
		t.Errorf("played %+v, %v", moves, err)
	}
	if m, _, _ := e.standing(); strings.Count(m.Text, "🔒") != 2 {
		t.Errorf("the board says\n%s", m.Text)
	}
}
