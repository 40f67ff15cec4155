package bot_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// clocked is a table whose clock is moved by hand, while its bot runs: in a bubble,
// so that all that a moment brings has happened before the next one comes.
type clocked struct {
	*house
	stage  *stage
	people []*person
}

// newClocked opens a table, seats people and starts it.
func newClocked(t *testing.T, line string, names ...string) *clocked {
	t.Helper()
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	c := &clocked{house: h, stage: newStage(), people: h.gather(line, names...)}
	c.people[0].presses("▶ Start")
	c.onStage(c.stage)
	synctest.Wait()
	return c
}

// wait lets time go by, and what happens then happen.
func (c *clocked) wait(d time.Duration) { c.later(d) }

// awaits waits until the table is as it should be.
func (c *clocked) awaits(what string, met func(store.Table) bool) store.Table {
	c.t.Helper()
	var last store.Table
	c.stage.until(c.t, what, func([]string) bool {
		last = c.people[0].table()
		return met(last)
	})
	return last
}

// runs lets time go by, an alarm at a time, as it does for a bot that is not
// asleep.
func (c *clocked) runs(d time.Duration) {
	for ; d > 0; d -= 30 * time.Second {
		c.wait(min(d, 30*time.Second))
	}
}

// auto counts the moves that were played for somebody.
func (c *clocked) auto() int {
	n := 0
	for _, m := range c.moves(c.people[0].table().ID) {
		if m.Auto {
			n++
		}
	}
	return n
}

// results are what the seats of a table have won and lost.
func (c *clocked) results(table int64) (rows []store.Result) {
	c.t.Helper()
	if err := c.store.View(c.t.Context(), func(tx *store.Tx) (err error) {
		rows, err = tx.Results(table)
		return err
	}); err != nil {
		c.t.Fatal(err)
	}
	return rows
}

// toMove is the seat whose turn it is.
func (c *clocked) toMove() int {
	return c.people[0].board().Accent
}

func TestATurnIsPlayedFor(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClocked(t, "/shutbox match=rounds:9", "Anna", "Ben")
		anna, ben := c.people[0], c.people[1]
		due := anna.table().Due
		if want := c.time().Add(10 * time.Minute).UnixMilli(); due != want {
			t.Fatalf("due at %d, want %d", due, want)
		}
		if d := anna.board().Deadline; d != nil {
			t.Errorf("a board that has just been drawn says %+v", d)
		}
		c.runs(7 * time.Minute) // two thirds are over
		if d := anna.board().Deadline; d == nil || d.At != due/1000 ||
			d.String() != "Anna plays, or the house at 22:23." {
			t.Errorf("the board says %+v", d)
		}
		c.runs(3*time.Minute - time.Millisecond)
		if n := c.auto(); n != 0 || c.toMove() != 0 {
			t.Fatalf("%d moves were played early", n)
		}
		c.wait(time.Millisecond)
		played := c.awaits("Anna's turn is played", func(store.Table) bool { return c.toMove() == 1 })
		if s := played.Seats[0]; s.Missed != 1 || s.Absence != store.Present || c.auto() == 0 {
			t.Errorf("Anna's seat is %+v after %d moves", s, c.auto())
		}
		if show := show(anna.board()); !strings.Contains(show, "missed a turn") {
			t.Errorf("the board does not tell:\n%s", show)
		}
		if want := c.time().Add(10 * time.Minute).UnixMilli(); played.Due != want {
			t.Errorf("Ben's turn is due at %d, want %d", played.Due, want)
		}
		turn := played.Turn
		ben.presses("🎲 Throw")
		if ben.table().Turn <= turn {
			t.Fatal("Ben cannot play")
		}
		c.verified()
	})
}

// verified fails where what is stored does not add up.
func (c *clocked) verified() {
	c.t.Helper()
	c.export(review.Wanted{})
	faults, err := c.bot.Check(context.Background(), nil)
	if err != nil || len(faults) > 0 {
		c.t.Errorf("%v, %v", faults, err)
	}
	if wrong, err := c.store.Check(context.Background()); err != nil || len(wrong) > 0 {
		c.t.Errorf("%v, %v", wrong, err)
	}
}

// lasts lets the present turn go by but for its last third, in which its board says when it ends.
func (c *clocked) lasts() {
	c.t.Helper()
	for end := c.time().Add(time.Hour); c.time().Before(end); c.wait(time.Second) {
		synctest.Wait()
		if t := c.people[0].table(); t.Due > 0 && t.Look == 0 {
			return
		}
	}
	c.t.Fatal("the last third never begins")
}

