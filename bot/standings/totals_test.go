package standings_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"

	"knobel/bot/bare"

	"pgregory.net/rapid"

	"knobel/bot/fakes/needs"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// TestTotalsAreWhatTheRecordsAddUpTo lets circles of 2 to 10 people meet for
// random evenings of both games, with houses, practice, ties, games that are
// stopped or voided, units and seasons that change. Of each circle, every
// leaderboard of every period is what its records alone add up to, and the books
// are even.
func TestTotalsAreWhatTheRecordsAddUpTo(t *testing.T) {
	most := 5
	if needs.IsLong() {
		most = 60
	}
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	circles, evenings, voided := 0, 0, 0
	rapid.Check(t, func(r *rapid.T) {
		circles++
		c := &bare.Circle{
			House: h, Chance: rand.New(rand.NewPCG(rapid.Uint64().Draw(r, "chance"), 7)),
			Chat: fmt.Sprint("test:circle", circles),
			Day:  20_000, Unit: "chips", Ended: map[string]bare.EndedIn{},
		}
		for i := range rapid.IntRange(2, 10).Draw(r, "people") {
			c.People = append(c.People, fmt.Sprint("P", i))
		}
		meet(c, r)
		for range rapid.IntRange(1, most).Draw(r, "evenings") {
			evenings++
			if err := c.Evening(); err != nil {
				r.Fatal(err)
			}
		}
		records, err := c.Records()
		if err != nil {
			r.Fatal(err)
		}
		if len(records) != len(c.Ended) {
			r.Fatalf("%d records of %d games", len(records), len(c.Ended))
		}
		live := slices.DeleteFunc(slices.Clone(records), func(one bare.Counted) bool { return one.Voided })
		voided += len(records) - len(live)
		c.Leaderboards(r, live)
		if len(live) > 0 {
			c.Ranked(r, live)
		}
		c.Duels(r, live)
	})
	books, err := h.Store.Check(context.Background())
	if err != nil || len(books) > 0 {
		t.Errorf("%v, %v", books, err)
	}
	if t.Logf("%d evenings of %d circles, %d games voided", evenings, circles, voided); voided == 0 {
		t.Error("no game was voided")
	}
}

// meet makes the people known.
func meet(c *bare.Circle, r rapid.TB) {
	err := c.Store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
		for _, name := range c.People {
			if err := tx.Chats.SavePlayer(store.Player{ID: "test:" + name, Name: name}); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		r.Fatal(err)
	}
}
