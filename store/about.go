package store

// Export of all stored rows about a person, and deletion of a person from all rows.

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"knobel/store/engine"
)

// Kept holds the rows of one database table that are about a person, with the names of their columns.
type Kept struct {
	What    string // the name of the database table
	Columns []string
	Rows    [][]any // integers, texts, bytes or nil
}

// personQuery is a query for the rows of one database table about the person $1.
type personQuery struct {
	table  string   // the name of the table
	tables []string // all tables whose columns the query selects
	query  string
}

// Conditions for a column: theirs, that it holds the id of a player of the person $1; booked, the name of the account
// of such a player.
const (
	theirs = ` IN (SELECT id FROM players WHERE person = $1)`
	booked = ` IN (SELECT 'player:' || id FROM players WHERE person = $1)`
)

// ofSeats ends a query on a database table, with the alias x, that has a table_id and a seat in each row. It selects
// only the rows for the seats of the person $1, ordered by table and seat.
const ofSeats = ` x JOIN seats s ON s.table_id = x.table_id AND s.seat = x.seat WHERE s.player` + theirs + `
	ORDER BY x.table_id, x.seat`

// personQueries holds a query for every database table with rows about people. The queries leave out secrets of
// unfinished games, such as seeds.
var personQueries = []personQuery{
	{"players", []string{"players"}, `SELECT * FROM players WHERE person = $1 ORDER BY id`},
	{"persons", []string{"persons"}, `SELECT * FROM persons WHERE id = $1`},
	{"chats", []string{"chats"}, `SELECT * FROM chats WHERE owner` + theirs + ` OR id` + theirs + ` ORDER BY id`},
	{"unlisted", []string{"unlisted"}, `SELECT * FROM unlisted WHERE player` + theirs + ` ORDER BY chat`},
	{"tables", []string{"tables"}, `
		SELECT id, chat, place, game, rules, stake, unit, opener, state, commitment, turn, opened, changed, ended
		FROM tables t
		WHERE opener` + theirs + `
			OR EXISTS (SELECT 1 FROM seats s WHERE s.table_id = t.id AND s.player` + theirs + `) ORDER BY id`},
	{"seats", []string{"seats"}, `SELECT * FROM seats WHERE player` + theirs + ` OR taker` + theirs + `
		ORDER BY table_id, seat`},
	{"moves", []string{"moves"}, `SELECT x.* FROM moves` + ofSeats + `, x.number`},
	{"results", []string{"results"}, `SELECT x.* FROM results` + ofSeats},
	{"faces", []string{"faces"}, `SELECT x.* FROM faces` + ofSeats},
	{"tallies", []string{"tallies"}, `SELECT x.* FROM tallies` + ofSeats},
	{"review_seats", []string{"review_seats"}, `SELECT x.* FROM review_seats` + ofSeats},
	{"calls", []string{"calls"}, `SELECT x.* FROM calls` + ofSeats},
	{"accounts", []string{"accounts"}, `SELECT * FROM accounts WHERE name` + booked + ` ORDER BY id`},
	{"entries", []string{"entries", "postings"}, `
		SELECT e.*, p.chat, p.unit, p.kind, p.table_id, p.payment_id, p.at
		FROM entries e JOIN postings p ON p.id = e.posting_id
		WHERE e.account_id IN (SELECT a.id FROM accounts a WHERE a.name` + booked + `) ORDER BY e.posting_id, e.line`},
	{"payments", []string{"payments"}, `SELECT * FROM payments
		WHERE teller` + theirs + ` OR asker` + theirs + ` OR payer` + booked + ` OR payee` + booked + ` ORDER BY id`},
	{"boxes", []string{"boxes"}, `SELECT * FROM boxes WHERE holder` + theirs + ` ORDER BY chat, unit`},
	{"totals", []string{"totals"}, `SELECT * FROM totals WHERE player` + theirs + `
		ORDER BY chat, kind, period, game, rules, unit`},
	{"seasons", []string{"seasons"}, `SELECT * FROM seasons WHERE starter` + theirs + ` OR champion` + theirs + `
		ORDER BY id`},
	{"evenings", []string{"evenings"}, `SELECT * FROM evenings WHERE setter` + theirs + ` ORDER BY id`},
	{"evening_answers", []string{"evening_answers"}, `SELECT * FROM evening_answers WHERE player` + theirs + `
		ORDER BY evening, start`},
	{"puzzles", []string{"puzzles"}, `SELECT * FROM puzzles WHERE asker` + theirs + ` ORDER BY id`},
	{"web_rooms", []string{"web_rooms"}, `SELECT * FROM web_rooms WHERE host` + theirs + ` ORDER BY id`},
	{"web_lines", []string{"web_lines"}, `SELECT * FROM web_lines WHERE player` + theirs + ` ORDER BY id`},
	{"sessions", []string{"sessions"}, `SELECT * FROM sessions WHERE player` + theirs + ` ORDER BY id`},
	{"pushes", []string{"pushes"}, `SELECT chat, origin, lang, since FROM pushes WHERE player` + theirs + ` ORDER BY id`},
	{"guesses", []string{"guesses"}, `SELECT * FROM guesses WHERE player` + theirs + ` ORDER BY puzzle_id`},
}

