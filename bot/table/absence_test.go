package table_test

import (
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/shutbox"
	"knobel/store"
)

// runs lets time go by, an alarm at a time, as it does for a bot that is not
// asleep.
func runs(c *bare.Clocked, d time.Duration) {
	for ; d > 0; d -= 30 * time.Second {
		c.Wait(min(d, 30*time.Second))
	}
}

func TestATurnIsPlayedFor(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := bare.NewClocked(t, "/shutbox match=rounds:9", "Anna", "Ben")
		anna, ben := c.People[0], c.People[1]
		due := anna.Table().Due
		if want := c.Time().Add(10 * time.Minute).UnixMilli(); due != want {
			t.Fatalf("due at %d, want %d", due, want)
		}
		if d := anna.Board().Deadline; d != nil {
			t.Errorf("a board that has just been drawn says %+v", d)
		}
		runs(c, 7*time.Minute) // two thirds are over
		if d := anna.Board().Deadline; d == nil || d.At != due/1000 ||
			d.String() != "Anna plays, or the house at 22:23." {
			t.Errorf("the board says %+v", d)
		}
		runs(c, 3*time.Minute-time.Millisecond)
		if n := c.Auto(); n != 0 || c.ToMove() != 0 {
			t.Fatalf("%d moves were played early", n)
		}
		c.Wait(time.Millisecond)
		played := c.Awaits("Anna's turn is played", func(store.Table) bool { return c.ToMove() == 1 })
		if s := played.Seats[0]; s.Missed != 1 || s.Absence != store.Present || c.Auto() == 0 {
			t.Errorf("Anna's seat is %+v after %d moves", s, c.Auto())
		}
		if show := bare.Show(anna.Board()); !strings.Contains(show, "missed a turn") {
			t.Errorf("the board does not tell:\n%s", show)
		}
		if want := c.Time().Add(10 * time.Minute).UnixMilli(); played.Due != want {
			t.Errorf("Ben's turn is due at %d, want %d", played.Due, want)
		}
		turn := played.Turn
		ben.Presses("🎲 Throw")
		if ben.Table().Turn <= turn {
			t.Fatal("Ben cannot play")
		}
		c.Verified()
	})
}

func TestWhoMissesTwoTurnsIsAway(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := bare.NewClocked(t, "/shutbox match=rounds:9 turn=1m", "Anna", "Ben", "Clara")
		anna, ben, clara := c.People[0], c.People[1], c.People[2]
		bare.Refused(t, anna.Sends("1:1:0:!back"), "You are not away. Play on when it is your turn.")
		for turn := range 4 { // Anna, Ben, Anna, Ben; Clara plays herself
			if c.Misses(); turn == 1 {
				for c.ToMove() == 2 {
					clara.Sends(clara.Board().Buttons[0][0].Press)
				}
				if clara.Table().Seats[2].Missed > 0 {
					t.Fatalf("Clara has missed %+v", clara.Table().Seats)
				}
			}
		}
		table := anna.Table()
		if table.Seats[0].Absence != store.Gone || table.Seats[1].Absence != store.Gone || c.ToMove() != 2 {
			t.Fatalf("seats %+v, seat %d is to move", table.Seats, c.ToMove())
		}
		m := anna.Board()
		if !strings.Contains(bare.Show(m), "· away") {
			t.Errorf("the board does not tell:\n%s", bare.Show(m))
		}
		bare.Refused(t, clara.Presses("I'm back"), "You are not away. Play on when it is your turn.")
		bare.Refused(t, c.Person("Dora").Presses("I'm back"), "You are watching this game. Join the next one.")
		bare.Told(t, anna.Presses("I'm back"), "You are back.")
		if table = anna.Table(); table.Seats[0].Absence != store.Present || table.Seats[0].Missed != 0 {
			t.Errorf("Anna's seat is %+v", table.Seats[0])
		}
		for c.ToMove() == 2 {
			clara.Sends(clara.Board().Buttons[0][0].Press)
		}
		if c.ToMove() != 0 { // Ben was played for
			t.Errorf("seat %d is to move", c.ToMove())
		}
		// Anna and Clara leave as well: now nobody is there, and nothing is played.
		for range 4 {
			c.Misses()
		}
		table = c.Awaits("everybody to be away", func(t store.Table) bool { return t.Due == 0 })
		played := c.Auto()
		if !strings.Contains(bare.Show(anna.Board()), "Everybody is away.") || table.State != store.Playing {
			t.Errorf("the board says\n%s", bare.Show(anna.Board()))
		}
		runs(c, time.Hour)
		if c.Auto() != played {
			t.Error("the house plays with itself")
		}
		bare.Told(t, ben.Sends("1:1:0:!back"), "You are back.")
		if table = ben.Table(); c.ToMove() != 1 || table.Due == 0 {
			t.Errorf("seat %d is to move until %d", c.ToMove(), table.Due)
		}
		c.Verified()
	})
}

func TestATableWaits(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := bare.NewClocked(t, "/shutbox turn=5m absent=wait", "Anna", "Ben")
		anna := c.People[0]
		version := c.Misses().Version
		if text := bare.Show(anna.Board()); !strings.Contains(text, "Anna has had 5 minutes: the table waits.") {
			t.Errorf("the board says\n%s", text)
		}
		runs(c, time.Hour)
		if table := anna.Table(); c.Auto() > 0 || table.Version > version+1 || table.Seats[0].Missed > 0 {
			t.Errorf("something happened: %+v", table)
		}
		anna.Presses("🎲 Throw")
		if anna.Table().Due == 0 {
			t.Error("the clock does not run again")
		}
		c.Verified()
	})
}

