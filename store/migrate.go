package store

// Moving all rows of a chat to another id.

import (
	"cmp"
	"fmt"
)

// Migrate moves all rows of the chat src to the chat dst. newPlace gets the id of a place and returns the new one. If
// src is unknown Migrate is a no-op, so that it can be repeated.
//
// If the chat dst exists, the two are merged: sums are added, the last winner of a pool holds the box (jackpot), the
// settings of dst stay, and the season started last is the present one. If two active tables would share a place, the
// one in play stays, or else the one opened last. The other moves to a made-up place, until MoveTable moves it.
//
// Messages of the old chat can no longer be edited: boards of active tables are posted again, those of ended tables
// stay as they were posted. In a place that keeps its id, boards stay as they are.
func (tx Upkeep) Migrate(src, dst string, newPlace func(string) string) error {
	err := tx.lockChats(`SELECT id FROM chats WHERE id IN ($1, $2) ORDER BY id`, []any{sealedID(src), sealedID(dst)},
		func(string) {})
	if err != nil {
		return err
	}
	known, err := first[bool](tx.Tx, doing("read chat %s", src), `SELECT TRUE FROM chats WHERE id = $1`,
		sealedID(src))
	if err != nil || !known || src == dst {
		return err
	}
	delete(tx.lock.missing, chatScope+dst)
	return wrapped(cmp.Or(tx.migrate(src, dst, beforeTables), tx.migratePlaces(src, dst, newPlace),
		tx.migrate(src, dst, afterTables), tx.run(`DELETE FROM chats WHERE id = $1`, sealedID(src))),
		"migrate chat %s to %s", src, dst)
}

// beforeTables holds statements that move rows from the chat $1 to $2 before the tables that refer to them. If both
// chats offer house rules of the same game and name for new tables, only those of $2 are still offered.
var beforeTables = []string{
	`UPDATE house_rules SET kept = FALSE
		WHERE chat = $1 AND kept AND EXISTS (
			SELECT 1 FROM house_rules n WHERE n.chat = $2 AND n.kept AND n.game = house_rules.game
			AND n.name = house_rules.name)`,
	`INSERT INTO chats (id, language, unit, news) SELECT $2, language, unit, news FROM chats WHERE id = $1
		ON CONFLICT (id) DO UPDATE SET
			language = CASE WHEN chats.language = '' THEN excluded.language ELSE chats.language END,
			unit = CASE WHEN chats.unit = '' THEN excluded.unit ELSE chats.unit END,
			news = COALESCE(excluded.news, chats.news)`,
	`UPDATE house_rules SET chat = $2 WHERE chat = $1`,
	`INSERT INTO chat_settings (chat, name, value) SELECT $2, name, value FROM chat_settings WHERE chat = $1
		ON CONFLICT (chat, name) DO NOTHING`,
	`DELETE FROM chat_settings WHERE chat = $1 AND chat <> $2`,
}

// pairs joins each account of the chat $1 to the account of the chat $2 with the same unit and name.
const pairs = `accounts o JOIN accounts n ON n.unit = o.unit AND n.name = o.name AND n.chat = $2 WHERE o.chat = $1`

// afterTables holds statements that move the remaining rows from the chat $1 to $2, except the row of the chat itself.
var afterTables = []string{
	`UPDATE postings SET chat = $2 WHERE chat = $1`,
	`UPDATE payments SET chat = $2 WHERE chat = $1`,
	`UPDATE entries SET account_id = (SELECT n.id FROM ` + pairs + ` AND o.id = entries.account_id)
		WHERE account_id IN (SELECT o.id FROM ` + pairs + `)`,
	`DELETE FROM accounts WHERE id IN (SELECT o.id FROM ` + pairs + `)`,
	`UPDATE accounts SET chat = $2 WHERE chat = $1`,
	`INSERT INTO boxes (chat, unit, holder, since, times)
		SELECT $2, unit, holder, since, times FROM boxes WHERE chat = $1
		ON CONFLICT (chat, unit) DO UPDATE SET holder = excluded.holder, since = excluded.since, times = excluded.times
			WHERE excluded.since > boxes.since`,
	`DELETE FROM boxes WHERE chat = $1 AND chat <> $2`,
	`UPDATE seasons SET due = 0 WHERE due > 0 AND chat IN ($1, $2) AND id <> (
		SELECT id FROM seasons WHERE chat IN ($1, $2) ORDER BY started DESC, id DESC LIMIT 1)`,
	`UPDATE seasons SET chat = $2 WHERE chat = $1`,
	`INSERT INTO totals (chat, ` + totalColumns + `)
		SELECT $2, ` + totalColumns + ` FROM totals WHERE chat = $1` + onTotals,
	`DELETE FROM totals WHERE chat = $1 AND chat <> $2`,
	`INSERT INTO unlisted (chat, player, hidden, gone, met)
		SELECT $2, player, hidden, gone, met FROM unlisted WHERE chat = $1
		ON CONFLICT (chat, player) DO UPDATE SET
			hidden = CASE WHEN unlisted.hidden OR excluded.hidden THEN TRUE ELSE FALSE END,
			met = CASE WHEN unlisted.met = 0 OR excluded.met > 0 AND excluded.met < unlisted.met
				THEN excluded.met ELSE unlisted.met END`,
	`DELETE FROM unlisted WHERE chat = $1 AND chat <> $2`,
	`UPDATE reviews SET chat = $2 WHERE chat = $1`,
	`UPDATE web_rooms SET chat = $2 WHERE chat = $1`,
	`UPDATE web_said SET chat = $2 WHERE chat = $1`,
	`UPDATE web_lines SET chat = $2 WHERE chat = $1`,
	`DELETE FROM pushes WHERE chat = $1 AND chat <> $2 AND EXISTS (SELECT 1 FROM pushes o
		WHERE o.chat = $2 AND o.player = pushes.player AND o.endpoint = pushes.endpoint)`,
	`UPDATE pushes SET chat = $2 WHERE chat = $1`,
	`UPDATE pairs SET chat = $2 WHERE chat = $1`,
}

