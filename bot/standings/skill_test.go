package standings_test

import (
	"regexp"
	"strconv"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/wuerfelpoker"
)

// decimals are the numbers of a pattern's groups in the lines of a page.
func decimals(t *testing.T, m *chat.Message, pattern string) (all []float64) {
	t.Helper()
	find := regexp.MustCompile(pattern)
	for _, line := range m.Lines {
		found := find.FindStringSubmatch(line)
		for _, said := range found[min(len(found), 1):] {
			n, err := strconv.ParseFloat(strings.ReplaceAll(said, "−", "-"), 64)
			if err != nil {
				t.Fatal(err)
			}
			all = append(all, n)
		}
	}
	return all
}

func TestSkillOfAChat(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	if got := bare.Page(t, anna.Writes("/skill")); !strings.HasPrefix(got,
		"What decisions cost, all time: no game has been reviewed there.") {
		t.Error(got)
	}
	h.Pokered("Anna", "Ben")
	if got := bare.Page(t, anna.Writes("/skill")); !strings.Contains(got, "1 more game is being looked at.") {
		t.Error(got)
	}
	h.Reviewed(h.Pokered("Anna", "Ben"))
	h.Reviewed(1)
	if got := bare.Page(t, anna.Writes("/help")); strings.Contains(got, "/skill") {
		t.Errorf("what is a page of /stats is a command in\n%s", got)
	}
	r := anna.Sends(bare.PressOn(t, anna.Writes("/stats"), "Luck or skill"))
	got := bare.Page(t, r)
	for _, want := range []string{
		"What decisions cost, November: less is better.\n", "Würfelpoker, points for each decision:\n", " decisions)\n",
		"Won and lost in points of Würfelpoker in reviewed games, and what it would be with average dice:\n",
		"With average dice: the result less ",
	} {
		if !strings.Contains(got, want) {
			t.Errorf("no %q in\n%s", want, got)
		}
	}
	if rows := decimals(t, r.Private, `^\x{2068}?\w+\x{2069}? (\S+) ± (\S+) \(\d+ decisions\)$`); len(rows) != 4 {
		t.Errorf("costs and their errors: %v", rows)
	}
	books := decimals(t, r.Private, `^\x{2068}?\w+\x{2069}? ([+−\d.]+), with average dice ([+−\d.]+) \(2 games\)$`)
	if len(books) != 4 || books[0]+books[2] != 0 || max(books[1]+books[3], -books[1]-books[3]) > 0.011 {
		t.Errorf("the books do not add up to nothing: %v", books)
	}
	ben := h.Person("Ben")
	ben.Locale = "de"
	if got := bare.Page(t, ben.Writes("/skill period=week")); !strings.Contains(got, "Punkte je Entscheidung:") {
		t.Error(got)
	}
	ben.Writes("/leaderboard me=hide")
	if got := bare.Page(t, anna.Writes("/skill")); strings.Contains(got, "Ben") {
		t.Errorf("Ben is hidden, but there stands\n%s", got)
	}
	if got := bare.Page(t, anna.Sends(bare.PressOn(t, r, "This evening"))); !strings.Contains(got, "Würfelpoker") {
		t.Error(got)
	}
	h.Sound()
}
