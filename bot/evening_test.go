package bot_test

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strconv"
	"strings"
	"testing"
	"time"

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
	h := newHouse(t, pile{})
	h.zone = berlin(t)
	h.restart()
	anna, ben := h.person("Anna"), h.person("Ben")
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
		h.wait(now.Sub(h.time()))
		id := anna.plays("/coin", ben)
		view(t, h, func(tx *store.Tx) error {
			table, err := tx.Table(id)
			ended := h.time().UnixMilli()
			if got := table.Evening.Time().Format(time.DateOnly); got != evening || table.Ended != ended {
				t.Errorf("what ended at %s counts on %s, want %s (%v)", at, got, evening, err)
			}
			return err
		})
	}
	h.sound()
}

// asWritten is an evening as people write it, in the year that it is.
func asWritten(evening string) string {
	day, err := time.Parse(time.DateOnly, evening)
	if err != nil {
		panic(err)
	}
	return day.Format("2 January")
}

// What was played in another year is told with that year, in the language of whoever asks.
func TestEveningsOfAnotherYearAreToldWithIt(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	now, err := time.Parse(time.RFC3339, "2026-12-31T20:00:00Z")
	if err != nil {
		t.Fatal(err)
	}
	h.wait(now.Sub(h.time()))
	anna.plays("/coin", ben)
	tells := func(en, de string) {
		t.Helper()
		for lang, day := range map[string]string{"en": en, "de": de} {
			anna.locale = lang
			wantLines(t, show(*anna.writes("/history").Private), "#1 · "+day+" · ")
		}
	}
	tells("31 December", "31. Dezember")
	h.wait(24 * time.Hour)
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
		h := newHouse(t)
		anna, ben := h.person("Anna"), h.person("Ben")
		anna.admin = true
		if test.zone != "" {
			said(t, anna.writes("/settings zone="+test.zone))
		}
		now, err := time.Parse(time.RFC3339, test.at)
		if err != nil {
			t.Fatal(err)
		}
		h.wait(now.Sub(h.time()))
		id := anna.plays("/coin", ben)
		if got := h.eveningOf(id); got != test.evening {
			t.Errorf("what ended in %q at %s counts on %s, want %s", test.zone, test.at, got, test.evening)
		}
		wantLines(t, show(*anna.writes("/history").Private), "#"+fmt.Sprint(id)+" · "+asWritten(test.evening))
		for _, period := range []string{"evening", "week", "month"} {
			wantLines(t, said(t, anna.writes("/leaderboard won "+period)), "1 game.")
		}
		wantLines(t, said(t, anna.writes("/leaderboard won "+test.evening)), "1 game.")
		h.sound()
	}
}

