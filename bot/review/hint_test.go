package review_test

import (
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// hinted asks until the answer is there.
func hinted(p *bare.Person, asks func() chat.Reply) chat.Message {
	p.T.Helper()
	var r chat.Reply
	bare.NewStage().Until(p.T, "a hint", func([]string) bool {
		if r = asks(); r.Private == nil {
			bare.Told(p.T, r, map[string]string{
				"en": "It is being worked out. Ask again in a moment.",
				"de": "Das wird gerade ausgerechnet. Frag gleich noch einmal.",
			}[p.Locale])
		}
		return r.Private != nil
	})
	bare.Proper(p.T, *r.Private)
	if !r.Secret || r.Public {
		p.T.Errorf("a hint is for one alone: %+v", r)
	}
	return *r.Private
}

func TestHintsThatAllWouldReadWaitBehindAButton(t *testing.T) {
	anna := bare.PokerTable(t, "/wuerfelpoker hints=yes", "Anna", "Ben")[0]
	anna.Presses("▶ Start")
	ev := anna.Event()
	ev.Command, ev.Aloud = "hint", true
	r := anna.Bot.Handle(t.Context(), ev)
	if r.Private == nil {
		t.Fatalf("told %+v", r)
	}
	bare.Want(t, *r.Private, `
The best move is for one to know: press to see it.
[💡 Hint]
`)
	m := hinted(anna, func() chat.Reply { return anna.Sends(r.Private.Buttons[0][0].Press) })
	if !strings.HasPrefix(m.Head, "Best: ") {
		t.Errorf("behind the button:\n%s", bare.Show(m))
	}
}

// TestHintsAreSmall plays all games by their hints, in both languages, on a
// board that a phone shows.
func TestHintsAreSmall(t *testing.T) {
	h := bare.New(t, wuerfelpoker.New())
	for _, locale := range []string{"en", "de"} {
		anna := h.Person("Anna")
		anna.Locale, anna.Place = locale, chat.Place("test:1/"+locale)
		anna.Writes("/wuerfelpoker hints=yes")
		anna.Sends(fmt.Sprintf("1:%d:0:!start", anna.Table().ID))
		var r chat.Reply
		bare.NewStage().Until(t, "a hint", func([]string) bool { r = anna.Writes("/hint"); return r.Private != nil })
		for anna.Table().State == store.Playing {
			if r = anna.Writes("/hint"); r.Private == nil {
				t.Fatalf("no hint: %+v", r)
			}
			bare.Proper(t, *r.Private)
			if text := bare.Show(*r.Private); utf8.RuneCountInString(text) > 200 {
				t.Errorf("that is long:\n%s", text)
			}
			h.PressOn([]*bare.Person{anna}, 3)
		}
	}
}
