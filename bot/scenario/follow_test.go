package scenario

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"knobel/store"
)

// talks has people write lines that are no commands.
func (s *Stage) talks(p *Person, lines int) {
	for i := range lines {
		s.Talk(p.who, fmt.Sprint("by the way, ", i))
	}
}

// moves presses a button of the board, and waits until the board has changed.
func (s *Stage) moves(p *Person, button string) Message {
	s.Helper()
	was := s.Board()
	p.PressesOn(was, button)
	s.Until("the board has changed", func() bool {
		now := s.Board()
		return now.ID != was.ID || now.Text != was.Text
	})
	s.Settled()
	time.Sleep(10 * time.Second) // what follows the answer has followed
	return s.Board()
}

// gone reports whether a message is gone, or has lost its buttons.
func (s *Stage) gone(id string) bool {
	for _, m := range s.Messages(-1) {
		if m.ID == id {
			return len(m.Buttons) == 0
		}
	}
	return true
}

// The board comes down with the first change after much talk, once, and the old one goes; less talk leaves it where it
// is.
func TestTheBoardFollowsTheTalk(t *testing.T) {
	Each(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "de")
		s.Sit("/wuerfelpoker", anna, ben)
		first := s.Offers(":throw")
		s.talks(ben, 10)
		time.Sleep(2 * time.Minute)
		if now := s.moves(anna, ":throw"); now.ID != first.ID {
			s.Error("ten messages push the board down")
		}
		s.talks(ben, 40)
		time.Sleep(2 * time.Minute)
		if stays := s.Board(); stays.ID != first.ID || stays.Edits > 20 {
			s.Error("talk alone posts the board anew")
		}
		second := s.moves(anna, ":!show write")
		if second.ID == first.ID || !s.gone(first.ID) || len(second.Buttons) == 0 {
			s.Errorf("after forty messages the board stands where it was; the old one is gone: %v", s.gone(first.ID))
		}
		if third := s.moves(anna, ":!show"); third.ID != second.ID {
			s.Error("the board is posted anew without talk")
		}
	})
}

// After a restart amid the talk there is one board, below.
func TestTheBoardFollowsTheTalkAcrossARestart(t *testing.T) {
	Each(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		s.Sit("/wuerfelpoker", anna, ben)
		first := s.Offers(":throw")
		s.Settled()
		s.stop()
		s.talks(ben, 40)
		s.Restart()
		second := s.moves(anna, ":throw")
		boards := 0
		for _, m := range s.Messages(-1) {
			if _, ok := m.Button(":!show sheet"); ok {
				boards++
			}
		}
		if second.ID == first.ID || boards != 1 {
			s.Errorf("%d boards, the same as before: %v", boards, second.ID == first.ID)
		}
	})
}

// The end of a game is news, and comes down; what is added to its last board later is none.
func TestTheLastBoardFollowsTheTalkOnce(t *testing.T) {
	Each(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		s.Sit("/coin", anna, ben)
		first := s.Offers(":throw")
		s.talks(ben, 40)
		s.moves(anna, ":throw")
		if b, ok := s.Board().Button(":throw"); ok {
			ben.Sends(s.Board(), b.Data)
		}
		last := s.Offers(":!rematch")
		if last.ID == first.ID {
			s.Error("the end of the game stands above the talk")
		}
		time.Sleep(2 * time.Minute)
		s.talks(ben, 40)
		err := s.Store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
			t, err := tx.Tables.Table(1)
			if err != nil {
				return err
			}
			t.Version++
			return tx.Tables.SaveTable(t)
		})
		if err != nil {
			s.Fatal(err)
		}
		s.Settled()
		if s.Board().ID != last.ID {
			s.Error("a game that is over comes down again")
		}
	})
}

// On Discord the press is answered in time by the board that was pressed, and nothing is asked where nobody has
// written; else once a minute, and never where the bot may not read.
func TestDiscordIsAskedSeldom(t *testing.T) {
	On(t, "Discord", func(s *Stage) {
		c := s.Place.(*Channel)
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		asked := func() (n int) {
			for _, r := range c.Server.Requests("GET /channels") {
				if strings.HasSuffix(r.Path, "/messages") {
					n++
				}
			}
			return n
		}
		s.Sit("/wuerfelpoker", anna, ben)
		first := s.Offers(":throw")
		pages := []string{":!show write", ":!show"}
		s.moves(anna, ":throw")
		for i := range 6 {
			s.moves(anna, pages[i%2])
		}
		if n := asked(); n != 0 {
			s.Errorf("asked %d times, and nobody has written", n)
		}
		c.Deny(1 << 16)
		s.talks(ben, 40)
		if s.moves(anna, pages[0]); asked() != 0 {
			s.Error("asked without the permission to read")
		}
		c.Allow(1 << 16)
		if now := s.moves(anna, pages[1]); now.ID == first.ID || asked() != 1 {
			s.Errorf("asked %d times, the board stands where it was: %v", asked(), now.ID == first.ID)
		}
		for i := range 12 { // two minutes
			s.talks(ben, 1)
			s.moves(anna, pages[i%2])
		}
		if n := asked() - 1; n < 1 || n > 3 {
			s.Errorf("asked %d times in two minutes", n)
		}
	})
}

// The numbers of messages count only where they count the chat's: in a supergroup all; in a forum
// those of the board's topic that the bot has met; in a simple group none. The new board makes no sound, and costs no
// more than an edit.
func TestTelegramCountsByNumbers(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		g := s.Place.(*Group)
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		in := func(there *Stage) (first Message) {
			a, b := anna.At(there), ben.At(there)
			there.Sit("/wuerfelpoker", a, b)
			return there.Offers(":throw")
		}
		follows := func(there *Stage, first Message) bool {
			now := there.moves(anna.At(there), ":throw")
			return now.ID != first.ID
		}

		simple := s.In(g.At(g.Server.Group("Neighbours")))
		first := in(simple)
		simple.talks(ben, 40)
		if follows(simple, first) {
			s.Error("the board of a simple group follows")
		}

		super := s.In(g.At(g.Server.Supergroup("Colleagues", false)))
		first = in(super)
		super.talks(ben, 40)
		if !follows(super, first) {
			s.Error("the board of a supergroup does not follow")
		}
		for _, m := range super.Place.(*Group).Chat.Messages() {
			if fmt.Sprint(m.ID) == super.Board().ID && !m.Silent {
				s.Error("the new board makes a sound")
			}
			if fmt.Sprint(m.ID) == first.ID && m.From == 0 {
				s.Error("the old board stands there still")
			}
		}

		topic := s.In(s.Elsewhere())
		first = in(topic)
		s.talks(ben, 40) // in another topic
		if follows(topic, first) {
			s.Error("what is written in another topic pushes the board down")
		}
		topic.talks(ben, 16)
		now := topic.moves(anna.At(topic), ":!show write")
		if now.ID == first.ID {
			s.Error("the board of a topic does not follow its talk")
		}
		if n := len(topic.Messages(-1)); n > 1 {
			s.Errorf("%d messages stand in the topic", n)
		}
	})
}
