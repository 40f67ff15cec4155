package bot_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/store"
)

func TestMenus(t *testing.T) {
	h := bare.New(t, bare.Pile{}, shutbox.Game{})
	names := map[string]bool{}
	for _, c := range h.Bot.Commands() {
		if names[c.Name] || len(c.Options) > 25 {
			t.Errorf("command %s with %d options", c.Name, len(c.Options))
		}
		names[c.Name] = true
		fits(t, c.Name, c.About)
		for _, o := range c.Options {
			fits(t, c.Name+" "+o.Name, o.About)
			if len(o.Choices) > 25 {
				t.Errorf("%s %s has %d choices", c.Name, o.Name, len(o.Choices))
			}
			for _, choice := range o.Choices {
				fits(t, c.Name+" "+o.Name+"="+choice.Value, choice.Label)
			}
		}
	}
	for _, name := range []string{"coin", "pile", "shutbox", "table", "rules", "fair", "luck", "abandon", "help",
		"language", "unit"} {
		if !names[name] {
			t.Errorf("no command %s", name)
		}
	}
}

func fits(t *testing.T, what string, said map[string]string) {
	t.Helper()
	for _, lang := range []string{"en", "de"} {
		if n := utf8.RuneCountInString(said[lang]); n == 0 || n > 100 {
			t.Errorf("%s in %s: %q", what, lang, said[lang])
		}
	}
}

func TestRecordsAreExported(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Writes("/coin 3")
	if _, err := h.Bot.Record(context.Background(), 1); err == nil {
		t.Error("a record of a lobby")
	}
	anna.Presses("+ House")
	anna.Presses("▶ Start")
	anna.Presses("Throw")
	lines := h.Export(review.Wanted{})
	if len(lines) != 1 || !strings.Contains(lines[0], `"name":"Anna"`) {
		t.Fatalf("exported %q", lines)
	}
	if lines = h.Export(review.Wanted{Chat: "test:1", Anonymous: true}); len(lines) != 1 ||
		strings.Contains(lines[0], "Anna") {
		t.Errorf("exported %q", lines)
	}
	if lines = h.Export(review.Wanted{Chat: "test:2"}); len(lines) != 0 {
		t.Errorf("exported %q", lines)
	}
	if lines = h.Export(review.Wanted{Table: 1}); len(lines) != 1 {
		t.Errorf("exported %q", lines)
	}
	if lines = h.Export(review.Wanted{Table: 1, Chat: "test:1"}); len(lines) != 1 {
		t.Errorf("exported %q", lines)
	}
	err := h.Bot.Export(context.Background(), review.Wanted{Table: 1, Chat: "test:2"}, func(r record.Record) error {
		t.Errorf("another chat is given %v", r)
		return nil
	})
	if !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a table of another chat: %v", err)
	}
}

func TestGroupMoves(t *testing.T) {
	h, s := bare.New(t), bare.NewStage()
	h.OnStage(s)
	anna := h.Person("Anna")
	anna.Writes("/coin")
	s.WantDone(t, "post test:m1")
	h.Settled(s) // the move finds a board that is known
	for range 2 {
		migrates(h)
	}
	s.WantDone(t, "post test:m1", "post test:m2")
	ev := anna.Event()
	ev.Chat, ev.Place, ev.Press = "test:9", "test:9/1", "1:1:0:!house random"
	if r := h.Bot.Handle(context.Background(), ev); r.Refused {
		t.Errorf("told %q", r.Toast)
	}
	if r := anna.Writes("/table"); !r.Refused {
		t.Error("the table is in the old place as well")
	}
}

// migrates has the chat "test:1" become "test:9".
func migrates(h *bare.House) {
	h.T.Helper()
	err := h.Bot.Migrate(context.Background(), "test:1", "test:9", func(p chat.Place) chat.Place {
		return chat.Place(strings.Replace(string(p), "test:1", "test:9", 1))
	})
	if err != nil {
		h.T.Error(err)
	}
}

// A board that is posted while its group moves stands in the old one, and is taken
// away there: the new one gets its own.
func TestGroupMovesWhileItsBoardIsPosted(t *testing.T) {
	h, s := bare.New(t), bare.NewStage()
	s.Fail = func(what string, place chat.Place) error {
		if what == "post" && place == "test:1/1" {
			migrates(h)
		}
		return nil
	}
	h.OnStage(s)
	h.Person("Anna").Writes("/coin")
	s.Until(t, "both are posted, and the first is taken away", func(done []string) bool {
		done = slices.Sorted(slices.Values(done))
		return slices.Equal(done, []string{"post test:m1", "post test:m2", "retire test:m1"})
	})
	moved := h.Person("Anna")
	moved.Place = "test:9/1"
	s.Until(t, "the board of the new group is known",
		func([]string) bool { return moved.Table().Board.Message == "test:m2" })
}

// All boards of a chat speak its language, wherever they stand.
func TestLanguageOfAllBoards(t *testing.T) {
	h := bare.New(t)
	anna, ben := h.Person("Anna"), h.Person("Ben")
	ben.Place = "test:1/2"
	ben.Writes("/coin 10")
	anna.Writes("/coin 10")
	ben.Board()
	anna.Admin = true
	anna.Writes("/language de")
	if table := ben.Table(); table.Board.Drawn == table.Version {
		t.Error("the board at another place of the chat is not drawn in its new language")
	}
}
