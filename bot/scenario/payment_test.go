package scenario

import (
	"strings"
	"testing"
)

// Debtor plays until one of two owes the other, and returns who owes and who is owed.
func (s *Stage) Debtor(one, other *Person) (owes, owed *Person) {
	s.Helper()
	for range 20 {
		s.Sit("/coin stake=7", one, other)
		end := s.Play(one, other).Text
		switch {
		case strings.Contains(end, one.Name+" takes"):
			return other, one
		case strings.Contains(end, other.Name+" takes"):
			return one, other
		}
	}
	s.Fatal("every game is tied")
	return nil, nil
}

// now is a message as it stands now.
func (p *Person) now(m Message) Message {
	p.Helper()
	for _, stands := range p.Sees() {
		if stands.ID == m.ID {
			return stands
		}
	}
	p.Fatalf("the message is gone:\n%s", m.Text)
	return m
}

// A settle-up turns with the press on a payment in it: it shows what was done and offers what is still open. All are
// told, once.
func TestASettleUpTurnsWithAPaymentInIt(t *testing.T) {
	Each(t, func(s *Stage) {
		owes, owed := s.Debtor(s.Person("Anna", "en"), s.Person("Ben", "en"))
		owes.Writes("/settle paid 2 " + owed.Name)
		owed.Reads("is to confirm it.")
		list := owed.Asks("/settle")
		owed.PressesOn(list, "✓ ")
		s.Until("the list has turned", func() bool {
			now := owed.now(list)
			_, open := now.Button("✓ ")
			return !open && strings.Contains(now.Text, "paid and confirmed.") &&
				strings.Contains(now.Text, "brings everybody to zero")
		})
		owes.Reads("paid and confirmed.")
		told := 0
		for _, m := range owes.Sees() {
			if strings.Contains(m.Text, "paid and confirmed.") {
				told++
			}
		}
		if told != 1 {
			s.Errorf("%s reads of it %d times", owes.Name, told)
		}
	})
}
