package table_test

import (
	"context"
	"fmt"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store"
	"knobel/store/storetest"
)

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
			c.House.Wait(time.UnixMilli(before.Clock.Due).Sub(c.Time())) // while they are on their way
			played := 0
			for range 2 {
				if r := <-answers; !r.Refused {
					played++
				}
			}
			c.Awaits("the turn to go on", func(t store.Table) bool { return t.Clock.Due != before.Clock.Due })
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

// What the parts of a table's life make of each other: absence, votes, undo, seats of people who were forgotten.

// TestGraceIsGivenOnce to every table, also to one whose grace is the shortest
// and while time goes by: no other turn is kept from its end.
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

func TestASeatAndAPlaceAreTakenOnce(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	var crowd []*bare.Person
	for i := range 8 {
		crowd = append(crowd, h.Person(fmt.Sprint("P", i)))
	}
	bare.AtOnce(crowd[:2], func(p *bare.Person) chat.Reply { return p.Writes("/pile") })
	if id := crowd[0].Table().ID; id != 1 {
		t.Errorf("the newest table is %d", id)
	}
	if n := bare.AtOnce(crowd, func(p *bare.Person) chat.Reply { return p.Sends("1:1:0:!join") }); n != 3 {
		t.Errorf("%d of 3 seats were taken", n)
	}
}

// holding keeps what a stage is asked to do waiting until it is let go.
func holding(s *bare.Stage, what string) (goOn func()) {
	free := make(chan struct{})
	s.Fail = func(said string, _ chat.Place) error {
		if said == what {
			<-free
		}
		return nil
	}
	return func() { close(free) }
}

// A reminder whose board takes a moment to be drawn follows it within seconds, however long the table has stood still.
func TestAReminderFollowsItsBoard(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, _ := bare.Begun(t, "/coin 10 turn=10m absent=wait", "Anna", "Ben")
		h.Later(time.Minute)
		s.WantCalls(t, 1, bare.CallsAnna)
		h.Later(6 * time.Minute)
		drawn := holding(s.Stage, "edit")
		h.Later(3 * time.Minute)
		s.WantCalls(t, 1)
		drawn()
		h.Later(5 * time.Second)
		s.WantCalls(t, 2, "Anna, the others are waiting for you: Coin.")
		h.Sound()
	})
}

// A table that has moved with its chat while it was found that it cannot be drawn
// where it stood is drawn where it stands now.
func TestATableIsNotAwayFromWhereItHasLeft(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10", "Anna", "Ben")
		s.Fail = func(what string, place chat.Place) error {
			if what != "edit" || place != "test:1/1" {
				return nil
			}
			err := h.Bot.Migrate(context.WithoutCancel(t.Context()), "test:1", "test:9",
				func(chat.Place) chat.Place { return "test:9/1" })
			if err != nil {
				t.Error(err)
			}
			return chat.ErrAway
		}
		people[0].Sends("1:1:0:throw")
		synctest.Wait()
		if table := h.TableAt("test:9/1"); table.Board.Away || table.Board.Drawn != table.Version {
			t.Errorf("away %t, drawn %d of %d", table.Board.Away, table.Board.Drawn, table.Version)
		}
	})
}

// An adapter that was to draw a board and cannot, because what they have done was not
// committed, leaves it to the loops: what these passed over meanwhile is drawn.
func TestABoardIsDrawnThoughWhoHeldItHasFailed(t *testing.T) {
	bare.Alone(t)
	var commits func() bool
	storetest.Use(t, storetest.Disk{Flush: func(log bool) bool { return !log || commits == nil || commits() }})
	bare.Bubble(t, func(t *testing.T) {
		h, s, people := bare.Begun(t, "/coin 10", "Anna", "Ben", "Clara")
		free := make(chan struct{})
		s.OnReady = func(context.Context, chat.Place) error {
			<-free
			return nil
		}
		people[0].Sends("1:1:0:throw")
		synctest.Wait() // it is about to be drawn
		commits = func() bool {
			commits = nil
			close(free)
			synctest.Wait()
			return false
		}
		ev := people[1].Event()
		ev.Press, ev.Carries = "1:1:1:throw", true
		if r := h.Bot.Handle(t.Context(), ev); r.Board != 0 {
			t.Fatalf("it was committed: %+v", r)
		}
		synctest.Wait()
		if table := people[0].Table(); table.Turn != 1 || table.Board.Drawn != table.Version {
			t.Errorf("turn %d, drawn %d of %d", table.Turn, table.Board.Drawn, table.Version)
		}
	})
}
