package store

// What is stored about a person, for themselves.

import (
	"fmt"
	"strings"

	"knobel/store/engine"
)

// Kept holds the rows of one table that tell something of a person, with the names of their
// columns.
type Kept struct {
	What    string // the table's name
	Columns []string
	Rows    [][]any // integers, texts, bytes or nil
}

// about is the query for what a table holds of a person: $1 is their id, $2 their account. Values
// that stand in another row, such as the place of a game, are joined; of columns with lists it
// names the tables to report.
type about struct {
	what string
	from []string
	rows string
}

// sat joins a table with a row for each seat to the seats of the person.
const sat = ` x JOIN seats s ON s.table_id = x.table_id AND s.seat = x.seat WHERE s.player = $1
	ORDER BY x.table_id, x.seat`

// abouts lists all tables that hold something of a person. Secrets of unfinished games, such as
// seeds, belong to the table and are left out.
var abouts = []about{
	{"players", []string{"players"}, `SELECT * FROM players WHERE id = $1`},
	{"chats", []string{"chats"}, `SELECT * FROM chats WHERE owner = $1 OR id = $1 ORDER BY id`},
	{"unlisted", []string{"unlisted"}, `SELECT * FROM unlisted WHERE player = $1 ORDER BY chat`},
	{"tables", []string{"tables"}, `
		SELECT id, chat, place, game, rules, stake, unit, opener, state, commitment, turn, opened, changed, ended
		FROM tables t
		WHERE opener = $1 OR EXISTS (SELECT 1 FROM seats s WHERE s.table_id = t.id AND s.player = $1) ORDER BY id`},
	{"seats", []string{"seats"}, `SELECT * FROM seats WHERE player = $1 OR taker = $1 ORDER BY table_id, seat`},
	{"moves", []string{"moves"}, `SELECT x.* FROM moves` + sat + `, x.number`},
	{"results", []string{"results"}, `SELECT x.* FROM results` + sat},
	{"faces", []string{"faces"}, `SELECT x.* FROM faces` + sat},
	{"tallies", []string{"tallies"}, `SELECT x.* FROM tallies` + sat},
	{"review_seats", []string{"review_seats"}, `SELECT x.* FROM review_seats` + sat},
	{"calls", []string{"calls"}, `SELECT x.* FROM calls` + sat},
	{"accounts", []string{"accounts"}, `SELECT * FROM accounts WHERE name = $2 ORDER BY id`},
	{"entries", []string{"entries", "postings"}, `
		SELECT e.*, p.chat, p.unit, p.kind, p.table_id, p.payment_id, p.at
		FROM entries e JOIN postings p ON p.id = e.posting_id
		WHERE e.account_id IN (SELECT a.id FROM accounts a WHERE a.name = $2) ORDER BY e.posting_id, e.line`},
	{"payments", []string{"payments"}, `SELECT * FROM payments
		WHERE teller = $1 OR asker = $1 OR payer = $2 OR payee = $2 ORDER BY id`},
	{"boxes", []string{"boxes"}, `SELECT * FROM boxes WHERE holder = $1 ORDER BY chat, unit`},
	{"totals", []string{"totals"}, `SELECT * FROM totals WHERE player = $1
		ORDER BY chat, kind, period, game, rules, unit`},
	{"seasons", []string{"seasons"}, `SELECT * FROM seasons WHERE starter = $1 ORDER BY id`},
	{"puzzles", []string{"puzzles"}, `SELECT * FROM puzzles WHERE asker = $1 ORDER BY id`},
	{"web_rooms", []string{"web_rooms"}, `SELECT * FROM web_rooms WHERE host = $1 ORDER BY id`},
	{"guesses", []string{"guesses"}, `SELECT * FROM guesses WHERE player = $1 ORDER BY puzzle_id`},
}

// About returns all that is stored about a person, table by table; tables that
// hold nothing of them are left out. Other people stand in it by their names.
func (tx Upkeep) About(player string) ([]Kept, error) {
	var all []Kept
	for _, a := range abouts {
		kept, err := tx.about(a, player)
		if err != nil {
			return nil, fmt.Errorf("what is stored about a person: %s: %w", a.what, err)
		}
		if len(kept.Rows) > 0 {
			all = append(all, kept)
		}
	}
	return all, nil
}

// about runs the query for one table.
func (tx Upkeep) about(a about, player string) (Kept, error) {
	kept := Kept{What: a.what}
	args := []any{sealedID(player), sealedAccount(ofPlayer + player)}
	if !strings.Contains(a.rows, "$2") {
		args = args[:1]
	}
	if !strings.Contains(a.rows, "$1") {
		a.rows = strings.ReplaceAll(a.rows, "$2", "$1")
		args = args[1:]
	}
	err := tx.rows(a.rows, args, func(row engine.Row) (err error) {
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
			if err := tx.tell(a, kept.Columns[i], &row[i], player); err != nil {
				return kept, err
			}
		}
	}
	return kept, nil
}

// tell opens a value, and puts the name of another person in place of their id.
func (tx Upkeep) tell(a about, column string, value *any, player string) error {
	text, ok := (*value).(string)
	if !ok {
		return nil
	}
	for _, table := range a.from {
		holds, sealed := sealedColumns[table+"."+column]
		if !sealed {
			continue
		}
		opened, err := holds.open(tx.store.key, text)
		if err != nil {
			return fmt.Errorf("%s: %w", column, err)
		}
		if id := strings.TrimPrefix(opened, ofPlayer); (holds == isID || holds == isAccount) && id != player {
			other, err := tx.Chats.Player(id)
			if err != nil {
				return err
			}
			if other.Name != "" {
				opened = other.Name
			}
		}
		*value = opened
		return nil
	}
	return nil
}
