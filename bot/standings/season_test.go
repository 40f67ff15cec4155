package standings_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/standings"
	"knobel/bot/table"
	"knobel/store"
)

// quietly runs do on a visit of the chat "test:1" without an event, in a transaction.
func quietly(h *bare.House, do func(v *standings.Visit) error) {
	h.T.Helper()
	err := h.Store.UpdateOf(h.T.Context(), store.OfChat("test:1"), func(tx *store.Tx) error {
		group, err := tx.Chats.Chat("test:1")
		return errors.Join(err, do(h.Bot.Standings.Visit(h.Bot.QuietVisit(tx, group, store.Player{}))))
	})
	if err != nil {
		h.T.Error(err)
	}
}

// names returns the names of people by their ids.
func names(tx *store.Tx, ids []string) (all []string) {
	for _, id := range ids {
		p, _ := tx.Chats.Player(id)
		all = append(all, p.Name)
	}
	return all
}

// TestTheLastEveningHasTheFinal checks which fixed evening is that of the final, who plays it, and that ties for the
// last seat are decided by the better mean only if the game has too few seats.
func TestTheLastEveningHasTheFinal(t *testing.T) {
	h := bare.New(t, bare.Tally{}, bare.Pile{})
	anna := h.Person("Anna")
	anna.Admin = true
	end := time.Date(2023, 12, 1, 6, 0, 0, 0, time.UTC)
	week := 7 * 24 * time.Hour
	due := func(start time.Time) (g table.Gathering, said string) {
		quietly(h, func(v *standings.Visit) error {
			var ok bool
			var err error
			g, ok, err = v.FinalDue("test:1/1", start, start.Add(week))
			if said = "none"; ok {
				said = fmt.Sprint(g.Terms, ": ", strings.Join(names(v.Tx, g.Players), ", "))
			}
			return err
		})
		return g, said
	}
	want := func(start time.Time, want string) {
		t.Helper()
		if _, got := due(start); got != want {
			t.Errorf("at %v it is %s, want %s", start, got, want)
		}
	}
	want(end.Add(-time.Hour), "none") // no season yet
	anna.Writes("/season monthly final=2")
	want(end.Add(-time.Hour), "none") // no game yet
	h.Game("/tally", []string{"Anna", "Clara", "Dora"}, "Anna say 12", "Clara say 10", "Dora say 5")
	h.Game("/tally", []string{"Ben", "Emil"}, "Ben say 12", "Emil say 10")
	h.Game("/tally", []string{"Ben", "Emil"}, "Ben say 5", "Emil say 5")
	h.Game("/pile duel 0", []string{"Dora", "Emil"}, "Dora take 6+5", "Emil take 2+1", "Dora take 4+3")
	// Pools come first, but no one had a stake.
	const finalists = "tally: Anna, Clara, Ben"
	want(end.Add(-time.Hour), finalists)
	want(end.Add(-week), finalists)
	want(end.Add(-week).Add(-time.Millisecond), "none")
	want(end, "none")
	anna.Writes("/season off")
	want(end.Add(-time.Hour), "none")
	anna.Writes("/season monthly final=none")
	want(end.Add(-time.Hour), "none")
	anna.Writes("/season final=2")
	g, _ := due(end.Add(-time.Hour))
	g.Terms = "pile duel"
	quietly(h, func(v *standings.Visit) error {
		id, err := h.Bot.Gather(v.Visit.Visit, g)
		if err != nil {
			return err
		}
		opened, err := v.Tx.Tables.Table(id)
		var seats []string
		for _, s := range opened.Seats {
			seats = append(seats, fmt.Sprint(s.Name, s.Confirmed))
		}
		if got := strings.Join(seats, ", "); got != "Annafalse, Clarafalse" || opened.Stake != 0 {
			t.Errorf("the final has %s for %d", got, opened.Stake)
		}
		return err
	})
	want(end.Add(-time.Hour), "none") // it is open
	h.Sound()
}