// Pair stores that alias is another id of a chat. What is stored for alias as a chat moves to that chat.
func (tx Upkeep) Pair(alias, chat string) error {
	return wrapped(cmp.Or(tx.Migrate(alias, chat, func(place string) string { return place }), tx.run(`
		INSERT INTO pairs (alias, chat) VALUES ($1, $2) ON CONFLICT (alias) DO UPDATE SET chat = excluded.chat`,
		sealedID(alias), sealedID(chat))), "pair %s with %s", alias, chat)
}

// PairedWith returns the chat that alias is paired with, "" if none is.
func (tx Chats) PairedWith(alias string) (chat string, err error) {
	err = tx.get(`SELECT chat FROM pairs WHERE alias = $1`, []any{sealedID(alias)}, (*sealedID)(&chat))
	return chat, wrapped(orNone(err), "read pair of %s", alias)
}

// migrate runs statements, each with the arguments src and dst.
func (tx Upkeep) migrate(src, dst string, statements []string) error {
	for _, statement := range statements {
		if err := tx.run(statement, sealedID(src), sealedID(dst)); err != nil {
			return err
		}
	}
	return nil
}

// migratePlaces moves tables, boards, puzzles, sessions, evenings and notices from the chat src to the chat dst.
// newPlace gets the id of a place and returns the new one. If two open puzzles would share a place, the moved one is
// closed.
func (tx Upkeep) migratePlaces(src, dst string, newPlace func(string) string) error {
	places, err := collectIDs(tx.Tx, doing("read places"),
		`SELECT place FROM tables WHERE chat = $1 UNION SELECT place FROM puzzles WHERE chat = $1
			UNION SELECT place FROM sessions WHERE chat = $1 UNION SELECT place FROM evenings WHERE chat = $1
			UNION SELECT place FROM notices WHERE chat = $1`, sealedID(src))
	err = cmp.Or(err, tx.run(`DELETE FROM notices WHERE chat = $1 AND $1 <> $2 AND EXISTS (
		SELECT 1 FROM notices n WHERE n.chat = $2 AND n.kind = notices.kind AND n.subject = notices.subject
			AND n.at = notices.at)`, sealedID(src), sealedID(dst)))
	for _, old := range places {
		if err != nil {
			break
		}
		oldChat, newChat, oldID, newID := sealedID(src), sealedID(dst), sealedID(old), sealedID(newPlace(old))
		for _, table := range []string{"sessions", "evenings", "notices"} {
			err = cmp.Or(err, tx.run(`UPDATE `+table+` SET chat = $2, place = $4 WHERE chat = $1 AND place = $3`, oldChat,
				newChat, oldID, newID))
		}
		if oldID == newID {
			err = cmp.Or(err,
				tx.run(`UPDATE tables SET chat = $2 WHERE chat = $1 AND place = $3`, oldChat, newChat, newID),
				tx.run(`UPDATE puzzles SET chat = $2 WHERE chat = $1 AND place = $3`, oldChat, newChat, newID))
			continue
		}
		err = cmp.Or(err, tx.separateActive(dst, old, newPlace(old)), tx.run(`
			UPDATE puzzles SET open = FALSE WHERE place = $1 AND open AND EXISTS (
				SELECT 1 FROM puzzles o WHERE o.place = $2 AND o.open)`, oldID, newID), tx.run(`
			UPDATE boards SET place = $3, message = '', away = FALSE,
				drawn = CASE WHEN moving.active THEN 0 ELSE drawn END,
				behind = CASE WHEN moving.active THEN COALESCE(behind, moving.changed) ELSE behind END
			FROM (SELECT id, changed, state IN ('lobby', 'playing') AS active FROM tables
				WHERE chat = $1 AND place = $2) moving
			WHERE table_id = moving.id`, oldChat, oldID, newID), tx.run(`
			UPDATE tables SET chat = $2, place = $4,
				version = CASE WHEN state IN ('lobby', 'playing') THEN version + 1 ELSE version END
			WHERE chat = $1 AND place = $3`, oldChat, newChat, oldID, newID), tx.run(`
			UPDATE puzzles SET chat = $2, place = $4, message = '', away = FALSE,
				drawn = CASE WHEN open THEN 0 ELSE version END
			WHERE chat = $1 AND place = $3`, oldChat, newChat, oldID, newID), tx.run(`
			UPDATE notices SET message = '', away = FALSE, pinned = FALSE,
				drawn = CASE WHEN kind = 'evening' AND state = '' THEN 0 ELSE drawn END
			WHERE chat = $1 AND place = $2`, newChat, newID))
	}
	return err
}

// separateActive makes room before two places are merged. If both oldPlace and newPlace have an active table, it moves
// one of the two tables, as Migrate describes, to a made-up place in the chat dst.
func (tx Upkeep) separateActive(dst, oldPlace, newPlace string) error {
	moving, err := tx.Tables.TableAt(oldPlace)
	present, err2 := tx.Tables.TableAt(newPlace)
	if err = cmp.Or(err, err2); err != nil {
		return orNone(err)
	}
	moved, board := moving, ""
	movingStays := moving.Opened > present.Opened
	if moving.State != present.State {
		movingStays = moving.State == Playing
	}
	if movingStays {
		moved, board = present, present.Board.Message // its message can still be deleted
	}
	return tx.Tables.move(moved.ID, dst, fmt.Sprintf("%s/%d", newPlace, moved.ID), board, true)
}
