package call_test

import (
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// wired is a stage that can be cut off from its people.
type wired struct {
	*bare.Stage
	chat.Linking
}

// elsewhere is another platform, which cannot be cut off.
type elsewhere struct{ *bare.Stage }

func (elsewhere) Name() string { return "room" }

// cutOff is a table on each of two platforms, at which a stake can be lost. All
// clocks of it go alike.
type cutOff struct {
	*bare.Clocked
	wire *wired
	room []*bare.Person
}

// seldom is how often the bot looks at the clock there.
const seldom = 15 * time.Second

func newCutOff(t *testing.T) cutOff {
	t.Helper()
	const line = "/shutbox 10 turn=3m absent=out match=rounds:9"
	h := bare.New(t, shutbox.Game{})
	h.Sweep = seldom
	h.Restart()
	c := cutOff{&bare.Clocked{House: h, Stage: bare.NewStage(), People: h.Gather(line, "Anna", "Ben", "Clara")},
		&wired{Stage: bare.NewStage()}, nil}
	for i, p := range c.People {
		there := p.At("room:1/1")
		c.room = append(c.room, there)
		if i == 0 {
			there.Writes(line)
		} else {
			there.Sends(chat.LobbyPress(there.Table().ID, "join"))
		}
	}
	c.People[0].Sends(chat.LobbyPress(c.People[0].Table().ID, "start"))
	c.room[0].Sends(chat.LobbyPress(c.room[0].Table().ID, "start"))
	c.wire.Turn(true)
	c.OnStage(c.wire, elsewhere{bare.NewStage()})
	synctest.Wait()
	return c
}

// passes lets time go by on both clocks, as it does for a bot that is awake.
func (c cutOff) passes(d time.Duration) {
	for ; d > 0; d -= 30 * time.Second {
		step := min(d, 30*time.Second)
		time.Sleep(step)
		c.Wait(step)
	}
}

// left is how long the turn at a table has.
func (c cutOff) left(at *bare.Person) time.Duration {
	return time.UnixMilli(at.Table().Due).Sub(c.Time())
}

// TestNobodyIsOutWhileThePlatformIsAway: those who cannot press lose nothing
// meanwhile, and have time once they can; what goes on elsewhere goes on.
func TestNobodyIsOutWhileThePlatformIsAway(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := newCutOff(t)
		c.wire.Turn(false)
		c.passes(20 * time.Minute)
		if table := c.People[0].Table(); table.Seats[0].Absence != store.Present || table.State != store.Playing ||
			len(c.Moves(table.ID)) > 0 {
			t.Errorf("away, Anna's seat is %+v after %d moves", table.Seats[0], len(c.Moves(table.ID)))
		}
		if table := c.room[0].Table(); table.Seats[0].Absence != store.Out {
			t.Errorf("elsewhere nobody is out: %+v", table.Seats[0])
		}
		c.wire.Turn(true)
		c.passes(2*time.Minute - time.Second)
		if table := c.People[0].Table(); len(c.Moves(table.ID)) > 0 {
			t.Errorf("hurried, when the platform was just back: %+v", table.Seats[0])
		}
		c.passes(2 * time.Minute)
		if table := c.People[0].Table(); table.Seats[0].Absence != store.Out {
			t.Errorf("long after the platform was back, Anna's seat is %+v", table.Seats[0])
		}
	})
}

// TestATurnGetsBackWhatAnOutageHasTaken, and no more, of whatever was due then or
// soon after.
func TestATurnGetsBackWhatAnOutageHasTaken(t *testing.T) {
	for _, row := range []struct {
		name         string
		before, away time.Duration
		least, most  time.Duration // that are left a look after the platform is back
	}{
		{"a blink", time.Minute, time.Second, 104 * time.Second, 104 * time.Second},
		{"a blink at the end", 179 * time.Second, 10 * time.Second, 95 * time.Second, 3 * time.Minute},
		{"half a minute, near the end", 150 * time.Second, 29 * time.Second, 14 * time.Second, 44 * time.Second},
		{"long before the end", 10 * time.Second, time.Minute, 95 * time.Second, 95 * time.Second},
		{"five minutes", time.Minute, 5 * time.Minute, 105 * time.Second, 3 * time.Minute},
	} {
		t.Run(row.name, func(t *testing.T) {
			bare.Bubble(t, func(t *testing.T) {
				c := newCutOff(t)
				c.passes(row.before)
				there := c.left(c.room[0])
				c.wire.Turn(false)
				c.passes(row.away)
				c.wire.Turn(true)
				c.passes(seldom) // and so long after it was back at most
				if left := c.left(c.People[0]); left < row.least || left > row.most {
					t.Errorf("%v are left, want %v to %v", left, row.least, row.most)
				}
				if left := c.left(c.room[0]); row.away+seldom < there && left != there-row.away-seldom {
					t.Errorf("elsewhere %v are left of %v", left, there)
				}
				if n := len(c.Moves(c.People[0].Table().ID)); n > 0 {
					t.Errorf("%d moves were played", n)
				}
			})
		})
	}
}

// What an outage has given to a turn is not lost by what somebody does then who is
// there again.
func TestNothingTakesAwayWhatAnOutageHasGiven(t *testing.T) {
	for what, does := range map[string]func(anna *bare.Person){
		"a choice taken back": func(anna *bare.Person) {
			anna.Presses("Write…")
			anna.Sends(anna.Board().Buttons[0][0].Press)
			bare.Told(t, anna.Presses("↶ Undo"), "Taken back.")
		},
		"a seat handed over": func(anna *bare.Person) {
			anna.Writes("/handover")
			anna.Person("Clara").Sends(fmt.Sprintf("1:1:%d:!take 0", anna.Table().Turn))
			if seat := anna.Table().Seats[0]; seat.Name != "Clara" {
				t.Errorf("at the seat is %q", seat.Name)
			}
		},
	} {
		t.Run(what, func(t *testing.T) {
			bare.Bubble(t, func(t *testing.T) {
				h := bare.New(t, wuerfelpoker.New())
				h.Sweep = seldom
				h.Restart()
				c := cutOff{&bare.Clocked{House: h, Stage: bare.NewStage(),
					People: h.Gather("/wuerfelpoker turn=1m", "Anna", "Ben")}, &wired{Stage: bare.NewStage()}, nil}
				c.wire.Turn(true)
				c.OnStage(c.wire)
				anna := c.People[0]
				anna.Presses("▶ Start")
				anna.Presses("Throw")
				synctest.Wait()
				c.passes(30 * time.Second)
				c.wire.Turn(false)
				c.passes(5 * time.Minute)
				c.wire.Turn(true)
				c.passes(seldom)
				does(anna)
				if left := c.left(anna); left < 2*time.Minute-seldom {
					t.Errorf("%v are left", left)
				}
			})
		})
	}
}

// TestATurnGetsItsTimeAtOnce: as soon as people are heard again, not by the next
// look at the clock.
func TestATurnGetsItsTimeAtOnce(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		c := newCutOff(t)
		c.wire.Turn(false)
		c.passes(10 * time.Minute)
		c.wire.Turn(true)
		synctest.Wait()
		if left := c.left(c.People[0]); left < 2*time.Minute {
			t.Errorf("%v are left, want two minutes at least", left)
		}
	})
}
