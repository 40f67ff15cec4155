package migrations

import (
	"io/fs"
	"testing"
	"testing/fstest"
)

// A match that went on before the table noted when it last moved has moved with its
// last move; one without any, with the last change of its table.
func TestTablesOfBeforeKnowWhenTheyMoved(t *testing.T) {
	db := database(t)
	names, err := fs.Glob(scripts, "*.sql")
	if err != nil {
		t.Fatal(err)
	}
	before := fstest.MapFS{}
	for _, name := range names {
		if name >= "0032" {
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
