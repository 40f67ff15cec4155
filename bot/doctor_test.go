package bot_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"knobel/bot/chat"
	"knobel/games"
)

// consultant is a platform that says what a test wants.
type consultant struct {
	*stage
	says func(chat.Chat, []chat.Place) ([]chat.Finding, error)
}

func (c consultant) Consult(_ context.Context, chat chat.Chat, at []chat.Place) ([]chat.Finding, error) {
	return c.says(chat, at)
}

// An operator reads of every chat of a platform in which a table goes on what is
// wrong there.
func TestConsultAll(t *testing.T) {
	h := newHouse(t)
	anna := h.person("Anna")
	anna.writes("/coin")
	anna.at("test:1/2").writes("/coin")
	other := anna.event()
	other.Chat, other.Place, other.Command = "elsewhere:2", "elsewhere:2/1", "coin"
	h.bot.Handle(t.Context(), other)
	var asked []string
	found, err := h.bot.Help.ConsultAll(t.Context(),
		consultant{newStage(), func(group chat.Chat, at []chat.Place) ([]chat.Finding, error) {
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
	_, err = h.bot.Help.ConsultAll(t.Context(),
		consultant{newStage(), func(chat.Chat, []chat.Place) ([]chat.Finding, error) {
			return nil, errors.New("no answer")
		}})
	if err == nil || !strings.Contains(err.Error(), "test:1: no answer") {
		t.Errorf("error %v", err)
	}
}

// Where a platform cannot be asked, doctor tells what is known all the same.
func TestDoctorWithoutAPlatform(t *testing.T) {
	h := newHouse(t)
	anna, mod := h.person("Anna"), h.person("Mod")
	mod.admin = true
	anna.writes("/coin")
	refused(t, anna.writes("/doctor"), "That is for admins of this chat. Ask one of them.")
	if err := h.bot.Lost(t.Context(), "test:1", ""); err != nil {
		t.Fatal(err)
	}
	r := mod.at("test:1/2").writes("/doctor")
	if r.Private == nil || !slices.Equal(r.Private.Lines, []string{
		"1 table goes on here; boards that lag: 0.",
		"⚠ Out of reach where they stood: 1 (numbers of tables). /table in another place brings them there.",
	}) {
		t.Errorf("told %+v", r.Private)
	}
}
