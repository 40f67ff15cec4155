package migrations

import (
	"database/sql"
	"io/fs"
	"testing"
	"testing/fstest"
)

// databaseBefore returns a database that the scripts before one of them have made.
func databaseBefore(t *testing.T, first string) *sql.DB {
	t.Helper()
	db := database(t)
	names, err := fs.Glob(scripts, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	before := fstest.MapFS{}
	for _, name := range names {
		if name >= first {
			continue
		}
		script, err := fs.ReadFile(scripts, name)
		if err != nil {
			t.Fatal(err)
		}
		before[name] = &fstest.MapFile{Data: script}
	}
	if err := up(t.Context(), db, before); err != nil {
		t.Fatal(err)
	}
	return db
}

// A match that went on before the table noted when it last moved has moved with its
// last move; one without any, with the last change of its table.
func TestTablesOfBeforeKnowWhenTheyMoved(t *testing.T) {
	db := databaseBefore(t, "0032")
	const columns = `INSERT INTO tables (id, chat, place, game, rules, stake, unit, state, page, draft, commitment, seed, thrown, turn, box_in, box_out,
		version, drawn, board, away, behind, changed, posted, opened) VALUES `
	for _, fill := range []string{
		`INSERT INTO chats (id) VALUES ('test:1')`,
		columns + `(1, 'test:1', 'test:1/1', 'coin', '{}', 0, 'chips', 'playing', '', '', '', x'00', 2, 2, 0, 0, 1, 1, '', FALSE, 90, 90, 0, 10)`,
		columns + `(2, 'test:1', 'test:1/2', 'coin', '{}', 0, 'chips', 'playing', '', '', '', x'00', 0, 0, 0, 0, 1, 1, '', FALSE, 80, 80, 0, 10)`,
		columns + `(3, 'test:1', 'test:1/3', 'coin', '{}', 0, 'chips', 'lobby', '', '', '', x'00', 0, 0, 0, 0, 1, 1, '', FALSE, 70, 70, 0, 10)`,
		`INSERT INTO seats (table_id, seat, name, house, entropy, confirmed) VALUES (1, 0, '', 'coin', '', TRUE)`,
		`INSERT INTO moves (table_id, number, seat, move, dice, auto, at) VALUES (1, 1, 0, 'throw', '[1]', FALSE, 20), (1, 2, 0, 'throw', '[2]', FALSE, 30)`,
	} {
		if _, err := db.Exec(fill); err != nil {
			t.Fatalf("%s: %v", fill, err)
		}
	}
	if err := Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for table, want := range map[int]int{1: 30, 2: 80, 3: 0} {
		var got int
		if err := db.QueryRow(`SELECT moved FROM tables WHERE id = $1`, table).Scan(&got); err != nil || got != want {
			t.Errorf("table %d has moved at %d, want %d (%v)", table, got, want, err)
		}
	}
}

// Who has sat at tables of before is known in their chat since the first of these was opened.
func TestWhoSatBeforeIsKnown(t *testing.T) {
	db := databaseBefore(t, "0051")
	const columns = `INSERT INTO tables (id, chat, place, game, rules, stake, unit, state, page, draft, commitment, seed, thrown, turn, box_in, box_out,
		version, drawn, board, away, behind, changed, posted, opened) VALUES `
	for _, fill := range []string{
		`INSERT INTO chats (id) VALUES ('test:1')`,
		`INSERT INTO players (id, name, language) VALUES ('a', '', ''), ('b', '', '')`,
		columns + `(1, 'test:1', 'test:1/1', 'coin', '{}', 0, 'chips', 'over', '', '', '', x'00', 0, 0, 0, 0, 1, 1, '', FALSE, 90, 90, 0, 30)`,
		columns + `(2, 'test:1', 'test:1/1', 'coin', '{}', 0, 'chips', 'over', '', '', '', x'00', 0, 0, 0, 0, 1, 1, '', FALSE, 80, 80, 0, 10)`,
		`INSERT INTO seats (table_id, seat, player, name, house, entropy, confirmed) VALUES
			(1, 0, 'a', '', '', '', TRUE), (1, 1, 'b', '', '', '', TRUE), (2, 0, 'a', '', '', '', TRUE),
			(2, 1, NULL, '', 'coin', '', TRUE)`,
		`INSERT INTO unlisted (chat, player, hidden, gone) VALUES ('test:1', 'b', TRUE, FALSE)`,
	} {
		if _, err := db.Exec(fill); err != nil {
			t.Fatalf("%s: %v", fill, err)
		}
	}
	if err := Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{
		`SELECT met FROM unlisted WHERE player = 'a' AND NOT hidden`: 10,
		`SELECT met FROM unlisted WHERE player = 'b' AND hidden`:     30,
		`SELECT COUNT(*) FROM unlisted`:                              2,
	} {
		var got int
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %d, want %d (%v)", query, got, want, err)
		}
	}
}
