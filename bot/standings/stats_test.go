package standings_test

import (
	"fmt"
	"regexp"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/games/shutbox"
)

// TestDiceAreCountedOnce compares what is kept with all moves that were not played for an absent person.
func TestDiceAreCountedOnce(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox 0", "Anna", "Ben")
	h.Filmed(people)
	anna := people[0]
	anna.Writes("/stats")
	anna.Writes("/stats")
	for _, line := range []string{"/shutbox 0 d20", "/shutbox 0 tiles=6 dice=1d6", "/coin 0"} {
		people[1].Plays(line, anna)
		anna.Writes("/stats Ben")
	}
	people[1].Plays("/shutbox 0", anna)
	h.Tamper("UPDATE moves SET auto = TRUE WHERE table_id = 5 AND seat IN (SELECT seat FROM seats WHERE table_id = 5 " +
		"AND player = (SELECT player FROM seats WHERE table_id = 1 AND seat = 0))")
	text := bare.Page(t, anna.Writes("/stats"))
	thrown := map[int]int{}
	for table := range int64(4) {
		sides := map[int64]int{0: 6, 1: 20, 2: 6, 3: 2}[table]
		var seat int
		for i, s := range h.TableOf(table + 1).Seats {
			if s.Name == "Anna" {
				seat = i
			}
		}
		for _, m := range h.Moves(table + 1) {
			if m.Seat == seat {
				thrown[sides] += len(m.Dice)
			}
		}
	}
	for sides, n := range thrown {
		if n > 0 && !regexp.MustCompile(fmt.Sprintf(`(?m)^%d (die|dice) with %d sides`, n, sides)).MatchString(text) {
			t.Errorf("%d dice with %d sides are not in\n%s", n, sides, text)
		}
	}
	if thrown[20] > 0 && !strings.Contains(text, "Too few to test; that takes 100 dice.") {
		t.Errorf("so few d20 are tested:\n%s", text)
	}
	h.Sound()
}

// After one evening none of them was the best or the worst: the table has no columns for that.
func TestATableOfOneEveningHasNoEmptyColumns(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	h.Filmed(h.Gather("/shutbox 5", "Anna", "Ben"))
	heads := func() string { return strings.Join(h.Person("Anna").Asks("/stats").Grids[0].Head, " · ") }
	if got := heads(); got != "What · Total" {
		t.Errorf("after one evening its columns are %s", got)
	}
	h.Wait(24 * time.Hour)
	h.Filmed(h.Gather("/shutbox 5", "Anna", "Ben"))
	if got := heads(); got != "What · Total · Best evening · Worst evening" {
		t.Errorf("after two evenings its columns are %s", got)
	}
}
