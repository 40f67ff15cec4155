package standings

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/zone"
	"knobel/games"
	"knobel/store"
)

// Seasons that begin anew by themselves, at six in the morning of the first.

// cadence is how often seasons begin by themselves.
type cadence struct {
	name   string // as in store.Season
	key    string // of the sentence with its word, as people type it
	months int    // the length of a season
}

// cadences holds all cadences; the last one stands for seasons that do not begin by themselves.
var cadences = []cadence{
	{store.Monthly, "bot.season.word.monthly", 1}, {store.Quarterly, "bot.season.word.quarterly", 3},
	{store.Yearly, "bot.season.word.yearly", 12}, {"", "bot.season.word.off", 0},
}

// finalWord is the key of the word for the final of a season.
const finalWord = "bot.season.word.final"

// noFinal is the value of the option "final" for seasons without one.
const noFinal = "none"

// morning is the hour at which seasons begin, as evenings end.
const morning = 6

// cadenceCalled returns the cadence that word means in any language, and whether it means one.
func (b *Standings) cadenceCalled(word string) (cadence, bool) {
	i := slices.IndexFunc(cadences, func(c cadence) bool { return b.Means(c.key, word) })
	return cadences[max(i, 0)], i >= 0
}

// cadenceOf returns the cadence of a season.
func cadenceOf(s store.Season) cadence {
	return cadences[slices.IndexFunc(cadences, func(c cadence) bool { return c.name == s.Cadence })]
}

// after returns the first day after day on which a season of the cadence begins.
func (c cadence) after(day store.Day) store.Day {
	year, month, _ := day.Time().Date()
	first := (int(month)-1)/c.months*c.months + 1
	return store.DayOf(time.Date(year, time.Month(first+c.months), 1, 0, 0, 0, 0, time.UTC))
}

// label returns the name of the season that begins on day, or began before: "November 2026", "Q4 2026", "2026".
func (c cadence) label(day store.Day) games.Line {
	year, month, _ := day.Time().Date()
	switch c.name {
	case store.Monthly:
		return games.Say("bot.period.month-of-year", games.Args{"Month": bot.MonthLabel(month), "Year": year})
	case store.Quarterly:
		return games.Say("bot.season.quarter", games.Args{"Quarter": (int(month)-1)/3 + 1, "Year": year})
	}
	return games.Say("bot.text", games.Args{"Text": strconv.Itoa(year)})
}

// morningOf returns when, in Unix milliseconds, a season that begins on day does so in a time zone.
func morningOf(day store.Day, in *time.Location) int64 {
	year, month, date := day.Time().Date()
	return zone.At(year, month, date, morning, 0, in).UnixMilli()
}

// dayOfDue returns the day of a season's end by itself. Time zones are at most 14 hours ahead of UTC and 12 behind, and
// the day is the first of a month: so due belongs to that month in UTC, if it is moved by as many hours.
func dayOfDue(due int64) store.Day {
	year, month, _ := time.UnixMilli(due).Add((14 - morning) * time.Hour).UTC().Date()
	return store.DayOf(time.Date(year, month, 1, 0, 0, 0, 0, time.UTC))
}

// seasonEnd returns when the present season s ends by itself, in Unix milliseconds, or 0 for never. A season that began
// before the clock was set back does not end at the first on which it began.
func (v *Visit) seasonEnd(s store.Season) (int64, error) {
	if s.Cadence == "" {
		return 0, nil
	}
	set, err := v.Settings(v.Chat.ID)
	in := set.Zone(v.bot.Bot)
	evening := bot.EveningOf(time.UnixMilli(max(v.At, s.Started)), in)
	return morningOf(cadenceOf(s).after(evening), in), err
}

// freeName returns the name of a season that begins on day, different from those of seasons.
func (v *Visit) freeName(seasons []store.Season, c cadence, day store.Day) string {
	name := v.Say(c.label(day))
	for n := 2; ; n++ {
		taken := func(s store.Season) bool { return strings.EqualFold(s.Name, name) }
		if !slices.ContainsFunc(seasons, taken) {
			return name
		}
		name = fmt.Sprintf("%s (%d)", v.Say(c.label(day)), n)
	}
}

// changeCadence sets when seasons begin by themselves and, if w has the option "final", for how many people finals are.
// Without a season, it starts one. The present season goes on: until the next first or, with the word "off", for good.
func (v *Visit) changeCadence(c cadence, w bot.Args) error {
	if err := v.AdminsOnly("bot.season.admins"); err != nil {
		return err
	}
	seasons, err := v.Seasons()
	if err != nil {
		return err
	}
	if len(seasons) == 0 && (c.name == "" || w.Text("name") == "") { // there is nothing to change
		return v.showSeason()
	}
	present := append(seasons, store.Season{Chat: v.Chat.ID, Starter: string(v.Event.User), Started: v.At,
		Final: store.DefaultFinal})[0]
	if w.Text("name") != "" && c.name != present.Cadence {
		present.Cadence = c.name
		if present.Due, err = v.seasonEnd(present); err != nil {
			return err
		}
	}
	if text := w.Text("final"); text != "" {
		present.Final, _ = strconv.ParseInt(text, 10, 64) // 0 for none
	}
	if present.ID != 0 {
		err = v.Tx.Chats.SaveSeason(present)
	} else {
		err = v.startFirst(&present)
	}
	if err != nil {
		return err
	}
	delete(v.Cache(), "seasons") // they were read before the change
	v.Wake(v.bot.renewals)
	v.Tell(v.cadenceLine(present))
	return v.showSeason()
}

