package standings_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/games/shutbox"
	"knobel/store"
)

// manyGames fills a chat with finished games of Shut the Box for three, of which
// only what statistics look at is real.
func manyGames(b *testing.B, h *bare.House, games int) {
	b.Helper()
	seats := []store.Seat{}
	for _, name := range []string{"Anna", "Ben", "Clara"} {
		seats = append(seats, store.Seat{Player: "test:" + name, Name: name, Confirmed: true})
	}
	err := h.Store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
		for g := range games {
			t := store.Table{
				Chat: "test:1", Place: fmt.Sprint("test:1/", g), Game: "shutbox", Rules: map[string]string{},
				Unit:  "chips",
				State: store.Playing, Seed: make([]byte, 32), Match: []byte("{}"), Seats: seats,
			}
			id, err := tx.AddTable(t)
			if err != nil {
				return err
			}
			for k := range 24 {
				m := store.Move{Seat: k / 8, Move: "throw 2", Dice: []int{1 + (g+k)%6, 1 + (g*k)%6}}
				if k%2 == 1 {
					m = store.Move{Seat: k / 8, Move: "shut 9"}
				}
				if err := tx.AddMove(id, m); err != nil {
					return err
				}
			}
			rows := []store.Result{{Seat: 0, Score: int64(g % 45), Threw: true, Place: 1 + g%3, Turns: 1},
				{Seat: 1, Threw: true, Place: 1, Turns: 1}, {Seat: 2, Threw: true, Place: 2, Turns: 1}}
			if err := tx.Finish(id, int64(g), store.Day(10000+g/5), rows); err != nil {
				return err
			}
			if t, err = tx.Table(id); err != nil {
				return err
			}
			t.State = store.Over
			if err := tx.SaveTable(t); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		b.Fatal(err)
	}
}

// BenchmarkStats asks for the statistics of somebody with 5000 games, in short
// runs with 100: the first time all of their dice are added up, which is told
// apart.
func BenchmarkStats(b *testing.B) {
	h := bare.New(b, shutbox.Game{})
	games := 5000
	if testing.Short() {
		games = 100
	}
	manyGames(b, h, games)
	anna := h.Person("Anna")
	begun := time.Now()
	if r := anna.Writes("/stats"); r.Private == nil {
		b.Fatalf("%+v", r)
	}
	first := time.Since(begun)
	for b.Loop() {
		if r := anna.Writes("/stats"); r.Private == nil {
			b.Fatalf("%+v", r)
		}
	}
	b.ReportMetric(float64(first.Milliseconds()), "ms-first")
}
