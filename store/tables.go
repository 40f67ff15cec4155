package store

// How tables and their seats are stored.

import (
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
)

// selectTable begins a query for tables with their boards.
const selectTable = `SELECT t.id, t.chat, t.place, t.game, t.rules, t.stake, t.unit, COALESCE(t.opener, ''), t.state,
	t.draft, t.commitment, t.seed, t.thrown, t.saved, t.turn, t.box_in, t.box_out, COALESCE(t.rematch, 0), t.version,
	t.changed, t.opened, COALESCE(t.ended, 0), COALESCE(t.evening, 0), COALESCE(t.season, 0), t.waits,
	COALESCE(t.house_rules, 0), COALESCE(t.patience, -1), t.absent, t.due, t.look, t.warned, t.bare, t.terms, t.moved,
	t.turned, t.practice, t.voided, COALESCE(t.voider, ''), t.language, t.minded, t.pressed, t.altered,
	b.message, b.page, b.drawn, COALESCE(b.behind, 0), b.away, b.posted, b.repost, b.seen, b.tapped, b.tapper
	FROM tables t JOIN boards b ON b.table_id = t.id AND b.place = t.place`

// AddTable stores a new table and returns its number, counted from 1. Unknown chats and people are
// stored, too. The place must not have an unfinished table.
func (tx Tables) AddTable(t Table) (int64, error) {
	wrap := func(err error) (int64, error) { return 0, fmt.Errorf("add table at %s: %w", t.Place, err) }
	rules, err := json.Marshal(t.Rules)
	if err == nil {
		err = tx.Chats.meetChat(t.Chat)
	}
	if err == nil {
		err = tx.meetOpener(t)
	}
	if err == nil {
		t.ID, err = tx.db.Number("tables")
	}
	if err != nil {
		return wrap(err)
	}
	err = tx.run(`
		INSERT INTO tables (id, chat, place, game, rules, stake, unit, opener, state, draft, commitment, seed, thrown,
			saved, turn, box_in, box_out, rematch, version, changed, opened, waits, house_rules, patience, absent, due,
			warned, terms, moved, language, look)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19, $20, $21, $22,
			$23, $24, $25, $26, $27, $28, $29, $30, $31)`,
		t.ID, sealedID(t.Chat), sealedID(t.Place), t.Game, string(rules), t.Stake, t.Unit,
		orNull(sealedID(t.Opener), ""), t.State, t.Draft, t.Dice.Commitment, sealedSeed(t.Dice.Seed), t.Dice.Thrown,
		bytesOrNull(t.Match), t.Turn, t.BoxIn, t.BoxOut, orNull(t.Rematch, 0), t.Version, t.Changed, t.Opened, t.Waits,
		orNull(t.HouseRules, 0), orNull(t.Clock.TurnLimit, DefaultLimit), t.Clock.Absent, t.Clock.Due, t.Clock.Warned,
		t.Terms, t.Clock.Moved, t.Language, t.Clock.Look)
	if t.Board.Behind = 0; t.Board.Drawn < t.Version {
		t.Board.Behind = t.Changed
	}
	if err == nil {
		err = tx.saveBoard(t)
	}
	if err == nil {
		err = tx.saveSeats(t, nil)
	}
	if err != nil {
		return wrap(err)
	}
	t.Ending.MovesDropped, t.Ending.Ended, t.Ending.Evening, t.Ending.Season = false, 0, 0, 0
	tx.put(t)
	tx.settleLater(t)
	return t.ID, nil
}

const tableByID = selectTable + ` WHERE t.id = $1`

// Table returns a table with its seats, or ErrNotFound.
func (tx Tables) Table(id int64) (Table, error) {
	if t, ok := tx.cachedTable(id); ok && tx.db.Err() == nil {
		return t.copied(), nil
	}
	tx.db.Ahead(seatsOf, id)
	t, err := tx.table(tableByID, id)
	return t, wrapped(err, "read table %d", id)
}

