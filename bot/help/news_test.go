package help_test

import (
	"os"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/words"
	"knobel/bot/words/wordstest"
	"knobel/games"
)

// Where everybody reads an answer, it only says that there is something.
func TestNewsAreForAdmins(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Admin = true
	anna.Writes("/help")
	h.Tamper("UPDATE chats SET news = 0")
	ev := anna.Event()
	ev.Command, ev.Aloud = "help", true
	m := h.Bot.Handle(t.Context(), ev).Private
	if text := bare.Show(*m); !strings.Contains(text, "\nKnobel is newer than before.\n") ||
		!strings.Contains(text, "[What is new]") {
		t.Errorf("everybody reads\n%s", text)
	}
}

// The changelog begins with what is new.
func TestNewsStandInTheChangelog(t *testing.T) {
	raw, err := os.ReadFile("../../CHANGELOG.md")
	if err != nil {
		t.Fatal(err)
	}
	log := strings.Join(strings.Fields(strings.ReplaceAll(string(raw), "`", "")), " ")
	said := wordstest.Of(t)
	told := 0
	for _, key := range said.Keys(words.Default) {
		if !strings.HasPrefix(key, "news.") {
			continue
		}
		told++
		if sentence := said.Say(words.Default, games.Say(key, nil), words.Context{}); !strings.Contains(log, sentence) {
			t.Errorf("%s is not in the changelog: %s", key, sentence)
		}
	}
	if told == 0 {
		t.Error("nothing is new")
	}
}
