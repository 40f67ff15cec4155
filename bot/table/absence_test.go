package table_test

import (
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/store"
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