// TableAt returns the table of a place that is not over, or ErrNotFound.
func (tx Tables) TableAt(place string) (Table, error) {
	t, err := tx.table(selectTable+` WHERE t.place = $1 AND t.state IN ('lobby', 'playing')`, sealedID(place))
	return t, wrapped(err, "read table at %s", place)
}

// TableOf returns the last table in a place whose board is a message, whatever its state.
func (tx Tables) TableOf(place, ref string) (Table, error) {
	t, err := tx.table(selectTable+` WHERE t.place = $1 AND b.message = $2 ORDER BY t.id DESC LIMIT 1`,
		sealedID(place), sealedID(ref))
	return t, wrapped(err, "read table of a board at %s", place)
}

// LastTableAt returns the newest table of a place, or ErrNotFound.
func (tx Tables) LastTableAt(place string) (Table, error) {
	t, err := tx.table(selectTable+` WHERE t.place = $1 ORDER BY t.id DESC LIMIT 1`, sealedID(place))
	return t, wrapped(err, "read last table at %s", place)
}

// TableHere returns the table of a place that is not over, or else the newest there, or ErrNotFound.
func (tx Tables) TableHere(place string) (Table, error) {
	t, err := tx.table(tableHere, sealedID(place))
	return t, wrapped(err, "read table at %s", place)
}

const tableHere = selectTable + ` WHERE t.id = COALESCE(
	(SELECT id FROM tables WHERE place = $1 AND state IN ('lobby', 'playing')),
	(SELECT MAX(id) FROM tables WHERE place = $1))`

// Active returns the tables that are not over, in order.
func (tx Tables) Active() ([]int64, error) {
	tables, err := collect[int64](tx.Tx, `SELECT id FROM tables WHERE state IN ('lobby', 'playing') ORDER BY id`)
	return tables, wrapped(err, "tables that are not over")
}

// SaveTable stores a table, its board and its seats as they now are. Chat, Place and Opened stay as AddTable and
// Migrate have set them, and what Drawn stores of the board stays, too; a table that is elsewhere by now is
// ErrNotFound, at the end of the transaction at the latest.
func (tx Tables) SaveTable(t Table) (err error) {
	wrap := func(err error) error { return fmt.Errorf("save table %d: %w", t.ID, err) }
	if err := tx.keeps(t.Chat); err != nil {
		return wrap(err)
	}
	was, known := tx.cachedTable(t.ID)
	stored := was.Seats
	if known {
		t.Board.Drawn, t.Board.Message, t.Board.Posted = was.Board.Drawn, was.Board.Message, was.Board.Posted
	} else if stored, err = tx.seats(t.ID); err != nil {
		return wrap(err)
	}
	err = tx.mustAt(t.ID, wrap(ErrNotFound), `
		UPDATE tables SET draft = $4, thrown = $5, saved = $6, turn = $7, version = $8, changed = $9, due = $10,
			warned = $11, moved = $12, minded = $13, pressed = $14, look = $15
		WHERE id = $1 AND chat = $2 AND place = $3`,
		t.ID, sealedID(t.Chat), sealedID(t.Place), t.Draft, t.Dice.Thrown, bytesOrNull(t.Match), t.Turn, t.Version,
		t.Changed, t.Clock.Due, t.Clock.Warned, t.Clock.Moved, t.Clock.Minded, t.Clock.Pressed, t.Clock.Look)
	if err == nil && (!known || was.Board != t.Board || was.Board.Drawn >= was.Version) { // then it lags from now on
		err = tx.saveBoard(t)
	}
	if err == nil && (!known || !sameTerms(was, t)) {
		err = tx.saveTerms(t)
	}
	if err == nil {
		err = tx.saveSeats(t, stored)
	}
	if err != nil {
		return wrap(err)
	}
	if known {
		t.Opened, t.Ending.MovesDropped, t.Ending.Ended, t.Ending.Evening, t.Ending.Season = was.Opened,
			was.Ending.MovesDropped, was.Ending.Ended, was.Ending.Evening,
			was.Ending.Season
		tx.put(t)
	}
	tx.settleLater(t)
	return nil
}

