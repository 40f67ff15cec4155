package help_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games"
)

// consultant is a platform that says what a test wants.
type consultant struct {
	*bare.Stage
	says func(chat.Chat, []chat.Place) ([]chat.Finding, error)
}

func (c consultant) Consult(_ context.Context, chat chat.Chat, at []chat.Place) ([]chat.Finding, error) {
	return c.says(chat, at)
}

// An operator reads of every chat of a platform in which a table goes on what is wrong there.
func TestConsultAll(t *testing.T) {
	h := bare.New(t)
	anna := h.Person("Anna")
	anna.Writes("/coin")
	anna.At("test:1/2").Writes("/coin")
	other := anna.Event()
	other.Chat, other.Place, other.Command = "elsewhere:2", "elsewhere:2/1", "coin"
	h.Bot.Handle(t.Context(), other)
	var asked []string
	found, err := h.Bot.Help.ConsultAll(t.Context(),
		consultant{bare.NewStage(), func(group chat.Chat, at []chat.Place) ([]chat.Finding, error) {
			asked = append(asked, fmt.Sprint(group, at))
			return []chat.Finding{{Line: games.Say("bot.stands.well", nil)},
				{Line: games.Say("bot.stands.gone", nil), Wrong: true}}, nil
		}})
	if want := "in the chat test:1: I am not in this chat any more: invite me again"; err != nil || len(found) != 1 ||
		found[0].Text != want {
		t.Errorf("found %+v, %v", found, err)
	}
	if !slices.Equal(asked, []string{"test:1[test:1/1 test:1/2]"}) {
		t.Errorf("asked %q", asked)
	}
	_, err = h.Bot.Help.ConsultAll(t.Context(),
		consultant{bare.NewStage(), func(chat.Chat, []chat.Place) ([]chat.Finding, error) {
			return nil, errors.New("no answer")
		}})
	if err == nil || !strings.Contains(err.Error(), "test:1: no answer") {
		t.Errorf("error %v", err)
	}
}

// Where a platform cannot be asked, doctor tells what is known all the same.
func TestDoctorWithoutAPlatform(t *testing.T) {
	h := bare.New(t)
	anna, mod := h.Person("Anna"), h.Person("Mod")
	mod.Admin = true
	anna.Writes("/coin")
	bare.Refused(t, anna.Writes("/doctor"), "That is for admins of this chat. Ask one of them.")
	if err := h.Bot.Lost(t.Context(), "test:1", ""); err != nil {
		t.Fatal(err)
	}
	r := mod.At("test:1/2").Writes("/doctor")
	if r.Private == nil || !slices.Equal(r.Private.Lines, []string{
		"1 table goes on here; boards that lag: 0.",
		"⚠ Out of reach where they stood: 1 (numbers of tables). /table in another place brings them there.",
	}) {
		t.Errorf("told %+v", r.Private)
	}
}
