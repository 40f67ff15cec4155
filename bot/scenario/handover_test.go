package scenario

import (
	"slices"
	"strings"
	"testing"
	"time"
)

// A seat is offered in a message beside the board, asked for, and agreed to; the same game goes on.
func TestASeatIsHandedOver(t *testing.T) {
	Everywhere(t, func(s *Stage) {
		anna, ben, clara := s.Person("Anna", "en").Admin(), s.Person("Ben", "en"), s.Person("Clara", "en")
		clara.Writes("/privacy") // who is known before the table takes a seat at it
		time.Sleep(time.Second)
		s.Sit("/shutbox stake=5", anna, ben)
		board := s.Board()
		ben.Writes("/handover")
		offer := ben.Reads("Ben would hand the seat over")
		if _, takes := board.Button(":!take 1"); offer.ID == board.ID || takes {
			s.Errorf("the offer stands on the board:\n%s", board.Text)
		}
		clara.Presses(":!take 1")
		asked := anna.Reads("Clara would take")
		i := slices.IndexFunc(asked.Buttons, func(b Button) bool { return strings.HasSuffix(b.Data, " 1") })
		anna.Sends(asked, asked.Buttons[i].Data) // to let Clara sit there
		s.Until("no offer stands any more", func() bool {
			return !slices.ContainsFunc(anna.Sees(), func(m Message) bool {
				return strings.Contains(m.Text, "hand the seat over")
			})
		})
		s.Says(s.Shows("Clara").Text, "Anna")
		anna.Presses(":throw 2")
		s.Shows("Anna threw") // the same game goes on
	})
}
