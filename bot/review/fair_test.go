package review_test

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/words"
	"knobel/games/dice"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
)

// What the dice prove, and what they do not, in the languages of whatever tells of it.
var halves = map[string][2]string{
	"en": {"before anybody sat down", "not prove that nobody looked"},
	"de": {"bevor jemand saß", "nicht, dass niemand"},
}

// bothHalves wants a text about fairness to say both, and to promise no more.
func bothHalves(t *testing.T, lang, what, text string) {
	t.Helper()
	text = strings.Join(strings.Fields(text), " ")
	for _, half := range halves[lang] {
		if !strings.Contains(text, half) {
			t.Errorf("%s (%s) does not say %q:\n%s", what, lang, half, text)
		}
	}
	for _, more := range []string{"nobody can have", "cannot have chosen", "Niemand kann die Würfel"} {
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
			bothHalves(t, lang, command, strings.Join(anna.Writes(command).Private.Lines, " "))
		}
		whole, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		bothHalves(t, lang, file, string(whole))
		page, err := os.ReadFile("../words/" + lang + ".toml")
		if err != nil {
			t.Fatal(err)
		}
		said := 0
		for line := range strings.Lines(string(page)) {
			if strings.HasPrefix(line, "fair-how = ") {
				bothHalves(t, lang, "the page", line)
				said++
			}
		}
		if said != 1 {
			t.Errorf("the page explains itself %d times in %s", said, lang)
		}
	}
	anna.Locale = "en"
	anna.Writes("/abandon")
	anna.Presses("Yes, end it")
	if text := strings.Join(anna.Writes("/fair 1").Private.Lines, " "); !strings.Contains(text, "Nothing was thrown") {
		t.Errorf("a lobby that was closed: %s", text)
	}
	code, err := os.ReadFile("../../games/dice/dice.go")
	if err != nil {
		t.Fatal(err)
	}
	bothHalves(t, words.Default, "dice.go", strings.ReplaceAll(string(code), "//", ""))
}

func TestTheBoardTellsWhoGaveAWordLast(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Writes("/shutbox 10")
	if small := anna.Board().Small; strings.Contains(small, "last word") {
		t.Errorf("alone: %s", small)
	}
	last := func(name string) {
		t.Helper()
		if small := anna.Board().Small; !strings.Contains(small, "last word: "+name) {
			t.Errorf("the board says %s", small)
		}
		if text := strings.Join(ben.Writes("/fair").Private.Lines, "\n"); !strings.Contains(text,
			"Last to give or change a word: "+name) {
			t.Errorf("/fair says %s", text)
		}
	}
	h.Wait(time.Second)
	ben.Presses("Sit down")
	if small := anna.Board().Small; strings.Contains(small, "last word") {
		t.Errorf("nobody has given a word: %s", small)
	}
	exact := fmt.Sprint(ben.Writes("/fair 1 all").Private.Exact)
	if !strings.Contains(exact, "Random number for Ben: ") {
		t.Errorf("/fair says %s", exact)
	}
	ben.Writes("/luck bear")
	last("Ben")
	h.Wait(time.Second)
	before := anna.Table().Version
	anna.Writes("/luck fox")
	if anna.Table().Version == before {
		t.Error("the board is not drawn anew")
	}
	last("Anna")
	anna.Presses("▶ Start")
	if small := anna.Board().Small; strings.Contains(small, "last word") {
		t.Errorf("in play: %s", small)
	}
}

// How a finished game is checked is said as players can do it: nobody is sent to a shell.
func TestPlayersCanCheckAFinishedGame(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Writes("/coin 0")
	anna.Presses("+ House")
	anna.Presses("▶ Start")
	before := anna.Board().Record
	anna.Presses("Throw")
	if after := anna.Board().Record; before != 0 || after != anna.Table().ID {
		t.Errorf("the board names record %d in play and %d when it is over", before, after)
	}
	const ofThePage = "“Check the dice” throws all of them again in your browser"
	for where, says := range map[string]string{"chat": "ask whoever runs this bot for the record",
		"room of all": ofThePage, "room with a host": ofThePage} {
		ev := anna.Event()
		ev.Command, ev.Equals, ev.Hosted = "fair", where == "room of all", where == "room with a host"
		m := anna.Bot.Handle(t.Context(), ev).Private
		if m == nil || m.Record != anna.Table().ID {
			t.Fatalf("in a %s: %+v", where, m)
		}
		if text := strings.Join(m.Lines, "\n"); !strings.Contains(text, says) ||
			strings.Contains(text, "knobel export") {
			t.Errorf("in a %s:\n%s", where, text)
		}
	}
}

// Whoever copies seed and words out of /fair throws the same dice, whatever the words
// are like.
func TestTheDiceFollowFromWhatFairShows(t *testing.T) {
	for _, word := range append([]string{"fox", "evil.com", "שלום.com", "a `b` <c>", "👩‍👩‍👧 @everyone", "1. *two*"},
		bare.HostileWords...) {
		h := bare.New(t)
		anna := h.Person("Anna")
		anna.Writes("/coin 0")
		bare.Told(t, anna.Writes("/luck "+word), "Your word is in the dice.")
		anna.Presses("+ House")
		anna.Presses("▶ Start")
		anna.Presses("Throw")
		m := anna.Writes("/fair").Private
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

// The first page of /fair fits a phone; another has the random numbers and all throws.
func TestFairHasTwoPages(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	h.Pokered("Anna", "Ben")
	anna := h.Person("Anna")
	few := anna.Writes("/fair").Private
	thrown := func(m *chat.Message) string {
		i := slices.IndexFunc(m.Lines, func(line string) bool { return strings.HasPrefix(line, "Thrown: ") })
		return m.Lines[i]
	}
	if n := strings.Count(thrown(few), " · "); n != 10 || len(few.Exact) != 4 || len(bare.Show(*few)) > 1200 {
		t.Errorf("%d throws in\n%s", n, bare.Show(*few))
	}
	r := anna.Sends(few.Buttons[0][0].Press)
	whole := bare.Show(*r.Private)
	for _, m := range h.Moves(1) {
		if dice := strings.Trim(fmt.Sprint(m.Dice), "[]"); !strings.Contains(thrown(r.Private), dice) {
			t.Errorf("%s is missing in\n%s", dice, whole)
		}
	}
	if strings.Contains(whole, "…") {
		t.Error(whole)
	}
	if back := anna.Sends(bare.PressOn(t, r, "Back")).Private; bare.Show(*back) != bare.Show(*few) {
		t.Errorf("back is\n%s", bare.Show(*back))
	}
}
