package standings_test

import (
	"strings"
	"testing"

	"knobel/bot/bare"
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
	h := bare.New(t, allSheets()...)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	ben.Locale = "de"
	for _, g := range allSheets() {
		usual := anna.Asks("/leaderboard game=" + g.Name()).Head
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
			for i, p := range []*bare.Person{anna, ben} {
				if got := p.Asks(line).Head; !strings.HasPrefix(got, called[i]) {
					t.Errorf("%s: %q", line, got)
				}
			}
		}
		if r := anna.Writes("/leaderboard rank=shut game=" + g.Name()); !r.Refused ||
			!strings.HasSuffix(r.Toast, " knows no such ranking. Take “pool”.") {
			t.Errorf("%s: %+v", g.Name(), r)
		}
	}
}

// What was won by both settlements of a game stands on boards of their own, and each leads to the other.
func TestLeaderboardsOfASheetLeadToEachOther(t *testing.T) {
	h := bare.New(t, allSheets()...)
	h.Seeds = &bare.Counting{}
	h.Restart()
	for _, line := range []string{"/crag point=5", "/kniffel settle=pool stake=3", "/kniffel yahtzee", "/crag 7"} {
		h.Filmed(h.Gather(line, "Anna", "Ben"))
	}
	anna, ben := h.Person("Anna"), h.Person("Ben")
	ben.Locale = "de"
	for of, games := range map[string]string{"": "2 games", "Crag, ": "1 game", "Kniffel, ": "1 game"} {
		line := strings.TrimSuffix("/leaderboard "+strings.ToLower(of), ", ")
		first, second := "Pools in chips, "+of+"November: "+games+".", "Difference to the average, "+of+"November: "+
			games+"."
		pools := anna.Writes(line)
		others := anna.Sends(bare.PressOn(t, pools, "Difference"))
		if pools.Private.Head != first || others.Private.Head != second {
			t.Errorf("%s: %q, %q", line, pools.Private.Head, others.Private.Head)
		}
		if back := anna.Sends(bare.PressOn(t, others, "Pools")); back.Private.Head != first {
			t.Errorf("%s leads back to %q", line, back.Private.Head)
		}
	}
	if got := anna.Asks("/leaderboard yahtzee").Head; got != "Difference to the average, Yahtzee, November: 1 "+
		"game." {
		t.Errorf("of the variant: %q", got)
	}
	if got := anna.Asks("/leaderboard best game=crag").Head; got != "Best score, Crag, November: 2 games." {
		t.Errorf("scores: %q", got)
	}
	german := ben.Writes("/leaderboard game=crag")
	if other := ben.Sends(bare.PressOn(t, german,
		"Abstand")); german.Private.Head != "Töpfe in Chips, Crag, November: 1 "+
		"Partie." || other.Private.Head != "Abstand zum Durchschnitt, Crag, November: 1 Partie." {
		t.Errorf("%q, %q", german.Private.Head, other.Private.Head)
	}
}

// Scores are compared under the usual rules of a game alone, also where it has no other variant, and under house rules
// where these are asked for.
func TestScoresOfASheetAreOfItsUsualRules(t *testing.T) {
	h := bare.New(t, sets.Yatzy(), sets.Crag())
	h.Seeds = &bare.Counting{}
	h.Restart()
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Admin, ben.Locale = true, "de"
	forced := h.Gather("/yatzy order=forced", "Anna", "Ben")
	anna.Writes("/house save strictly")
	h.Filmed(forced)
	want := func(line, head, german string) {
		t.Helper()
		if got, de := anna.Asks(line).Head, ben.Asks(line).Head; got != head || de != german {
			t.Errorf("%s: %q, %q", line, got, de)
		}
	}
	want("/leaderboard best game=yatzy", "Best score, Yatzy classic, November: nothing has been played there.",
		"Bestes Ergebnis, Yatzy klassisch, November: Da wurde nichts gespielt.")
	want("/leaderboard won game=yatzy", "Games won, Yatzy, November: 1 game.",
		"Gewonnene Partien, Yatzy, November: 1 Partie.")
	h.Filmed(h.Gather("/yatzy settle=pool hints=yes", "Anna", "Ben"))
	h.Filmed(h.Gather("/yatzy point=5", "Anna", "Ben"))
	for _, line := range []string{"/leaderboard best", "/leaderboard best game=yatzy"} {
		want(line, "Best score, Yatzy classic, November: 2 games.",
			"Bestes Ergebnis, Yatzy klassisch, November: 2 Partien.")
	}
	want("/leaderboard mean strictly", "Mean score, Yatzy strictly, November: 1 game.",
		"Mittleres Ergebnis, Yatzy strictly, November: 1 Partie.")
	h.Sound()
}

// Where a variant is played most, scores of the game's own rules are found by its name, in words and in the menu.
func TestScoresOfAGameBesideAVariantThatIsPlayedMore(t *testing.T) {
	h := bare.New(t, sets.Kniffel(), sets.Crag())
	h.Seeds = &bare.Counting{}
	h.Restart()
	anna := h.Person("Anna")
	want := func(line, head string) {
		t.Helper()
		if got := anna.Asks(line).Head; got != head {
			t.Errorf("%s: %q", line, got)
		}
	}
	const kniffel, yahtzee = "Best score, Kniffel classic, November: 1 game.", "Best score, Yahtzee, November: "
	h.Filmed(h.Gather("/yahtzee", "Anna", "Ben"))
	want("/leaderboard best game=kniffel", yahtzee+"1 game.")
	h.Filmed(h.Gather("/yahtzee", "Anna", "Ben"))
	h.Filmed(h.Gather("/kniffel", "Anna", "Ben"))
	want("/leaderboard best", yahtzee+"2 games.")
	want("/leaderboard best game=yahtzee", yahtzee+"2 games.")
	want("/leaderboard best kniffel", kniffel)
	menu := anna.Sends(bare.PressOn(t, anna.Writes("/leaderboard best"), "Game…"))
	own := anna.Sends(bare.PressOn(t, menu, "Kniffel"))
	if own.Private.Head != kniffel {
		t.Errorf("of the menu: %q", own.Private.Head)
	}
	back := anna.Sends(bare.PressOn(t, anna.Sends(bare.PressOn(t, own, "Game…")), "Yahtzee"))
	if back.Private.Head != yahtzee+"2 games." {
		t.Errorf("and back: %q", back.Private.Head)
	}
	h.Sound()
}