// startFirst starts the first season of the chat, with the name of its cadence in the language of the chat.
func (v *Visit) startFirst(s *store.Season) error {
	today, err := v.Evening()
	if err != nil {
		return err
	}
	lang := v.Lang
	v.Lang = v.bot.SharedLanguage(v.Chat, v.Player)
	s.Name = v.freeName(nil, cadenceOf(*s), today)
	v.Lang = lang
	s.ID, err = v.Tx.Chats.StartSeason(*s)
	return err
}

// cadenceLine returns the sentence on when the next season begins.
func (v *Visit) cadenceLine(s store.Season) games.Line {
	if s.Due == 0 {
		return games.Say("bot.season.goes-on", nil)
	}
	began := store.DayOf(time.UnixMilli(v.At))
	return games.Say("bot.season.renews", games.Args{"How": games.Word(cadenceOf(s).key),
		"Day": bot.DayLabel(dayOfDue(s.Due), began)})
}

// dueAtOnce is the largest number of seasons that one pass of beginSeasons ends.
const dueAtOnce = 100

// beginSeasons is one pass of the loop that begins seasons. soon is the time until the next one begins, 0 for unknown.
func (b *Standings) beginSeasons(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	now := b.Now()
	var due []store.Row
	var next int64
	err = b.Due(ctx, func(tx *store.Tx) (err error) {
		if due, err = tx.Chats.DueSeasons(now, dueAtOnce); err == nil {
			next, err = tx.Chats.NextSeason(now)
		}
		return err
	})
	if err != nil {
		return 0, err
	}
	err = c.StepAt(ctx, store.ChatOfSeason, due, "season", bot.At(b.Visit, (*Visit).renewSeason))
	if len(due) == dueAtOnce && err == nil {
		return time.Millisecond, nil
	}
	if next > 0 {
		soon = time.Duration(next-now) * time.Millisecond
	}
	return soon, err
}

// renewSeason ends the season with this number, if it is due, and begins the next. If the bot was off for longer than a
// season, it begins the one of now, dated at the first of that.
func (v *Visit) renewSeason(id int64) error {
	old, err := v.Tx.Chats.Season(id)
	if errors.Is(err, store.ErrNotFound) || err == nil && (old.Due == 0 || old.Due > v.At) {
		return nil
	}
	if err == nil {
		err = v.quietIn(old)
	}
	seasons, err2 := v.Seasons()
	set, err3 := v.Settings(old.Chat)
	if err := errors.Join(err, err2, err3); err != nil {
		return err
	}
	c, in, first := cadenceOf(old), set.Zone(v.bot.Bot), dayOfDue(old.Due)
	for morningOf(c.after(first), in) <= v.At {
		first = c.after(first)
	}
	next := store.Season{Chat: old.Chat, Starter: old.Starter, Started: max(morningOf(first, in), old.Started),
		Name: v.freeName(seasons, c, first), Cadence: old.Cadence, Final: old.Final, Due: morningOf(c.after(first), in)}
	if next.ID, err = v.Tx.Chats.StartSeason(next); err == nil {
		err = v.Tx.Chats.StartedLate(next)
	}
	if err != nil {
		return err
	}
	last := dayOfDue(old.Due) - 1
	old.Due = 0 // as stored since the next one began
	_, err = v.crownFirst(&old, last)
	return err
}

// quietIn makes a visit without an event one of the chat of a season, in the chat's language.
func (v *Visit) quietIn(s store.Season) (err error) {
	if v.Chat, err = v.Tx.Chats.Chat(s.Chat); err != nil {
		return err
	}
	starter, err := v.Tx.Chats.Player(s.Starter)
	v.Lang = v.bot.SharedLanguage(v.Chat, starter)
	return err
}

// zoneChanged moves the end of the present season to six in the morning of the same day in the chat's new time zone.
func (v *Visit) zoneChanged(after bot.Settings) error {
	present, err := v.Tx.Chats.PresentSeason(v.Chat.ID)
	if errors.Is(err, store.ErrNotFound) || err == nil && present.Due == 0 {
		return nil
	}
	if err != nil {
		return err
	}
	present.Due = morningOf(dayOfDue(present.Due), after.Zone(v.bot.Bot))
	v.Wake(v.bot.renewals)
	return v.Tx.Chats.SaveSeason(present)
}
