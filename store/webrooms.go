package store

// Browser rooms, and the boards, puzzles, calls and sentences shown in them.

import "cmp"

// WebRoom is a room that a person has made in the browser. Times are in Unix milliseconds.
type WebRoom struct {
	ID int64
	// Print is the fingerprint (a hash) of the room's address. The address itself is not stored.
	Print string
	// Host is the id of the person who may change the room, "" if there is none.
	Host string
	// Made is when the room was made, Used when any person was last there, and Seen when the host was last there.
	Made, Used, Seen int64
}

var (
	newWebRooms = columnsOf(`print, host, made, used, seen`, func(r *WebRoom) []any {
		return []any{&r.Print, (*sealedID)(&r.Host), &r.Made, &r.Used, &r.Seen}
	})
	webRoomColumns = columnsOf(`id`, func(r *WebRoom) []any { return []any{&r.ID} }).and(newWebRooms)
	insertWebRoom  = newWebRooms.insert("web_rooms", "chat") + ` RETURNING id`
	selectWebRoom  = `SELECT ` + webRoomColumns.list("") + ` FROM web_rooms WHERE `
)

// MakeWebRoom stores the browser room r and returns its number, which is never used again. r.ID is ignored. chatID gets
// the number and returns the id of the room's chat.
func (tx Rooms) MakeWebRoom(r WebRoom, chatID func(id int64) string) (id int64, err error) {
	err = tx.get(insertWebRoom, newWebRooms.values(&r, ""), &id)
	if err == nil {
		err = tx.run(`UPDATE web_rooms SET chat = $2 WHERE id = $1`, id, sealedID(chatID(id)))
	}
	return id, wrapped(err, "add room")
}

// WebRoom returns the browser room with the number id, or ErrNotFound.
func (tx Rooms) WebRoom(id int64) (WebRoom, error) {
	return oneBy(tx.Tx, doing("read room"), webRoomColumns.of, selectWebRoom+`id = $1`, id)
}

// WebRoomByPrint returns the browser room whose address has the fingerprint print, or ErrNotFound.
func (tx Rooms) WebRoomByPrint(print string) (WebRoom, error) {
	return oneBy(tx.Tx, doing("read room"), webRoomColumns.of, selectWebRoom+`print = $1`, print)
}

// SeenInWebRoom stores when people were last in a browser room: used, in Unix milliseconds. If host is still the host
// of the room, it also stores seen, when the host was there. Stored times that are later do not change.
func (tx Rooms) SeenInWebRoom(room int64, host string, seen, used int64) error {
	return wrapped(tx.run(`UPDATE web_rooms SET
			used = CASE WHEN used < $4 THEN $4 ELSE used END,
			seen = CASE WHEN host = $2 AND seen < $3 THEN $3 ELSE seen END
		WHERE id = $1`, room, sealedID(host), seen, used), "save last use of room")
}

// HandWebRoom makes newHost the host of a browser room in place of oldHost. newHost was last there at the time at, in
// Unix milliseconds. If the present host is not oldHost, it returns ErrNotFound.
func (tx Rooms) HandWebRoom(room int64, oldHost, newHost string, at int64) error {
	return wrapped(execFound(tx.Tx, `UPDATE web_rooms SET host = $3, seen = $4 WHERE id = $1 AND host = $2`,
		room, sealedID(oldHost), sealedID(newHost), at), "hand over room")
}

// MoveWebRoom gives a browser room a new address, by replacing the fingerprint oldPrint by newPrint. For visitors with
// the old address it stores sealed, the new address in encrypted form. Of all old addresses of the room it keeps the
// newest, at most limit. If the present fingerprint is not oldPrint, it returns ErrNotFound.
func (tx Rooms) MoveWebRoom(room int64, oldPrint, newPrint, sealed string, limit int) error {
	err := execFound(tx.Tx, `UPDATE web_rooms SET print = $3 WHERE id = $1 AND print = $2`, room, oldPrint, newPrint)
	if err == nil {
		err = cmp.Or(tx.run(`INSERT INTO web_moves (room, print, sealed) VALUES ($1, $2, $3)`, room, oldPrint, sealed),
			tx.run(`DELETE FROM web_moves WHERE room = $1 AND id NOT IN (
				SELECT id FROM web_moves WHERE room = $1 ORDER BY id DESC LIMIT $2)`, room, limit))
	}
	return wrapped(err, "move room")
}

// WebMove returns a browser room's new address, encrypted, for the fingerprint print of an old one, or ErrNotFound.
func (tx Rooms) WebMove(print string) (sealed string, err error) {
	return one[string](tx.Tx, doing("read new address of room"),
		`SELECT sealed FROM web_moves WHERE print = $1`, print)
}

// ShowOut stores that a browser was removed from a browser room. browser is the browser's fingerprint.
func (tx Rooms) ShowOut(room int64, browser string) error {
	return wrapped(tx.run(`INSERT INTO web_outs (room, who) VALUES ($1, $2) ON CONFLICT DO NOTHING`, room, browser),
		"remove person from room")
}

// ShownOut returns the fingerprints of the browsers that were removed from a browser room.
func (tx Rooms) ShownOut(room int64) ([]string, error) {
	return collect[string](tx.Tx, doing("read removed people"),
		`SELECT who FROM web_outs WHERE room = $1 ORDER BY who`, room)
}

