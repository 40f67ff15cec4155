package standings_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/fakes/needs"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// berlin is a zone whose clock is set back in autumn.
func berlin(t *testing.T) *time.Location {
	t.Helper()
	zone, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	return zone
}

// An evening lasts until six in the morning, where the chat has set no zone by the
// clock of the installation.
func TestEveningsEndAtSix(t *testing.T) {
	h := bare.New(t, bare.Pile{})
	h.Zone = berlin(t)
	h.Restart()
	anna, ben := h.Person("Anna"), h.Person("Ben")
	for _, test := range [][2]string{
		{"2026-10-24T05:59:59+02:00", "2026-10-23"},
		{"2026-10-24T06:00:00+02:00", "2026-10-24"},
		{"2026-10-24T23:30:00+02:00", "2026-10-24"},
		{"2026-10-25T05:59:59+01:00", "2026-10-24"}, // in the longest night
		{"2026-10-25T06:00:00+01:00", "2026-10-25"},
		{"2027-01-01T00:59:59+01:00", "2026-12-31"},
		{"2027-01-01T05:30:00+01:00", "2026-12-31"},
	} {
		at, evening := test[0], test[1]
		now, err := time.Parse(time.RFC3339, at)
		if err != nil {
			t.Fatal(err)
		}
		h.Wait(now.Sub(h.Time()))
		id := anna.Plays("/coin", ben)
		view(t, h, func(tx *store.Tx) error {
			table, err := tx.Table(id)
			ended := h.Time().UnixMilli()
			if got := table.Evening.Time().Format(time.DateOnly); got != evening || table.Ended != ended {
				t.Errorf("what ended at %s counts on %s, want %s (%v)", at, got, evening, err)
			}
			return err
		})
	}
	h.Sound()
}

