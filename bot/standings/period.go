package standings

import (
	"fmt"
	"regexp"
	"strconv"
	"time"

	"knobel/bot"
	"knobel/games"
	"knobel/store"
)

// kind is a kind of period.
type kind byte

// The kinds of periods, by their letters in presses.
const (
	allTime   kind = 'a'
	season    kind = 's'
	month     kind = 'm'
	week      kind = 'w'
	anEvening kind = 'e'
)

// Period is a stretch of evenings.
type Period struct {
	kind   kind
	season int64     // of a season, its number; 0: before the first
	first  time.Time // of a month, a week or an evening, its first evening
}

// beforeSeasons is the time before the first season of a chat.
var beforeSeasons = Period{kind: season}

// periodOf is the month, the week or the evening that a day is in.
func periodOf(k kind, evening store.Day) Period {
	day := evening.Time()
	switch k {
	case month:
		day = day.AddDate(0, 0, 1-day.Day())
	case week:
		day = day.AddDate(0, 0, -(int(day.Weekday())+6)%7) // to its Monday
	}
	return Period{kind: k, first: day}
}

// end is the first evening behind a month, a week or an evening.
func (p Period) end() time.Time {
	switch p.kind {
	case month:
		return p.first.AddDate(0, 1, 0)
	case week:
		return p.first.AddDate(0, 0, 7)
	}
	return p.first.AddDate(0, 0, 1)
}

// String spells a period for presses and options: "all", "season-2", "2026-11", "2026-w47", "2026-11-20".
func (p Period) String() string {
	switch p.kind {
	case season:
		return fmt.Sprint("season-", p.season)
	case month:
		return p.first.Format("2006-01")
	case week:
		year, number := p.first.ISOWeek()
		return fmt.Sprintf("%04d-w%02d", year, number)
	case anEvening:
		return p.first.Format(time.DateOnly)
	}
	return "all"
}

var spelledWeek = regexp.MustCompile(`^([0-9]{4})-w([0-9]{2})$`)

// parsePeriod reads what String writes.
func parsePeriod(text string) (Period, bool) {
	var n int64
	if m := spelledWeek.FindStringSubmatch(text); m != nil {
		year, _ := strconv.Atoi(m[1])
		number, _ := strconv.Atoi(m[2])
		monday := periodOf(week, store.DayOf(time.Date(year, 1, 4, 0, 0, 0, 0, time.UTC))).first.AddDate(0, 0,
			7*(number-1))
		p := Period{kind: week, first: monday}
		return p, p.String() == text
	}
	if _, err := fmt.Sscanf(text, "season-%d", &n); err == nil {
		p := Period{kind: season, season: n}
		return p, p.String() == text
	}
	if day, err := time.Parse(time.DateOnly, text); err == nil {
		return Period{kind: anEvening, first: day}, true
	}
	if day, err := time.Parse("2006-01", text); err == nil {
		return Period{kind: month, first: day}, true
	}
	return Period{kind: allTime}, text == "all"
}

// spelledPeriod reports whether a word spells a period, by itself.
func spelledPeriod(word string) bool {
	p, ok := parsePeriod(word)
	return ok && p.kind != season
}

// label names a month, a week, an evening or all time to people; years only where they are not that of today.
func (p Period) label(today store.Day) games.Line {
	year, number := p.first.Year(), 0
	if p.kind == week {
		year, number = p.first.ISOWeek()
	}
	args := games.Args{"Month": bot.MonthLabel(p.first.Month()), "Week": number, "Year": year}
	this := year == today.Time().Year()
	switch {
	case p.kind == month && this:
		return games.Say("bot.period.a-month", args)
	case p.kind == month:
		return games.Say("bot.period.month-of-year", args)
	case p.kind == week && this:
		return games.Say("bot.period.a-week", args)
	case p.kind == week:
		return games.Say("bot.period.week-of-year", args)
	case p.kind == anEvening:
		return bot.DayLabel(store.DayOf(p.first), today)
	}
	return games.Say("bot.period.all", nil)
}