// misses lets the present turn run out, little by little: a bot that is woken
// late believes that it was away.
func (c *clocked) misses() store.Table {
	c.t.Helper()
	synctest.Wait()
	was := c.people[0].table()
	if was.Due == 0 {
		c.t.Fatalf("no clock runs at %+v\n%s", was, show(c.people[0].board()))
	}
	for end := c.time().Add(time.Hour); c.time().Before(end); c.wait(5 * time.Second) {
		if t := c.people[0].table(); t.Due != was.Due && t.Staged == 0 {
			return t
		}
	}
	c.t.Fatalf("the turn never runs out: %+v", was)
	return store.Table{}
}

func TestWhoMissesTwoTurnsIsAway(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClocked(t, "/shutbox match=rounds:9 turn=1m", "Anna", "Ben", "Clara")
		anna, ben, clara := c.people[0], c.people[1], c.people[2]
		refused(t, anna.sends("1:1:0:!back"), "You are not away. Play on when it is your turn.")
		for turn := range 4 { // Anna, Ben, Anna, Ben; Clara plays herself
			if c.misses(); turn == 1 {
				for c.toMove() == 2 {
					clara.sends(clara.board().Buttons[0][0].Press)
				}
				if clara.table().Seats[2].Missed > 0 {
					t.Fatalf("Clara has missed %+v", clara.table().Seats)
				}
			}
		}
		table := anna.table()
		if table.Seats[0].Absence != store.Gone || table.Seats[1].Absence != store.Gone || c.toMove() != 2 {
			t.Fatalf("seats %+v, seat %d is to move", table.Seats, c.toMove())
		}
		m := anna.board()
		if !strings.Contains(show(m), "· away") {
			t.Errorf("the board does not tell:\n%s", show(m))
		}
		refused(t, clara.presses("I'm back"), "You are not away. Play on when it is your turn.")
		refused(t, c.person("Dora").presses("I'm back"), "You are watching this game. Join the next one.")
		told(t, anna.presses("I'm back"), "You are back.")
		if table = anna.table(); table.Seats[0].Absence != store.Present || table.Seats[0].Missed != 0 {
			t.Errorf("Anna's seat is %+v", table.Seats[0])
		}
		for c.toMove() == 2 {
			clara.sends(clara.board().Buttons[0][0].Press)
		}
		if c.toMove() != 0 { // Ben was played for
			t.Errorf("seat %d is to move", c.toMove())
		}
		// Anna and Clara leave as well: now nobody is there, and nothing is played.
		for range 4 {
			c.misses()
		}
		table = c.awaits("everybody to be away", func(t store.Table) bool { return t.Due == 0 })
		played := c.auto()
		if !strings.Contains(show(anna.board()), "Everybody is away.") || table.State != store.Playing {
			t.Errorf("the board says\n%s", show(anna.board()))
		}
		c.runs(time.Hour)
		if c.auto() != played {
			t.Error("the house plays with itself")
		}
		told(t, ben.sends("1:1:0:!back"), "You are back.")
		if table = ben.table(); c.toMove() != 1 || table.Due == 0 {
			t.Errorf("seat %d is to move until %d", c.toMove(), table.Due)
		}
		c.verified()
	})
}

func TestATableWaits(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClocked(t, "/shutbox turn=5m absent=wait", "Anna", "Ben")
		anna := c.people[0]
		version := c.misses().Version
		if text := show(anna.board()); !strings.Contains(text, "Anna has had 5 minutes: the table waits.") {
			t.Errorf("the board says\n%s", text)
		}
		c.runs(time.Hour)
		if table := anna.table(); c.auto() > 0 || table.Version > version+1 || table.Seats[0].Missed > 0 {
			t.Errorf("something happened: %+v", table)
		}
		anna.presses("🎲 Throw")
		if anna.table().Due == 0 {
			t.Error("the clock does not run again")
		}
		c.verified()
	})
}

