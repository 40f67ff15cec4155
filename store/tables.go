package store

// How tables and their seats are stored, and which of them are due.

import (
	"cmp"
	"fmt"
)

// The columns of tables: those that AddTable and Migrate set, those that nearly every press changes, those that hardly
// ever change once a match goes on, and those that Finish and DropMoves set. Writing the third ones looks up the rows
// that they refer to, and writes indexes.
var (
	tableHomes = columnsOf(`id, chat, place, opened`, func(t *Table) []any {
		return []any{&t.ID, (*sealedID)(&t.Chat), (*sealedID)(&t.Place), &t.Opened}
	})
	tableStates = columnsOf(
		`draft, thrown, saved, turn, version, changed, due, warned, moved, minded, pressed, look`,
		func(t *Table) []any {
			return []any{&t.Draft, &t.Dice.Thrown, &t.Match, &t.Turn, &t.Version, &t.Changed, &t.Clock.Due,
				&t.Clock.Warned, &t.Clock.Moved, &t.Clock.Minded, &t.Clock.Pressed, &t.Clock.Look}
		})
	tableTerms = columnsOf(
		`game, rules, stake, unit, opener = '', state, commitment, seed, box_in, box_out, rematch = 0, waits,
		house_rules = 0, patience = -1, absent, terms, turned, language, altered, practice, voided, voider = ''`,
		func(t *Table) []any {
			return []any{&t.Game, inJSON{&t.Rules}, &t.Stake, &t.Unit, (*sealedID)(&t.Opener), &t.State,
				&t.Dice.Commitment, (*sealedSeed)(&t.Dice.Seed), &t.BoxIn, &t.BoxOut, &t.Rematch, &t.Waits,
				&t.HouseRules, &t.Clock.TurnLimit, &t.Clock.Absent, &t.Terms, &t.Turned, &t.Language, &t.Altered,
				&t.Practice, &t.Ending.Voided, (*sealedID)(&t.Ending.Voider)}
		})
	tableEnds = columnsOf(`ended = 0, evening = 0, season = 0, bare`, func(t *Table) []any {
		return []any{&t.Ending.Ended, &t.Ending.Evening, &t.Ending.Season, &t.Ending.MovesDropped}
	})

	newTables  = tableHomes.and(tableStates).and(tableTerms)
	readTables = newTables.and(tableEnds)

	insertTable  = newTables.insert("tables")
	updateStates = tableStates.update("tables", "id", "chat", "place")
	updateTerms  = tableTerms.update("tables", "id")
	// selectTable begins a query for tables with their boards.
	selectTable = `SELECT ` + readTables.list("t.") + `, ` + boardColumns.list("b.") + `
		FROM tables t JOIN boards b ON b.table_id = t.id AND b.place = t.place`
	tableByID = selectTable + ` WHERE t.id = $1`
	tableHere = selectTable + ` WHERE t.id = COALESCE(
		(SELECT id FROM tables WHERE place = $1 AND state IN ('lobby', 'playing')),
		(SELECT MAX(id) FROM tables WHERE place = $1))`
)

// AddTable stores a new table, its chat and its people, and returns its number. The place must have no active table.
func (tx Tables) AddTable(t Table) (int64, error) {
	err := cmp.Or(tx.Chats.meetChat(t.Chat), tx.Chats.meetPlayer(t.Opener, ""))
	if err == nil {
		t.ID, err = tx.db.Number("tables")
	}
	if t.Board.Behind = 0; t.Board.Drawn < t.Version {
		t.Board.Behind = t.Changed
	}
	if err == nil {
		err = cmp.Or(tx.run(insertTable, newTables.values(&t)...), tx.saveBoard(&t, false), tx.saveSeats(t, nil))
	}
	if err != nil {
		return 0, fmt.Errorf("add table at %s: %w", t.Place, err)
	}
	t.Ending = Ending{Voided: t.Ending.Voided, Voider: t.Ending.Voider}
	tx.put(t)
	tx.settleLater(t)
	return t.ID, nil
}

// Table returns a table with its seats, or ErrNotFound.
func (tx Tables) Table(id int64) (Table, error) {
	if t := tx.cache[id]; t != nil && tx.db.Failed == nil {
		return t.copied(), nil
	}
	tx.db.Ahead(seatsOf, id)
	return tx.table(doing("read table %d", id), tableByID, id)
}

