package store_test

import (
	"database/sql"
	"errors"
	"os"
	"strings"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

// TestCheckFindsWhatIsWrong checks that Check finds each fault written directly into the database, and its place. Table
// 1 is over, table 2 is in play, table 3 is in the lobby.
func TestCheckFindsWhatIsWrong(t *testing.T) {
	tests := []struct {
		name  string
		plant []string
		want  string
	}{
		{"a missing account", []string{"PRAGMA foreign_keys = OFF",
			"DELETE FROM accounts WHERE name = 'player:test:ben'"},
			"rows of entries: 2 of them refer"},
		{"a player of nobody", []string{"UPDATE players SET person = NULL WHERE id = 'test:ben'"},
			"player test:ben: it belongs to no person"},
		{"a person without a player", []string{"INSERT INTO persons (id) VALUES ('x')"},
			"person x: no player of this id belongs to it"},
		{"an amount", []string{"UPDATE entries SET amount = amount + 1 WHERE posting_id = 1 AND line = 0"},
			"posting 1: in chat test:chat, unit chips: it has fewer than two entries or adds up to 1"},
		{"books of a chat", []string{"UPDATE entries SET amount = amount + 1 WHERE posting_id = 1 AND line = 0"},
			"books of test:chat in chips: they add up to 1"},
		{"a lost entry", []string{"DELETE FROM entries WHERE posting_id = 3"},
			"posting 3: in chat test:chat, unit chips: it has fewer than two entries or adds up to 0"},
		{"an account of other books", []string{"UPDATE accounts SET unit = 'coffees' WHERE name = 'player:test:ben'"},
			"posting 1: entry 1 belongs to account player:test:ben of chat test:chat in coffees"},
		{"a posting of another chat", []string{"INSERT INTO chats (id) VALUES ('x')",
			"UPDATE postings SET chat = 'x' WHERE id = 1"},
			"posting 1: it belongs to table 1, but is booked in chat x"},
		{"a payout in play", []string{"UPDATE postings SET kind = 'payout' WHERE id = 3"},
			"posting 3: the state of table 2 allows no posting of kind payout"},
		{"a posting of no kind", []string{"UPDATE postings SET kind = 'gift' WHERE id = 2"},
			"posting 2: the state of table 1 allows no posting of kind gift"},
		{"stakes in the lobby", []string{"UPDATE tables SET state = 'lobby' WHERE id = 2"},
			"posting 3: the state of table 2 allows no posting of kind stakes"},
		{"an overdrawn box", []string{"UPDATE accounts SET name = 'box' WHERE name = 'player:test:ben'"},
			"box of test:chat in chips: it is overdrawn: -20"},
		{"a pool that is not empty", []string{"UPDATE entries SET amount = -29 WHERE posting_id = 2 AND line = 0",
			"UPDATE entries SET amount = 29 WHERE posting_id = 2 AND line = 1"},
			"table 1: the postings of pool:1 differ by 1"},
		{"a result that was not paid", []string{"UPDATE results SET pool = pool + 1 WHERE table_id = 1 AND seat = 0"},
			"table 1: the postings of player:test:anna differ by -1"},
		{"a box that was not filled", []string{"UPDATE tables SET box_out = 2 WHERE id = 1"},
			"table 1: the postings of box differ by -2"},
		{"a stake that was kept", []string{"UPDATE tables SET state = 'abandoned' WHERE id = 2"},
			"table 2: the postings of pool:2 differ by 30"},
		{"a lost result", []string{"DELETE FROM results WHERE table_id = 1 AND seat = 2"},
			"table 1: it is over and has 2 results for 3 seats"},
		{"an early result", []string{"INSERT INTO results (table_id, seat, score, threw, place, pool) VALUES (2, 0, " +
			"1, TRUE, 1, 0)"},
			"table 2: it is playing and has 1 results"},
		{"a difference from nowhere", []string{"UPDATE results SET difference_n = 1, difference_d = 3 WHERE " +
			"table_id = 1 AND seat = 1"},
			"table 1: the difference of seat 1 does not follow from the scores"},
		{"a settlement that was not paid",
			[]string{"UPDATE results SET difference_n = 3 * score - 15, difference_d = 3 WHERE table_id = 1",
				"UPDATE results SET settlement = 2 WHERE table_id = 1 AND seat = 1"},
			"table 1: the postings of player:test:ben differ by -2"},
		{"a call to a table that is over",
			[]string{"INSERT INTO calls (table_id, seat, since, due, again, sent, message, over, past) VALUES (1, " +
				"0, 0, 5, FALSE, FALSE, '', FALSE, FALSE)"},
			"table 1: it has a pending reminder, but is over"},
		{"over at no time", []string{"UPDATE tables SET ended = NULL WHERE id = 1"},
			"table 1: its state, over, contradicts the time of its end"},
		{"in an evening though not over", []string{"UPDATE tables SET evening = 3 WHERE id = 2"},
			"table 2: its state, playing, contradicts the time of its end"},
		{"a season of others", []string{"INSERT INTO chats (id) VALUES ('x')",
			"INSERT INTO seasons (id, chat, name, starter, started) VALUES (4, 'x', 'S', 'test:ben', 1)",
			"UPDATE tables SET season = 4 WHERE id = 1"},
			"table 1: it counts in season 4 of another chat"},
		{"a final of others", []string{"INSERT INTO chats (id) VALUES ('x')",
			"INSERT INTO seasons (id, chat, name, starter, started, final_table) VALUES (4, 'x', 'S', 'test:ben', 1, " +
				"1)"},
			"season 4: table 1, its final, is not over or belongs to another chat"},
		{"two seasons that end", []string{
			"INSERT INTO seasons (id, chat, name, starter, started, due) VALUES " +
				"(4, 'test:chat', 'S', 'test:ben', 1, 5), (5, 'test:chat', 'T', 'test:ben', 2, 6)"},
			"season 4: it is not the only one of test:chat that has to end"},
		{"a total of one more", []string{"UPDATE totals SET pool = pool + 1 WHERE kind = 'season' AND player = " +
			"'test:ben'"},
			"totals of test:chat: 1 differ from the sums of the results: run knobel doctor --mend"},
		{"a low score of none", []string{"UPDATE totals SET low = NULL WHERE kind = 'evening' AND player = " +
			"'test:anna'"},
			"totals of test:chat: 1 differ from"},
		{"a lost total", []string{"DELETE FROM totals WHERE kind = 'evening' AND player = 'test:ben'"},
			"totals of test:chat: 1 differ from"},
		{"a total from nowhere", []string{"UPDATE totals SET unit = 'coffees' WHERE kind = 'season' AND player = " +
			"'test:ben'"},
			"totals of test:chat: 2 differ from"},
		{"a gap in the moves", []string{"UPDATE moves SET number = 3 WHERE table_id = 1 AND number = 2"},
			"table 1: its 2 moves are numbered from 1 to 3"},
		{"a lost move", []string{"DELETE FROM moves WHERE table_id = 1 AND number = 2"},
			"table 1: it counts 2 moves, but has 1"},
		{"a lost seat", []string{"DELETE FROM seats WHERE table_id = 3 AND seat = 1"},
			"table 3: its 2 seats are numbered up to 2"},
		{"a board ahead", []string{"PRAGMA ignore_check_constraints = ON",
			"UPDATE boards SET drawn = 8 WHERE table_id = 3", "UPDATE tables SET version = 7 WHERE id = 3"},
			"table 3: its board shows version 8, but there are only 7"},
		{"a lost board", []string{"DELETE FROM boards WHERE table_id = 3"}, "table 3: it has no board at its place"},
		{"a board that lags unseen", []string{"UPDATE boards SET behind = NULL, drawn = 0 WHERE table_id = 3"},
			"table 3: it has no board at its place, or the board is wrongly marked as stale or current"},
		{"two active tables", []string{"DROP INDEX tables_active",
			"UPDATE tables SET place = 'test:three' WHERE id = 2"},
			"place test:three: 2 tables are active there at once"},
		{"a house that waits for nothing", []string{"UPDATE tables SET waits = TRUE WHERE id = 3"},
			"table 3: it waits for a computer, but is lobby"},
		{"a vote at a table that has ended", []string{"UPDATE seats SET ends = TRUE WHERE table_id = 1 AND seat = 1"},
			"table 1: seat 1 has voted to end it"},
		{"house rules of others", []string{"INSERT INTO chats (id) VALUES ('x')",
			"INSERT INTO house_rules (chat, game, name, rules, version, kept) VALUES ('x', 'shutbox', 'r', '{}', " +
				"'1', TRUE)",
			"UPDATE tables SET house_rules = 1 WHERE id = 3"},
			"table 3: the house rules r belong to another chat or game"},
		{"a review of a table that goes on", []string{"UPDATE reviews SET table_id = 2"},
			"table 2: its review, wanted, does not match"},
		{"a review without seats", []string{"UPDATE reviews SET state = 'done'"},
			"table 1: its review, done, does not match"},
		{"a review that does not add up", []string{"UPDATE reviews SET state = 'done'",
			"INSERT INTO review_seats SELECT 1, seat, 1, 2, 3, 4, 5, 6, 7, CASE seat WHEN 1 THEN 99 ELSE 28 END, 0, " +
				"0, 0, 0 FROM seats WHERE table_id = 1"},
			"table 1: the parts of its review miss the result of seat 1 by 71 billionths"},
		{"a puzzle of another chat", []string{"INSERT INTO chats (id) VALUES ('x')",
			"INSERT INTO puzzles VALUES (1, 'x', 'x', 1, 'test:anna', 0, TRUE, 1, 0, '', FALSE)"},
			"puzzle 1: it belongs to chat x, its table to test:chat"},
		{"a lost match", []string{"UPDATE tables SET saved = NULL WHERE id = 2"},
			"table 2: it has begun, but its match is missing"},
		{"an index that lies", []string{"PRAGMA writable_schema = ON",
			liesOnSQLite},
			"file: "},
	}
	s := openNew(t)
	addFinished(t, s, "test:one")
	addPlaying(t, s, "test:two")
	addLobby(t, s, "test:three")
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Chats.Seen("test:1", 1)
		return errors.Join(err, tx.Reviews.AddReview(1, store.ToReview))
	})
	wantNoFaults(t, s)
	if err := s.Close(); err != nil || t.Failed() {
		t.Fatal(err)
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := storetest.Copy(t, s.File())
			tamperFile(t, file, test.plant...)
			reader, err := store.OpenReadOnly(t.Context(), file)
			check(t, err)
			defer reader.Close()
			wantFault(t, reader, test.want)
		})
	}
}

