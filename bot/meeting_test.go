package bot_test

import (
	"context"
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// What the parts of a table's life make of each other: absence, votes, undo,
// seats of people who were forgotten.

// TestWhatTheHouseHasPlayedStands: only who made a choice takes it back, so that
// nobody who is away stops a table.
func TestWhatTheHouseHasPlayedStands(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClocked(t, "/wuerfelpoker turn=1m", "Anna", "Ben")
		anna, ben := c.people[0], c.people[1]
		for missed := range 2 {
			c.misses()
			if text := show(ben.board()); c.toMove() != 1 || strings.Contains(text, "Undo") {
				t.Errorf("after %d missed turns:\n%s", missed+1, text)
			}
			refused(t, anna.sends(fmt.Sprintf("1:1:%d:!undo", anna.table().Turn)),
				"The house has played that for you: it stands. Play on.")
			if missed == 0 {
				ben.presses("Throw")
				ben.presses("Write…")
				ben.sends(ben.board().Buttons[0][0].Press)
			}
		}
		if table := anna.table(); table.Seats[0].Absence != store.Gone || table.Due == 0 {
			t.Errorf("nobody is waited for: %+v", table)
		}
		c.verified()
	})
}

// TestWhoIsAwayIsCounted where dice have fallen and nothing can be lost: nobody undoes a game alone because
// the others are away for a while. Back again, they have their vote.
func TestWhoIsAwayIsCounted(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClocked(t, "/shutbox 0 match=rounds:9 turn=1m", "Anna", "Ben")
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
		c.misses()
		if table := anna.table(); table.State != store.Playing || table.Seats[0].Absence != store.Gone {
			t.Errorf("Ben would end it, and Anna is away; it is %s:\n%s", table.State, show(anna.board()))
		}
		anna.presses("I'm back")
		anna.presses("End it (1 of 2)")
		if table := anna.table(); table.State != store.Abandoned {
			t.Errorf("both would end it; it is %s:\n%s", table.State, show(anna.board()))
		}
		c.verified()
	})
}

// TestOutIsOut, whatever else happens to the seat: its stake is lost, and it
// wins nothing.
func TestOutIsOut(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClocked(t, "/shutbox 10 match=rounds:2 turn=1m absent=out", "Anna", "Ben", "Clara")
		anna, ben, clara := c.people[0], c.people[1], c.people[2]
		c.misses()
		refused(t, anna.sends(fmt.Sprintf("1:1:%d:!undo", anna.table().Turn)),
			"Your seat is out: it took too long. Join the next table.")
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
		rows := c.results(table.ID)
		if rows[0].Pool != -10 || rows[0].Place != 3 {
			t.Errorf("%+v", rows)
		}
	})
}

// TestTheLastWhoCanWinIsNotOut where the others were forgotten.
func TestTheLastWhoCanWinIsNotOut(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClocked(t, "/shutbox 10 match=rounds:2 turn=1m absent=out", "Anna", "Ben")
		anna, ben := c.people[0], c.people[1]
		c.people = []*person{anna}
		ben.forgets()
		c.lasts()
		if d := anna.board().Deadline; d == nil || !strings.Contains(d.String(), " plays, or the house ") {
			t.Errorf("the board says %v", d)
		}
		c.misses()
		if s := anna.table().Seats; s[0].Absence == store.Out {
			t.Errorf("nobody is left to win: %+v", s)
		}
		c.verified()
	})
}

// TestGraceIsGivenOnce to every table, also to one whose grace is the shortest
// and while time goes by: nobody else's turn is kept from its end.
func TestGraceIsGivenOnce(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHouse(t)
		for i := range 59 {
			p := h.person("Anna")
			p.place = chat.Place(fmt.Sprint("test:1/lobby", i))
			p.writes("/coin")
		}
		c := &clocked{house: h, stage: newStage(), people: h.gather("/coin 5 turn=1m", "Anna", "Ben")}
		c.people[0].presses("▶ Start")
		was := c.people[0].table()
		if was.ID != 60 {
			t.Fatalf("the table is %d", was.ID)
		}
		h.wait(time.Hour)
		h.restless = true
		h.restart()
		c.onStage(c.stage)
		c.misses()
		c.misses()
		if n := c.auto(); n == 0 {
			t.Errorf("%d moves were played: %+v", n, c.people[0].table())
		}
		if n := c.people[0].table().Version - was.Version; n > 9 {
			t.Errorf("the board has changed %d times", n)
		}
		c.verified()
	})
}

