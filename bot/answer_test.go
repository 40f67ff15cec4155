package bot_test

import (
	"context"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/bot/review"
	"knobel/games/record"
	"knobel/games/shutbox"
	"knobel/store"
	"knobel/store/storetest"
)

func TestRecordsAreExported(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Writes("/coin 3")
	if _, err := h.Bot.Record(t.Context(), "", 1); err == nil {
		t.Error("a record of a lobby")
	}
	anna.Presses("+ Computer")
	anna.Presses("▶ Start")
	anna.Presses("Roll")
	for _, wanted := range []review.Wanted{
		{}, {Chat: "test:1", Anonymous: true}, {Table: 1}, {Table: 1, Chat: "test:1"},
	} {
		got := h.Export(wanted)
		if len(got) != 1 || strings.Contains(got[0], `"name":"Anna"`) == wanted.Anonymous {
			t.Errorf("of %+v is exported %q", wanted, got)
		}
	}
	if lines := h.Export(review.Wanted{Chat: "test:2"}); len(lines) != 0 {
		t.Errorf("exported %q", lines)
	}
	err := h.Bot.Export(t.Context(), review.Wanted{Table: 1, Chat: "test:2"}, func(r record.Record) error {
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
	h.Settled(s) // the next move finds a board whose message id is stored
	for range 2 {
		migrateChat(h)
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

// migrateChat moves the chat "test:1" to the id "test:9".
func migrateChat(h *bare.House) {
	h.T.Helper()
	err := h.Bot.Migrate(context.Background(), "test:1", "test:9", func(p chat.Place) chat.Place {
		return chat.Place(strings.Replace(string(p), "test:1", "test:9", 1))
	})
	if err != nil {
		h.T.Error(err)
	}
}

// A board that is posted during its group's move to a new id is in the old chat, and is deleted there: the new chat
// gets another one.
func TestGroupMovesWhileItsBoardIsPosted(t *testing.T) {
	h, s := bare.New(t), bare.NewStage()
	s.Fail = func(what string, place chat.Place) error {
		if what == "post" && place == "test:1/1" {
			migrateChat(h)
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

// All boards of a chat are in its language, in every place of the chat.
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

func TestStories(t *testing.T) { bare.AllStories(t, bare.Pile{}, shutbox.Game{}) }

func TestMain(m *testing.M) { os.Exit(storetest.Main(m)) }