// TableAt returns the table of a place that is not over, or ErrNotFound.
func (tx Tables) TableAt(place string) (Table, error) {
	return tx.table(doing("read table at %s", place),
		selectTable+` WHERE t.place = $1 AND t.state IN ('lobby', 'playing')`, sealedID(place))
}

// TableOf returns the last table in a place whose board is a message, whatever its state.
func (tx Tables) TableOf(place, ref string) (Table, error) {
	return tx.table(doing("read table of a board at %s", place),
		selectTable+` WHERE t.place = $1 AND b.message = $2 ORDER BY t.id DESC LIMIT 1`, sealedID(place), sealedID(ref))
}

// LastTableAt returns the newest table of a place, or ErrNotFound.
func (tx Tables) LastTableAt(place string) (Table, error) {
	return tx.table(doing("read last table at %s", place),
		selectTable+` WHERE t.place = $1 ORDER BY t.id DESC LIMIT 1`, sealedID(place))
}

// TableHere returns the table of a place that is not over, or else the newest there, or ErrNotFound.
func (tx Tables) TableHere(place string) (Table, error) {
	return tx.table(doing("read table at %s", place), tableHere, sealedID(place))
}

// Active returns the tables that are not over, with their places, in order.
func (tx Tables) Active() ([]Row, error) {
	return collectBy(tx.Tx, doing("tables that are not over"), func(r *Row) []any {
		return []any{&r.ID, (*sealedID)(&r.Chat), (*sealedID)(&r.Place)}
	}, `SELECT id, chat, place FROM tables WHERE state IN ('lobby', 'playing') ORDER BY id`)
}

// SaveTable stores a table with its board and seats, except Chat, Place, Opened and what Drawn stores of the board. For
// a table that is elsewhere now the transaction fails with ErrNotFound, at its end at the latest.
func (tx Tables) SaveTable(t Table) (err error) {
	wrap := func(err error) error { return fmt.Errorf("save table %d: %w", t.ID, err) }
	if err := tx.keeps(t.Chat); err != nil {
		return wrap(err)
	}
	was := tx.cache[t.ID] // nil: it is not known
	var stored []Seat
	if was != nil {
		stored = was.Seats
		t.Board.Drawn, t.Board.Message, t.Board.Posted = was.Board.Drawn, was.Board.Message, was.Board.Posted
	} else if stored, err = tx.seats(t.ID); err != nil {
		return wrap(err)
	}
	err = tx.on(t.ID, updateStates).Must(wrap(ErrNotFound), updateStates,
		tableStates.values(&t, t.ID, sealedID(t.Chat), sealedID(t.Place))...)
	if was == nil || was.Board != t.Board || was.Board.Drawn >= was.Version { // then it lags from now on
		err = cmp.Or(err, tx.saveBoard(&t, was != nil))
	}
	if was == nil || !tableTerms.same(was, &t) {
		err = cmp.Or(err, tx.Chats.meetPlayer(t.Opener, ""),
			tx.runAt(t.ID, updateTerms, tableTerms.values(&t, t.ID)...))
	}
	if err = cmp.Or(err, tx.saveSeats(t, stored)); err != nil {
		return wrap(err)
	}
	if was != nil {
		ends := was.Ending
		ends.Voided, ends.Voider = t.Ending.Voided, t.Ending.Voider
		t.Opened, t.Ending = was.Opened, ends
		tx.put(t)
	}
	tx.settleLater(t)
	return nil
}

// table reads the one table of a query.
func (tx Tables) table(o operation, query string, args ...any) (t Table, err error) {
	err = tx.get(query, args, append(readTables.of(&t), boardColumns.of(&t.Board)...)...)
	if err == nil {
		err = tx.found()
	}
	if err == nil {
		t.Seats, err = tx.seats(t.ID)
	}
	if err != nil {
		return Table{}, wrapped(err, o.words, o.of...)
	}
	tx.put(t)
	return t, nil
}

