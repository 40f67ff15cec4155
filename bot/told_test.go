package bot_test

import (
	"regexp"
	"strings"
	"testing"

	"knobel/games/sheet/sets"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// sheets is a house in which Anna and Ben have played games on score sheets, Crag three times.
func sheets(t *testing.T) *house {
	t.Helper()
	h := newHouse(t, sets.Kniffel(), sets.Crag(), sets.Balut(), wuerfelpoker.New())
	h.seeds = &counting{}
	h.restart()
	for _, line := range []string{"/crag", "/kniffel settle=pool stake=3", "/crag", "/wuerfelpoker", "/crag",
		"/kniffel joker=forced further=100", "/wuerfelpoker order=free"} {
		h.filmed(h.gather(line, "Anna", "Ben"))
	}
	return h
}

// The games on a score sheet that were played most tell of their rows, of bonuses where there are any, and of equal
// dice.
func TestStatsTellOfSheets(t *testing.T) {
	h := sheets(t)
	anna, ben := h.person("Anna"), h.person("Ben")
	got := page(t, anna.writes("/stats"))
	const row = `[^;]+ [\d.−]+ \(at best \d+(; \d+ of \d+ struck)?\)`
	const best = `best rows on average ` + row + `, ` + row + ` and ` + row + `; weakest ` + row + `\. `
	const equal = `equal dice thrown \d+ times?; with the same dice kept, chance brings that [\d.]+ times on average\.\n`
	for _, line := range []string{
		`\nCrag: ` + best + `3 ` + equal,
		`\nKniffel: ` + best + `Bonus reached \d times? of 2, \d+ %\. 5 ` + equal,
		`\nWürfelpoker: ` + best + `Bonus reached \d times? of 2, \d+ %\. 5 ` + equal,
	} {
		if !regexp.MustCompile(line).MatchString(got) {
			t.Errorf("no %s in\n%s", line, got)
		}
	}
	if strings.Contains(got, "Balut:") || strings.Index(got, "Crag:") > strings.Index(got, "Kniffel:") {
		t.Errorf("games not played, or in another order:\n%s", got)
	}
	kept := func() (n int64) {
		err := h.store.View(t.Context(), func(tx *store.Tx) error {
			all, err := tx.TalliesOf("test:1", "test:Anna")
			for name, count := range all["crag"] {
				if strings.HasPrefix(name, "filled ") {
					n += count
				}
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
		return n
	}
	if n := kept(); n != 3*13 {
		t.Errorf("in three sheets of Crag %d rows are filled", n)
	}
	ben.locale = "de"
	german := page(t, ben.writes("/stats"))
	for _, part := range []string{
		"\nCrag: beste Zeilen im Schnitt ", " (bestenfalls ", "; schwächste ", " von 3 gestrichen)",
		"\nKniffel: beste Zeilen im Schnitt ", " von 2 gestrichen). Bonus 0-mal von 2 erreicht, 0 %. 5 gleiche Würfel ",
		"-mal geworfen; mit denselben behaltenen Würfeln bringt das der Zufall im Schnitt 0,",
	} {
		if !strings.Contains(german, part) {
			t.Errorf("no %q in\n%s", part, german)
		}
	}
	h.restart()
	if again := page(t, anna.writes("/stats")); again != got || kept() != 3*13 {
		t.Errorf("after a restart\n%s\nand before\n%s", again, got)
	}
	h.sound()
}