// About returns all stored rows about a person, by id: one Kept for each database table that has such rows. The ids of
// other people are replaced by their names.
func (tx Upkeep) About(person string) ([]Kept, error) {
	var all []Kept
	for _, q := range personQueries {
		kept, err := tx.rowsAbout(q, person)
		if err != nil {
			return nil, fmt.Errorf("read data of a person: %s: %w", q.table, err)
		}
		if len(kept.Rows) > 0 {
			all = append(all, kept)
		}
	}
	return all, nil
}

// rowsAbout returns the rows that q selects for a person, decrypted by decryptCell.
func (tx Upkeep) rowsAbout(q personQuery, person string) (Kept, error) {
	kept := Kept{What: q.table}
	err := tx.rows(q.query, []any{sealedID(person)}, func(row engine.Row) (err error) {
		if kept.Columns, err = row.Columns(); err != nil {
			return err
		}
		cells, err := row.Values()
		kept.Rows = append(kept.Rows, cells)
		return err
	})
	if err != nil {
		return kept, err
	}
	for _, row := range kept.Rows {
		for i := range row {
			if err := tx.decryptCell(q, kept.Columns[i], &row[i], person); err != nil {
				return kept, err
			}
		}
	}
	return kept, nil
}

// decryptCell decrypts *value, which a row that q selects has in the given column. A value that is not encrypted does
// not change. The id of a player of another person becomes the name of that player, if it is stored.
func (tx Upkeep) decryptCell(q personQuery, column string, value *any, person string) error {
	text, ok := (*value).(string)
	if !ok {
		return nil
	}
	for _, table := range q.tables {
		holds, sealed := sealedColumns[table+"."+column]
		if !sealed {
			continue
		}
		opened, err := holds.convert(tx.store.key, Sealer.Open, text)
		if err != nil {
			return fmt.Errorf("%s: %w", column, err)
		}
		if id := strings.TrimPrefix(opened, ofPlayer); (holds == isID || holds == isAccount) && id != person {
			other, err := tx.Chats.Player(id)
			if err != nil {
				return err
			}
			if other.Name != "" && other.Person != person {
				opened = other.Name
			}
		}
		*value = opened
		return nil
	}
	return nil
}

// namedBy maps each column with names of people to the column of the same database table with the ids of these people.
var namedBy = map[string]string{
	"players.name":   "id",
	"seats.name":     "player",
	"web_lines.name": "player",
}