func TestWhoIsOutLosesTheStake(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		for seed := range 6 { // among these the seat that is out throws best, and worst
			h := bare.New(t, shutbox.Game{})
			h.Seeds = bare.Constant(byte(seed))
			h.Restart()
			c := &bare.Clocked{House: h, Stage: bare.NewStage(),
				People: h.Gather("/shutbox 10 turn=1m absent=out ties=share tiles=4-9", "Anna", "Ben", "Clara")}
			c.People[0].Presses("▶ Start")
			stop := c.OnStage(c.Stage)
			c.Lasts()
			if d := c.People[0].Board().Deadline; d == nil || !strings.HasPrefix(d.String(), "Anna is out at ") {
				t.Errorf("the board says %v", d)
			}
			c.Misses()
			bare.Refused(t, c.People[0].Sends("1:1:0:!back"),
				"Your seat is out: it took too long. Join the next table.")
			if c.People[0].Table().State == store.Playing {
				if head := c.People[0].Board().Said(); !strings.HasSuffix(head, " Ben is next.") {
					t.Errorf("seed %d: who is out is to beat: %q", seed, head)
				}
				c.Misses() // Ben is out, too; Clara is the last, and only played for
			}
			for c.People[0].Table().State == store.Playing {
				c.Misses()
			}
			table := c.People[0].Table()
			if table.Seats[0].Absence != store.Out || table.Seats[2].Absence == store.Out {
				t.Fatalf("seats %+v", table.Seats)
			}
			if p := c.People[0].Board().People; p[0].State != games.Out || p[2].State != games.Won {
				t.Errorf("seed %d: who is out is %q, and who has won %q", seed, p[0].State, p[2].State)
			}
			rows := c.Results(table.ID)
			if rows[0].Pool != -10 || rows[0].Place == 1 || rows[0].Pool+rows[1].Pool+rows[2].Pool != -table.BoxOut {
				t.Errorf("seed %d: %+v", seed, rows)
			}
			if text := bare.Show(c.People[0].Board()); !strings.Contains(text, "(−10) · out") {
				t.Errorf("the board says\n%s", text)
			}
			c.Verified()
			stop()
		}
	})
}

// TestNothingRunsOutWhileTheBotIsAway restarts it after the turn had to be over,
// and lets it sleep: everybody has a short grace, once.
func TestNothingRunsOutWhileTheBotIsAway(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h := bare.New(t, shutbox.Game{})
		c := &bare.Clocked{House: h, Stage: bare.NewStage(), People: h.Gather("/shutbox turn=5m match=rounds:9",
			"Anna", "Ben")}
		c.People[0].Presses("▶ Start")
		due := c.People[0].Table().Due
		c.Wait(3 * time.Hour)
		c.Restart()
		stop := c.OnStage(c.Stage)
		table := c.Awaits("grace", func(t store.Table) bool { return t.Due > due })
		if left := time.UnixMilli(table.Due).Sub(c.Time()); left < 2*time.Minute || left > 3*time.Minute ||
			c.Auto() > 0 {
			t.Errorf("%v are left, %d moves were played", left, c.Auto())
		}
		if c.Misses(); c.Auto() == 0 || c.People[0].Table().Seats[0].Missed != 1 {
			t.Error("the turn was not played after the grace")
		}
		table = c.People[0].Table()
		c.Wait(20 * time.Minute) // the machine sleeps
		table = c.Awaits("grace again", func(t store.Table) bool { return t.Due > table.Due })
		if table.Seats[1].Missed > 0 {
			t.Error("Ben's turn was over while nobody could play")
		}
		stop()
		c.Verified()
	})
}

// TestADeadlineAndTwoPresses lets a turn run out while two presses arrive.
func TestADeadlineAndTwoPresses(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		for range 5 {
			c := bare.NewClocked(t, "/shutbox match=rounds:9 turn=1m", "Anna", "Ben")
			anna := c.People[0]
			throw := anna.Button("🎲 Throw").Press
			before := anna.Table()
			answers := make(chan chat.Reply, 2)
			for range 2 {
				go func() { answers <- anna.Sends(throw) }()
			}
			c.House.Wait(time.UnixMilli(before.Due).Sub(c.Time())) // while they are on their way
			played := 0
			for range 2 {
				if r := <-answers; !r.Refused {
					played++
				}
			}
			c.Awaits("the turn to go on", func(t store.Table) bool { return t.Due != before.Due })
			// The first throw is hers or the house's, and not both. Where it is hers the
			// rest of her turn may be the house's: it was begun in time and not ended.
			first := c.Moves(anna.Table().ID)[0]
			if played > 1 || first.Auto == (played == 1) {
				t.Errorf("%d presses count, the first move is %+v, and %d are the house's", played, first, c.Auto())
			}
			c.Verified()
		}
	})
}

// TestTheHousePlaysPerfectlyForYou where that was agreed, with what is known or
// soon will be.
func TestTheHousePlaysPerfectlyForYou(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := bare.NewClocked(t, "/shutbox absent=perfect turn=1m match=rounds:3", "Anna", "Ben")
		c.Misses()
		c.Awaits("Anna's turn to be played", func(t store.Table) bool { return !t.Waits && c.ToMove() == 1 })
		if s := c.People[0].Table().Seats[0]; c.Auto() == 0 || s.Absence != store.Present || s.Missed != 1 {
			t.Errorf("%d moves, and the seat is %+v", c.Auto(), s)
		}
		c.Verified()
	})
}
