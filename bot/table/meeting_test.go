package table_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store"
)

// What the parts of a table's life make of each other: absence, votes, undo,
// seats of people who were forgotten.

// TestWhatTheHouseHasPlayedStands: only who made a choice takes it back, so that
// nobody who is away stops a table.
func TestWhatTheHouseHasPlayedStands(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := bare.NewClocked(t, "/wuerfelpoker turn=1m", "Anna", "Ben")
		anna, ben := c.People[0], c.People[1]
		for missed := range 2 {
			c.Misses()
			if text := bare.Show(ben.Board()); c.ToMove() != 1 || strings.Contains(text, "Undo") {
				t.Errorf("after %d missed turns:\n%s", missed+1, text)
			}
			bare.Refused(t, anna.Sends(fmt.Sprintf("1:1:%d:!undo", anna.Table().Turn)),
				"The house has played that for you: it stands. Play on.")
			if missed == 0 {
				ben.Presses("Throw")
				ben.Presses("Write…")
				ben.Sends(ben.Board().Buttons[0][0].Press)
			}
		}
		if table := anna.Table(); table.Seats[0].Absence != store.Gone || table.Due == 0 {
			t.Errorf("nobody is waited for: %+v", table)
		}
		c.Verified()
	})
}

// TestWhoIsAwayIsCounted where dice have fallen and nothing can be lost: nobody undoes a game alone because
// the others are away for a while. Back again, they have their vote.
func TestWhoIsAwayIsCounted(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := bare.NewClocked(t, "/shutbox 0 match=rounds:9 turn=1m", "Anna", "Ben")
		anna, ben := c.People[0], c.People[1]
		ben.Writes("/abandon")
		c.Misses()
		for c.ToMove() == 1 {
			ben.Sends(ben.Board().Buttons[0][0].Press)
		}
		ben.Writes("/abandon")
		if m := anna.Board(); !strings.Contains(m.Head, "Ben, 1 of 2 votes") {
			t.Fatalf("it says %s", m.Head)
		}
		c.Misses()
		if table := anna.Table(); table.State != store.Playing || table.Seats[0].Absence != store.Gone {
			t.Errorf("Ben would end it, and Anna is away; it is %s:\n%s", table.State, bare.Show(anna.Board()))
		}
		anna.Presses("I'm back")
		anna.Presses("End it (1 of 2)")
		if table := anna.Table(); table.State != store.Abandoned {
			t.Errorf("both would end it; it is %s:\n%s", table.State, bare.Show(anna.Board()))
		}
		c.Verified()
	})
}

// TestOutIsOut, whatever else happens to the seat: its stake is lost, and it
// wins nothing.
func TestOutIsOut(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := bare.NewClocked(t, "/shutbox 10 match=rounds:2 turn=1m absent=out", "Anna", "Ben", "Clara")
		anna, ben, clara := c.People[0], c.People[1], c.People[2]
		c.Misses()
		bare.Refused(t, anna.Sends(fmt.Sprintf("1:1:%d:!undo", anna.Table().Turn)),
			"Your seat is out: it took too long. Join the next table.")
		if r := anna.Writes("/abandon"); !r.Refused {
			t.Errorf("who is out may end the table: %q", r.Toast)
		}
		anna.Forgets()
		table := ben.Table()
		if table.Seats[0].Absence != store.Out {
			t.Errorf("the seat is %+v", table.Seats[0])
		}
		for ben.Table().State == store.Playing {
			for _, p := range []*bare.Person{ben, clara} {
				p.Sends(p.Board().Buttons[0][0].Press)
			}
		}
		c.People = c.People[1:]
		c.Verified()
		rows := c.Results(table.ID)
		if rows[0].Pool != -10 || rows[0].Place != 3 {
			t.Errorf("%+v", rows)
		}
	})
}

