package store

// Fixed evenings, at which a chat plays each week, and the answers of people who come.

import "cmp"

// Evening is a fixed evening of a chat. Times are in Unix milliseconds.
type Evening struct {
	ID      int64
	Chat    string
	Place   string // the id of the channel, thread or topic
	Setter  string // the id of the person who has set it
	Weekday int64  // 0: Sunday
	Minute  int64  // of the day, in the time zone of the chat
	Terms   string // the game and its options, as they are typed behind /play; "": as in the last game
	Notice  int64  // minutes from the notice to Start; 0: there is no notice
	Start   int64  // of the next evening
	Skipped int64  // the Start of the evening that does not take place; 0: none
	Opened  int64  // the Start of the last evening that is over or whose lobby was opened; 0: none
	Waits   bool   // the lobby waits for a table that is being played
	Due     int64  // when the next step is due; 0: never
	Over    bool   // it was switched off, and only Event is left
	Event   string // the platform's event, in the notation of the core; "": none
	Synced  bool   // the event shows the evening as it is stored
}

// LeftEvent is the Event of an evening whose event others have changed or deleted: it stays as it is.
const LeftEvent = "left"

// Answer is a person's answer to the notice of an evening.
type Answer struct {
	Player string // the id of the person
	Comes  bool
	At     int64 // when they answered, in Unix milliseconds
}

var (
	eveningStates = columnsOf(`place, setter, weekday, minute, terms, notice, start, skipped, opened, waits, due,
		over, event, synced`, func(e *Evening) []any {
		return []any{(*sealedID)(&e.Place), (*sealedID)(&e.Setter), &e.Weekday, &e.Minute, &e.Terms,
			&e.Notice, &e.Start, &e.Skipped, &e.Opened, &e.Waits, &e.Due, &e.Over, (*sealedSecret)(&e.Event), &e.Synced}
	})
	newEvenings = columnsOf(`chat`, func(e *Evening) []any { return []any{(*sealedID)(&e.Chat)} }).
			and(eveningStates)
	eveningColumns = columnsOf(`id`, func(e *Evening) []any { return []any{&e.ID} }).and(newEvenings)
	insertEvening  = newEvenings.insert("evenings") + ` RETURNING id`
	updateEvening  = eveningStates.update("evenings", "id")
	selectEvening  = `SELECT ` + eveningColumns.list("") + ` FROM evenings `
	eveningsOf     = selectEvening + `WHERE chat = $1 AND NOT over ORDER BY id`
	answerStates   = columnsOf(`comes, at`, func(a *Answer) []any { return []any{&a.Comes, &a.At} })
	answerColumns  = columnsOf(`player`, func(a *Answer) []any { return []any{(*sealedID)(&a.Player)} }).
			and(answerStates)
	selectAnswers = `SELECT ` + answerColumns.list("") + ` FROM evening_answers WHERE evening = $1 AND start = $2
		ORDER BY at, player`
	saveAnswer = answerStates.upsert("evening_answers", "evening", "start", "player")
)

// SaveEvening stores an evening. If e.ID is 0, it is new and gets its ID.
func (tx Calls) SaveEvening(e *Evening) (err error) {
	if e.ID == 0 {
		err = tx.get(insertEvening, newEvenings.values(e), &e.ID)
	} else {
		err = execFound(tx.Tx, updateEvening, eveningStates.values(e, e.ID)...)
	}
	return wrapped(err, "save evening at %s", e.Place)
}

// DropEvening deletes an evening with its answers.
func (tx Calls) DropEvening(id int64) error {
	return wrapped(cmp.Or(tx.run(`DELETE FROM evening_answers WHERE evening = $1`, id),
		tx.run(`DELETE FROM evenings WHERE id = $1`, id)), "delete evening %d", id)
}

// Evening returns the evening with the number id, or ErrNotFound.
func (tx Calls) Evening(id int64) (Evening, error) {
	return oneBy(tx.Tx, doing("read evening %d", id), eveningColumns.of, selectEvening+`WHERE id = $1`, id)
}

// EveningsOf returns the evenings of a chat, except those switched off, the oldest first.
func (tx Calls) EveningsOf(chat string) ([]Evening, error) {
	return collectBy(tx.Tx, doing("read evenings of %s", chat), eveningColumns.of, eveningsOf, sealedID(chat))
}

// Answers returns the answers to the notice of the evening that begins at start, in the order of time.
func (tx Calls) Answers(evening, start int64) ([]Answer, error) {
	return collectBy(tx.Tx, doing("read answers to evening %d", evening), answerColumns.of, selectAnswers, evening,
		start)
}

// SaveAnswer stores an answer in place of the person's earlier one, and deletes those to evenings a week before.
func (tx Calls) SaveAnswer(evening, start int64, a Answer) error {
	return wrapped(cmp.Or(tx.Chats.meetPlayer(a.Player, ""),
		tx.run(saveAnswer, answerStates.values(&a, evening, start, sealedID(a.Player))...),
		tx.run(`DELETE FROM evening_answers WHERE evening = $1 AND start < $2`, evening, start-aWeek)),
		"save answer to evening %d", evening)
}

const (
	dueEvenings = `
		SELECT id, chat FROM evenings WHERE due > 0 AND (due <= $1 OR start > $2 AND opened < start - $2 + $1)
		ORDER BY due, id LIMIT $3`
	nextEvening      = `SELECT due FROM evenings WHERE due > 0 AND due > $1 ORDER BY due, id LIMIT 1`
	unsyncedEvenings = `SELECT id, chat FROM evenings WHERE NOT synced AND SUBSTR(place, 1, LENGTH($1)) = $1
		ORDER BY id LIMIT $2`
)

// aWeek is the time from one evening to the next, in milliseconds.
const aWeek = 7 * 24 * 60 * 60 * 1000

// DueEvenings returns at most limit evenings with a step that is due at the time now, in Unix milliseconds, and those
// that left out an evening which has yet to come, because the clock was set back.
func (tx Calls) DueEvenings(now int64, limit int) ([]Row, error) {
	return tx.rowsOf("evenings that are due", limit, nil, dueEvenings, now, now+aWeek)
}

// NextEvening returns the first time after now at which a step of an evening is due, or 0.
func (tx Calls) NextEvening(now int64) (int64, error) {
	return first[int64](tx.Tx, doing("read next evening"), nextEvening, now)
}

// UnsyncedEvenings returns at most limit evenings whose event has to be changed, on the platform whose ids begin with
// prefix.
func (tx Calls) UnsyncedEvenings(prefix string, limit int) ([]Row, error) {
	return tx.rowsOf("evenings without an event", limit, nil, unsyncedEvenings, prefix)
}

// OfEvening returns the scope that locks the chat of an evening.
func OfEvening(id int64) Scope { return chatOf(`SELECT chat FROM evenings WHERE id = $1`, id) }

// OfNotice returns the scope that locks the chat of a notice.
func OfNotice(id int64) Scope { return chatOf(`SELECT chat FROM notices WHERE id = $1`, id) }