// What was played in another year is told with that year, in the language of whoever asks.
func TestEveningsOfAnotherYearAreToldWithIt(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	now, err := time.Parse(time.RFC3339, "2026-12-31T20:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	h.Wait(now.Sub(h.Time()))
	anna.Plays("/coin", ben)
	tells := func(en, de string) {
		t.Helper()
		for lang, day := range map[string]string{"en": en, "de": de} {
			anna.Locale = lang
			bare.WantLines(t, bare.Show(*anna.Writes("/history").Private), "#1 · "+day+" · ")
		}
	}
	tells("31 December", "31. Dezember")
	h.Wait(24 * time.Hour)
	tells("31 December 2026", "31. Dezember 2026")
}

// A chat's own zone decides when its evenings end, whatever the clock of the
// machine says; a result keeps the evening in which it was played.
func TestEveningsEndAtSixByTheChatsClock(t *testing.T) {
	for _, test := range []struct{ zone, at, evening string }{
		{"", "2026-11-02T05:59:59Z", "2026-11-01"}, // the machine's
		{"", "2026-11-02T06:00:00Z", "2026-11-02"},
		{"Asia/Tokyo", "2026-11-02T05:59:59+09:00", "2026-11-01"},
		{"Asia/Tokyo", "2026-11-02T06:00:00+09:00", "2026-11-02"}, // still 1 November in Greenwich
		{"Asia/Tokyo", "2026-11-02T14:59:59+09:00", "2026-11-02"},
		{"America/Los_Angeles", "2026-11-02T05:59:59-08:00", "2026-11-01"},
		{"America/Los_Angeles", "2026-11-02T06:00:00-08:00", "2026-11-02"},
		{"Pacific/Kiritimati", "2026-11-02T06:00:00+14:00", "2026-11-02"},
		{"Asia/Kathmandu", "2026-11-02T05:59:59+05:45", "2026-11-01"},
		{"Los Angeles quiet=22-8", "2026-11-02T06:00:00-08:00", "2026-11-02"},
		{"São Paulo 22-8", "2026-11-02T05:59:59-03:00", "2026-11-01"},
		{"Köln", "2026-10-25T06:00:00+01:00", "2026-10-25"},
		{"Europe/Berlin", "2026-10-25T05:59:59+01:00", "2026-10-24"}, // the night in which summer time ends
		{"Europe/Berlin", "2026-10-25T06:00:00+01:00", "2026-10-25"},
		{"Europe/Berlin", "2027-03-28T05:59:59+02:00", "2027-03-27"}, // and in which it begins
		{"Europe/Berlin", "2027-03-28T06:00:00+02:00", "2027-03-28"},
	} {
		h := bare.New(t)
		anna, ben := h.Person("Anna"), h.Person("Ben")
		anna.Admin = true
		if test.zone != "" {
			bare.Said(t, anna.Writes("/settings zone="+test.zone))
		}
		now, err := time.Parse(time.RFC3339, test.at)
		if err != nil {
			t.Fatal(err)
		}
		h.Wait(now.Sub(h.Time()))
		id := anna.Plays("/coin", ben)
		if got := eveningOf(h, id); got != test.evening {
			t.Errorf("what ended in %q at %s counts on %s, want %s", test.zone, test.at, got, test.evening)
		}
		bare.WantLines(t, bare.Show(*anna.Writes("/history").Private),
			"#"+fmt.Sprint(id)+" · "+bare.AsWritten(test.evening))
		for _, period := range []string{"evening", "week", "month"} {
			bare.WantLines(t, bare.Said(t, anna.Writes("/leaderboard won "+period)), "1 game.")
		}
		bare.WantLines(t, bare.Said(t, anna.Writes("/leaderboard won "+test.evening)), "1 game.")
		h.Sound()
	}
}

// Where the zone changes, what is over keeps its evening; adding the totals up
// again changes none either.
func TestPastEveningsStayWhereTheZoneChanges(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Admin = true
	began, err := time.Parse(time.RFC3339, "2026-11-02T10:00:00+09:00") // 1:00 in Greenwich
	if err != nil {
		t.Fatal(err)
	}
	h.Wait(began.Sub(h.Time()))
	evenings := map[int64]string{}
	for _, step := range []struct{ zone, evening string }{
		{"none", "2026-11-01"}, {"Tokyo", "2026-11-02"}, {"Los_Angeles", "2026-11-01"}, {"Kiritimati", "2026-11-02"},
		{"none", "2026-11-01"},
	} {
		bare.Said(t, anna.Writes("/settings zone="+step.zone))
		id := anna.Plays("/coin", ben)
		evenings[id] = step.evening
		h.Wait(time.Minute)
	}
	kept := func(when string) {
		t.Helper()
		for id, want := range evenings {
			if got := eveningOf(h, id); got != want {
				t.Errorf("%s: game %d counts on %s, want %s", when, id, got, want)
			}
		}
		h.Sound()
	}
	kept("after the changes")
	if err := h.Bot.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if wrong, err := h.Store.MendTotals(t.Context(), nil); err != nil || len(wrong) != 0 {
		t.Errorf("totals: %v, %v", wrong, err)
	}
	kept("after a rebuild")
	bare.WantLines(t, bare.Said(t, anna.Writes("/leaderboard won 2026-11-02")), "2 games.")
	bare.WantLines(t, bare.Said(t, anna.Writes("/leaderboard won evening")),
		"3 games.") // by the machine's clock, it is the 1st
}

// eveningOf is the evening that a finished game counts on.
func eveningOf(h *bare.House, id int64) (evening string) {
	h.T.Helper()
	err := h.Store.View(context.Background(), func(tx *store.Tx) error {
		table, err := tx.Table(id)
		evening = table.Evening.Time().Format(time.DateOnly)
		return err
	})
	if err != nil {
		h.T.Fatal(err)
	}
	return evening
}

func view(t *testing.T, h *bare.House, read func(*store.Tx) error) {
	t.Helper()
	if err := h.Store.View(context.Background(), read); err != nil {
		t.Fatal(err)
	}
}

// TestTotalsOfWholeEvenings plays evenings of both games by their buttons, with
// houses, rows taken back and games ended before their time, and compares every
// leaderboard with the records.
func TestTotalsOfWholeEvenings(t *testing.T) {
	evenings := 1
	if needs.IsLong() {
		evenings = 20
	}
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	h.Zone = berlin(t)
	h.Restart()
	c := &bare.Circle{House: h, Chance: rand.New(rand.NewPCG(5, 6)), Chat: "test:1", Ended: map[string]bare.EndedIn{}}
	for i := range 5 {
		c.People = append(c.People, fmt.Sprint("E", i))
	}
	lines := []string{"/shutbox 7", "/wuerfelpoker point=3", "/shutbox 3 tiles=4 match=rounds:3",
		"/wuerfelpoker order=free", "/shutbox 5 ties=roll-off tiles=5",
		"/shutbox 4 tiles=6 shut=pays-double"}
	counts := h.Person("E0")
	counts.Admin = true
	counts.Writes("/settings alone=counts")
	for evening := range evenings {
		h.Wait(time.Duration(1+c.Chance.IntN(200)) * time.Hour)
		agrees(c, t, evening)
		for range 2 {
			buttons(c, lines[c.Chance.IntN(len(lines))])
		}
	}
	records, err := c.Records()
	if err != nil || len(records) == 0 || len(records) != len(c.Ended) {
		t.Fatalf("%d records of %d games, %v", len(records), len(c.Ended), err)
	}
	t.Logf("%d games", len(records))
	c.Leaderboards(t, records)
	c.Duels(t, records)
	c.Histories(t, records)
	c.Settles(t)
	h.Sound()
}

// agrees on a unit and a season, now and then.
func agrees(c *bare.Circle, t *testing.T, evening int) {
	t.Helper()
	if evening%3 == 1 {
		host := c.Person(c.People[0])
		host.Admin = true
		if r := host.Writes("/unit " + []string{"coffees", "chips"}[evening%2]); r.Refused {
			t.Fatal(r.Toast)
		}
	}
	if evening%3 != 2 {
		return
	}
	err := c.Store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
		season, err := tx.StartSeason(store.Season{Chat: c.Chat, Name: fmt.Sprint("S", evening),
			Starter: "test:" + c.People[0], Started: c.Time().UnixMilli()})
		c.Seasons = append(c.Seasons, season)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// buttons plays a game by what the board offers and notes when it was over.
func buttons(c *bare.Circle, line string) {
	var people []*bare.Person
	for _, i := range c.Chance.Perm(len(c.People))[:1+c.Chance.IntN(3)] {
		people = append(people, c.Person(c.People[i]))
	}
	people[0].Writes(line)
	id := people[0].Table().ID
	for _, p := range people[1:] {
		p.Sends(fmt.Sprintf("1:%d:0:!join", id))
	}
	if c.Chance.IntN(2) == 0 {
		people[0].Sends(fmt.Sprintf("1:%d:0:!house random", id))
		c.Agree(people...)
	}
	people[0].Sends(fmt.Sprintf("1:%d:0:!start", id))
	c.PressAnything(people, c.Chance, 250)
	if people[0].Table().State != store.Over {
		return
	}
	local := c.Time().In(c.Zone)
	in := bare.EndedIn{Evening: store.DayOf(local)}
	if local.Hour() < 6 {
		in.Evening--
	}
	if len(c.Seasons) > 0 {
		in.Season = c.Seasons[len(c.Seasons)-1]
	}
	c.Ended[strconv.FormatInt(id, 10)] = in
	c.Day = max(c.Day, in.Evening)
}
