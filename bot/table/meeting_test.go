package table_test

import (
	"fmt"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
)

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