var (
	seatColumns = columnsOf(
		`player = '', name, house, entropy, confirmed, ends, missed, absence, offered, out_from, since, agreed, worded,
		taker = '', voids, vouch, allowed`,
		func(s *Seat) []any {
			return []any{(*sealedID)(&s.Player), (*sealedName)(&s.Name), &s.House, (*sealedWord)(&s.Entropy),
				&s.Confirmed, &s.Ends, &s.Missed, &s.Absence, &s.Offered, &s.OutFrom, &s.Since, &s.Agreed, &s.Worded,
				(*sealedID)(&s.Taker), &s.Voids, &s.Vouch, &s.Allowed}
		})
	seatsOf  = `SELECT ` + seatColumns.list("") + ` FROM seats WHERE table_id = $1 ORDER BY seat`
	saveSeat = seatColumns.upsert("seats", "table_id", "seat")
)

// seats reads the seats of a table in order.
func (tx Tables) seats(table int64) ([]Seat, error) {
	return collectBy(tx.Tx, doing("read seats"), seatColumns.of, seatsOf, table)
}

// saveSeats makes the stored seats of a table those of t. During a match they hardly ever change.
func (tx Tables) saveSeats(t Table, stored []Seat) error {
	for i := range t.Seats {
		s := &t.Seats[i]
		if i < len(stored) && stored[i] == *s {
			continue
		}
		if err := tx.Chats.meetPlayer(s.Player, s.Name); err != nil {
			return err
		}
		if err := tx.runAt(t.ID, saveSeat, seatColumns.values(s, t.ID, i)...); err != nil {
			return err
		}
	}
	if len(stored) <= len(t.Seats) {
		return nil
	}
	return tx.runAt(t.ID, `DELETE FROM seats WHERE table_id = $1 AND seat >= $2`, t.ID, len(t.Seats))
}

// due reads an index that holds nothing but tables whose clock runs, by when it looks at them.
const (
	looks   = `CASE WHEN look > 0 AND look < due THEN look ELSE due END`
	clocked = `tables t JOIN boards b ON b.table_id = t.id AND b.place = t.place WHERE due > 0 AND NOT b.away AND ` + looks
	due     = `
	SELECT id, chat, ` + looks + ` FROM ` + clocked + ` <= $1 AND (` + looks + ` > $2 OR ` + looks + ` = $2 AND id > $3)
	ORDER BY ` + looks + `, id LIMIT $4`
	dueOn = `
	SELECT id, chat, ` + looks + ` FROM ` + clocked + ` <= $1 AND due <= $1
		AND (` + looks + ` > $2 OR ` + looks + ` = $2 AND id > $3) AND SUBSTR(t.place, 1, LENGTH($4)) = $4
	ORDER BY ` + looks + `, id LIMIT $5`
)

// Due returns at most limit tables that the clock looks at by a moment, in Unix milliseconds, earliest first, except in
// places that are away. It begins behind a table, the last one of the page before; the zero value: at the first.
func (tx Tables) Due(by int64, behind Row, limit int) ([]Row, error) {
	return tx.rowsOf("turns that are due", limit, (*Row).due, due, by, behind.Due, behind.ID)
}

// DueOn is Due for those tables on the platform whose ids begin with prefix whose turns have to be over by then.
func (tx Tables) DueOn(prefix string, by int64, behind Row, limit int) ([]Row, error) {
	return tx.rowsOf("turns that are due", limit, (*Row).due, dueOn, by, behind.Due, behind.ID, prefix)
}

const nextDue = `
	SELECT ` + looks + ` FROM ` + clocked + ` > $1 ORDER BY ` + looks + `, id LIMIT 1`

// NextDue returns when the clock looks first after a moment, both in Unix milliseconds; 0: it does not.
func (tx Tables) NextDue(after int64) (int64, error) {
	return first[int64](tx.Tx, doing("read what is due next"), nextDue, after)
}

const idleTables = `
	SELECT id, chat FROM tables t JOIN boards b ON b.table_id = t.id AND b.place = t.place
	WHERE state IN ('lobby', 'playing') AND NOT b.away AND changed <= $1 AND id > $2 ORDER BY id LIMIT $3`

// Idle returns at most limit active tables with numbers above beyond, ascending, that have not changed since a moment,
// in Unix milliseconds, except in places that are away.
func (tx Tables) Idle(since, beyond int64, limit int) ([]Row, error) {
	return tx.rowsOf("idle tables", limit, nil, idleTables, since, beyond)
}
