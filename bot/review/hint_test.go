package review_test

import (
	"fmt"
	"testing"
	"unicode/utf8"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// TestHintsAreSmall plays all games by their hints, in both languages, on a board that a phone shows.
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
