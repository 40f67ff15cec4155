package store

// The seasons of a chat.

// Season is a stretch of a chat's time with a name. A table belongs to the
// season that goes on when it ends.
type Season struct {
	ID      int64 // later ones have larger numbers
	Chat    string
	Name    string
	Starter string // the player who started it
	Started int64  // Unix milliseconds
}

func (s *Season) into() []any {
	return []any{&s.ID, (*sealedID)(&s.Chat), &s.Name, (*sealedID)(&s.Starter), &s.Started}
}

// StartSeason starts a season of a chat and returns its number; the one that
// went on until now ends by that. Started is now; ID does not matter.
func (tx Chats) StartSeason(s Season) (int64, error) {
	err := tx.meetChat(s.Chat)
	if err == nil {
		err = tx.meetPlayer(s.Starter, "")
	}
	if err == nil {
		err = tx.get(`INSERT INTO seasons (chat, name, starter, started) VALUES ($1, $2, $3, $4) RETURNING id`,
			[]any{sealedID(s.Chat), s.Name, sealedID(s.Starter), s.Started}, &s.ID)
	}
	return s.ID, wrapped(err, "start season of %s", s.Chat)
}

const (
	allSeasons    = `SELECT id, chat, name, starter, started FROM seasons WHERE chat = $1 ORDER BY started DESC, id DESC`
	presentSeason = allSeasons + ` LIMIT 1` // it goes on
)

// PresentSeason returns the season of a chat that goes on, or ErrNotFound where
// none was ever started.
func (tx Chats) PresentSeason(chat string) (Season, error) {
	var s Season
	err := tx.get(presentSeason, []any{sealedID(chat)}, s.into()...)
	return s, wrapped(err, "present season of %s", chat)
}

// Seasons returns all seasons of a chat, the newest first. What was played
// before the oldest has the number 0 in OfSeason and no name.
func (tx Chats) Seasons(chat string) ([]Season, error) {
	all, err := collectBy(tx.Tx, (*Season).into, allSeasons, sealedID(chat))
	return all, wrapped(err, "seasons of %s", chat)
}

// BeforeSeasons reports whether a chat has games that count and ended before its
// first season was started.
func (tx Chats) BeforeSeasons(chat string) (bool, error) {
	var some bool
	err := tx.get(`SELECT EXISTS (SELECT 1 FROM totals WHERE chat = $1 AND kind = 'season' AND period = 0)`,
		[]any{sealedID(chat)}, &some)
	return some, wrapped(err, "before the seasons of %s", chat)
}
