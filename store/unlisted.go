package store

// Who stands on no list of a chat, and since when people are known there.

import (
	"cmp"

	"knobel/store/engine"
)

// Unlisted says why a chat's lists leave a player out. Sums never leave players out.
type Unlisted struct {
	Hidden bool // they wish so
	Gone   bool // they have left the chat
}

// Hide notes that a player wants to stand on no list of a chat, or wants to
// again.
func (tx Chats) Hide(chat, player string, hidden bool) error {
	return tx.noteThere(chat, player, `
		INSERT INTO unlisted (chat, player, hidden, gone) VALUES ($1, $2, $3, FALSE)
		ON CONFLICT (chat, player) DO UPDATE SET hidden = excluded.hidden`, hidden)
}

// Leave notes that a player has left a chat, or is back.
func (tx Chats) Leave(chat, player string, gone bool) error {
	return tx.noteThere(chat, player, `
		INSERT INTO unlisted (chat, player, hidden, gone) VALUES ($1, $2, FALSE, $3)
		ON CONFLICT (chat, player) DO UPDATE SET gone = excluded.gone`, gone)
}

func (tx Chats) noteThere(chat, player, query string, mark any) error {
	err := cmp.Or(tx.meetChat(chat), tx.meetPlayer(player, ""),
		tx.run(query, sealedID(chat), sealedID(player), mark))
	return wrapped(err, "note %s in %s", player, chat)
}

// Meet notes when a player first did something in a chat, in Unix milliseconds, unless that is known.
func (tx Chats) Meet(chat, player string, at int64) error {
	return tx.noteThere(chat, player, `
		INSERT INTO unlisted (chat, player, hidden, gone, met) VALUES ($1, $2, FALSE, FALSE, $3)
		ON CONFLICT (chat, player) DO UPDATE SET met = excluded.met WHERE unlisted.met = 0`, at)
}

// MetBefore reports whether a player had done something in a chat before a moment, in Unix milliseconds.
func (tx Chats) MetBefore(chat, player string, at int64) (bool, error) {
	return first[bool](tx.Tx, doing("when %s was met in %s", player, chat),
		`SELECT TRUE FROM unlisted WHERE chat = $1 AND player = $2 AND met > 0 AND met < $3`,
		sealedID(chat), sealedID(player), at)
}

// UnlistedOf returns why a player is left out of a chat's lists; the zero value:
// they stand there.
func (tx Chats) UnlistedOf(chat, player string) (Unlisted, error) {
	all, err := tx.unlisted(`SELECT player, hidden, gone FROM unlisted WHERE chat = $1 AND player = $2`, sealedID(chat),
		sealedID(player))
	return all[player], err
}

// Unlisted returns the players who are left out of a chat's lists, with the reasons.
func (tx Chats) Unlisted(chat string) (map[string]Unlisted, error) {
	return tx.unlisted(`SELECT player, hidden, gone FROM unlisted WHERE chat = $1`, sealedID(chat))
}

func (tx Chats) unlisted(query string, args ...any) (map[string]Unlisted, error) {
	all := map[string]Unlisted{}
	err := tx.rows(query, args, func(row engine.Row) error {
		var player string
		var u Unlisted
		if err := row.Scan((*sealedID)(&player), &u.Hidden, &u.Gone); err != nil {
			return err
		}
		if u != (Unlisted{}) {
			all[player] = u
		}
		return nil
	})
	return all, wrapped(err, "who is not listed in %v", args[0])
}
