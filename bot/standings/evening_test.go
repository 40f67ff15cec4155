package standings_test

import (
	"context"
	"fmt"
	"testing"
	"time"

	"knobel/bot/bare"
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
