package table_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"knobel/bot/bare"
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
			h := bare.New(t, shutbox.Game{})
			anna, ben := h.Person("Anna"), h.Person("Ben")
			anna.Writes("/shutbox 5")
			for _, label := range way {
				anna.Presses(label)
			}
			page := anna.Table().Page
			bare.Told(t, ben.Presses("Sit down"), "You are in. /luck WORD adds your own luck to the dice.")
			if table := anna.Table(); len(table.Seats) != 2 || table.Page != page {
				t.Errorf("%d seats, page %q; it was %q", len(table.Seats), table.Page, page)
			}
			h.Sound()
		})
	}
}

// A label is said whole: each platform cuts it where its own room ends.
func TestLabelsAreSaidWhole(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Writes("/shutbox close=sum-or-tile")
	anna.Presses("⚙ Rules")
	anna.Presses("closing: the sum, or the difference as one tile")
	if text := bare.Show(anna.Board()); !strings.Contains(text, "[the sum, or the difference as one tile]") {
		t.Errorf("the page of values is\n%s", text)
	}
}

// At a full table nobody is offered a seat on any page.
func TestNobodySitsDownAtAFullTable(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	people := h.Gather("/shutbox canoga", "Anna", "Ben")
	people[0].Presses("⚙ Rules")
	if text := bare.Show(people[0].Board()); strings.Contains(text, "[Sit down]") {
		t.Errorf("a seat is offered:\n%s", text)
	}
}

// A table that all have left says what to do, and speaks of no button that is
// not there.
func TestATableThatAllHaveLeftSaysWhatToDo(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox canoga 5")
	anna.Presses("Get up")
	bare.Want(t, anna.Board(), `
Anna opens a table: Shut the Box for 5 chips.
Nobody sits here. Whoever sits down decides what is played.
[Sit down]`)
	if guide := anna.Board().Guide; guide != "" {
		t.Errorf("it explains what nobody can do: %s", guide)
	}
	ben.Presses("Sit down")
	ben.Presses("⚙ Rules")
	ben.Presses("Stake +")
	if table := ben.Table(); table.Stake != 7 {
		t.Errorf("the stake is %d", table.Stake)
	}
}

// An option by its name alone is no value of another, and whoever writes it is
// shown how it is written; nobody is told to write what they have just written.
func TestAnOptionByItsNameAloneIsAskedForItsValue(t *testing.T) {
	h := bare.New(t, shutbox.Game{}, wuerfelpoker.New())
	anna := h.Person("Anna")
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
		bare.Refused(t, anna.Writes(line), toast)
	}
	anna.Writes("/shutbox hints=yes seven=ends-turn")
	if rules := anna.Table().Rules; rules["hints"] != "yes" || rules["seven"] != "ends-turn" {
		t.Errorf("the rules are %v", rules)
	}
}

// What cannot happen to the absent at a table is not offered to whoever asked for it.
func TestAbsenceThatAGameDoesNotKnow(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	anna := h.Person("Anna")
	bare.Refused(t, anna.Writes("/wuerfelpoker absent=out"),
		"absent cannot be “out”. Take one of: house, perfect, wait.")
	bare.Refused(t, anna.Writes("/wuerfelpoker absent=perfct"), "absent cannot be “perfct”. Did you mean “perfect”?")
	anna.Locale = "de"
	bare.Refused(t, anna.Writes("/wuerfelpoker absent=out"),
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
		h := bare.New(t, sets.Kniffel())
		anna := h.Person("Anna")
		for _, line := range []string{c.first, c.again} {
			if r := anna.Writes(line); r.Refused && len(strings.Fields(line)) > 1 {
				t.Fatalf("%s: %s", line, r.Toast)
			}
		}
		if table := anna.Table(); table.ID != 1 || !maps.Equal(table.Rules, c.rules) {
			t.Errorf("%s, then %s: %v at table %d, want %v", c.first, c.again, table.Rules, table.ID, c.rules)
		}
	}
}

func TestSmallPrintOfALobbyIsShort(t *testing.T) {
	for lang, want := range map[string]string{
		"en": "Dice seal %s · classic, for the pool · 10 minutes a turn, then the house plays",
		"de": "Würfelsiegel %s · klassisch, um den Topf · 10 Minuten je Zug, dann spielt das Haus",
	} {
		h := bare.New(t, sets.Kniffel())
		anna := h.Person("Anna")
		anna.Locale = lang
		anna.Writes("/kniffel 5")
		if got, want := anna.Board().Small, fmt.Sprintf(want, anna.Table().Commitment[:12]); got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}
