package bot_test

import (
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/sheet/sets"
)

// allSheets are the rule sets of games on a score sheet.
func allSheets() (all []games.Game) {
	for _, g := range sets.All() {
		all = append(all, g)
	}
	return all
}

// Each game on a score sheet has its own leaderboards, those of pools and those of differences. Where nothing was
// played it is that of its usual rules.
func TestEverySheetHasItsLeaderboards(t *testing.T) {
	h := newHouse(t, allSheets()...)
	anna, ben := h.person("Anna"), h.person("Ben")
	ben.locale = "de"
	for _, g := range allSheets() {
		usual := anna.asks("/leaderboard game=" + g.Name()).Head
		if !strings.HasPrefix(usual, "Difference to the average, ") {
			t.Errorf("%s: %q", g.Name(), usual)
		}
		for rank, called := range map[string][2]string{
			"pool": {"Pools in chips, ", "Töpfe in Chips, "}, "won": {"Games won, ", "Gewonnene Partien, "},
			"difference": {"Difference to the average, ", "Abstand zum Durchschnitt, "},
			"average":    {"Difference per game, ", "Abstand je Partie, "},
			"settled":    {"Differences settled in chips, ", "Abgerechnete Abstände in Chips, "},
			"best":       {"Best score, ", "Bestes Ergebnis, "}, "mean": {"Mean score, ", "Mittleres Ergebnis, "},
		} {
			line := "/leaderboard rank=" + rank + " game=" + g.Name()
			for i, p := range []*person{anna, ben} {
				if got := p.asks(line).Head; !strings.HasPrefix(got, called[i]) {
					t.Errorf("%s: %q", line, got)
				}
			}
		}
		if r := anna.writes("/leaderboard rank=shut game=" + g.Name()); !r.Refused ||
			!strings.HasSuffix(r.Toast, " knows no such ranking. Take “pool”.") {
			t.Errorf("%s: %+v", g.Name(), r)
		}
	}
}

// What was won by both settlements of a game stands on boards of their own, and each leads to the other.
func TestLeaderboardsOfASheetLeadToEachOther(t *testing.T) {
	h := newHouse(t, allSheets()...)
	h.seeds = &counting{}
	h.restart()
	for _, line := range []string{"/crag point=5", "/kniffel settle=pool stake=3", "/kniffel yahtzee", "/crag 7"} {
		h.filmed(h.gather(line, "Anna", "Ben"))
	}
	anna, ben := h.person("Anna"), h.person("Ben")
	ben.locale = "de"
	for of, games := range map[string]string{"": "2 games", "Crag, ": "1 game", "Kniffel, ": "1 game"} {
		line := strings.TrimSuffix("/leaderboard "+strings.ToLower(of), ", ")
		first, second := "Pools in chips, "+of+"November: "+games+".", "Difference to the average, "+of+"November: "+
			games+"."
		pools := anna.writes(line)
		others := anna.sends(pressOn(t, pools, "Difference"))
		if pools.Private.Head != first || others.Private.Head != second {
			t.Errorf("%s: %q, %q", line, pools.Private.Head, others.Private.Head)
		}
		if back := anna.sends(pressOn(t, others, "Pools")); back.Private.Head != first {
			t.Errorf("%s leads back to %q", line, back.Private.Head)
		}
	}
	if got := anna.asks("/leaderboard yahtzee").Head; got != "Difference to the average, Kniffel Yahtzee, November: 1 "+
		"game." {
		t.Errorf("of the variant: %q", got)
	}
	if got := anna.asks("/leaderboard best game=crag").Head; got != "Best score, Crag, November: 2 games." {
		t.Errorf("scores: %q", got)
	}
	german := ben.writes("/leaderboard game=crag")
	if other := ben.sends(pressOn(t, german, "Abstand")); german.Private.Head != "Töpfe in Chips, Crag, November: 1 "+
		"Partie." || other.Private.Head != "Abstand zum Durchschnitt, Crag, November: 1 Partie." {
		t.Errorf("%q, %q", german.Private.Head, other.Private.Head)
	}
}
