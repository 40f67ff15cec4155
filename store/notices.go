package store

// Notices, the messages beside boards that the bot writes unasked.

// Posted is the message of a puzzle or a notice. It is stale while Drawn is smaller than Version.
type Posted struct {
	Place   string // the id of the channel, thread or topic
	Message string // the id of the message, "" if there is none yet
	Version int64  // grows with every change that is visible in the message
	Drawn   int64  // the version that the message shows now
	Away    bool   // the message cannot be drawn, because the bot cannot write to its place
}

// Notice is a message that the bot writes unasked. A chat has one of a Kind with a Subject and At. Times are in Unix
// milliseconds.
type Notice struct {
	ID   int64
	Chat string
	Posted
	Kind    string
	Subject int64
	At      int64
	State   string // what the message says of its subject, in the notation of its kind
	Due     int64  // when it is posted
	Until   int64  // when it is too late to post it; a week later it is deleted
	Pin     bool   // it has to be pinned
	Pinned  bool   // it is pinned
}

var (
	noticeStates = columnsOf(`place, state, due, until, pin, pinned, version, drawn, message, away`,
		func(n *Notice) []any {
			return []any{(*sealedID)(&n.Place), &n.State, &n.Due, &n.Until, &n.Pin, &n.Pinned, &n.Version, &n.Drawn,
				(*sealedID)(&n.Message), &n.Away}
		})
	newNotices = columnsOf(`chat, kind, subject, at`, func(n *Notice) []any {
		return []any{(*sealedID)(&n.Chat), &n.Kind, &n.Subject, &n.At}
	}).and(noticeStates)
	noticeColumns = columnsOf(`id`, func(n *Notice) []any { return []any{&n.ID} }).and(newNotices)
	insertNotice  = newNotices.insert("notices") + ` ON CONFLICT DO NOTHING`
	updateNotice  = noticeStates.update("notices", "id")
	selectNotice  = `SELECT ` + noticeColumns.list("") + ` FROM notices `
	noticeOf      = selectNotice + `WHERE chat = $1 AND kind = $2 AND subject = $3 AND at = $4`
)

// AddNotice stores a new notice. If there is one of its Chat, Kind, Subject and At, it is a no-op. n.ID is ignored.
func (tx Calls) AddNotice(n Notice) error {
	return wrapped(tx.run(insertNotice, newNotices.values(&n)...), "add notice at %s", n.Place)
}

// SaveNotice stores the notice n, except Chat, Kind, Subject and At, or returns ErrNotFound.
func (tx Calls) SaveNotice(n Notice) error {
	return wrapped(execFound(tx.Tx, updateNotice, noticeStates.values(&n, n.ID)...), "save notice %d", n.ID)
}

// Notice returns the notice with the number id, or ErrNotFound.
func (tx Calls) Notice(id int64) (Notice, error) {
	return oneBy(tx.Tx, doing("read notice %d", id), noticeColumns.of, selectNotice+`WHERE id = $1`, id)
}

// NoticeOf returns the notice of a chat with this kind, subject and time, or ErrNotFound.
func (tx Calls) NoticeOf(chat, kind string, subject, at int64) (Notice, error) {
	return oneBy(tx.Tx, doing("read notice of %s", chat), noticeColumns.of, noticeOf, sealedID(chat), kind, subject, at)
}

// LastNotice returns the newest notice of a kind in a chat that was posted, or ErrNotFound.
func (tx Calls) LastNotice(chat, kind string) (Notice, error) {
	return oneBy(tx.Tx, doing("read last notice of %s", chat), noticeColumns.of,
		selectNotice+`WHERE chat = $1 AND kind = $2 AND message <> '' ORDER BY id DESC LIMIT 1`, sealedID(chat), kind)
}

// PendingNotices returns the notices of a kind in a chat that are not posted yet.
func (tx Calls) PendingNotices(chat, kind string) ([]Notice, error) {
	return collectBy(tx.Tx, doing("read notices of %s", chat), noticeColumns.of,
		selectNotice+`WHERE chat = $1 AND kind = $2 AND drawn = 0 ORDER BY id`, sealedID(chat), kind)
}

// DropNotice deletes the notice with the number id.
func (tx Calls) DropNotice(id int64) error {
	return wrapped(tx.run(`DELETE FROM notices WHERE id = $1`, id), "delete notice %d", id)
}

// DropOldNotices deletes the notices that nothing can change at the time now, in Unix milliseconds.
func (tx Calls) DropOldNotices(now int64) error {
	return wrapped(tx.run(`DELETE FROM notices WHERE until < $1`, now-aWeek), "delete old notices")
}

// staleNotices selects at most $3 notices of the platform whose ids begin with $2 that have to be drawn, pinned or
// unpinned at the time $1. Its conditions match an index that contains only such notices.
const (
	staleNotice  = ` (drawn < version OR pin <> pinned) AND NOT away `
	staleNotices = `SELECT id, chat FROM notices WHERE` + staleNotice + `AND due <= $1 AND (drawn > 0 OR until > $1)
		AND SUBSTR(place, 1, LENGTH($2)) = $2 ORDER BY due, id LIMIT $3`
	nextNotice = `SELECT due FROM notices WHERE` + staleNotice + `AND due > $1 ORDER BY due, id LIMIT 1`
)

// StaleNotices returns at most limit notices that have to be drawn, pinned or unpinned at the time now, on the platform
// whose ids begin with prefix.
func (tx Calls) StaleNotices(prefix string, now int64, limit int) ([]Row, error) {
	return tx.rowsOf("stale notices", limit, nil, staleNotices, now, prefix)
}

// NextNotice returns the first time after now at which a notice has to be posted, or 0.
func (tx Calls) NextNotice(now int64) (int64, error) {
	return first[int64](tx.Tx, doing("read next notice"), nextNotice, now)
}