// Forget replaces each player of a person in all rows by a new id and a name with a number, such as "gone 1". It
// returns the new ids, none if the person is unknown. Results and balances stay as they are, now for the new ids, and
// the lists of a chat do not show these.
//
// Private conversations of the person, and the places in them, get new ids, too: the caller must have ended the tables
// in them. The old bytes stay in the database file until Sweep.
func (tx Upkeep) Forget(person string) (newIDs []string, err error) {
	defer func() { err = wrapped(err, "forget a person") }()
	if err := tx.LockPerson(person); err != nil {
		return nil, err
	}
	players, err := collectIDs(tx.Tx, doing("look up person"), `SELECT id FROM players WHERE person = $1 ORDER BY id`,
		sealedID(person))
	if err == nil && tx.lock.grew {
		err = engine.ErrAgain
	}
	if err != nil || len(players) == 0 {
		return nil, err
	}
	for range players {
		number, err := one[int64](tx.Tx, doing("add forgotten person"),
			`INSERT INTO forgotten (swept) VALUES (FALSE) RETURNING id`)
		newID := fmt.Sprint(gone, number)
		err = cmp.Or(err, tx.Chats.SavePlayer(Player{ID: newID, Name: fmt.Sprint(goneName, number)}))
		if err != nil {
			return nil, err
		}
		newIDs = append(newIDs, newID)
	}
	err = cmp.Or(
		tx.run(`UPDATE web_said SET said = '' WHERE chat IN (`+chatsOf+`) OR chat IN (
			SELECT chat FROM web_rooms WHERE host`+theirs+`)`, sealedID(person)), // texts in these rooms may name them
		tx.run(`UPDATE web_lines SET text = '' WHERE player`+theirs, sealedID(person)),
		tx.run(`UPDATE sessions SET said = '', until = 0 WHERE player`+theirs, sealedID(person)),
		tx.run(`DELETE FROM pushes WHERE player`+theirs, sealedID(person)))
	private, err2 := tx.PrivateChats(person)
	err = cmp.Or(err, err2)
	for i, chat := range private {
		places, to := map[string]string{}, fmt.Sprint(newIDs[0], ".", i+1)
		err = cmp.Or(err, tx.Migrate(chat, to, func(place string) string {
			if places[place] == "" {
				places[place] = fmt.Sprint(to, ".", len(places)+1)
			}
			return places[place]
		}))
	}
	for i, player := range players {
		err = cmp.Or(err, tx.forgetPlayer(player, newIDs[i]))
	}
	return newIDs, err
}

// forgetPlayer replaces a player in all rows by newID and deletes the player. With the last one the person is deleted.
func (tx Upkeep) forgetPlayer(player, newID string) (err error) {
	for _, column := range slices.Sorted(maps.Keys(sealedColumns)) {
		if table, _, _ := strings.Cut(column, "."); table != "players" && table != "persons" {
			err = cmp.Or(err, tx.replace(column, player, newID))
		}
	}
	return cmp.Or(err, tx.run(`DELETE FROM players WHERE id = $1`, sealedID(player)),
		tx.run(unlistForgotten, sealedID(newID)))
}

// chatsOf selects the chats that have a row about the person $1, in the order in which all changes lock chats.
const chatsOf = `
	SELECT id FROM chats WHERE owner` + theirs + ` OR id` + theirs + ` OR id IN (
		SELECT t.chat FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.player` + theirs + `
		UNION SELECT t.chat FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.taker` + theirs + `
		UNION SELECT chat FROM tables WHERE opener` + theirs + `
		UNION SELECT chat FROM tables WHERE voider` + theirs + `
		UNION SELECT chat FROM accounts WHERE name` + booked + `
		UNION SELECT chat FROM payments WHERE teller` + theirs + ` OR asker` + theirs + `
		UNION SELECT chat FROM seasons WHERE starter` + theirs + ` OR champion` + theirs + `
		UNION SELECT chat FROM totals WHERE player` + theirs + `
		UNION SELECT chat FROM unlisted WHERE player` + theirs + `
		UNION SELECT chat FROM puzzles WHERE asker` + theirs + `
		UNION SELECT chat FROM evenings WHERE setter` + theirs + `
		UNION SELECT e.chat FROM evening_answers a JOIN evenings e ON e.id = a.evening WHERE a.player` + theirs + `
		UNION SELECT chat FROM web_lines WHERE player` + theirs + `
		UNION SELECT p.chat FROM guesses g JOIN puzzles p ON p.id = g.puzzle_id WHERE g.player` + theirs + `)
	ORDER BY id`