// DropIdleWebRooms deletes at most limit browser rooms that no one has used since cutoff, in Unix milliseconds, and
// that have no table in play or over. It returns how many it has deleted.
func (tx Rooms) DropIdleWebRooms(cutoff int64, limit int) (n int64, err error) {
	for _, table := range []string{"web_lines", "pushes", "evenings", "notices"} {
		err = cmp.Or(err, tx.run(`DELETE FROM `+table+` WHERE chat IN (SELECT r.chat`+idleWebRooms+`)`, cutoff, limit))
	}
	if err == nil {
		n, err = tx.exec(dropIdleWebRooms, cutoff, limit)
	}
	return n, wrapped(err, "delete idle rooms")
}

// idleWebRooms ends a query for at most $2 rooms last used before $1 that have no started table, least recently used
// first. dropIdleWebRooms deletes these rooms.
const (
	idleWebRooms = ` FROM web_rooms r
		WHERE r.used < $1
			AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.chat = r.chat AND t.state IN ('playing', 'over'))
		ORDER BY r.used, r.id LIMIT $2`
	dropIdleWebRooms = `DELETE FROM web_rooms WHERE id IN (SELECT r.id` + idleWebRooms + `)`
)

// WebThing is an item in a browser room: the board of a table, a puzzle, a call (ping), or a sentence for all people.
type WebThing struct {
	ID      int64
	Version int64  // grows with every change that is visible
	Drawn   int64  // the version that the message shows now
	Message string // the id of the message, "" if there is none yet
	At      int64  // when it was posted, in Unix milliseconds; 0 for a call
	Going   bool   // false for a table that has ended and for a puzzle with a shown solution
}

// WebFeed holds the newest items of a browser room, each kind with the newest first. Said holds the sentences. Lines
// holds lines of people; a removed line is not Going.
type WebFeed struct{ Tables, Puzzles, Calls, Said, Lines []WebThing }

// Queries for the newest items of a browser room. Older items are not needed: older tables and puzzles no longer
// change, and pages no longer show older sentences.
const (
	standingTables = `SELECT t.id, t.version, b.drawn, b.message, b.posted, t.state IN ('lobby', 'playing')
		FROM tables t JOIN boards b ON b.table_id = t.id AND b.place = t.place
		WHERE t.place = $1 ORDER BY t.id DESC LIMIT 6`
	standingPuzzles = `SELECT id, version, drawn, message, asked, open FROM puzzles
		WHERE place = $1 ORDER BY id DESC LIMIT 3`
	standingCalls = `SELECT c.id, c.since, 0, c.message, 0, TRUE FROM tables t JOIN calls c ON c.table_id = t.id
		WHERE t.place = $1 AND t.state IN ('lobby', 'playing') AND NOT c.past AND c.sent AND NOT c.over
			AND c.message <> ''`
	standingSaid  = `SELECT id, version, 0, '', at, TRUE FROM web_said WHERE chat = $1 ORDER BY id DESC LIMIT 60`
	standingLines = `SELECT id, 0, 0, '', at, text <> '' FROM web_lines WHERE chat = $1 ORDER BY id DESC`
)

// WebFeed returns the newest items in the browser room with the given place, without their texts.
func (tx Rooms) WebFeed(place string) (feed WebFeed, err error) {
	parts := []struct {
		query string
		into  *[]WebThing
	}{{standingTables, &feed.Tables}, {standingPuzzles, &feed.Puzzles}, {standingCalls, &feed.Calls},
		{standingSaid, &feed.Said}, {standingLines, &feed.Lines}}
	for _, part := range parts {
		tx.db.Ahead(part.query, sealedID(place))
	}
	for _, part := range parts {
		*part.into, err = collectBy(tx.Tx, doing("read messages at %s", place), func(w *WebThing) []any {
			return []any{&w.ID, &w.Version, &w.Drawn, (*sealedID)(&w.Message), &w.At, &w.Going}
		}, part.query, sealedID(place))
		if err != nil {
			return WebFeed{}, err
		}
	}
	return feed, nil
}

// SayAt stores a sentence that the browser room with the given place shows to all people from the time at, in Unix
// milliseconds. It returns the sentence's number, which is never used again.
func (tx Rooms) SayAt(place, text string, at int64) (id int64, err error) {
	return one[int64](tx.Tx, doing("add sentence at %s", place),
		`INSERT INTO web_said (chat, version, at, said) VALUES ($1, 1, $2, $3) RETURNING id`,
		sealedID(place), at, sealedSecret(text))
}

// SayAnew replaces the text of sentence number id in a browser room and returns its new version, or ErrNotFound.
func (tx Rooms) SayAnew(place string, id int64, text string) (version int64, err error) {
	return one[int64](tx.Tx, doing("change sentence at %s", place),
		`UPDATE web_said SET version = version + 1, said = $3 WHERE id = $2 AND chat = $1 RETURNING version`,
		sealedID(place), id, sealedSecret(text))
}

// SaidAt returns the text of the sentence with the number id in a browser room, or ErrNotFound. After a person of the
// room was forgotten, the text is "".
func (tx Rooms) SaidAt(place string, id int64) (text string, err error) {
	err = tx.get(`SELECT said FROM web_said WHERE id = $1 AND chat = $2`, []any{id, sealedID(place)},
		(*sealedSecret)(&text))
	return text, wrapped(err, "read sentence at %s", place)
}

// DropSaid deletes at most limit sentences of all browser rooms, said before cutoff in Unix milliseconds, oldest first.
func (tx Rooms) DropSaid(cutoff int64, limit int) error {
	return wrapped(tx.run(dropSaid, cutoff, limit), "delete old sentences")
}

// dropSaid deletes at most $2 sentences from before $1, the oldest first.
const dropSaid = `DELETE FROM web_said WHERE id IN (SELECT id FROM web_said WHERE at < $1 ORDER BY at LIMIT $2)`
