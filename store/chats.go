package store

// Chats and their settings, players, players left out of lists, sign-in links, and ids of handled updates.

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"

	"knobel/store/engine"
)

var (
	chatColumns = columnsOf(`language, unit, away, owner = '', news = -1, locale`, func(c *Chat) []any {
		return []any{&c.Language, &c.Unit, &c.Away, (*sealedID)(&c.Owner), &c.News, &c.Locale}
	})
	chatByID = `SELECT ` + chatColumns.list("") + ` FROM chats WHERE id = $1`
	saveChat = chatColumns.upsert("chats", "id")
)

// Chat returns a chat. For an unknown chat it returns no error: then all fields but ID are empty, and News is NotTold.
func (tx Chats) Chat(id string) (Chat, error) {
	c := Chat{ID: id, News: NotTold}
	err := tx.allowMissing(chatScope+id, tx.get(chatByID, []any{sealedID(id)}, chatColumns.of(&c)...))
	return c, wrapped(err, "read chat %s", id)
}

// SaveChat stores c as a new chat, or in place of the stored chat with the same ID.
func (tx Chats) SaveChat(c Chat) error {
	if err := tx.requireChatLock(c.ID); err != nil {
		return wrapped(err, "save chat %s", c.ID)
	}
	if tx.lock.missing[chatScope+c.ID] {
		if err := tx.meetChat(c.ID); err != nil {
			return wrapped(err, "save chat %s", c.ID)
		}
	}
	return wrapped(tx.run(saveChat, chatColumns.values(&c, sealedID(c.ID))...), "save chat %s", c.ID)
}

// addChat inserts the chat $1 with defaults unless it exists.
const addChat = `INSERT INTO chats (id) VALUES ($1) ON CONFLICT (id) DO NOTHING`

// meetChat inserts a chat with default values, unless it is stored already.
func (tx Chats) meetChat(id string) error {
	if err := tx.requireChatLock(id); err != nil {
		return err
	}
	return tx.insertMissing(chatScope+id, addChat, sealedID(id))
}

var (
	playerColumns = columnsOf(`name, language, uncalled`, func(p *Player) []any {
		return []any{(*sealedName)(&p.Name), &p.Language, &p.Uncalled}
	})
	playerByID = `SELECT COALESCE(person, id), ` + playerColumns.list("") + ` FROM players WHERE id = $1`
	savePlayer = playerColumns.insert("players", "id") + ` ON CONFLICT (id) DO UPDATE SET `
)

// Player returns a player. For an unknown one it returns no error: then all fields but ID and Person are empty.
func (tx Chats) Player(id string) (Player, error) {
	p := Player{ID: id, Person: id}
	err := tx.get(playerByID, []any{sealedID(id)}, append([]any{(*sealedID)(&p.Person)}, playerColumns.of(&p)...)...)
	return p, wrapped(orNone(err), "read player %s", id)
}

// personsAt selects all players, with their persons, of who opened the table $1, sits there or asks for a seat.
const personsAt = `SELECT id, person FROM players WHERE person IN (
	SELECT opener FROM tables WHERE id = $1 UNION SELECT player FROM seats WHERE table_id = $1
	UNION SELECT taker FROM seats WHERE table_id = $1)`

// PersonsAt returns the ids of the persons who opened a table, sit there or ask for a seat. The keys are the ids of all
// their players.
func (tx Chats) PersonsAt(table int64) (map[string]string, error) {
	return textsBy[sealedID, sealedID](tx.Tx, doing("read persons at table %d", table), personsAt, table)
}

// namesAt selects the ids and present names of the people with a seat at the table $1.
const namesAt = `SELECT p.id, p.name FROM seats s JOIN players p ON p.id = s.player WHERE s.table_id = $1`

// NamesAt returns the present names of the people with a seat at a table. The keys are their ids.
func (tx Chats) NamesAt(table int64) (map[string]string, error) {
	return textsBy[sealedID, sealedName](tx.Tx, doing("read names at table %d", table), namesAt, table)
}

// languagesAt selects the ids and languages of the people with a seat at the table $1.
const languagesAt = `SELECT p.id, p.language FROM seats s JOIN players p ON p.id = s.player WHERE s.table_id = $1`

// LanguagesAt returns the languages of the people with a seat at a table. The keys are their ids.
func (tx Chats) LanguagesAt(table int64) (map[string]string, error) {
	return textsBy[sealedID, string](tx.Tx, doing("read languages at table %d", table), languagesAt, table)
}

// SavePlayer stores the name and the language of a person. It stores Uncalled (no pings) only for a new person, because
// SaveUncalled may set it at the same time in another chat.
func (tx Chats) SavePlayer(p Player) error {
	return wrapped(tx.run(savePlayer+`name = excluded.name, language = excluded.language`,
		playerColumns.values(&p, sealedID(p.ID))...), "save player %s", p.ID)
}