// saveTerms stores what hardly ever changes once a match goes on. Writing it
// looks up what it refers to, and writes the indexes in which it stands.
func (tx Tables) saveTerms(t Table) error {
	rules, err := json.Marshal(t.Rules)
	if err != nil {
		return err
	}
	if err := tx.meetOpener(t); err != nil {
		return err
	}
	return tx.runAt(t.ID, `
		UPDATE tables SET game = $2, rules = $3, stake = $4, unit = $5, opener = $6, state = $7, commitment = $8,
			seed = $9, box_in = $10, box_out = $11, rematch = $12, waits = $13, house_rules = $14, patience = $15,
			absent = $16, terms = $17, turned = $18, language = $19, altered = $20, practice = $21, voided = $22,
			voider = $23
		WHERE id = $1`,
		t.ID, t.Game, string(rules), t.Stake, t.Unit, orNull(sealedID(t.Opener), ""), t.State, t.Dice.Commitment,
		sealedSeed(t.Dice.Seed), t.BoxIn, t.BoxOut, orNull(t.Rematch, 0), t.Waits, orNull(t.HouseRules, 0),
		orNull(t.Clock.TurnLimit, DefaultLimit), t.Clock.Absent, t.Terms, t.Turned, t.Language, t.Altered, t.Practice,
		t.Ending.Voided, orNull(sealedID(t.Ending.Voider), ""))
}

// sameTerms reports whether two states of a table have the same terms.
func sameTerms(a, b Table) bool {
	return a.Game == b.Game && maps.Equal(a.Rules, b.Rules) && a.Stake == b.Stake && a.Unit == b.Unit &&
		a.Opener == b.Opener && a.State == b.State && a.Dice.Commitment == b.Dice.Commitment &&
		bytes.Equal(a.Dice.Seed, b.Dice.Seed) && a.BoxIn == b.BoxIn && a.BoxOut == b.BoxOut &&
		a.Rematch == b.Rematch && a.Waits == b.Waits && a.HouseRules == b.HouseRules &&
		a.Clock.TurnLimit == b.Clock.TurnLimit && a.Clock.Absent == b.Clock.Absent && a.Terms == b.Terms &&
		a.Turned == b.Turned && a.Language == b.Language && a.Altered == b.Altered && a.Practice == b.Practice &&
		a.Ending.Voided == b.Ending.Voided && a.Ending.Voider == b.Ending.Voider
}

// table reads the one table of a query.
func (tx Tables) table(query string, args ...any) (Table, error) {
	var t Table
	var rules string
	err := tx.get(query, args, &t.ID, (*sealedID)(&t.Chat), (*sealedID)(&t.Place), &t.Game, &rules, &t.Stake, &t.Unit,
		(*sealedID)(&t.Opener), &t.State, &t.Draft, &t.Dice.Commitment, (*sealedSeed)(&t.Dice.Seed), &t.Dice.Thrown,
		&t.Match, &t.Turn, &t.BoxIn, &t.BoxOut, &t.Rematch, &t.Version, &t.Changed, &t.Opened, &t.Ending.Ended,
		&t.Ending.Evening, &t.Ending.Season, &t.Waits, &t.HouseRules, &t.Clock.TurnLimit, &t.Clock.Absent, &t.Clock.Due,
		&t.Clock.Look, &t.Clock.Warned, &t.Ending.MovesDropped, &t.Terms, &t.Clock.Moved, &t.Turned, &t.Practice,
		&t.Ending.Voided, (*sealedID)(&t.Ending.Voider), &t.Language, &t.Clock.Minded, &t.Clock.Pressed, &t.Altered,
		(*sealedID)(&t.Board.Message), &t.Board.Page, &t.Board.Drawn, &t.Board.Behind, &t.Board.Away, &t.Board.Posted,
		&t.Board.Repost, &t.Board.Seen, &t.Board.Tapped, &t.Board.Tapper)
	if err == nil {
		err = tx.found()
	}
	if err != nil {
		return Table{}, err
	}
	if err := json.Unmarshal([]byte(rules), &t.Rules); err != nil {
		return Table{}, fmt.Errorf("rules: %w", err)
	}
	if t.Seats, err = tx.seats(t.ID); err != nil {
		return Table{}, err
	}
	tx.put(t)
	return t, nil
}