// TestTermsWithoutAStake: nobody can be out after practice.
func TestTermsWithoutAStake(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.admin = true
	anna.writes("/coin 5 absent=out")
	anna.sends("1:1:0:!house random")
	anna.sends("1:1:0:!unhouse")
	anna.presses("▶ Start")
	anna.presses("Throw")
	anna.presses("↻ Rematch")
	ben.presses("Sit down")
	if m := anna.board(); strings.Contains(show(m), " is out") {
		t.Errorf("there is nothing to lose:\n%s", show(m))
	}
	anna.presses("▶ Start")
	h.wait(8 * time.Minute)
	anna.writes("/settings quiet=1-2") // which sets its clock anew
	if d := anna.board().Deadline; d == nil || !strings.Contains(d.String(), " plays, or the house ") {
		t.Errorf("the board says %v", d)
	}
	h.sound()
}

// TestNobodyIsSentToWhoIsGone: whoever may not end a table is told who may.
func TestNobodyIsSentToWhoIsGone(t *testing.T) {
	h := newHouse(t)
	people := h.gather("/coin 5", "Anna", "Ben", "Clara")
	people[0].presses("▶ Start")
	people[0].forgets()
	dora := h.person("Dora")
	refused(t, dora.writes("/abandon"), "Ask an admin or those seated to end it.")
	inARoom := dora.event()
	inARoom.Command, inARoom.Hosted = "abandon", true
	refused(t, h.bot.Handle(t.Context(), inARoom), "Ask the room's host or those seated to end it.")
	dora.locale = "de"
	refused(t, dora.writes("/abandon"), "Bitte Admins oder die am Tisch darum.")
	h.sound()
}

// TestAQuestionGivesWay to the next turn, and to a vote: whoever was asked may not
// be there.
func TestAQuestionGivesWay(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClocked(t, "/shutbox 10 turn=1m match=rounds:9", "Anna", "Ben", "Clara")
		anna, ben := c.people[0], c.people[1]
		anna.writes("/abandon")
		yes := anna.button("Yes, end it").Press
		ben.writes("/abandon")
		if m := anna.board(); !strings.HasPrefix(m.Head, "To end this table: Ben, 1 of 2 votes.") {
			t.Errorf("the vote is not shown: %s", m.Head)
		}
		refused(t, anna.sends(yes), "The table has moved on. Look at the newest board.")
		ben.presses("Play on")
		anna.writes("/abandon")
		c.misses()
		if m := anna.board(); strings.Contains(show(m), "End this table?") {
			t.Errorf("it is still asked:\n%s", show(m))
		}
		c.verified()
	})
}

// A new name is on the board of a lobby at once, whether the platform tells of it or
// the person does something else; a game that goes on keeps its names.
func TestANewNameReachesTheLobby(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/coin 10")
	ben.presses("Sit down")
	called := func(name string, does func(ev *chat.Event)) {
		t.Helper()
		ev := ben.event()
		ev.Name = name
		does(&ev)
		h.bot.Handle(context.Background(), ev)
	}
	renamed := func(ev *chat.Event) { ev.Renamed = true }

	called("Benedikt", renamed)
	if text := show(anna.board()); !strings.Contains(text, "Benedikt") || strings.Contains(text, "to agree") {
		t.Errorf("once told:\n%s", text)
	}
	called("Beppo", func(ev *chat.Event) { ev.Command = "help" })
	if text := show(anna.board()); !strings.Contains(text, "Beppo") {
		t.Errorf("by a command:\n%s", text)
	}
	anna.presses("▶ Start")
	called("Benjamin", renamed)
	if text := show(anna.board()); !strings.Contains(text, "Beppo") || strings.Contains(text, "Benjamin") {
		t.Errorf("in a game:\n%s", text)
	}

	stranger := h.person("Dora").event()
	stranger.Renamed = true
	h.bot.Handle(context.Background(), stranger)
	err := h.store.View(context.Background(), func(tx *store.Tx) error {
		met, err := tx.Player(string(stranger.User))
		if err == nil && met.Name != "" {
			t.Errorf("somebody whom nobody has met is remembered as %q", met.Name)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// TestTheHeadTellsWhatTheHouseHasPlayed for a person who is away: not the turn before.
func TestTheHeadTellsWhatTheHouseHasPlayed(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClocked(t, "/shutbox 10 turn=1m tiles=5-12", "Anna", "Ben", "Clara")
		anna := c.people[0]
		for c.toMove() == 0 {
			anna.sends(anna.board().Buttons[0][0].Press)
		}
		c.misses()
		m := anna.board()
		if !regexp.MustCompile(`^The house played for Ben: \d+\.$`).MatchString(m.Head) {
			t.Errorf("the board says\n%s", show(m))
		}
		c.verified()
	})
}
