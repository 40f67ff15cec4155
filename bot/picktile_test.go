package bot_test

import (
	"slices"
	"testing"

	"knobel/bot/chat"
	"knobel/bot/chat/plain"
	"knobel/games/shutbox"
)

// Where there are too many sets for a button each, tiles are picked one by one: the guide says how, the
// button counts what is picked, and says what it closes once that makes the throw.
func TestTilesArePickedUntilTheyMakeTheThrow(t *testing.T) {
	for _, c := range []struct{ locale, guide, one, two, whole, picked, short, closed string }{
		{"en", "Pick tiles that make 16 together, then Close.", "9 of 16", "9+5 = 14 of 16", "Close 9+5+2",
			"Picked: 9+5 = 14 of 16.", "9+5 = 14 of 16. Pick more.", "You closed 9+5+2; 284 left."},
		{"de", "Wähl Klappen, die zusammen 16 ergeben, dann schließ sie.", "9 von 16", "9+5 = 14 von 16",
			"9+5+2 schließen", "Gewählt: 9+5 = 14 von 16.", "9+5 = 14 von 16. Wähl weiter.",
			"Du hast 9+5+2 geschlossen, 284 offen."},
	} {
		h := newHouse(t, shutbox.Game{})
		h.seeds = constant(1)
		h.restart()
		anna, ben := h.person("Anna"), h.person("Ben")
		anna.locale, ben.locale = c.locale, c.locale
		anna.writes("/shutbox three-hundred")
		ben.sends("1:1:0:!join")
		anna.sends("1:1:0:!start")
		anna.sends("1:1:0:throw 4")
		board := anna.board()
		if board.Guide != c.guide {
			t.Errorf("the guide says %q", board.Guide)
		}
		if last := lastButton(board); last.Label != "16" {
			t.Errorf("nothing is picked, and the last button is %q", last.Label)
		}
		widths := []int{len(plain.Tiles(board.Tiles[0])[0])}
		anna.presses("9")
		if last := lastButton(anna.board()); last.Label != c.one {
			t.Errorf("9 is picked, and the button says %q", last.Label)
		}
		told(t, anna.presses("5"), c.picked)
		widths = append(widths, len(plain.Tiles(anna.board().Tiles[0])[0]))
		refused(t, anna.presses(c.two), c.short)
		anna.presses("2")
		board = anna.board()
		if last := lastButton(board); last.Label != c.whole || last.Style != "primary" {
			t.Errorf("all are picked, and the last button is %+v", last)
		}
		widths = append(widths, len(plain.Tiles(board.Tiles[0])[0]))
		if len(slices.Compact(widths)) != 1 {
			t.Errorf("the row is %v characters wide", widths)
		}
		told(t, anna.presses(c.whole), c.closed)
	}
}

func lastButton(m chat.Message) chat.Button {
	row := m.Buttons[len(m.Buttons)-1]
	return row[len(row)-1]
}
