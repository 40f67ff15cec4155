package store

import "testing"

// TestAGameIsNewAgainAfterAThousandOthers plays one game of coin, then others.
func TestAGameIsNewAgainAfterAThousandOthers(t *testing.T) {
	s := opened(t)
	const others = `
		INSERT INTO tables (id, chat, place, game, rules, stake, unit, state, page, draft, commitment, seed, thrown,
			saved, turn,
			box_in, box_out, version, drawn, board, away, behind, changed, posted, opened, ended, evening)
		SELECT n + (SELECT COALESCE(MAX(id), 0) FROM tables), 'test:chat', 'test:place', `
	const over = `, '{}', 0, 'chips', 'over', '', '', '', x'', 1, x'', 1, 0, 0, 1, 1, '', FALSE, 0, 0, 0, 0, n, 20000 FROM counted`
	isFirst := func(want bool, after string) {
		t.Helper()
		err := s.View(t.Context(), func(tx *Tx) error {
			first, err := tx.Scores.FirstGame("test:chat", "coin", "test:anna")
			if first != want {
				t.Errorf("after %s it is new: %v", after, first)
			}
			if after == "nothing" || err != nil {
				return err
			}
			at, err := tx.Scores.FirstGamesAt(1)
			if len(at) != 1 || at[0] != want {
				t.Errorf("after %s it is new at table 1: %v", after, at)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	behind(t, s, `INSERT INTO chats (id) VALUES ('test:chat')`,
		`INSERT INTO players (id, name) VALUES ('test:anna', 'Anna')`)
	isFirst(true, "nothing")
	behind(t, s, counted(1)+others+`'coin'`+over,
		`INSERT INTO seats (table_id, seat, player, name, house, entropy, confirmed) VALUES (1, 0, 'test:anna', 'Anna', '', '', TRUE)`)
	isFirst(false, "one")
	behind(t, s, counted(999)+others+`'pile'`+over)
	isFirst(false, "999 others")
	behind(t, s, counted(1)+others+`'pile'`+over)
	isFirst(true, "a thousand others")
}