// Where the zone changes, what is over keeps its evening; adding the totals up
// again changes none either.
func TestPastEveningsStayWhereTheZoneChanges(t *testing.T) {
	h := newHouse(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.admin = true
	began, err := time.Parse(time.RFC3339, "2026-11-02T10:00:00+09:00") // 1:00 in Greenwich
	if err != nil {
		t.Fatal(err)
	}
	h.wait(began.Sub(h.time()))
	evenings := map[int64]string{}
	for _, step := range []struct{ zone, evening string }{
		{"none", "2026-11-01"}, {"Tokyo", "2026-11-02"}, {"Los_Angeles", "2026-11-01"}, {"Kiritimati", "2026-11-02"},
		{"none", "2026-11-01"},
	} {
		said(t, anna.writes("/settings zone="+step.zone))
		id := anna.plays("/coin", ben)
		evenings[id] = step.evening
		h.wait(time.Minute)
	}
	kept := func(when string) {
		t.Helper()
		for id, want := range evenings {
			if got := h.eveningOf(id); got != want {
				t.Errorf("%s: game %d counts on %s, want %s", when, id, got, want)
			}
		}
		h.sound()
	}
	kept("after the changes")
	if err := h.bot.CatchUp(t.Context()); err != nil {
		t.Fatal(err)
	}
	if wrong, err := h.store.MendTotals(t.Context(), nil); err != nil || len(wrong) != 0 {
		t.Errorf("totals: %v, %v", wrong, err)
	}
	kept("after a rebuild")
	wantLines(t, said(t, anna.writes("/leaderboard won 2026-11-02")), "2 games.")
	wantLines(t, said(t, anna.writes("/leaderboard won evening")), "3 games.") // by the machine's clock, it is the 1st
}

// eveningOf is the evening that a finished game counts on.
func (h *house) eveningOf(id int64) (evening string) {
	h.t.Helper()
	err := h.store.View(context.Background(), func(tx *store.Tx) error {
		table, err := tx.Table(id)
		evening = table.Evening.Time().Format(time.DateOnly)
		return err
	})
	if err != nil {
		h.t.Fatal(err)
	}
	return evening
}

// wantLines looks for texts in an answer.
func wantLines(t *testing.T, answer string, want ...string) {
	t.Helper()
	for _, text := range want {
		if !strings.Contains(answer, text) {
			t.Errorf("no %q in\n%s", text, answer)
		}
	}
}

func view(t *testing.T, h *house, read func(*store.Tx) error) {
	t.Helper()
	if err := h.store.View(context.Background(), read); err != nil {
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
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	h.zone = berlin(t)
	h.restart()
	c := &circle{house: h, chance: rand.New(rand.NewPCG(5, 6)), chat: "test:1", ended: map[string]endedIn{}}
	for i := range 5 {
		c.people = append(c.people, fmt.Sprint("E", i))
	}
	lines := []string{"/shutbox 7", "/wuerfelpoker point=3", "/shutbox 3 tiles=4 match=rounds:3",
		"/wuerfelpoker order=free", "/shutbox 5 ties=roll-off tiles=5",
		"/shutbox 4 tiles=6 shut=pays-double"}
	counts := h.person("E0")
	counts.admin = true
	counts.writes("/settings alone=counts")
	for evening := range evenings {
		h.wait(time.Duration(1+c.chance.IntN(200)) * time.Hour)
		c.agrees(t, evening)
		for range 2 {
			c.buttons(lines[c.chance.IntN(len(lines))])
		}
	}
	records, err := c.records()
	if err != nil || len(records) == 0 || len(records) != len(c.ended) {
		t.Fatalf("%d records of %d games, %v", len(records), len(c.ended), err)
	}
	t.Logf("%d games", len(records))
	c.leaderboards(t, records)
	c.duels(t, records)
	c.histories(t, records)
	c.settles(t)
	h.sound()
}

// agrees on a unit and a season, now and then.
func (c *circle) agrees(t *testing.T, evening int) {
	t.Helper()
	if evening%3 == 1 {
		host := c.person(c.people[0])
		host.admin = true
		if r := host.writes("/unit " + []string{"coffees", "chips"}[evening%2]); r.Refused {
			t.Fatal(r.Toast)
		}
	}
	if evening%3 != 2 {
		return
	}
	err := c.store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
		season, err := tx.StartSeason(store.Season{Chat: c.chat, Name: fmt.Sprint("S", evening),
			Starter: "test:" + c.people[0], Started: c.time().UnixMilli()})
		c.seasons = append(c.seasons, season)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

// buttons plays a game by what the board offers and notes when it was over.
func (c *circle) buttons(line string) {
	var people []*person
	for _, i := range c.chance.Perm(len(c.people))[:1+c.chance.IntN(3)] {
		people = append(people, c.person(c.people[i]))
	}
	people[0].writes(line)
	id := people[0].table().ID
	for _, p := range people[1:] {
		p.sends(fmt.Sprintf("1:%d:0:!join", id))
	}
	if c.chance.IntN(2) == 0 {
		people[0].sends(fmt.Sprintf("1:%d:0:!house random", id))
		c.agree(people...)
	}
	people[0].sends(fmt.Sprintf("1:%d:0:!start", id))
	c.pressAnything(people, c.chance, 250)
	if people[0].table().State != store.Over {
		return
	}
	local := c.time().In(c.zone)
	in := endedIn{evening: store.DayOf(local)}
	if local.Hour() < 6 {
		in.evening--
	}
	if len(c.seasons) > 0 {
		in.season = c.seasons[len(c.seasons)-1]
	}
	c.ended[strconv.FormatInt(id, 10)] = in
	c.day = max(c.day, in.evening)
}
