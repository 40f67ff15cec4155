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
	if got := anna.asks("/leaderboard yahtzee").Head; got != "Difference to the average, Yahtzee, November: 1 "+
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

// Scores are compared under the usual rules of a game alone, also where it has no other variant, and under house rules
// where these are asked for.
func TestScoresOfASheetAreOfItsUsualRules(t *testing.T) {
	h := newHouse(t, sets.Yatzy(), sets.Crag())
	h.seeds = &counting{}
	h.restart()
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.admin, ben.locale = true, "de"
	forced := h.gather("/yatzy order=forced", "Anna", "Ben")
	anna.writes("/house save strictly")
	h.filmed(forced)
	want := func(line, head, german string) {
		t.Helper()
		if got, de := anna.asks(line).Head, ben.asks(line).Head; got != head || de != german {
			t.Errorf("%s: %q, %q", line, got, de)
		}
	}
	want("/leaderboard best game=yatzy", "Best score, Yatzy classic, November: nothing has been played there.",
		"Bestes Ergebnis, Yatzy klassisch, November: Da wurde nichts gespielt.")
	want("/leaderboard won game=yatzy", "Games won, Yatzy, November: 1 game.",
		"Gewonnene Partien, Yatzy, November: 1 Partie.")
	h.filmed(h.gather("/yatzy settle=pool hints=yes", "Anna", "Ben"))
	h.filmed(h.gather("/yatzy point=5", "Anna", "Ben"))
	for _, line := range []string{"/leaderboard best", "/leaderboard best game=yatzy"} {
		want(line, "Best score, Yatzy classic, November: 2 games.",
			"Bestes Ergebnis, Yatzy klassisch, November: 2 Partien.")
	}
	want("/leaderboard mean strictly", "Mean score, Yatzy strictly, November: 1 game.",
		"Mittleres Ergebnis, Yatzy strictly, November: 1 Partie.")
	h.sound()
}

// Where a variant is played most, scores of the game's own rules are found by its name, in words and in the menu.
func TestScoresOfAGameBesideAVariantThatIsPlayedMore(t *testing.T) {
	h := newHouse(t, sets.Kniffel(), sets.Crag())
	h.seeds = &counting{}
	h.restart()
	anna := h.person("Anna")
	want := func(line, head string) {
		t.Helper()
		if got := anna.asks(line).Head; got != head {
			t.Errorf("%s: %q", line, got)
		}
	}
	const kniffel, yahtzee = "Best score, Kniffel classic, November: 1 game.", "Best score, Yahtzee, November: "
	h.filmed(h.gather("/yahtzee", "Anna", "Ben"))
	want("/leaderboard best game=kniffel", yahtzee+"1 game.")
	h.filmed(h.gather("/yahtzee", "Anna", "Ben"))
	h.filmed(h.gather("/kniffel", "Anna", "Ben"))
	want("/leaderboard best", yahtzee+"2 games.")
	want("/leaderboard best game=yahtzee", yahtzee+"2 games.")
	want("/leaderboard best kniffel", kniffel)
	menu := anna.sends(pressOn(t, anna.writes("/leaderboard best"), "Game…"))
	own := anna.sends(pressOn(t, menu, "Kniffel"))
	if own.Private.Head != kniffel {
		t.Errorf("of the menu: %q", own.Private.Head)
	}
	back := anna.sends(pressOn(t, anna.sends(pressOn(t, own, "Game…")), "Yahtzee"))
	if back.Private.Head != yahtzee+"2 games." {
		t.Errorf("and back: %q", back.Private.Head)
	}
	h.sound()
}
