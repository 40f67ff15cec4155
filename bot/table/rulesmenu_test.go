package table_test

import (
	"testing"

	"knobel/bot/bare"
	"knobel/bot/chat"
	"knobel/games/shutbox"
)

// A board that shows the rules itself, as one of before does, goes back to the seats with the next choice.
func TestABoardWithRulesOnItGoesBack(t *testing.T) {
	h := bare.New(t, shutbox.Game{})
	anna := h.Person("Anna")
	anna.Writes("/shutbox 5")
	for _, again := range []string{"1:1:0:!set tiles=12", "1:1:0:!stake more", "1:1:0:!page rules/tiles"} {
		anna.Presses("⚙ Rules")
		ev := anna.Event()
		ev.Press, ev.On, ev.Menus = again, chat.Ref(anna.Table().Board.Message), true
		if r := h.Bot.Handle(t.Context(), ev); r.Refused || r.Board != 1 || anna.Table().Board.Page != "" {
			t.Errorf("%s: %+v, page %q", again, r, anna.Table().Board.Page)
		}
	}
}