// SaveUncalled stores whether a person wants no calls (pings). It stores name and language only for a new person.
func (tx Chats) SaveUncalled(p Player) error {
	return wrapped(tx.run(savePlayer+`uncalled = excluded.uncalled`, playerColumns.values(&p, sealedID(p.ID))...),
		"save reminder setting of %s", p.ID)
}

// meetPlayer inserts a person with a name, unless the person is stored already. If id is "" it is a no-op.
func (tx Chats) meetPlayer(id, name string) error {
	if id == "" {
		return nil
	}
	return tx.run(`INSERT INTO players (id, name) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, sealedID(id),
		sealedName(name))
}

// Setting returns a setting of the whole installation, "" if it is not set.
func (tx Chats) Setting(name string) (string, error) {
	var value string
	err := tx.allowMissing(settingScope+name,
		tx.get(`SELECT value FROM settings WHERE name = $1`, []any{name}, (*sealedSecret)(&value)))
	return value, wrapped(err, "read setting %s", name)
}

// SaveSetting stores a setting of the whole installation.
func (tx Chats) SaveSetting(name, value string) error {
	if tx.lock.missing[settingScope+name] {
		err := tx.insertMissing(settingScope+name,
			`INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`, name,
			sealedSecret(value))
		return wrapped(err, "save setting %s", name)
	}
	err := tx.run(`
		INSERT INTO settings (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, sealedSecret(value))
	return wrapped(err, "save setting %s", name)
}

// Limits of the stored ids of updates. A sweep deletes old ids: it can delete more at once than were added since the
// sweep before, so that they do not pile up.
const (
	remembered  = 24 * 60 * 60 * 1000 // milliseconds that an id is kept at least
	sweepEvery  = 32                  // new ids between two sweeps
	sweepAtMost = 128                 // ids deleted by a sweep
)

// Seen stores the id of an update (event) that a platform has sent, with the time at in Unix milliseconds. It reports
// whether the id was stored before. Ids are kept for at least 24 hours. The id "" is never stored: Seen returns false.
func (tx Chats) Seen(update string, at int64) (bool, error) {
	if update == "" {
		return false, nil
	}
	added, err := tx.exec(`INSERT INTO updates (id, at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`,
		sealedID(update), at)
	if err != nil {
		return false, fmt.Errorf("save update: %w", err)
	}
	if added == 0 {
		return true, nil
	}
	if tx.store.fresh.Add(1)%sweepEvery == 0 {
		err = tx.run(`DELETE FROM updates WHERE id IN (SELECT id FROM updates WHERE at < $1 ORDER BY at LIMIT $2)`,
			at-remembered, sweepAtMost)
	}
	return false, wrapped(err, "delete old updates")
}

// settingsOfChat selects the stored settings of the chat $1.
const settingsOfChat = `SELECT name, value FROM chat_settings WHERE chat = $1`

// ChatSettings returns the values of the settings that the admins of a chat have changed, by name.
func (tx Chats) ChatSettings(chat string) (map[string]string, error) {
	return textsBy[string, string](tx.Tx, doing("read settings of %s", chat), settingsOfChat, sealedID(chat))
}

// SaveChatSetting stores a setting of a chat. "" as value deletes it, which restores the default.
func (tx Chats) SaveChatSetting(chat, name, value string) error {
	err := tx.meetChat(chat)
	if err == nil && value == "" {
		err = tx.run(`DELETE FROM chat_settings WHERE chat = $1 AND name = $2`, sealedID(chat), name)
	} else if err == nil {
		err = tx.run(`
			INSERT INTO chat_settings (chat, name, value) VALUES ($1, $2, $3)
			ON CONFLICT (chat, name) DO UPDATE SET value = excluded.value`, sealedID(chat), name, value)
	}
	return wrapped(err, "save setting %s of %s", name, chat)
}

// SaveWay stores the sign-in link of a person in place of an earlier link. owner is the fingerprint (hash) of the
// person, and code is the fingerprint of the secret code in the link. sealed is the encrypted data of the person that
// the link signs in; the key for it is not stored.
func (tx Chats) SaveWay(owner, code, sealed string) error {
	err := tx.run(`
		INSERT INTO ways (owner, code, sealed) VALUES ($1, $2, $3)
		ON CONFLICT (owner) DO UPDATE SET code = excluded.code, sealed = excluded.sealed`, owner, code, sealed)
	return wrapped(err, "save link")
}

// RenewWay replaces the encrypted data of the sign-in link of the person with the fingerprint owner by sealed. It is a
// no-op unless code is the fingerprint of the stored link, so that a revoked or replaced link stays invalid.
func (tx Chats) RenewWay(owner, code, sealed string) error {
	return wrapped(tx.run(`UPDATE ways SET sealed = $3 WHERE owner = $1 AND code = $2`, owner, code, sealed),
		"renew link")
}

// Way returns the encrypted data of the sign-in link whose fingerprint is code, "" if there is no such link.
func (tx Chats) Way(code string) (sealed string, err error) {
	return first[string](tx.Tx, doing("read link"), `SELECT sealed FROM ways WHERE code = $1`, code)
}

// DropWay deletes the sign-in link, if any, of the person with the fingerprint owner.
func (tx Chats) DropWay(owner string) error {
	return wrapped(tx.run(`DELETE FROM ways WHERE owner = $1`, owner), "delete link")
}

// gone is the prefix of the id that Forget gives to a person, and goneName the prefix of the name. The new ids of the
// person's private conversations also have the prefix gone.
const gone, goneName = "gone:", "gone "

// Forgotten returns the number in the id of a forgotten person, as made by Forget, or 0 for any other id.
func Forgotten(id string) int64 {
	digits, is := strings.CutPrefix(id, gone)
	if !is {
		return 0 // the usual case comes first, for speed: every button press checks all players of the table
	}
	number, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || number <= 0 || strconv.FormatInt(number, 10) != digits {
		return 0
	}
	return number
}

// ForgottenName returns the number in the name of a forgotten person, as made by Forget, or 0 for any other name.
func ForgottenName(name string) int64 {
	number, is := strings.CutPrefix(name, goneName)
	if !is {
		return 0
	}
	return Forgotten(gone + number)
}

// Unlisted says why a player is left out of the lists of a chat; the zero value: the player is not left out. Sums over
// all players always include the player.
type Unlisted struct {
	Hidden bool // the player wants to be left out
	Gone   bool // the player has left the chat
}

// Hide stores whether a player wants to be left out of the lists of a chat.
func (tx Chats) Hide(chat, player string, hidden bool) error {
	return tx.runFor(chat, player, `
		INSERT INTO unlisted (chat, player, hidden, gone) VALUES ($1, $2, $3, FALSE)
		ON CONFLICT (chat, player) DO UPDATE SET hidden = excluded.hidden`, hidden)
}

// Leave stores whether a player has left a chat.
func (tx Chats) Leave(chat, player string, gone bool) error {
	return tx.runFor(chat, player, `
		INSERT INTO unlisted (chat, player, hidden, gone) VALUES ($1, $2, FALSE, $3)
		ON CONFLICT (chat, player) DO UPDATE SET gone = excluded.gone`, gone)
}

// runFor runs query with the arguments chat, player and value. Before, it inserts the chat and the player if missing.
func (tx Chats) runFor(chat, player, query string, value any) error {
	err := cmp.Or(tx.meetChat(chat), tx.meetPlayer(player, ""),
		tx.run(query, sealedID(chat), sealedID(player), value))
	return wrapped(err, "save %s in %s", player, chat)
}

// Meet stores the time at, in Unix milliseconds, when a player first acted in a chat. If such a time is stored already,
// it is a no-op.
func (tx Chats) Meet(chat, player string, at int64) error {
	return tx.runFor(chat, player, `
		INSERT INTO unlisted (chat, player, hidden, gone, met) VALUES ($1, $2, FALSE, FALSE, $3)
		ON CONFLICT (chat, player) DO UPDATE SET met = excluded.met WHERE unlisted.met = 0`, at)
}

// MetBefore reports whether a player first acted in a chat before the time at, in Unix milliseconds, according to Meet.
func (tx Chats) MetBefore(chat, player string, at int64) (bool, error) {
	return first[bool](tx.Tx, doing("read when %s joined %s", player, chat),
		`SELECT TRUE FROM unlisted WHERE chat = $1 AND player = $2 AND met > 0 AND met < $3`,
		sealedID(chat), sealedID(player), at)
}

// UnlistedOf returns why a player is left out of the lists of a chat; the zero value: the player is not left out.
func (tx Chats) UnlistedOf(chat, player string) (Unlisted, error) {
	all, err := tx.unlisted(`SELECT player, hidden, gone FROM unlisted WHERE chat = $1 AND player = $2`, sealedID(chat),
		sealedID(player))
	return all[player], err
}

// Unlisted returns the players who are left out of the lists of a chat, by id, and says why.
func (tx Chats) Unlisted(chat string) (map[string]Unlisted, error) {
	return tx.unlisted(`SELECT player, hidden, gone FROM unlisted WHERE chat = $1`, sealedID(chat))
}

// unlisted returns the players that query selects, by id, with the reasons why they are left out of lists. The columns
// of query are player, hidden and gone.
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
	return all, wrapped(err, "read unlisted players of %v", args[0])
}
