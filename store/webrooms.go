package store

// WebRoom is a room of the browser table that somebody has made. Moments are in Unix milliseconds.
type WebRoom struct {
	ID int64
	// Print is the fingerprint of the address, which is not kept.
	Print string
	// Host is the person who may change the room, "" while nobody may.
	Host string
	// Made, Used and Seen are when it was made, when anybody was last there, and when the host was.
	Made, Used, Seen int64
}

// MakeWebRoom keeps a new room and returns its number, which no room had before. chat tells how the chat of a
// number is called.
func (tx Rooms) MakeWebRoom(r WebRoom, chat func(id int64) string) (id int64, err error) {
	err = tx.get(`INSERT INTO web_rooms (chat, print, host, made, used, seen) VALUES ('', $1, $2, $3, $4, $5)
		RETURNING id`, []any{r.Print, sealedID(r.Host), r.Made, r.Used, r.Seen}, &id)
	if err == nil {
		err = tx.run(`UPDATE web_rooms SET chat = $2 WHERE id = $1`, id, sealedID(chat(id)))
	}
	return id, wrapped(err, "make a room")
}

const webRoom = `SELECT id, print, host, made, used, seen FROM web_rooms WHERE `

// WebRoom returns the room of a number, or ErrNotFound.
func (tx Rooms) WebRoom(id int64) (WebRoom, error) { return tx.webRoom(webRoom+`id = $1`, id) }

// WebRoomByPrint returns the room whose address has a fingerprint, or ErrNotFound.
func (tx Rooms) WebRoomByPrint(print string) (WebRoom, error) {
	return tx.webRoom(webRoom+`print = $1`, print)
}

func (tx Rooms) webRoom(query string, by any) (r WebRoom, err error) {
	err = tx.get(query, []any{by}, &r.ID, &r.Print, (*sealedID)(&r.Host), &r.Made, &r.Used, &r.Seen)
	return r, wrapped(err, "read a room")
}

// SeenInWebRoom keeps when anybody was last in a room and, if this is its host still, when the host was: what is kept
// stays where it is later.
func (tx Rooms) SeenInWebRoom(room int64, host string, seen, used int64) error {
	return wrapped(tx.run(`UPDATE web_rooms SET
			used = CASE WHEN used < $4 THEN $4 ELSE used END,
			seen = CASE WHEN host = $2 AND seen < $3 THEN $3 ELSE seen END
		WHERE id = $1`, room, sealedID(host), seen, used), "keep who was in a room")
}

// HandWebRoom makes somebody host of a room in another one's place, at a moment. ErrNotFound is returned where
// somebody else is host by now.
func (tx Rooms) HandWebRoom(room int64, from, to string, at int64) error {
	return wrapped(execFound(tx.Tx, `UPDATE web_rooms SET host = $3, seen = $4 WHERE id = $1 AND host = $2`,
		room, sealedID(from), sealedID(to), at), "hand a room on")
}

// MoveWebRoom gives a room the address of another fingerprint, and keeps, under the fingerprint of the one
// before, what that one leads to; so many of those before are kept. ErrNotFound is returned where the room has the
// one before no longer.
func (tx Rooms) MoveWebRoom(room int64, from, to, sealed string, kept int) error {
	err := execFound(tx.Tx, `UPDATE web_rooms SET print = $3 WHERE id = $1 AND print = $2`, room, from, to)
	if err == nil {
		err = tx.run(`INSERT INTO web_moves (room, print, sealed) VALUES ($1, $2, $3)`, room, from, sealed)
	}
	if err == nil {
		err = tx.run(`DELETE FROM web_moves WHERE room = $1 AND id NOT IN (
			SELECT id FROM web_moves WHERE room = $1 ORDER BY id DESC LIMIT $2)`, room, kept)
	}
	return wrapped(err, "move a room")
}

// WebMove returns what an address leads to that a room had before, or ErrNotFound.
func (tx Rooms) WebMove(print string) (sealed string, err error) {
	err = tx.get(`SELECT sealed FROM web_moves WHERE print = $1`, []any{print}, &sealed)
	return sealed, wrapped(err, "read where a room has moved")
}

// ShowOut keeps that a browser, by its fingerprint, was shown out of a room.
func (tx Rooms) ShowOut(room int64, who string) error {
	return wrapped(tx.run(`INSERT INTO web_outs (room, who) VALUES ($1, $2) ON CONFLICT DO NOTHING`, room, who),
		"show somebody out")
}

// ShownOut returns the fingerprints of the browsers that were shown out of a room.
func (tx Rooms) ShownOut(room int64) ([]string, error) {
	all, err := collect[string](tx.Tx, `SELECT who FROM web_outs WHERE room = $1 ORDER BY who`, room)
	return all, wrapped(err, "read who was shown out")
}

// DropIdleWebRooms forgets at most limit rooms in which nobody has been since before, no game goes on and
// none has come to its end, and returns how many: nobody finds them any more.
func (tx Rooms) DropIdleWebRooms(before int64, limit int) (n int64, err error) {
	n, err = tx.exec(dropIdleWebRooms, before, limit)
	return n, wrapped(err, "drop idle rooms")
}

const dropIdleWebRooms = `
	DELETE FROM web_rooms WHERE id IN (
		SELECT r.id FROM web_rooms r
		WHERE r.used < $1
			AND NOT EXISTS (SELECT 1 FROM tables t WHERE t.chat = r.chat AND t.state IN ('playing', 'over'))
		ORDER BY r.used, r.id LIMIT $2)`
