package scenario

import (
	"strings"
	"testing"
)

// Games of Shut the Box for a stake, each but the first a rematch, until a player owes something: they pay by a button
// of the books, the recipient confirms it, and all are even.
func TestAnEveningIsSettled(t *testing.T) {
	Everywhere(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		s.Sit("/shutbox stake=5 tiles=6-9 one-die=never", anna, ben)
		books := ""
		for games := 1; ; games++ {
			last := s.Play(anna, ben)
			s.Says(last.Text, "Anna", "Ben", "Dice seal")
			if books = anna.Writes("/settle"); games > 1 && strings.Contains(books, "→") {
				break
			}
			anna.PressesOn(last, ":!rematch")
			ben.Presses(":!join")
			s.Until("both sit there", func() bool { return !strings.Contains(s.Board().Text, "reserved") })
			anna.Presses(":!start")
			s.Offers(":throw 2")
		}
		payer, payee := anna, ben
		if strings.Contains(books, "Ben → Anna") {
			payer, payee = ben, anna
		}
		payer.PressesOn(payer.Asks("/settle"), payer.Name+" → "+payee.Name)
		if told := payee.Reads(" is to confirm it."); told.Alone {
			s.Errorf("one alone reads\n%s", told.Text)
		}
		payee.Presses("✓ " + payer.Name)
		payer.Reads("paid and confirmed.")
		s.Says(anna.Writes("/settle"), "Nobody owes anybody anything.")
	})
}
