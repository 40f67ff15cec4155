package store

// Chats and who is known there, players, settings, and the updates that platforms have delivered.

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

// Chat returns a chat; one that is not known yet has the defaults.
func (tx Chats) Chat(id string) (Chat, error) {
	c := Chat{ID: id, News: NotTold}
	err := tx.looked(chatScope+id, tx.get(chatByID, []any{sealedID(id)}, chatColumns.of(&c)...))
	return c, wrapped(err, "read chat %s", id)
}

// SaveChat stores a chat.
func (tx Chats) SaveChat(c Chat) error {
	if err := tx.keeps(c.ID); err != nil {
		return wrapped(err, "save chat %s", c.ID)
	}
	if tx.lock.missing[chatScope+c.ID] {
		if err := tx.meetChat(c.ID); err != nil {
			return wrapped(err, "save chat %s", c.ID)
		}
	}
	return wrapped(tx.run(saveChat, chatColumns.values(&c, sealedID(c.ID))...), "save chat %s", c.ID)
}

const addChat = `INSERT INTO chats (id) VALUES ($1) ON CONFLICT (id) DO NOTHING`

// meetChat inserts a row for a chat unless there is one.
func (tx Chats) meetChat(id string) error {
	if err := tx.keeps(id); err != nil {
		return err
	}
	return tx.make(chatScope+id, addChat, sealedID(id))
}

var (
	playerColumns = columnsOf(`name, language, uncalled`, func(p *Player) []any {
		return []any{(*sealedName)(&p.Name), &p.Language, &p.Uncalled}
	})
	playerByID = `SELECT ` + playerColumns.list("") + ` FROM players WHERE id = $1`
	savePlayer = playerColumns.insert("players", "id") + ` ON CONFLICT (id) DO UPDATE SET `
)

// Player returns a person; an unknown one has no name.
func (tx Chats) Player(id string) (Player, error) {
	p := Player{ID: id}
	err := tx.get(playerByID, []any{sealedID(id)}, playerColumns.of(&p)...)
	return p, wrapped(orNone(err), "read player %s", id)
}

const namesAt = `SELECT p.id, p.name FROM seats s JOIN players p ON p.id = s.player WHERE s.table_id = $1`

// NamesAt returns the names that the people at a table have now, by their ids.
func (tx Chats) NamesAt(table int64) (map[string]string, error) {
	return textsBy[sealedID, sealedName](tx.Tx, doing("read names at table %d", table), namesAt, table)
}

const languagesAt = `SELECT p.id, p.language FROM seats s JOIN players p ON p.id = s.player WHERE s.table_id = $1`

// LanguagesAt returns the languages of the people at a table, by their ids.
func (tx Chats) LanguagesAt(table int64) (map[string]string, error) {
	return textsBy[sealedID, string](tx.Tx, doing("read languages at table %d", table), languagesAt, table)
}

// SavePlayer stores the name and the language of a person. SaveUncalled stores whether they are called: people are in
// many chats, and each change stores only its part.
func (tx Chats) SavePlayer(p Player) error {
	return wrapped(tx.run(savePlayer+`name = excluded.name, language = excluded.language`,
		playerColumns.values(&p, sealedID(p.ID))...), "save player %s", p.ID)
}

// SaveUncalled stores whether a person does not want to be called, and the rest only for a new person.
func (tx Chats) SaveUncalled(p Player) error {
	return wrapped(tx.run(savePlayer+`uncalled = excluded.uncalled`, playerColumns.values(&p, sealedID(p.ID))...),
		"save whether %s is called", p.ID)
}

// meetPlayer inserts a row for a person unless there is one; "" is none.
func (tx Chats) meetPlayer(id, name string) error {
	if id == "" {
		return nil
	}
	return tx.run(`INSERT INTO players (id, name) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`, sealedID(id),
		sealedName(name))
}

// Setting returns a setting of the installation, "" when it is not set.
func (tx Chats) Setting(name string) (string, error) {
	var value string
	err := tx.looked(settingScope+name,
		tx.get(`SELECT value FROM settings WHERE name = $1`, []any{name}, (*sealedSecret)(&value)))
	return value, wrapped(err, "read setting %s", name)
}

// SaveSetting stores a setting of the installation.
func (tx Chats) SaveSetting(name, value string) error {
	if tx.lock.missing[settingScope+name] {
		err := tx.make(settingScope+name, `INSERT INTO settings (name, value) VALUES ($1, $2) ON CONFLICT (name) DO NOTHING`,
			name, sealedSecret(value))
		return wrapped(err, "save setting %s", name)
	}
	err := tx.run(`
		INSERT INTO settings (name, value) VALUES ($1, $2)
		ON CONFLICT (name) DO UPDATE SET value = excluded.value`, name, sealedSecret(value))
	return wrapped(err, "save setting %s", name)
}

