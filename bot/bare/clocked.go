package bare

// Tables whose clock is moved by hand.

import (
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/review"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// Clocked is a table whose clock is moved by hand, while its bot runs: in a bubble,
// so that all that a moment brings has happened before the next one comes.
type Clocked struct {
	*House
	Stage  *Stage
	People []*Person
}

// NewClocked opens a table, seats people and starts it.
func NewClocked(t *testing.T, line string, names ...string) *Clocked {
	t.Helper()
	h := New(t, shutbox.Game{}, wuerfelpoker.New())
	c := &Clocked{House: h, Stage: NewStage(), People: h.Gather(line, names...)}
	c.People[0].Presses("▶ Start")
	c.OnStage(c.Stage)
	synctest.Wait()
	return c
}

// Wait lets time go by, and what happens then happen.
func (c *Clocked) Wait(d time.Duration) { c.Later(d) }

// Awaits waits until the table is as it should be.
func (c *Clocked) Awaits(what string, met func(store.Table) bool) store.Table {
	c.T.Helper()
	var last store.Table
	c.Stage.Until(c.T, what, func([]string) bool {
		last = c.People[0].Table()
		return met(last)
	})
	return last
}

// Auto counts the moves that were played for absent people.
func (c *Clocked) Auto() int {
	n := 0
	for _, m := range c.Moves(c.People[0].Table().ID) {
		if m.Auto {
			n++
		}
	}
	return n
}

// ToMove returns the seat whose turn it is.
func (c *Clocked) ToMove() int {
	return c.People[0].Board().Accent
}

// Verified fails where what is stored does not add up.
func (c *Clocked) Verified() {
	c.T.Helper()
	c.Export(review.Wanted{})
	c.Sound()
}

// Misses lets the present turn run out, little by little: a bot that is woken late believes that it was away.
func (c *Clocked) Misses() store.Table {
	c.T.Helper()
	synctest.Wait()
	was := c.People[0].Table()
	if was.Clock.Due == 0 {
		c.T.Fatalf("no clock runs at %+v\n%s", was, Show(c.People[0].Board()))
	}
	for end := c.Time().Add(time.Hour); c.Time().Before(end); c.Wait(5 * time.Second) {
		if t := c.People[0].Table(); t.Clock.Due != was.Clock.Due && store.Staged(t, c.Time().UnixMilli()) == 0 {
			return t
		}
	}
	c.T.Fatalf("the turn never runs out: %+v", was)
	return store.Table{}
}

// Regulars have done something in the chat before.
func (h *House) Regulars(names ...string) {
	for _, name := range names {
		h.Person(name).Writes("/privacy")
	}
	h.Wait(time.Second)
}