// wantFault checks that Check reports a fault whose text begins with want.
func wantFault(t *testing.T, s *store.Store, want string) {
	t.Helper()
	faults, err := s.Check(t.Context())
	check(t, err)
	var all []string
	for _, fault := range faults {
		if strings.HasPrefix(fault.String(), want) {
			return
		}
		all = append(all, fault.String())
	}
	t.Errorf("%q is not among\n%s", want, strings.Join(all, "\n"))
}

func TestCheckFindsADamagedFile(t *testing.T) {
	s := openNew(t)
	addFinished(t, s, "test:one")
	closeDB(t, s)
	overwrite(t, s.File(), firstPage(t, s.File(), "moves"))
	reader, err := store.OpenReadOnly(t.Context(), s.File())
	check(t, err)
	defer reader.Close()
	wantFault(t, reader, "file: ")
}

// firstPage returns the number of the first page of the table or index called name in a database file.
func firstPage(t *testing.T, file, name string) (page int64) {
	t.Helper()
	db, err := sql.Open("sqlite", file)
	check(t, err)
	defer db.Close()
	check(t, db.QueryRow("SELECT rootpage FROM sqlite_master WHERE name = $1", name).Scan(&page))
	return page
}

// overwrite damages the beginning of a page of a database file.
func overwrite(t *testing.T, file string, page int64) {
	t.Helper()
	opened, err := os.OpenFile(file, os.O_RDWR, 0)
	check(t, err)
	defer opened.Close()
	if _, err := opened.WriteAt([]byte("no page of ours"), (page-1)*4096); err != nil {
		t.Fatal(err)
	}
}
