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

// After an upgrade the first admin who writes a command reads what is new,
// once in a chat, beside the answer; a new installation tells nobody.
func TestNewsAfterAnUpgrade(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	anna.Admin = true
	if m := anna.Asks("/help"); strings.Contains(bare.Show(m), "newer than before") {
		t.Errorf("a new installation has news:\n%s", bare.Show(m))
	}
	h.Tamper("UPDATE chats SET news = 0")
	if m := ben.Asks("/help"); strings.Contains(bare.Show(m), "newer than before") {
		t.Errorf("somebody who is no admin reads\n%s", bare.Show(m))
	}
	// a refusal tells nothing, and nothing is lost
	bare.Refused(t, anna.Writes("/helb"), "There is no /helb. Did you mean /help?")
	r := anna.Writes("/coin 10")
	if r.Board == 0 || r.Private == nil || !strings.HasPrefix(r.Private.Head, "Knobel is newer than before: ") {
		t.Fatalf("the first admin reads %+v", r)
	}
	more := anna.Sends(r.Private.Buttons[0][0].Press).Private
	if more == nil || len(more.Lines) != 3 {
		t.Errorf("more of it is %+v", more)
	}
	if m := anna.Asks("/help"); strings.Contains(bare.Show(m), "newer than before") {
		t.Errorf("it is told twice:\n%s", bare.Show(m))
	}
	h.Restart()
	if m := anna.Asks("/help"); strings.Contains(bare.Show(m), "newer than before") {
		t.Errorf("it is told twice after a restart:\n%s", bare.Show(m))
	}
}

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
