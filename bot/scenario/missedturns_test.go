package scenario

// An evening in which no person makes the last turns: Clara is away, so the computer plays for her, then for itself.

import (
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/store"
)

// endTexts holds, by language, texts that are shown when the computer plays the last turn of a game.
var endTexts = map[string]struct{ staged, staged2, played, clara, house, review string }{
	"en": {"Computer plays the last turn…", "The computer plays the last turn for Clara…",
		"The computer played for Clara.", "Clara (computer) ", "Computer ", "Review"},
	"de": {"Computer spielt den letzten Zug …", "Der Computer spielt den letzten Zug für Clara …",
		"Der Computer hat für Clara gespielt.", "Clara (Computer) ", "Computer ", "Auswertung"},
}

// The board shows the computer's move for Clara and, after four seconds, the end. A browser gets both in one edit.
func TestTheHouseDecidesTheGame(t *testing.T) {
	for language := range endTexts {
		t.Run(language, func(t *testing.T) {
			Everywhere(t, func(s *Stage) { playToComputersTurn(s, language, false) })
		})
	}
}

// If the bot ends between showing the computer's move and the end of the game, it shows the end after its restart.
func TestTheHouseDecidesTheGameAndTheBotGoesDown(t *testing.T) {
	Everywhere(t, func(s *Stage) { playToComputersTurn(s, "en", true) })
}

// playToComputersTurn plays until the computer moves for Clara, and checks the boards that show the move and the end.
// If goesDown, the bot restarts between these boards.
func playToComputersTurn(s *Stage, language string, goesDown bool) {
	ends := endTexts[language]
	anna, ben, clara := s.Person("Anna", language), s.Person("Ben", language), s.Person("Clara", language)
	anna.Writes("/shutbox stake=10 turn=1m tiles=5-12")
	sit := func(n int) {
		s.Helper()
		s.Until("they sit", func() bool { return len(s.Table(1).Seats) == n })
		s.Settled()
	}
	ben.Presses(":!join")
	sit(2)
	clara.Presses(":!join")
	sit(3)
	anna.Presses(":!page houses")
	anna.Presses(":!house fewest")
	sit(4)
	s.Settled()
	anna.Presses(":!start")
	s.Until("the game has begun", func() bool { return s.Table(1).State == store.Playing })
	s.Settled()
	last := Button{}
	for range 200 {
		m, b, over := s.Turn(last.Data)
		if over {
			s.Fatalf("over too soon\n%s", m.Text)
		}
		before := s.moveCount(b.Data)
		time.Sleep(time.Second) // the players take their time
		anna.Sends(m, b.Data)
		if s.moveCount(b.Data) == before {
			ben.Sends(m, b.Data)
		}
		if last = b; s.moveCount(b.Data) == before {
			break // it is Clara's turn
		}
	}
	board := s.Board()
	var shown []Message
	now := func() Message {
		for _, m := range s.Messages(-1) {
			if m.ID == board.ID {
				return m
			}
		}
		return Message{}
	}
	staged := func(m Message) bool {
		return strings.Contains(m.Text, ends.staged) || strings.Contains(m.Text, ends.staged2)
	}
	for range 1500 { // two and a half minutes
		m := now()
		if n := len(shown); n == 0 || shown[n-1].Text != m.Text || len(shown[n-1].Buttons) != len(m.Buttons) {
			shown = append(shown, m)
			if goesDown && (staged(m) || s.Adapter.Traits("").Steps && strings.Contains(m.Text, ends.played)) {
				s.Restart()
			}
		}
		time.Sleep(100 * time.Millisecond)
	}
	at := slices.IndexFunc(shown, staged)
	switch {
	case s.Adapter.Traits("").Steps:
		if at >= 0 {
			s.Errorf("what is shown step by step is staged, too\n%s", shown[at].Text)
		}
		at = len(shown) - 2
	case at < 0:
		s.Fatalf("nothing is staged; the board is\n%s", now().Text)
	case len(shown[at].Buttons) > 0 || !strings.Contains(shown[at].Text, ends.clara) &&
		strings.Contains(shown[at].Text, ends.staged):
		s.Errorf("staged is\n%s\n%v", shown[at].Text, shown[at].Buttons)
	}
	end := shown[len(shown)-1]
	if goesDown {
		end = anna.Reads(ends.played) // in a browser, the message has another id after a restart
	} else if at != len(shown)-2 {
		s.Errorf("%d boards follow the staged one, not one", len(shown)-1-at)
	}
	s.Says(end.Text, ends.played, ends.clara, " → ")
	if _, ok := end.Button(ends.review); !ok {
		s.Errorf("the end comes without its review\n%s\n%v", end.Text, end.Buttons)
	}
	s.Says(anna.Sends(end, last.Data), map[string]string{"en": "over", "de": "vorbei"}[language])
}

// If a fast player on Telegram has used up the write limit, the computer's last move and the end are shown at once.
func TestAnEndInAHurryIsNotPutOff(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		anna := s.Person("Anna", "en")
		anna.Writes("/shutbox stake=10 tiles=5-12")
		anna.Presses(":!page houses")
		anna.Presses(":!house fewest")
		s.Until("the house sits", func() bool { return len(s.Table(1).Seats) == 2 })
		anna.Presses(":!start")
		last, pressed := "", time.Time{}
		for range 200 {
			m, b, over := s.Turn(last)
			if over {
				late := time.Since(pressed)
				t.Logf("the end is shown %v after the last press", late)
				if late > 10*time.Second {
					t.Errorf("the end came %v after the last press", late)
				}
				s.Says(m.Text, "Computer ", " → ")
				return
			}
			anna.Sends(m, b.Data)
			last, pressed = b.Data, time.Now()
		}
		t.Error("the game does not end")
	})
}

// A seat is offered in a message beside the board, requested and handed over. The same game continues.
func TestASeatIsHandedOver(t *testing.T) {
	Everywhere(t, func(s *Stage) {
		anna, ben, clara := s.Person("Anna", "en").Admin(), s.Person("Ben", "en"), s.Person("Clara", "en")
		clara.Writes("/privacy") // known before the table is opened, she needs no admin to take a seat
		time.Sleep(time.Second)
		s.Sit("/shutbox stake=5", anna, ben)
		board := s.Board()
		ben.Writes("/handover")
		offer := ben.Reads("Ben has to go. Who takes over the seat")
		if _, takes := board.Button(":!take 1"); offer.ID == board.ID || takes {
			s.Errorf("the offer stands on the board:\n%s", board.Text)
		}
		clara.Presses(":!take 1")
		asked := anna.Reads("Clara wants to take over for Ben")
		i := slices.IndexFunc(asked.Buttons, func(b Button) bool { return strings.HasSuffix(b.Data, " 1") })
		anna.Sends(asked, asked.Buttons[i].Data) // to let Clara sit there
		s.Until("no offer stands any more", func() bool {
			return !slices.ContainsFunc(anna.Sees(), func(m Message) bool {
				return strings.Contains(m.Text, "takes over the seat")
			})
		})
		s.Says(s.Shows("Clara").Text, "Anna")
		anna.Presses(":throw 2")
		s.Until("the same game continues", func() bool { return s.Table(1).Turn > 0 })
	})
}
