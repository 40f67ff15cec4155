package review_test

import (
	"crypto/sha256"
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/words"
	"knobel/games/dice"
	"knobel/games/shutbox"
)

// fairnessPhrases holds, by language, phrases on the facts that fair dice prove and do not prove.
var fairnessPhrases = map[string][2]string{
	"en": {"before anyone joined", "does not prove that no one looked"},
	"de": {"bevor jemand mitspielte", "beweist nicht, dass niemand"},
}

// checkBothPhrases fails unless text, called what in failures, contains both phrases of lang and promises no more.
func checkBothPhrases(t *testing.T, lang, what, text string) {
	t.Helper()
	text = strings.ReplaceAll(strings.Join(strings.Fields(text), " "), "doesn't", "does not")
	for _, half := range fairnessPhrases[lang] {
		if !strings.Contains(text, half) {
			t.Errorf("%s (%s) does not say %q:\n%s", what, lang, half, text)
		}
	}
	for _, more := range []string{"no one can have", "can't have chosen", "cannot have chosen",
		"Niemand kann die Würfel"} {
		if strings.Contains(text, more) {
			t.Errorf("%s (%s) says %q", what, lang, more)
		}
	}
}

func TestEveryTextAboutFairnessSaysBothHalves(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Writes("/shutbox")
	for lang, file := range map[string]string{"en": "../../docs/playing.md", "de": "../../docs/de/playing.md"} {
		anna.Locale = lang
		for _, command := range []string{"/fair", "/privacy"} {
			checkBothPhrases(t, lang, command, strings.Join(anna.Writes(command).Private.Lines, " "))
		}
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		checkBothPhrases(t, lang, file, string(whole))
		page, err := os.ReadFile("../words/" + lang + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		for line := range strings.Lines(string(page)) {
			if strings.HasPrefix(line, "fair-how = ") {
				checkBothPhrases(t, lang, "the page", line)
				said++
			}
		}
		if said != 1 {
			t.Errorf("the page explains itself %d times in %s", said, lang)
		}
	}
	anna.Locale = "en"
	anna.Writes("/abandon")
	anna.Presses("Close table")
	if text := strings.Join(anna.Writes("/fair 1").Private.Lines, " "); !strings.Contains(text, "No dice were rolled") {
		t.Errorf("a lobby that was closed: %s", text)
	}
	code, err := os.ReadFile("../../games/dice/dice.go")
	if err != nil {
		t.Fatal(err)
	}
	checkBothPhrases(t, words.Default, "dice.go", strings.ReplaceAll(string(code), "//", ""))
}

func TestABoardNamesItsRecordOnceItIsOver(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Writes("/coin 0")
	anna.Presses("▶ Start")
	before := anna.Board().Record
	anna.Presses("Roll")
	if after := anna.Board().Record; before != 0 || after != 1 || anna.Writes("/fair").Private.Record != 1 {
		t.Errorf("the board names record %d in play and %d when it is over", before, after)
	}
}

// The seed and the luck words shown by /fair give the same dice, whatever characters the words contain.
func TestTheDiceFollowFromWhatFairShows(t *testing.T) {
	for _, word := range append([]string{"fox", "evil.com", "שלום.com", "a `b` <c>", "👩‍👩‍👧 @everyone", "1. *two*"},
		bare.HostileWords...) {
		h := bare.New(t)
		anna := h.Person("Anna")
		anna.Writes("/coin 0")
		bare.Told(t, anna.Writes("/luck "+word), "Your word was added to the dice.")
		anna.Presses("+ Computer")
		anna.Presses("▶ Start")
		anna.Presses("Roll")
		m := anna.Writes("/fair 1 all").Private
		if len(m.Exact) != 4 {
			t.Fatalf("to be copied are %q", m.Exact)
		}
		sum := sha256.New()
		seed, err := dice.ParseSeed(m.Exact[1].Text)
		if sum.Write(seed[:]); err != nil || hex.EncodeToString(sum.Sum(nil)) != m.Exact[0].Text {
			t.Errorf("seal and seed are %q (%v)", m.Exact[:2], err)
		}
		fair := &dice.Fair{Seed: seed, Table: "1", Entropies: []string{m.Exact[2].Text, m.Exact[3].Text}}
		for _, moved := range h.Moves(1) {
			if thrown := fair.Throw(len(moved.Dice), 2); !slices.Equal(thrown, moved.Dice) {
				t.Errorf("with %q copied as %q fell %v, and they throw %v", word, m.Exact[2].Text, moved.Dice, thrown)
			}
		}
	}
}
