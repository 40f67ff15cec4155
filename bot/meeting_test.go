package bot_test

import (
	"fmt"
	"strings"
	"testing"

	"knobel/store"
)

// What the parts of a table's life make of each other: absence, votes, undo,
// seats of people who were forgotten.

// TestWhatTheHouseHasPlayedStands: only who made a choice takes it back, so that
// nobody who is away stops a table.
func TestWhatTheHouseHasPlayedStands(t *testing.T) {
	c := newClocked(t, "/wuerfelpoker turn=1m", "Anna", "Ben")
	anna, ben := c.people[0], c.people[1]
	for missed := range 2 {
		c.misses()
		if text := show(ben.board()); c.toMove() != 1 || strings.Contains(text, "Undo") {
			t.Errorf("after %d missed turns:\n%s", missed+1, text)
		}
		refused(t, anna.sends(fmt.Sprintf("1:1:%d:!undo", anna.table().Turn)), "The house has played that for you: it stands.")
		if missed == 0 {
			ben.presses("Throw")
			ben.presses("Write…")
			ben.sends(ben.board().Buttons[0][0].Press)
			c.awake()
		}
	}
	if table := anna.table(); table.Seats[0].Absence != store.Gone || table.Due == 0 {
		t.Errorf("nobody is waited for: %+v", table)
	}
	c.verified()
}

// TestAVoteIsCountedAgain when fewer have one: what most of those who are left
// want is done.
func TestAVoteIsCountedAgain(t *testing.T) {
	c := newClocked(t, "/shutbox 10 match=rounds:9 turn=1m", "Anna", "Ben")
	anna, ben := c.people[0], c.people[1]
	ben.writes("/abandon")
	c.misses()
	for c.toMove() == 1 {
		ben.sends(ben.board().Buttons[0][0].Press)
	}
	ben.writes("/abandon")
	if m := anna.board(); !strings.Contains(m.Head, "Ben, 1 of 2 votes") {
		t.Fatalf("it says %s", m.Head)
	}
	c.awake()
	c.misses()
	if table := anna.table(); table.State != store.Abandoned {
		t.Errorf("Ben is alone and would end it; it is %s:\n%s", table.State, show(anna.board()))
	}
	c.verified()
}

// TestOutIsOut, whatever else happens to the seat: its stake is lost, and it
// wins nothing.
func TestOutIsOut(t *testing.T) {
	c := newClocked(t, "/shutbox 10 match=rounds:2 turn=1m absent=out", "Anna", "Ben", "Clara")
	anna, ben, clara := c.people[0], c.people[1], c.people[2]
	c.misses()
	refused(t, anna.sends(fmt.Sprintf("1:1:%d:!undo", anna.table().Turn)), "Your seat is out: it took longer than was agreed.")
	if r := anna.writes("/abandon"); !r.Refused {
		t.Errorf("who is out may end the table: %q", r.Toast)
	}
	anna.forgets()
	table := ben.table()
	if table.Seats[0].Absence != store.Out {
		t.Errorf("the seat is %+v", table.Seats[0])
	}
	for ben.table().State == store.Playing {
		for _, p := range []*person{ben, clara} {
			p.sends(p.board().Buttons[0][0].Press)
		}
	}
	c.people = c.people[1:]
	c.verified()
	var rows []store.Result
	if err := c.store.View(t.Context(), func(tx *store.Tx) (err error) {
		rows, err = tx.Results(table.ID)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	if rows[0].Pool != -10 || rows[0].Place != 3 {
		t.Errorf("%+v", rows)
	}
}

// TestTheLastWhoCanWinIsNotOut where the others were forgotten.
func TestTheLastWhoCanWinIsNotOut(t *testing.T) {
	c := newClocked(t, "/shutbox 10 match=rounds:2 turn=1m absent=out", "Anna", "Ben")
	anna, ben := c.people[0], c.people[1]
	c.people = []*person{anna}
	ben.forgets()
	if d := anna.board().Deadline; d == nil || !strings.HasPrefix(d.String(), "The house plays this turn") {
		t.Errorf("the board says %v", d)
	}
	c.misses()
	if s := anna.table().Seats; s[0].Absence == store.Out {
		t.Errorf("nobody is left to win: %+v", s)
	}
	c.verified()
}