// TestTheLastWhoCanWinIsNotOut where the others were forgotten.
func TestTheLastWhoCanWinIsNotOut(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := bare.NewClocked(t, "/shutbox 10 match=rounds:2 turn=1m absent=out", "Anna", "Ben")
		anna, ben := c.People[0], c.People[1]
		c.People = []*bare.Person{anna}
		ben.Forgets()
		c.Lasts()
		if d := anna.Board().Deadline; d == nil || !strings.Contains(d.String(), " plays, or the house ") {
			t.Errorf("the board says %v", d)
		}
		c.Misses()
		if s := anna.Table().Seats; s[0].Absence == store.Out {
			t.Errorf("nobody is left to win: %+v", s)
		}
		c.Verified()
	})
}

// TestGraceIsGivenOnce to every table, also to one whose grace is the shortest
// and while time goes by: nobody else's turn is kept from its end.
func TestGraceIsGivenOnce(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t)
		for i := range 59 {
			p := h.Person("Anna")
			p.Place = chat.Place(fmt.Sprint("test:1/lobby", i))
			p.Writes("/coin")
		}
		c := &bare.Clocked{House: h, Stage: bare.NewStage(), People: h.Gather("/coin 5 turn=1m", "Anna", "Ben")}
		c.People[0].Presses("▶ Start")
		was := c.People[0].Table()
		if was.ID != 60 {
			t.Fatalf("the table is %d", was.ID)
		}
		h.Wait(time.Hour)
		h.Restless = true
		h.Restart()
		c.OnStage(c.Stage)
		c.Misses()
		c.Misses()
		if n := c.Auto(); n == 0 {
			t.Errorf("%d moves were played: %+v", n, c.People[0].Table())
		}
		if n := c.People[0].Table().Version - was.Version; n > 9 {
			t.Errorf("the board has changed %d times", n)
		}
		c.Verified()
	})
}

// TestTermsWithoutAStake: nobody can be out after practice.
func TestTermsWithoutAStake(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Admin = true
	anna.Writes("/coin 5 absent=out")
	anna.Sends("1:1:0:!house random")
	anna.Sends("1:1:0:!unhouse")
	anna.Presses("▶ Start")
	anna.Presses("Throw")
	anna.Presses("↻ Rematch")
	ben.Presses("Sit down")
	if m := anna.Board(); strings.Contains(bare.Show(m), " is out") {
		t.Errorf("there is nothing to lose:\n%s", bare.Show(m))
	}
	anna.Presses("▶ Start")
	h.Wait(8 * time.Minute)
	anna.Writes("/settings quiet=1-2") // which sets its clock anew
	if d := anna.Board().Deadline; d == nil || !strings.Contains(d.String(), " plays, or the house ") {
		t.Errorf("the board says %v", d)
	}
	h.Sound()
}

// TestAQuestionGivesWay to the next turn, and to a vote: whoever was asked may not
// be there.
func TestAQuestionGivesWay(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := bare.NewClocked(t, "/shutbox 10 turn=1m match=rounds:9", "Anna", "Ben", "Clara")
		anna, ben := c.People[0], c.People[1]
		anna.Writes("/abandon")
		yes := anna.Button("Yes, end it").Press
		ben.Writes("/abandon")
		if m := anna.Board(); !strings.HasPrefix(m.Head, "To end this table: Ben, 1 of 2 votes.") {
			t.Errorf("the vote is not shown: %s", m.Head)
		}
		bare.Refused(t, anna.Sends(yes), "The table has moved on. Look at the newest board.")
		ben.Presses("Play on")
		anna.Writes("/abandon")
		c.Misses()
		if m := anna.Board(); strings.Contains(bare.Show(m), "End this table?") {
			t.Errorf("it is still asked:\n%s", bare.Show(m))
		}
		c.Verified()
	})
}

// TestTheHeadTellsWhatTheHouseHasPlayed for a person who is away: not the turn before.
func TestTheHeadTellsWhatTheHouseHasPlayed(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := bare.NewClocked(t, "/shutbox 10 turn=1m tiles=5-12", "Anna", "Ben", "Clara")
		anna := c.People[0]
		for c.ToMove() == 0 {
			anna.Sends(anna.Board().Buttons[0][0].Press)
		}
		c.Misses()
		m := anna.Board()
		if !regexp.MustCompile(`^The house played for Ben: \d+\.$`).MatchString(m.Head) {
			t.Errorf("the board says\n%s", bare.Show(m))
		}
		c.Verified()
	})
}