const seatsOf = `
	SELECT COALESCE(player, ''), name, house, entropy, confirmed, ends, missed, absence, offered, out_from, since, agreed,
		worded, COALESCE(taker, ''), voids, vouch, allowed
	FROM seats WHERE table_id = $1 ORDER BY seat`

// seats reads the seats of a table in order.
func (tx Tables) seats(table int64) ([]Seat, error) {
	return collectBy(tx.Tx, func(s *Seat) []any {
		return []any{(*sealedID)(&s.Player), (*sealedName)(&s.Name), &s.House, (*sealedWord)(&s.Entropy), &s.Confirmed,
			&s.Ends, &s.Missed, &s.Absence, &s.Offered, &s.OutFrom, &s.Since, &s.Agreed, &s.Worded,
			(*sealedID)(&s.Taker), &s.Voids, &s.Vouch, &s.Allowed}
	}, seatsOf, table)
}

// saveSeats makes the stored seats of a table those of t. During a match they hardly ever change.
func (tx Tables) saveSeats(t Table, stored []Seat) error {
	for i, s := range t.Seats {
		if i < len(stored) && stored[i] == s {
			continue
		}
		if err := tx.saveSeat(t.ID, i, s); err != nil {
			return err
		}
	}
	if len(stored) <= len(t.Seats) {
		return nil
	}
	return tx.runAt(t.ID, `DELETE FROM seats WHERE table_id = $1 AND seat >= $2`, t.ID, len(t.Seats))
}

// saveSeat stores one seat of a table.
func (tx Tables) saveSeat(table int64, number int, s Seat) error {
	if s.Player != "" {
		if err := tx.Chats.meetPlayer(s.Player, s.Name); err != nil {
			return err
		}
	}
	return tx.runAt(table, `
		INSERT INTO seats (table_id, seat, player, name, house, entropy, confirmed, ends, missed, absence, offered,
			out_from, since, agreed, worded, taker, voids, vouch, allowed)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13, $14, $15, $16, $17, $18, $19)
		ON CONFLICT (table_id, seat) DO UPDATE SET player = excluded.player, name = excluded.name,
			house = excluded.house, entropy = excluded.entropy, confirmed = excluded.confirmed, ends = excluded.ends,
			missed = excluded.missed, absence = excluded.absence, offered = excluded.offered,
			out_from = excluded.out_from, since = excluded.since, agreed = excluded.agreed, worded = excluded.worded,
			taker = excluded.taker, voids = excluded.voids, vouch = excluded.vouch, allowed = excluded.allowed`,
		table, number, orNull(sealedID(s.Player), ""), sealedName(s.Name), s.House, sealedWord(s.Entropy), s.Confirmed,
		s.Ends, s.Missed, s.Absence, s.Offered, s.OutFrom, s.Since, s.Agreed, s.Worded, orNull(sealedID(s.Taker), ""),
		s.Voids, s.Vouch, s.Allowed)
}

// meetOpener makes sure that a table's opener is known.
func (tx Tables) meetOpener(t Table) error {
	if t.Opener == "" {
		return nil
	}
	return tx.Chats.meetPlayer(t.Opener, "")
}

// What is absent in Go as a zero value is NULL in the database, so that it
// refers to nothing.

func orNull[T comparable](value, absent T) any {
	if value == absent {
		return nil
	}
	return value
}

func bytesOrNull(b []byte) any {
	if b == nil {
		return nil
	}
	return b
}
