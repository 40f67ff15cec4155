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
	Starter string // the id of the player who started it, or the first of those that begin by themselves
	Started int64  // Unix milliseconds

	Cadence string // how often seasons begin by themselves: Monthly, Quarterly, Yearly or, if they do not, ""
	Due     int64  // when the next season begins by itself, in Unix milliseconds; 0: never, or it has begun
	Final   int64  // the number of people in its final, from 2; 0: it has none
	// Champion is the id of the person who has won the season, "" until then. FinalTable is the table of the final, 0
	// if none was played. Crowned is the evening whose recap names the champion, 0 for none.
	Champion   string
	FinalTable int64
	Crowned    Day
}

// The values of Season.Cadence.
const (
	Monthly   = "monthly"
	Quarterly = "quarterly"
	Yearly    = "yearly"
)

// DefaultFinal is the Season.Final of a season for which no number was chosen.
const DefaultFinal = 4

var (
	seasonStates = columnsOf(`cadence, due, final, champion = '', final_table, crowned`, func(s *Season) []any {
		return []any{&s.Cadence, &s.Due, &s.Final, (*sealedID)(&s.Champion), &s.FinalTable, &s.Crowned}
	})
	newSeasons = columnsOf(`chat, name, starter, started`, func(s *Season) []any {
		return []any{(*sealedID)(&s.Chat), &s.Name, (*sealedID)(&s.Starter), &s.Started}
	}).and(seasonStates)
	seasonColumns = columnsOf(`id`, func(s *Season) []any { return []any{&s.ID} }).and(newSeasons)
	insertSeason  = newSeasons.insert("seasons") + ` RETURNING id`
	updateSeason  = seasonStates.update("seasons", "id", "chat")
	selectSeasons = `SELECT ` + seasonColumns.list("") + ` FROM seasons `
	allSeasons    = selectSeasons + `WHERE chat = $1 ORDER BY started DESC, id DESC`
	presentSeason = allSeasons + ` LIMIT 1` // the season that has not ended
)

// StartSeason starts a season of a chat and returns its number; s.ID is ignored. The season so far ends.
func (tx Chats) StartSeason(s Season) (int64, error) {
	err := cmp.Or(tx.meetChat(s.Chat), tx.meetPlayer(s.Starter, ""),
		tx.run(`UPDATE seasons SET due = 0 WHERE chat = $1 AND due > 0`, sealedID(s.Chat)),
		tx.get(insertSeason, newSeasons.values(&s), &s.ID))
	return s.ID, wrapped(err, "start season of %s", s.Chat)
}

// StartedLate moves the tables that ended since s.Started to the season s, which was stored later than that.
func (tx Chats) StartedLate(s Season) error {
	moved, err := tx.exec(`UPDATE tables SET season = $1 WHERE chat = $2 AND state = 'over' AND ended >= $3`, s.ID,
		sealedID(s.Chat), s.Started)
	if err == nil && moved > 0 {
		err = tx.Scores.Recount(s.Chat)
	}
	return wrapped(err, "move late tables to season %d", s.ID)
}

// SaveSeason stores the fields of a season from Cadence on.
func (tx Chats) SaveSeason(s Season) error {
	return wrapped(execFound(tx.Tx, updateSeason, seasonStates.values(&s, s.ID, sealedID(s.Chat))...),
		"save season %d", s.ID)
}

// Season returns the season with the number id, or ErrNotFound.
func (tx Chats) Season(id int64) (Season, error) {
	return oneBy(tx.Tx, doing("read season %d", id), seasonColumns.of, selectSeasons+`WHERE id = $1`, id)
}

// SeasonWonAt returns the season that was won at a table, its final, or ErrNotFound.
func (tx Chats) SeasonWonAt(chat string, table int64) (Season, error) {
	return oneBy(tx.Tx, doing("read season of table %d", table), seasonColumns.of,
		selectSeasons+`WHERE chat = $1 AND final_table = $2`, sealedID(chat), table)
}

// dueSeasons and nextSeason select the seasons after which the next ones begin by themselves, until $1 and after $1.
const (
	dueSeasons = `SELECT id, chat, due FROM seasons WHERE due > 0 AND due <= $1 ORDER BY due, id LIMIT $2`
	nextSeason = `SELECT due FROM seasons WHERE due > 0 AND due > $1 ORDER BY due, id LIMIT 1`
)

// DueSeasons returns at most limit seasons whose Due is now, in Unix milliseconds, or earlier, the earliest first.
func (tx Chats) DueSeasons(now int64, limit int) ([]Row, error) {
	return tx.rowsOf("seasons that end", limit, (*Row).due, dueSeasons, now)
}

// NextSeason returns the earliest Season.Due after the time now, in Unix milliseconds, or 0.
func (tx Chats) NextSeason(now int64) (int64, error) {
	return first[int64](tx.Tx, doing("read end of seasons"), nextSeason, now)
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
