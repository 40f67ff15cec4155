package bot_test

import (
	"strings"
	"testing"
)

// What was won in a unit of before is still told.
func TestStatisticsOfEveryUnit(t *testing.T) {
	h := newHouse(t, pile{})
	anna := h.person("Anna")
	h.game("/pile 5", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	anna.writes("/unit coffees")
	if got := page(t, anna.writes("/stats")); !strings.Contains(got, "\nChips: +5.\n") {
		t.Errorf("got\n%s", got)
	}
	h.game("/pile 7", []string{"Anna", "Ben"}, "Anna take 6+5", "Ben take 2+1", "Anna take 4+3")
	if got := page(t, anna.writes("/stats")); !strings.Contains(got, "\ncoffees: +7.\nChips: +5.\n") {
		t.Errorf("got\n%s", got)
	}
	h.sound()
}

// Where nobody has won or lost anything, games won are ranked.
func TestLeaderboardOfATie(t *testing.T) {
	h := newHouse(t, tally{}, pile{})
	h.game("/tally", []string{"Anna", "Ben"}, "Anna say 10", "Ben say 10")
	begins(t, h.person("Anna").writes("/leaderboard"), "Games won, November: 1 game.\n1. Anna 1 · 1 game ← you\n1. Ben 1 · 1 game")
}
