package store

import "cmp"

// Lines that people write to each other in browser rooms.

// MaxLines is how many lines a browser room keeps, the newest ones.
const MaxLines = 200

// WebLine is a line that a person has written in a browser room.
type WebLine struct {
	ID     int64
	Player string // the id of the person
	Name   string
	Text   string
	At     int64 // in Unix milliseconds
}

var (
	newWebLines = columnsOf(`player, name, text, at`, func(l *WebLine) []any {
		return []any{(*sealedID)(&l.Player), (*sealedName)(&l.Name), (*sealedSecret)(&l.Text), &l.At}
	})
	webLineColumns = columnsOf(`id`, func(l *WebLine) []any { return []any{&l.ID} }).and(newWebLines)
	insertWebLine  = newWebLines.insert("web_lines", "chat") + ` RETURNING id`
)

// AddLine stores a new line in the browser room with the given place and returns its number, which is never used again.
// l.ID is ignored. It deletes the lines above MaxLines, the oldest.
func (tx Rooms) AddLine(place string, l WebLine) (id int64, err error) {
	err = tx.get(insertWebLine, newWebLines.values(&l, sealedID(place)), &id)
	err = cmp.Or(err, tx.run(`DELETE FROM web_lines WHERE chat = $1 AND id <= (
		SELECT id FROM web_lines WHERE chat = $1 ORDER BY id DESC LIMIT 1 OFFSET $2)`, sealedID(place), MaxLines))
	return id, wrapped(err, "add line at %s", place)
}

// Lines returns the lines with numbers above after in a browser room, oldest first. A removed line has no Text.
func (tx Rooms) Lines(place string, after int64) ([]WebLine, error) {
	return collectBy(tx.Tx, doing("read lines at %s", place), webLineColumns.of,
		`SELECT `+webLineColumns.list("")+` FROM web_lines WHERE chat = $1 AND id > $2 ORDER BY id`,
		sealedID(place), after)
}

// RemoveLine removes the text of the line with the number id in a browser room, or returns ErrNotFound.
func (tx Rooms) RemoveLine(place string, id int64) error {
	return wrapped(execFound(tx.Tx, `UPDATE web_lines SET text = '' WHERE id = $1 AND chat = $2 AND text <> ''`,
		id, sealedID(place)), "remove line at %s", place)
}
