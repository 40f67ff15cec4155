package table_test

import (
	"fmt"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/games/sheet/sets"
	"knobel/store"
)

// After many games before there was anything to count, an answer counts the newest, and says how many are left.
func TestStatsCountOldGamesBitByBit(t *testing.T) {
	h := bare.New(t, sets.Crag())
	h.Seeds = &bare.Counting{}
	h.Restart()
	h.Filmed(h.Gather("/crag", "Anna", "Ben"))
	first := h.TableOf(1)
	err := h.Store.UpdateOf(t.Context(), store.OfAll, func(tx *store.Tx) error {
		moves, err := tx.Tables.Moves(1)
		if err != nil {
			return err
		}
		rows, err := tx.Tables.Results(1)
		if err != nil {
			return err
		}
		for i := range 151 { // the same game again
			again := first
			again.ID, again.State, again.Place = 0, store.Playing, fmt.Sprint("test:1/old", i)
			if again.ID, err = tx.Tables.AddTable(again); err != nil {
				return err
			}
			for _, m := range moves {
				if err := tx.Tables.AddMove(again.ID, m); err != nil {
					return err
				}
			}
			if err := tx.Tables.Finish(again.ID, first.Ending.Ended, 10000, rows); err != nil {
				return err
			}
			if again, err = tx.Tables.Table(again.ID); err != nil {
				return err
			}
			again.State = store.Over
			if err := tx.Tables.SaveTable(again); err != nil {
				return err
			}
		}
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	anna := h.Person("Anna")
	const left = "\n2 older games are not counted there yet: ask again.\n"
	if got := bare.Page(t, anna.Writes("/stats")); !strings.Contains(got, "\nCrag: ") || !strings.Contains(got, left) {
		t.Errorf("at first\n%s", got)
	}
	if got := bare.Page(t, anna.Writes("/stats")); !strings.Contains(got, "\nCrag: ") || strings.Contains(got,
		"older") {
		t.Errorf("then\n%s", got)
	}
}

// More than three games stand on pages.
func TestStatsOfManySheets(t *testing.T) {
	h := bare.New(t, sets.Kniffel(), sets.Crag(), sets.Generala(), sets.Escalero(), sets.Yatzy())
	h.Seeds = &bare.Counting{}
	h.Restart()
	for _, line := range []string{"/crag", "/kniffel", "/generala", "/escalero", "/crag"} {
		h.Filmed(h.Gather(line, "Anna", "Ben"))
	}
	anna := h.Person("Anna")
	first := anna.Writes("/stats")
	for _, name := range []string{"Crag", "Escalero", "Generala"} {
		if !strings.Contains(bare.Page(t, first), "\n"+name+": best rows") {
			t.Errorf("no %s in\n%s", name, bare.Page(t, first))
		}
	}
	more := anna.Sends(bare.PressOn(t, first, "More games ▶"))
	const head, headDE = "Anna: rows, bonuses and equal dice, game by game.\nKniffel: best rows",
		"Anna: Zeilen, Bonus und gleiche Würfel, Spiel für Spiel.\nKniffel: beste Zeilen"
	if got := bare.Page(t, more); !strings.HasPrefix(got, head) || !strings.HasSuffix(got, "\n[Statistics]") {
		t.Errorf("the second page is\n%s", got)
	}
	if back := anna.Sends(bare.PressOn(t, more, "Statistics")); bare.Page(t, back) != bare.Page(t, first) {
		t.Errorf("it leads back to\n%s", bare.Page(t, back))
	}
	anna.Locale = "de"
	german := anna.Sends(bare.PressOn(t, anna.Writes("/stats"), "Weitere Spiele ▶"))
	if got := bare.Page(t, german); !strings.HasPrefix(got, headDE) {
		t.Errorf("in German it is\n%s", got)
	}
}

// One game whose moves cannot be played again takes nothing from what the others tell, and is told in the log once.
func TestStatsGoOnWithoutAGameThatCannotBeCounted(t *testing.T) {
	for _, c := range []struct{ damage, logged string }{
		{`UPDATE moves SET move = 'write nonsense' WHERE table_id = 3 AND move LIKE 'write%'`,
			"moves of a table cannot"},
		{`UPDATE moves SET dice = '[7,1,1]' WHERE table_id = 3 AND move = 'throw'`, "dice of a table cannot"},
	} {
		h := bare.New(t, sets.Kniffel(), sets.Crag())
		for _, line := range []string{"/crag", "/kniffel settle=pool stake=3", "/crag"} {
			h.Filmed(h.Gather(line, "Anna", "Ben"))
		}
		anna := h.Person("Anna")
		h.Tamper(c.damage)
		h.Restart()
		got := bare.Page(t, anna.Writes("/stats"))
		for _, part := range []string{"\nCrag: best rows", "\nKniffel: best rows", "dice with 6 sides"} {
			if !strings.Contains(got, part) {
				t.Errorf("no %q in\n%s", part, got)
			}
		}
		if again := bare.Page(t, anna.Writes("/stats")); again != got || strings.Contains(got, "older") {
			t.Errorf("the second time\n%s\nafter\n%s", again, got)
		}
		if log := h.Log.String(); strings.Count(log, c.logged) != 1 || !strings.Contains(log, "table=3") {
			t.Errorf("not once %q in\n%s", c.logged, log)
		}
	}
}
