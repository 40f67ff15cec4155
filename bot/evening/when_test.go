package evening

import (
	"testing"
	"time"

	"knobel/bot"
	"knobel/bot/notice"
	"knobel/bot/standings"
	"knobel/bot/table"
	"knobel/bot/words/wordstest"
	"knobel/games"
	"knobel/games/gametest/coin"
	"knobel/store"
	"knobel/store/storetest"
)

// newEvenings returns the evenings of a bot with one game and all languages.
func newEvenings(t *testing.T) *Evenings {
	all := []games.Game{coin.Game{}}
	b := bot.New(bot.Config{Store: storetest.Open(t), Games: all, Words: wordstest.Of(t, all...)})
	return New(standings.New(table.New(b.Bot)), notice.New(b.Bot))
}

// TestDaysAndTimesAreRead reads days and times as people type them in both languages.
func TestDaysAndTimesAreRead(t *testing.T) {
	b := newEvenings(t)
	for typed, want := range map[string]given{
		"Friday 20:00":                 {5, 20 * 60, ""},
		"fridays 8pm":                  {5, 20 * 60, ""},
		"Fridays, 8:30 pm":             {5, 20*60 + 30, ""},
		"every friday at 8 p.m.":       {5, 20 * 60, ""},
		"jeden Freitag 20 Uhr":         {5, 20 * 60, ""},
		"freitags um 20.30 Uhr":        {5, 20*60 + 30, ""},
		"Sonntag 20h30":                {0, 20*60 + 30, ""},
		"Fr. 20:00":                    {5, 20 * 60, ""},
		"So 19 coin stake=5":           {0, 19 * 60, "coin stake=5"},
		"8pm Tue":                      {2, 20 * 60, ""},
		"12am mon":                     {1, 0, ""},
		"12pm mon":                     {1, 12 * 60, ""},
		"9 Uhr samstags coin":          {6, 9 * 60, "coin"},
		"friday 20:00 coin friday 8pm": {5, 20 * 60, "coin friday 8pm"},
		"tomorrow":                     {-1, -1, "tomorrow"},
		"friday 8":                     {5, -1, "8"},
		"":                             {-1, -1, ""},
	} {
		if got, err := b.read(typed); err != nil || got != want {
			t.Errorf("%q is %+v, %v, want %+v", typed, got, err, want)
		}
	}
	for _, typed := range []string{"friday monday 20:00", "friday 25:00", "friday 20:60", "friday 13pm", "friday 0am",
		"friday 20:00 21:00"} {
		if got, err := b.read(typed); err == nil {
			t.Errorf("%q is %+v", typed, got)
		}
	}
	for typed, want := range map[string]int{"30": 30, "30m": 30, "30min": 30, "2h": 120, "24h": 1440, "none": 0,
		"keine": 0, "1std": 60} {
		if got, err := b.readNotice(typed); err != nil || got != want {
			t.Errorf("a notice %q before is %d, %v, want %d", typed, got, err, want)
		}
	}
	for _, typed := range []string{"9m", "25h", "soon", "-5", "1441"} {
		if got, err := b.readNotice(typed); err == nil {
			t.Errorf("a notice %q before is %d", typed, got)
		}
	}
}

// TestStartsKeepTheClockOfTheZone follows an evening over both changes of the clock.
func TestStartsKeepTheClockOfTheZone(t *testing.T) {
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	at := func(text string) int64 {
		moment, err := time.Parse(time.RFC3339, text)
		if err != nil {
			t.Fatal(err)
		}
		return moment.UnixMilli()
	}
	night := store.Evening{Weekday: 0, Minute: 2*60 + 30} // the clock is set at two or three on Sundays
	for _, c := range []struct {
		evening    store.Evening
		from, want string
	}{
		{store.Evening{Weekday: 5, Minute: 20 * 60}, "2026-03-20T18:59:00Z", "2026-03-20T19:00:00Z"},
		{store.Evening{Weekday: 5, Minute: 20 * 60}, "2026-03-20T19:00:00Z", "2026-03-20T19:00:00Z"},
		{store.Evening{Weekday: 5, Minute: 20 * 60}, "2026-03-20T19:00:01Z", "2026-03-27T19:00:00Z"},
		{store.Evening{Weekday: 5, Minute: 20 * 60}, "2026-03-28T00:00:00Z", "2026-04-03T18:00:00Z"},
		{night, "2026-03-28T12:00:00Z", "2026-03-29T01:00:00Z"}, // half past two does not exist: three
		{night, "2026-10-24T12:00:00Z", "2026-10-25T00:30:00Z"}, // the first of two
		{store.Evening{Weekday: 5, Minute: 20 * 60, Opened: at("2026-03-20T19:00:00Z")}, "2026-03-19T19:00:00Z",
			"2026-03-27T19:00:00Z"},
	} {
		if got := nextStart(c.evening, at(c.from), berlin); got != at(c.want) {
			t.Errorf("after %s it starts at %s, want %s", c.from, time.UnixMilli(got).UTC(), c.want)
		}
	}
}
