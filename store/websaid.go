package store

// What stands in a room of the browser table, for each replica on which pages of it hang.

// WebThing is one thing that stands in a room: a table's board, a puzzle, a call, or what all were told.
type WebThing struct {
	ID      int64
	Version int64  // grows with every change that is seen
	Drawn   int64  // the version that the message shows
	Message string // the message, "" none yet
	At      int64  // when it was posted, asked or said, in Unix milliseconds
	Going   bool   // a table that is not over, a puzzle that is open
}

func (w *WebThing) into() []any {
	return []any{&w.ID, &w.Version, &w.Drawn, (*sealedID)(&w.Message), &w.At, &w.Going}
}

// WebFeed are the newest things that stand in a room, of each kind the newest first.
type WebFeed struct{ Tables, Puzzles, Calls, Said []WebThing }

// What is looked at: older tables and puzzles change no more, and older sentences have left the feeds of pages.
const (
	standingTables = `SELECT id, version, drawn, board, posted, state IN ('lobby', 'playing') FROM tables
		WHERE place = $1 ORDER BY id DESC LIMIT 6`
	standingPuzzles = `SELECT id, version, drawn, message, asked, open FROM puzzles
		WHERE place = $1 ORDER BY id DESC LIMIT 3`
	standingCalls = `SELECT c.id, c.since, 0, c.message, 0, TRUE FROM tables t JOIN calls c ON c.table_id = t.id
		WHERE t.place = $1 AND t.state IN ('lobby', 'playing') AND NOT c.past AND c.sent AND NOT c.over
			AND c.message <> ''`
	standingSaid = `SELECT id, version, 0, '', at, TRUE FROM web_said WHERE chat = $1 ORDER BY id DESC LIMIT 60`
)

// WebFeed returns what stands in a room, without what it says.
func (tx Rooms) WebFeed(place string) (s WebFeed, err error) {
	parts := []struct {
		query string
		into  *[]WebThing
	}{{standingTables, &s.Tables}, {standingPuzzles, &s.Puzzles}, {standingCalls, &s.Calls}, {standingSaid, &s.Said}}
	for _, part := range parts {
		tx.db.Ahead(part.query, sealedID(place))
	}
	for _, part := range parts {
		*part.into, err = collectBy(tx.Tx, (*WebThing).into, part.query, sealedID(place))
		if err != nil {
			return WebFeed{}, wrapped(err, "read what stands at %s", place)
		}
	}
	return s, nil
}

// SayAt keeps what all in a room are told, and returns its number, which nothing else that was said ever had.
func (tx Rooms) SayAt(place, said string, at int64) (id int64, err error) {
	err = tx.get(`INSERT INTO web_said (chat, version, at, said) VALUES ($1, 1, $2, $3) RETURNING id`,
		[]any{sealedID(place), at, sealedSecret(said)}, &id)
	return id, wrapped(err, "keep what is said at %s", place)
}

// SayAnew changes what was said under a number in a room. ErrNotFound is returned where that is kept no more.
func (tx Rooms) SayAnew(place string, id int64, said string) (version int64, err error) {
	err = tx.get(`UPDATE web_said SET version = version + 1, said = $3 WHERE id = $2 AND chat = $1 RETURNING version`,
		[]any{sealedID(place), id, sealedSecret(said)}, &version)
	return version, wrapped(err, "change what was said at %s", place)
}

// SaidAt returns what was said under a number in a room, "" where it was forgotten, or ErrNotFound. The place of a room
// is called as its chat.
func (tx Rooms) SaidAt(place string, id int64) (said string, err error) {
	err = tx.get(`SELECT said FROM web_said WHERE id = $1 AND chat = $2`, []any{id, sealedID(place)},
		(*sealedSecret)(&said))
	return said, wrapped(err, "read what was said at %s", place)
}

// DropSaid forgets at most limit things that were said in rooms before a moment.
func (tx Rooms) DropSaid(before int64, limit int) error {
	return wrapped(tx.run(dropSaid, before, limit), "drop what was said")
}

const dropSaid = `DELETE FROM web_said WHERE id IN (SELECT id FROM web_said WHERE at < $1 ORDER BY at LIMIT $2)`

// unsay forgets what was said in rooms where a person stands in a row, or that they host: it may name them. Who said it
// and when stays as an empty text.
func (tx Rooms) unsay(player string) error {
	return tx.run(`UPDATE web_said SET said = '' WHERE chat IN (`+chatsOf+`)
		OR chat IN (SELECT chat FROM web_rooms WHERE host = $1)`, sealedID(player), sealedAccount(ofPlayer+player))
}