func TestWhoIsOutLosesTheStake(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for seed := range 6 { // among these the seat that is out throws best, and worst
			h := newHouse(t, shutbox.Game{})
			h.seeds = constant(byte(seed))
			h.restart()
			c := &clocked{house: h, stage: newStage(),
				people: h.gather("/shutbox 10 turn=1m absent=out ties=share tiles=4-9", "Anna", "Ben", "Clara")}
			c.people[0].presses("▶ Start")
			stop := c.onStage(c.stage)
			c.lasts()
			if d := c.people[0].board().Deadline; d == nil || !strings.HasPrefix(d.String(), "Anna is out at ") {
				t.Errorf("the board says %v", d)
			}
			c.misses()
			refused(t, c.people[0].sends("1:1:0:!back"), "Your seat is out: it took too long. Join the next table.")
			if c.people[0].table().State == store.Playing {
				if head := c.people[0].board().Said(); !strings.HasSuffix(head, " Ben is next.") {
					t.Errorf("seed %d: who is out is to beat: %q", seed, head)
				}
				c.misses() // Ben is out, too; Clara is the last, and only played for
			}
			for c.people[0].table().State == store.Playing {
				c.misses()
			}
			table := c.people[0].table()
			if table.Seats[0].Absence != store.Out || table.Seats[2].Absence == store.Out {
				t.Fatalf("seats %+v", table.Seats)
			}
			if p := c.people[0].board().People; p[0].State != games.Out || p[2].State != games.Won {
				t.Errorf("seed %d: who is out is %q, and who has won %q", seed, p[0].State, p[2].State)
			}
			rows := c.results(table.ID)
			if rows[0].Pool != -10 || rows[0].Place == 1 || rows[0].Pool+rows[1].Pool+rows[2].Pool != -table.BoxOut {
				t.Errorf("seed %d: %+v", seed, rows)
			}
			if text := show(c.people[0].board()); !strings.Contains(text, "(−10) · out") {
				t.Errorf("the board says\n%s", text)
			}
			c.verified()
			stop()
		}
	})
}

// TestNothingRunsOutWhileTheBotIsAway restarts it after the turn had to be over,
// and lets it sleep: everybody has a short grace, once.
func TestNothingRunsOutWhileTheBotIsAway(t *testing.T) {
	bubble(t, func(t *testing.T) {
		h := newHouse(t, shutbox.Game{})
		c := &clocked{house: h, stage: newStage(), people: h.gather("/shutbox turn=5m match=rounds:9", "Anna", "Ben")}
		c.people[0].presses("▶ Start")
		due := c.people[0].table().Due
		c.wait(3 * time.Hour)
		c.restart()
		stop := c.onStage(c.stage)
		table := c.awaits("grace", func(t store.Table) bool { return t.Due > due })
		if left := time.UnixMilli(table.Due).Sub(c.time()); left < 2*time.Minute || left > 3*time.Minute ||
			c.auto() > 0 {
			t.Errorf("%v are left, %d moves were played", left, c.auto())
		}
		if c.misses(); c.auto() == 0 || c.people[0].table().Seats[0].Missed != 1 {
			t.Error("the turn was not played after the grace")
		}
		table = c.people[0].table()
		c.wait(20 * time.Minute) // the machine sleeps
		table = c.awaits("grace again", func(t store.Table) bool { return t.Due > table.Due })
		if table.Seats[1].Missed > 0 {
			t.Error("Ben's turn was over while nobody could play")
		}
		stop()
		c.verified()
	})
}

// TestADeadlineAndTwoPresses lets a turn run out while two presses arrive.
func TestADeadlineAndTwoPresses(t *testing.T) {
	bubble(t, func(t *testing.T) {
		for range 5 {
			c := newClocked(t, "/shutbox match=rounds:9 turn=1m", "Anna", "Ben")
			anna := c.people[0]
			throw := anna.button("🎲 Throw").Press
			before := anna.table()
			answers := make(chan chat.Reply, 2)
			for range 2 {
				go func() { answers <- anna.sends(throw) }()
			}
			c.house.wait(time.UnixMilli(before.Due).Sub(c.time())) // while they are on their way
			played := 0
			for range 2 {
				if r := <-answers; !r.Refused {
					played++
				}
			}
			c.awaits("the turn to go on", func(t store.Table) bool { return t.Due != before.Due })
			// The first throw is hers or the house's, and not both. Where it is hers the
			// rest of her turn may be the house's: it was begun in time and not ended.
			first := c.moves(anna.table().ID)[0]
			if played > 1 || first.Auto == (played == 1) {
				t.Errorf("%d presses count, the first move is %+v, and %d are the house's", played, first, c.auto())
			}
			c.verified()
		}
	})
}

// TestTheHousePlaysPerfectlyForYou where that was agreed, with what is known or
// soon will be.
func TestTheHousePlaysPerfectlyForYou(t *testing.T) {
	bubble(t, func(t *testing.T) {
		c := newClocked(t, "/shutbox absent=perfect turn=1m match=rounds:3", "Anna", "Ben")
		c.misses()
		c.awaits("Anna's turn to be played", func(t store.Table) bool { return !t.Waits && c.toMove() == 1 })
		if s := c.people[0].table().Seats[0]; c.auto() == 0 || s.Absence != store.Present || s.Missed != 1 {
			t.Errorf("%d moves, and the seat is %+v", c.auto(), s)
		}
		c.verified()
	})
}
