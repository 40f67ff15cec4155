package bot_test

import (
	"context"
	"strings"
	"testing"
	"testing/synctest"

	"knobel/bot/bare"
	"knobel/store"
)

// TestAnAnswerThatBreaksAfterTheCommitSaysWhatCounts asks for what cannot be read at a place that was lost: the person
// is told that it counted, the board comes back, and the fault is logged once.
func TestAnAnswerThatBreaksAfterTheCommitSaysWhatCounts(t *testing.T) {
	bare.Bubble(t, func(t *testing.T) {
		h, _, people := bare.Begun(t, "/coin 10", "Anna", "Ben")
		anna := people[0]
		err := h.Store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
			lost, err := tx.Tables.Table(1)
			if err != nil {
				return err
			}
			lost.Board.Away = true
			lost.Version++
			return tx.Tables.SaveTable(lost)
		})
		if err != nil {
			t.Fatal(err)
		}
		h.Tamper(`UPDATE players SET name = 'torn' WHERE rowid = (SELECT MAX(rowid) FROM players)`)
		for locale, want := range map[string]string{
			"en": "That counted, but the answer broke. Ask again.",
			"de": "Das zählt, nur die Antwort klemmt. Frag noch einmal.",
		} {
			anna.Locale = locale
			r := anna.Writes("/settle")
			bare.Told(t, r, want)
			if r.Refused || r.Private != nil {
				t.Errorf("%+v", r)
			}
		}
		synctest.Wait()
		if table := anna.Table(); table.Board.Away || table.Board.Drawn != table.Version {
			t.Errorf("the board is at %d of %d, away: %v", table.Board.Drawn, table.Version, table.Board.Away)
		}
		if n := strings.Count(h.Log.String(), "answer committed event failed"); n != 2 {
			t.Errorf("two faults are logged %d times", n)
		}
		h.Tamper(`UPDATE players SET name = '' WHERE name = 'torn'`)
	})
}
