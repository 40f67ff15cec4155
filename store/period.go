package store

// Spans of time over which results are added up: days, evenings and the seasons of a chat.

import (
	"cmp"
	"math"
	"time"
)

// Day is a day of the calendar, counted from 1 January 1970, or the evening that began on it and may end after
// midnight.
type Day int64

const secondsADay = 24 * 60 * 60

// DayOf is the day that a time shows, by the clock of its own zone.
func DayOf(t time.Time) Day {
	year, month, day := t.Date()
	return Day(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsADay)
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

// Evenings is the period of all evenings from the first to the last, both included.
func Evenings(first, last Day) Period { return Period{ofEvening, int64(first), int64(last)} }

// span returns the range of rows of the totals for a period. All time is all seasons.
func (p Period) span() (kind string, first, last int64) {
	if p.kind == "" {
		return ofSeason, 0, math.MaxInt64
	}
	return p.kind, p.first, p.last
}

const eveningBefore = `
	SELECT period FROM totals WHERE chat = $1 AND kind = 'evening' AND period < $2 ORDER BY period DESC LIMIT 1`

// EveningBefore returns the last evening of a chat before a day with a game that counts in totals, or ErrNotFound.
func (tx Chats) EveningBefore(chat string, day Day) (Day, error) {
	return one[Day](tx.Tx, doing("evenings of %s", chat), eveningBefore, sealedID(chat), day)
}

// EveningAfter returns the first such evening after a day, or ErrNotFound.
func (tx Chats) EveningAfter(chat string, day Day) (Day, error) {
	return one[Day](tx.Tx, doing("evenings of %s", chat),
		`SELECT period FROM totals WHERE chat = $1 AND kind = 'evening' AND period > $2 ORDER BY period LIMIT 1`,
		sealedID(chat), day)
}

// Season is a period of a chat with a name. A table belongs to the season in which it ends.
type Season struct {
	ID      int64 // later ones have larger numbers
	Chat    string
	Name    string
	Starter string // the player who started it
	Started int64  // Unix milliseconds
}

var (
	seasonColumns = columnsOf(`id, chat, name, starter, started`, func(s *Season) []any {
		return []any{&s.ID, (*sealedID)(&s.Chat), &s.Name, (*sealedID)(&s.Starter), &s.Started}
	})
	newSeasons    = seasonColumns.without("id")
	insertSeason  = newSeasons.insert("seasons") + ` RETURNING id`
	allSeasons    = `SELECT ` + seasonColumns.list("") + ` FROM seasons WHERE chat = $1 ORDER BY started DESC, id DESC`
	presentSeason = allSeasons + ` LIMIT 1` // it goes on
)

// StartSeason ends the present season of a chat, starts another and returns its number. Started is now; ID is ignored.
func (tx Chats) StartSeason(s Season) (int64, error) {
	err := cmp.Or(tx.meetChat(s.Chat), tx.meetPlayer(s.Starter, ""),
		tx.get(insertSeason, newSeasons.values(&s), &s.ID))
	return s.ID, wrapped(err, "start season of %s", s.Chat)
}

// PresentSeason returns the present season of a chat, or ErrNotFound before the first.
func (tx Chats) PresentSeason(chat string) (Season, error) {
	return oneBy(tx.Tx, doing("present season of %s", chat), seasonColumns.of, presentSeason, sealedID(chat))
}

// Seasons returns all seasons of a chat, the newest first.
func (tx Chats) Seasons(chat string) ([]Season, error) {
	return collectBy(tx.Tx, doing("seasons of %s", chat), seasonColumns.of, allSeasons, sealedID(chat))
}

// BeforeSeasons reports whether games that count in a chat ended before its first season.
func (tx Chats) BeforeSeasons(chat string) (bool, error) {
	return one[bool](tx.Tx, doing("before the seasons of %s", chat),
		`SELECT EXISTS (SELECT 1 FROM totals WHERE chat = $1 AND kind = 'season' AND period = 0)`, sealedID(chat))
}
