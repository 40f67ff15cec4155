package migrations

import (
	"io/fs"
	"testing"
	"testing/fstest"
)

// Books that were kept before there were payments stay as they were.
func TestPaymentsComeToBooksThatAreThere(t *testing.T) {
	db := database(t)
	before := fstest.MapFS{}
	for _, name := range []string{"0001_chats.sql", "0002_tables.sql", "0003_ledger.sql", "0004_differences.sql"} {
		script, err := fs.ReadFile(scripts, name)
		if err != nil {
			t.Fatal(err)
		}
		before[name] = &fstest.MapFile{Data: script}
	}
	if err := up(t.Context(), db, before); err != nil {
		t.Fatal(err)
	}
	for _, fill := range []string{
		`INSERT INTO chats (id) VALUES ('test:1')`,
		`INSERT INTO accounts (id, chat, unit, name) VALUES (1, 'test:1', 'chips', 'player:a'), (2, 'test:1', 'chips', 'box')`,
		`INSERT INTO postings (id, chat, unit, kind, at) VALUES (1, 'test:1', 'chips', 'payout', 7)`,
		`INSERT INTO entries (posting_id, line, account_id, amount) VALUES (1, 0, 1, -3), (1, 1, 2, 3)`,
	} {
		if _, err := db.Exec(fill); err != nil {
			t.Fatalf("%s: %v", fill, err)
		}
	}
	if err := Up(t.Context(), db); err != nil {
		t.Fatal(err)
	}
	for query, want := range map[string]int{
		`SELECT SUM(e.amount) FROM entries e JOIN postings p ON p.id = e.posting_id WHERE e.account_id = 1 AND p.payment_id IS NULL`: -3,
		`SELECT COUNT(*) FROM payments`:                 0,
		`SELECT COUNT(*) FROM wrong_payments`:           0,
		`SELECT COUNT(*) FROM unbalanced_books`:         0,
		`SELECT COUNT(*) FROM pragma_foreign_key_check`: 0,
	} {
		var got int
		if err := db.QueryRow(query).Scan(&got); err != nil || got != want {
			t.Errorf("%s: %d, want %d (%v)", query, got, want, err)
		}
	}
}
