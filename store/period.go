package store

// Days, evenings and the seasons of a chat, over which results are added up.

import (
	"cmp"
	"math"
	"time"
)

// Day is a day of the calendar, as the number of days since 1 January 1970. As an evening it may end after midnight.
type Day int64

const secondsADay = 24 * 60 * 60

// DayOf returns the calendar day of t in the time zone of t.
func DayOf(t time.Time) Day {
	year, month, day := t.Date()
	return Day(time.Date(year, month, day, 0, 0, 0, 0, time.UTC).Unix() / secondsADay)
}

// Time returns midnight in UTC at the beginning of the day.
func (d Day) Time() time.Time { return time.Unix(int64(d)*secondsADay, 0).UTC() }

// The kinds of periods for which a row of totals holds sums.
const (
	ofSeason  = "season"
	ofEvening = "evening"
)

// Period is a range of evenings or one season, for which totals of results can be read. The zero value is all time.
type Period struct {
	kind        string // ofSeason, ofEvening, or "" for all time
	first, last int64
}

// AllTime returns the period that contains all games.
func AllTime() Period { return Period{} }

// OfSeason returns the period of the season with the number id. 0: the time before the chat started its first season.
func OfSeason(id int64) Period { return Period{ofSeason, id, id} }

// Evenings returns the period of all evenings from first to last, both included.
func Evenings(first, last Day) Period { return Period{ofEvening, int64(first), int64(last)} }

// span returns which rows of totals belong to the period: their kind, and the first and the last of their numbers,
// which are seasons or evenings. All time consists of all seasons and of the time before them, number 0.
func (p Period) span() (kind string, first, last int64) {
	if p.kind == "" {
		return ofSeason, 0, math.MaxInt64
	}
	return p.kind, p.first, p.last
}

// eveningBefore selects, from the totals of the chat $1, the last evening before the day $2.
const eveningBefore = `
	SELECT period FROM totals WHERE chat = $1 AND kind = 'evening' AND period < $2 ORDER BY period DESC LIMIT 1`

// EveningBefore returns the last evening before day on which the chat finished a game that counts, or ErrNotFound.
func (tx Chats) EveningBefore(chat string, day Day) (Day, error) {
	return one[Day](tx.Tx, doing("read evenings of %s", chat), eveningBefore, sealedID(chat), day)
}

// EveningAfter returns the first evening after day on which the chat finished a game that counts, or ErrNotFound.
func (tx Chats) EveningAfter(chat string, day Day) (Day, error) {
	return one[Day](tx.Tx, doing("read evenings of %s", chat),
		`SELECT period FROM totals WHERE chat = $1 AND kind = 'evening' AND period > $2 ORDER BY period LIMIT 1`,
		sealedID(chat), day)
}

// Season is a period of a chat with a name. It ends when the next one starts. A table belongs to the season in which
// the table ends.
type Season struct {
	ID      int64 // later ones have larger numbers
	Chat    string
	Name    string
	Starter string // the id of the player who started it
	Started int64  // Unix milliseconds
}

var (
	newSeasons = columnsOf(`chat, name, starter, started`, func(s *Season) []any {
		return []any{(*sealedID)(&s.Chat), &s.Name, (*sealedID)(&s.Starter), &s.Started}
	})
	seasonColumns = columnsOf(`id`, func(s *Season) []any { return []any{&s.ID} }).and(newSeasons)
	insertSeason  = newSeasons.insert("seasons") + ` RETURNING id`
	allSeasons    = `SELECT ` + seasonColumns.list("") + ` FROM seasons WHERE chat = $1 ORDER BY started DESC, id DESC`
	presentSeason = allSeasons + ` LIMIT 1` // the season that has not ended
)

// StartSeason starts a season of a chat and returns its number. The season so far ends. s.Started must be the present
// time, and s.ID is ignored.
func (tx Chats) StartSeason(s Season) (int64, error) {
	err := cmp.Or(tx.meetChat(s.Chat), tx.meetPlayer(s.Starter, ""),
		tx.get(insertSeason, newSeasons.values(&s), &s.ID))
	return s.ID, wrapped(err, "start season of %s", s.Chat)
}

// PresentSeason returns the present season of a chat, or ErrNotFound if it never started one.
func (tx Chats) PresentSeason(chat string) (Season, error) {
	return oneBy(tx.Tx, doing("read season of %s", chat), seasonColumns.of, presentSeason, sealedID(chat))
}

// Seasons returns all seasons of a chat, the newest first.
func (tx Chats) Seasons(chat string) ([]Season, error) {
	return collectBy(tx.Tx, doing("read seasons of %s", chat), seasonColumns.of, allSeasons, sealedID(chat))
}

// BeforeSeasons reports whether a chat finished any game that counts in totals before it started its first season.
func (tx Chats) BeforeSeasons(chat string) (bool, error) {
	return one[bool](tx.Tx, doing("read games before the seasons of %s", chat),
		`SELECT EXISTS (SELECT 1 FROM totals WHERE chat = $1 AND kind = 'season' AND period = 0)`, sealedID(chat))
}
