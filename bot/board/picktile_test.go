package board_test

import (
	"slices"
	"testing"

	"knobel/bot/bare"
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
		h := bare.New(t, shutbox.Game{})
		h.Seeds = bare.Constant(1)
		h.Restart()
		anna, ben := h.Person("Anna"), h.Person("Ben")
		anna.Locale, ben.Locale = c.locale, c.locale
		anna.Writes("/shutbox three-hundred")
		ben.Sends("1:1:0:!join")
		anna.Sends("1:1:0:!start")
		anna.Sends("1:1:0:throw 4")
		board := anna.Board()
		if board.Guide != c.guide {
			t.Errorf("the guide says %q", board.Guide)
		}
		if last := lastButton(board); last.Label != "16" {
			t.Errorf("nothing is picked, and the last button is %q", last.Label)
		}
		widths := []int{len(plain.Tiles(board.Tiles[0])[0])}
		anna.Presses("9")
		if last := lastButton(anna.Board()); last.Label != c.one {
			t.Errorf("9 is picked, and the button says %q", last.Label)
		}
		bare.Told(t, anna.Presses("5"), c.picked)
		widths = append(widths, len(plain.Tiles(anna.Board().Tiles[0])[0]))
		bare.Refused(t, anna.Presses(c.two), c.short)
		anna.Presses("2")
		board = anna.Board()
		if last := lastButton(board); last.Label != c.whole || last.Style != "primary" {
			t.Errorf("all are picked, and the last button is %+v", last)
		}
		widths = append(widths, len(plain.Tiles(board.Tiles[0])[0]))
		if len(slices.Compact(widths)) != 1 {
			t.Errorf("the row is %v characters wide", widths)
		}
		bare.Told(t, anna.Presses(c.whole), c.closed)
	}
}

func lastButton(m chat.Message) chat.Button {
	row := m.Buttons[len(m.Buttons)-1]
	return row[len(row)-1]
}
