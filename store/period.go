package store

// Spans of time over which results are added up.

import (
	"errors"
	"math"
	"time"
)

// Day is a day of the calendar, counted from 1 January 1970. As an evening it is the day on which
// the evening began; the caller decides which that is, by the people's time zone, because an
// evening ends in the early morning of the next day.
type Day int64

const secondsADay = 24 * 60 * 60

// DayOf is the day that a time shows, by the clock of its own zone.
func DayOf(t time.Time) Day {
	year, month, day := t.Date()
	midnight := time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix()
	if midnight < 0 {
		midnight -= secondsADay - 1
	}
	return Day(midnight / secondsADay)
}

// Time is the day's midnight in UTC.
func (d Day) Time() time.Time { return time.Unix(int64(d)*secondsADay, 0).UTC() }

// The kinds of rows of the totals.
const (
	ofSeason  = "season"
	ofEvening = "evening"
)

// Period is a span of days over which totals are added up. The zero value is all time.
type Period struct {
	kind        string // "": all time
	first, last int64
}

// AllTime is the period of all games.
func AllTime() Period { return Period{} }

// OfSeason is the period of a season by its number; 0: before the first one.
func OfSeason(id int64) Period { return Period{ofSeason, id, id} }

// Evenings is the period of all evenings from the first to the last, both of
// them included: one evening, a week, a month.
func Evenings(first, last Day) Period { return Period{ofEvening, int64(first), int64(last)} }

// span is the range of rows of the totals that a period is. All time is all
// seasons.
func (p Period) span() (kind string, first, last int64) {
	if p.kind == "" {
		return ofSeason, 0, math.MaxInt64
	}
	return p.kind, p.first, p.last
}

// EveningBefore returns the last evening of a chat before a day with a game that counts in totals,
// or ErrNotFound. With the first day of a month it finds the last earlier month with games.
func (tx Chats) EveningBefore(chat string, day Day) (Day, error) {
	return tx.evening(`SELECT MAX(period) FROM totals WHERE chat = $1 AND kind = 'evening' AND period < $2`, chat, day)
}

// EveningAfter returns the first such evening after a day, or ErrNotFound.
func (tx Chats) EveningAfter(chat string, day Day) (Day, error) {
	return tx.evening(`SELECT MIN(period) FROM totals WHERE chat = $1 AND kind = 'evening' AND period > $2`, chat, day)
}

func (tx Chats) evening(query, chat string, day Day) (Day, error) {
	var found *int64
	err := tx.get(query, []any{sealedID(chat), int64(day)}, &found)
	if err == nil && found == nil || errors.Is(err, ErrNotFound) {
		return 0, ErrNotFound
	}
	if err != nil {
		return 0, wrapped(err, "evenings of %s", chat)
	}
	return Day(*found), nil
}