// TestOneRecapNamesTheChampion checks that a champion is new in the recap of the evening of the title or, if no game
// was finished then, in that of the next evening with games, and that hidden champions are not named.
func TestOneRecapNamesTheChampion(t *testing.T) {
	h := bare.New(t, bare.Tally{})
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/season monthly")
	first := store.DayOf(h.Time())
	play := func() { h.Game("/tally", []string{"Anna", "Ben"}, "Anna say 12", "Ben say 10") }
	play()
	want := func(crowned store.Day, want string) {
		t.Helper()
		var got []string
		quietly(h, func(v *standings.Visit) error {
			of, err := v.Tx.Chats.PresentSeason("test:1")
			of.Champion, of.Crowned = string(anna.Event().User), crowned
			if err := errors.Join(err, v.Tx.Chats.SaveSeason(of)); err != nil {
				return err
			}
			for evening := first - 1; evening <= first+3; evening++ {
				_, ok, err := h.Bot.NewChampion(v.Tx, "test:1", evening)
				if err != nil {
					return err
				}
				if ok {
					got = append(got, fmt.Sprint(evening-first))
				}
			}
			return nil
		})
		if said := strings.Join(got, ", "); said != want {
			t.Errorf("a champion of %d is new in %s, want %s", crowned-first, said, want)
		}
	}
	h.Wait(48 * time.Hour)
	play()
	want(first, "0")
	want(first+1, "1, 2") // there is no recap of the first, on which no game was finished
	want(first+2, "2")
	want(0, "")
	anna.Writes("/leaderboard me=hide")
	want(first, "")
}

// TestOldSeasonsKeepTheirNames checks that a season whose name is now a word of /season stays, with a cadence or none.
func TestOldSeasonsKeepTheirNames(t *testing.T) {
	h := bare.New(t, bare.Tally{})
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/season Old")
	h.Game("/tally", []string{"Anna", "Ben"}, "Anna say 12", "Ben say 10")
	quietly(h, func(v *standings.Visit) error {
		_, err := v.Tx.Chats.StartSeason(store.Season{Chat: "test:1", Name: "Monthly", Starter: "test:Anna",
			Started: v.At, Final: store.DefaultFinal})
		return err
	})
	const name = "Season Monthly, since 14 November.\n"
	bare.Begins(t, anna.Writes("/season"), name+"It goes on until an admin starts the next one.")
	bare.Begins(t, anna.Writes("/season monthly"),
		name+"A new season begins monthly: the next one on 1 December, at six in the morning.")
	bare.Refused(t, anna.Writes("/renew 1 monthly"), "“monthly” is a word of /season. Pick another name.")
}

// TestTwoReplicasBeginOneSeason checks that a season begins once if two replicas run, and if one takes over.
func TestTwoReplicasBeginOneSeason(t *testing.T) {
	bare.InPair(t, func(p *bare.Pair) {
		ev := p.Person("Anna").Event()
		ev.Command, ev.Text = "season", "yearly"
		ev.Admin = func(context.Context) bool { return true }
		p.At(p.B, ev)
		seasons := func(want ...string) {
			t.Helper()
			var got []string
			for _, s := range bare.Stored(p.House, func(tx *store.Tx) ([]store.Season, error) {
				return tx.Chats.Seasons("test:1")
			}) {
				got = append(got, s.Name)
			}
			if !slices.Equal(got, want) {
				t.Errorf("the seasons are %q, want %q", got, want)
			}
		}
		begin := func() {
			p.Tamper(fmt.Sprint("UPDATE seasons SET due = ", time.Now().Add(time.Minute).UnixMilli(), " WHERE due > 0"))
		}
		seasons("1999")
		begin()
		bare.GoOn(55 * time.Second)
		seasons("1999")
		bare.GoOn(10 * time.Second)
		seasons("2000", "1999")
		begin()
		p.A.End()
		bare.GoOn(3 * time.Minute)
		seasons("2000 (2)", "2000", "1999")
	})
}
