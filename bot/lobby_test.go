package bot_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"knobel/games"
	"knobel/games/sheet/sets"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// Whoever comes while the host reads the rules, or chooses a house player, sits
// down from there, and the host's page stays.
func TestWhoComesWhileTheHostReadsTheRulesSitsDown(t *testing.T) {
	for _, way := range [][]string{
		{"⚙ Rules"}, {"⚙ Rules", "Rules: classic"}, {"⚙ Rules", "tiles: 1 to 9"}, {"⚙ Rules", "A turn: 10 minutes"},
		{"+ House"},
	} {
		t.Run(strings.Join(way, ", "), func(t *testing.T) {
			h := newHouse(t, shutbox.Game{})
			anna, ben := h.person("Anna"), h.person("Ben")
			anna.writes("/shutbox 5")
			for _, label := range way {
				anna.presses(label)
			}
			page := anna.table().Page
			told(t, ben.presses("Sit down"), "You are in. /luck WORD adds your own luck to the dice.")
			if table := anna.table(); len(table.Seats) != 2 || table.Page != page {
				t.Errorf("%d seats, page %q; it was %q", len(table.Seats), table.Page, page)
			}
			h.sound()
		})
	}
}

// A label is said whole: each platform cuts it where its own room ends.
func TestLabelsAreSaidWhole(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna := h.person("Anna")
	anna.writes("/shutbox close=sum-or-tile")
	anna.presses("⚙ Rules")
	anna.presses("closing: the sum, or the difference as one tile")
	if text := show(anna.board()); !strings.Contains(text, "[the sum, or the difference as one tile]") {
		t.Errorf("the page of values is\n%s", text)
	}
}

// At a full table nobody is offered a seat on any page.
func TestNobodySitsDownAtAFullTable(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	people := h.gather("/shutbox canoga", "Anna", "Ben")
	people[0].presses("⚙ Rules")
	if text := show(people[0].board()); strings.Contains(text, "[Sit down]") {
		t.Errorf("a seat is offered:\n%s", text)
	}
}

// A table that all have left says what to do, and speaks of no button that is
// not there.
func TestATableThatAllHaveLeftSaysWhatToDo(t *testing.T) {
	h := newHouse(t, shutbox.Game{})
	anna, ben := h.person("Anna"), h.person("Ben")
	anna.writes("/shutbox canoga 5")
	anna.presses("Get up")
	want(t, anna.board(), `
Anna opens a table: Shut the Box for 5 chips.
Nobody sits here. Whoever sits down decides what is played.
[Sit down]`)
	if guide := anna.board().Guide; guide != "" {
		t.Errorf("it explains what nobody can do: %s", guide)
	}
	ben.presses("Sit down")
	ben.presses("⚙ Rules")
	ben.presses("Stake +")
	if table := ben.table(); table.Stake != 7 {
		t.Errorf("the stake is %d", table.Stake)
	}
}

// An option by its name alone is no value of another, and whoever writes it is
// shown how it is written; nobody is told to write what they have just written.
func TestAnOptionByItsNameAloneIsAskedForItsValue(t *testing.T) {
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	anna := h.person("Anna")
	for line, toast := range map[string]string{
		"/shutbox seven":       "“seven” is not known. Did you mean “seven=ends-turn”?",
		"/shutbox one-die":     "“one-die” is not known. Did you mean “one-die=high-shut-forced”?",
		"/shutbox Hints":       "“hints” is not known. Did you mean “hints=yes”?",
		"/shutbox stake":       "“stake” is not known. /help shutbox shows what is.",
		"/shutbox hausregeln":  "“hausregeln” is not known. /help shutbox shows what is.",
		"/wuerfelpoker bonus":  "“bonus” is not known. Did you mean “bonus=minus”?",
		"/leaderboard against": "“against” is not known. /help leaderboard shows what is.",
		"/settings quiet":      "“quiet” is not known. Did you mean “quiet=23-7”?",
	} {
		refused(t, anna.writes(line), toast)
	}
	anna.writes("/shutbox hints=yes seven=ends-turn")
	if rules := anna.table().Rules; rules["hints"] != "yes" || rules["seven"] != "ends-turn" {
		t.Errorf("the rules are %v", rules)
	}
}

// What cannot happen to the absent at a table is not offered to whoever asked for it.
func TestAbsenceThatAGameDoesNotKnow(t *testing.T) {
	h := newHouse(t, wuerfelpoker.New())
	anna := h.person("Anna")
	refused(t, anna.writes("/wuerfelpoker absent=out"), "absent cannot be “out”. Take one of: house, perfect, wait.")
	refused(t, anna.writes("/wuerfelpoker absent=perfct"), "absent cannot be “perfct”. Did you mean “perfect”?")
	anna.locale = "de"
	refused(t, anna.writes("/wuerfelpoker absent=out"),
		"absent kann nicht „out“ sein. Möglich sind: house, perfect, wait.")
}

// Whoever asks a second time for what is open here sees it again as it was agreed, by the command of a variant, too.
func TestTheSameIsAskedForAgain(t *testing.T) {
	for _, c := range []struct {
		first, again string
		rules        games.Rules
	}{
		{"/kniffel further=50", "/kniffel", games.Rules{"further": "50"}},
		{"/yahtzee hints=yes point=5", "/yahtzee",
			games.Rules{"further": "100", "joker": "forced", "hints": "yes", "point": "5"}},
		{"/yahtzee hints=yes", "/yahtzee point=5",
			games.Rules{"further": "100", "joker": "forced", "hints": "yes", "point": "5"}},
		{"/yahtzee hints=yes", "/yahtzee 7",
			games.Rules{"further": "100", "joker": "forced", "hints": "yes", "settle": "pool"}},
		{"/kniffel", "/yahtzee", games.Rules{"further": "100", "joker": "forced"}},
		{"/yahtzee further=50", "/yahtzee", games.Rules{"further": "100", "joker": "forced"}},
		{"/yahtzee hints=yes", "/kniffel variant=yahtzee", games.Rules{"further": "100", "joker": "forced"}},
	} {
		h := newHouse(t, sets.Kniffel())
		anna := h.person("Anna")
		for _, line := range []string{c.first, c.again} {
			if r := anna.writes(line); r.Refused && len(strings.Fields(line)) > 1 {
				t.Fatalf("%s: %s", line, r.Toast)
			}
		}
		if table := anna.table(); table.ID != 1 || !maps.Equal(table.Rules, c.rules) {
			t.Errorf("%s, then %s: %v at table %d, want %v", c.first, c.again, table.Rules, table.ID, c.rules)
		}
	}
}

func TestSmallPrintOfALobbyIsShort(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "Dice seal %s · classic, for the pool · 10 minutes a turn, then the house plays",
		"de": "Würfelsiegel %s · klassisch, um den Topf · 10 Minuten je Zug, dann spielt das Haus",
	} {
		h := newHouse(t, sets.Kniffel())
		anna := h.person("Anna")
		anna.locale = lang
		anna.writes("/kniffel 5")
		if got, want := anna.board().Small, fmt.Sprintf(want, anna.table().Commitment[:12]); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