// LockPerson locks all chats that have a row about a person, until the transaction ends. Call it before a change of all
// rows about the person.
func (tx Upkeep) LockPerson(person string) error {
	again := tx.lock.known != nil
	if !again {
		tx.lock.known = map[string]bool{}
	}
	return tx.lockChats(chatsOf, []any{sealedID(person)}, func(chat string) {
		tx.lock.grew = tx.lock.grew || again && !tx.lock.known[chat] // the person got a row in another chat meanwhile
		tx.lock.known[chat] = true
	})
}

// unlistForgotten hides the new id of a forgotten person, $1, from the lists of all chats in which they had a seat.
const unlistForgotten = `
	INSERT INTO unlisted (chat, player, hidden, gone)
	SELECT DISTINCT t.chat, s.player, TRUE, FALSE FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.player = $1
	ON CONFLICT (chat, player) DO UPDATE SET hidden = TRUE`

// PrivateChats returns the ids of a person's private conversations with the bot.
func (tx Upkeep) PrivateChats(person string) ([]string, error) {
	return collectIDs(tx.Tx, doing("read own chats"), `SELECT id FROM chats WHERE owner`+theirs+` OR id`+theirs,
		sealedID(person))
}

// replace replaces in one column, given as "table.column", the id player by newID or, in a column of names, the name of
// this player by the name stored for newID.
func (tx Upkeep) replace(column, player, newID string) error {
	table, name, _ := strings.Cut(column, ".")
	var err error
	switch sealedColumns[column] {
	case isID:
		err = tx.run(`UPDATE `+table+` SET `+name+` = $2 WHERE `+name+` = $1`, sealedID(player), sealedID(newID))
	case isAccount:
		err = tx.run(`UPDATE `+table+` SET `+name+` = $2 WHERE `+name+` = $1`, sealedAccount(ofPlayer+player),
			sealedAccount(ofPlayer+newID))
	case isName:
		// Rows with the new id match, too, in case the column with the id was replaced before this one.
		err = tx.run(`UPDATE `+table+` SET `+name+` = (SELECT p.name FROM players p WHERE p.id = $2)
			WHERE `+namedBy[column]+` IN ($1, $2)`,
			sealedID(player), sealedID(newID))
	}
	return wrapped(err, "%s", column)
}

// TablesAsked returns the numbers of the tables in play at which a player asks to take over another player's seat.
func (tx Upkeep) TablesAsked(player string) ([]int64, error) {
	return collect[int64](tx.Tx, doing("read requested seats of a person"), asked, sealedID(player))
}

// asked selects the tables in play with a seat that the player $1 asks to take over.
const asked = `
	SELECT DISTINCT t.id FROM seats s JOIN tables t ON t.id = s.table_id
	WHERE s.taker = $1 AND t.state = 'playing' ORDER BY t.id`

// onBoards maps each column with ids of people named on boards to the column with the number of the board's table.
var onBoards = map[string]string{
	"seats.player":  "table_id",
	"seats.taker":   "table_id",
	"tables.opener": "id",
}

// TablesShowing returns the numbers of the tables whose boards name a player and are still visible: those of the tables
// in the lobby or in play, and the posted board of the newest table of each place.
func (tx Upkeep) TablesShowing(player string) ([]int64, error) {
	var naming []string
	for _, column := range slices.Sorted(maps.Keys(onBoards)) {
		table, name, _ := strings.Cut(column, ".")
		naming = append(naming, `SELECT `+onBoards[column]+` FROM `+table+` WHERE `+name+` = $1`)
	}
	return collect[int64](tx.Tx, doing("read tables of a person"), `
		SELECT t.id FROM tables t JOIN boards b ON b.table_id = t.id
		WHERE t.id IN (`+strings.Join(naming, ` UNION `)+`) AND (t.state IN ('lobby', 'playing')
			OR b.message <> '' AND t.id = (SELECT MAX(o.id) FROM tables o WHERE o.place = t.place))
		ORDER BY t.id`, sealedID(player))
}