// Old updates are deleted a few at a time, but faster than new ones come.
const (
	remembered  = 24 * 60 * 60 * 1000 // milliseconds
	sweepEvery  = 32                  // new updates
	sweepAtMost = 128                 // old ones
)

// Seen stores the id of a platform's update, and reports whether it was stored in the last 24 hours, or longer ago and
// not deleted yet. "" never was. at is now, in Unix milliseconds.
func (tx Chats) Seen(update string, at int64) (bool, error) {
	if update == "" {
		return false, nil
	}
	added, err := tx.exec(`INSERT INTO updates (id, at) VALUES ($1, $2) ON CONFLICT (id) DO NOTHING`,
		sealedID(update), at)
	if err != nil {
		return false, fmt.Errorf("remember update: %w", err)
	}
	if added == 0 {
		return true, nil
	}
	if tx.store.fresh.Add(1)%sweepEvery == 0 {
		err = tx.run(`DELETE FROM updates WHERE id IN (SELECT id FROM updates WHERE at < $1 ORDER BY at LIMIT $2)`,
			at-remembered, sweepAtMost)
	}
	return false, wrapped(err, "forget updates")
}

const settingsOfChat = `SELECT name, value FROM chat_settings WHERE chat = $1`

// ChatSettings returns what the admins of a chat have set, by name.
func (tx Chats) ChatSettings(chat string) (map[string]string, error) {
	return textsBy[string, string](tx.Tx, doing("read settings of %s", chat), settingsOfChat, sealedID(chat))
}

// SaveChatSetting stores a setting of a chat; "" restores the default.
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

// SaveWay stores the link of its owner in place of the one before. Owner and code are fingerprints, and the key of
// sealed is not stored.
func (tx Chats) SaveWay(owner, code, sealed string) error {
	err := tx.run(`
		INSERT INTO ways (owner, code, sealed) VALUES ($1, $2, $3)
		ON CONFLICT (owner) DO UPDATE SET code = excluded.code, sealed = excluded.sealed`, owner, code, sealed)
	return wrapped(err, "save a link")
}

// RenewWay changes what the owner's link leads to if it still has this code: revoked and replaced links stay so.
func (tx Chats) RenewWay(owner, code, sealed string) error {
	return wrapped(tx.run(`UPDATE ways SET sealed = $3 WHERE owner = $1 AND code = $2`, owner, code, sealed),
		"renew a link")
}

// Way returns what a link leads to, "" where none has this code.
func (tx Chats) Way(code string) (sealed string, err error) {
	return first[string](tx.Tx, doing("read a link"), `SELECT sealed FROM ways WHERE code = $1`, code)
}

// DropWay takes the owner's link away, if they have one.
func (tx Chats) DropWay(owner string) error {
	return wrapped(tx.run(`DELETE FROM ways WHERE owner = $1`, owner), "drop a link")
}

// gone begins the id that replaces a forgotten person, or a conversation with them alone.
const gone, goneName = "gone:", "gone "

// Forgotten returns the number in the id that replaces a forgotten person; 0 for all other ids.
func Forgotten(id string) int64 {
	digits, is := strings.CutPrefix(id, gone)
	if !is {
		return 0 // at once: every press asks this of everybody at the table
	}
	number, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || number <= 0 || strconv.FormatInt(number, 10) != digits {
		return 0
	}
	return number
}

// ForgottenName returns the same number for the name that replaces theirs; 0 for all other names.
func ForgottenName(name string) int64 {
	number, is := strings.CutPrefix(name, goneName)
	if !is {
		return 0
	}
	return Forgotten(gone + number)
}

// Unlisted says why a chat's lists leave a player out. Sums never leave players out.
type Unlisted struct {
	Hidden bool // they wish so
	Gone   bool // they have left the chat
}

// Hide stores whether a player wants to be left out of a chat's lists.
func (tx Chats) Hide(chat, player string, hidden bool) error {
	return tx.noteThere(chat, player, `
		INSERT INTO unlisted (chat, player, hidden, gone) VALUES ($1, $2, $3, FALSE)
		ON CONFLICT (chat, player) DO UPDATE SET hidden = excluded.hidden`, hidden)
}

// Leave stores whether a player has left a chat.
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

// Meet stores when a player first did something in a chat, in Unix milliseconds, unless that is stored.
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

// UnlistedOf returns why a player is left out of a chat's lists; the zero value: they are not.
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
