package scenario

import (
	"strings"
	"testing"
)

// The sheet goes to the presser, also out of turn: on Discord beside the board, on Telegram in their own chat
// with the bot. The board stays as it is.
func TestTheSheetIsForThePresser(t *testing.T) {
	Each(t, func(s *Stage) {
		anna, ben, clara := s.Person("Anna", "en"), s.Person("Ben", "de"), s.Person("Clara", "en")
		s.Sit("/wuerfelpoker", anna, ben)
		board := s.Offers("Sheet")
		for _, p := range []*Person{ben, anna, clara} { // clara only looks on
			stood := len(s.Messages(-1))
			told := p.PressesOn(board, ":!show sheet")
			if s.Name() == "Telegram" {
				want := map[*Person]string{ben: "Der Zettel steht in unserem eigenen Chat."}[p]
				if want == "" {
					want = "The sheet is in our own chat."
				}
				s.Says(told, want)
			}
			sheet := p.Last()
			s.Says(sheet.Text, map[bool]string{true: "Der Zettel von Tisch 1", false: "The sheet of table 1"}[p == ben],
				"Anna", "Ben")
			if !sheet.Alone || len(s.Messages(-1)) != stood {
				s.Errorf("all see the sheet of %s, or %d messages", p.Name, len(s.Messages(-1)))
			}
		}
		s.Settled()
		if now := s.Board(); now.ID != board.ID || now.Edits != board.Edits || now.Text != board.Text {
			s.Errorf("the board has become\n%s", now.Text)
		}
	})
}

// A player without a private chat on Telegram sees the sheet on the board, until the next press; one who opens
// one has it there.
func TestTheSheetWithoutAPrivateChat(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		g := s.Place.(*Group)
		g.Own(ben.who).Close()
		s.Sit("/wuerfelpoker", anna, ben)
		without := s.Offers("Sheet").Text
		ben.Presses("Sheet")
		with := s.Shows("Total").Text
		if told := ben.Presses("Hide sheet"); told != "" {
			s.Errorf("hiding is told %q", told)
		}
		s.Until("the sheet is hidden", func() bool { return s.Board().Text == without })
		ben.Presses("Sheet")
		s.Until("it is there again", func() bool { return s.Board().Text == with })
		anna.Presses(":throw")
		s.Until("the next press has closed it", func() bool { return !strings.Contains(s.Board().Text, "Total") })

		g.Own(ben.who).Reopen()
		s.Says(ben.Presses("Sheet"), "The sheet is in our own chat.")
		if m := ben.Last(); !m.Alone || !strings.Contains(m.Text, "Total") {
			s.Errorf("the newest message is\n%s", m.Text)
		}
	})
}
