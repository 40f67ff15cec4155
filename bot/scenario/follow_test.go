package scenario

import (
	"context"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/store"
)

// chatter makes p write the given number of lines that are not commands.
func (s *Stage) chatter(p *Person, lines int) {
	for i := range lines {
		s.Talk(p.who, fmt.Sprint("by the way, ", i))
	}
}

// pressAndWait presses a button of the board, waits until the board has changed, and returns the new one.
func (s *Stage) pressAndWait(p *Person, button string) Message {
	s.Helper()
	was := s.Board()
	p.PressesOn(was, button)
	s.Until("the board has changed", func() bool {
		now := s.Board()
		return now.ID != was.ID || now.Text != was.Text
	})
	s.Settled()
	time.Sleep(10 * time.Second) // until the writes that follow the answer are done
	return s.Board()
}

// isGone reports whether a message was deleted or has lost its buttons.
func (s *Stage) isGone(id string) bool {
	for _, m := range s.Messages(-1) {
		if m.ID == id {
			return len(m.Buttons) == 0
		}
	}
	return true
}

// The first change after many messages posts the board again, once, and deletes the old one. After few it is edited.
func TestTheBoardFollowsTheTalk(t *testing.T) {
	Each(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "de")
		s.Sit("/wuerfelpoker", anna, ben)
		first := s.Offers(":throw")
		s.chatter(ben, 10)
		time.Sleep(2 * time.Minute)
		if now := s.pressAndWait(anna, ":throw"); now.ID != first.ID {
			s.Error("ten messages push the board down")
		}
		s.chatter(ben, 40)
		time.Sleep(2 * time.Minute)
		if stays := s.Board(); stays.ID != first.ID || stays.Edits > 20 {
			s.Error("talk alone posts the board anew")
		}
		second := s.pressAndWait(anna, ":!show write")
		if second.ID == first.ID || !s.isGone(first.ID) || len(second.Buttons) == 0 {
			s.Errorf("after forty messages the board stands where it was; the old one is gone: %v", s.isGone(first.ID))
		}
		if third := s.pressAndWait(anna, ":!show"); third.ID != second.ID {
			s.Error("the board is posted anew without talk")
		}
	})
}

// After a restart amid many messages there is one board, at the bottom.
func TestTheBoardFollowsTheTalkAcrossARestart(t *testing.T) {
	Each(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		s.Sit("/wuerfelpoker", anna, ben)
		first := s.Offers(":throw")
		s.Settled()
		s.stop()
		s.chatter(ben, 40)
		s.Restart()
		second := s.pressAndWait(anna, ":throw")
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

// The end of a game posts the board again at the bottom. Later additions to the last board do not.
func TestTheLastBoardFollowsTheTalkOnce(t *testing.T) {
	Each(t, func(s *Stage) {
		anna, ben := s.Person("Anna", "en"), s.Person("Ben", "en")
		s.Sit("/coin", anna, ben)
		first := s.Offers(":throw")
		s.chatter(ben, 40)
		s.pressAndWait(anna, ":throw")
		if b, ok := s.Board().Button(":throw"); ok {
			ben.Sends(s.Board(), b.Data)
		}
		last := s.Offers(":!rematch")
		if last.ID == first.ID {
			s.Error("the end of the game stands above the talk")
		}
		time.Sleep(2 * time.Minute)
		s.chatter(ben, 40)
		err := s.Store.UpdateOf(context.Background(), store.OfAll, func(tx *store.Tx) error {
			t, err := tx.Tables.Table(1)
			if err != nil {
				return err
			}
			t.Version++
			return tx.Tables.SaveTable(t)
		})
		check(s, err)
		s.Settled()
		if s.Board().ID != last.ID {
			s.Error("a game that is over comes down again")
		}
	})
}

// TestDiscordIsAskedSeldom checks that a press is answered in time, and that messages of a channel are requested at
// most once a minute: only after a person has written there, and never where the bot may not read.
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
		s.pressAndWait(anna, ":throw")
		for i := range 6 {
			s.pressAndWait(anna, pages[i%2])
		}
		if n := asked(); n != 0 {
			s.Errorf("asked %d times, and nobody has written", n)
		}
		c.Deny(1 << 16)
		s.chatter(ben, 40)
		if s.pressAndWait(anna, pages[0]); asked() != 0 {
			s.Error("asked without the permission to read")
		}
		c.Allow(1 << 16)
		if now := s.pressAndWait(anna, pages[1]); now.ID == first.ID || asked() != 1 {
			s.Errorf("asked %d times, the board stands where it was: %v", asked(), now.ID == first.ID)
		}
		for i := range 12 { // two minutes
			s.chatter(ben, 1)
			s.pressAndWait(anna, pages[i%2])
		}
		if n := asked() - 1; n < 1 || n > 3 {
			s.Errorf("asked %d times in two minutes", n)
		}
	})
}

// A board is posted again below many messages, which the bot counts by the chat's message numbers: in a supergroup all,
// in a topic those that it has seen there, in a simple group none. The new board makes no sound.
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
			now := there.pressAndWait(anna.At(there), ":throw")
			return now.ID != first.ID
		}

		simple := s.In(g.At(g.Server.Group("Neighbours")))
		first := in(simple)
		simple.chatter(ben, 40)
		if follows(simple, first) {
			s.Error("the board of a simple group follows")
		}

		super := s.In(g.At(g.Server.Supergroup("Colleagues", false)))
		first = in(super)
		super.chatter(ben, 40)
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
		s.chatter(ben, 40) // in another topic
		if follows(topic, first) {
			s.Error("what is written in another topic pushes the board down")
		}
		topic.chatter(ben, 16)
		now := topic.pressAndWait(anna.At(topic), ":!show write")
		if now.ID == first.ID {
			s.Error("the board of a topic does not follow its talk")
		}
		if n := len(topic.Messages(-1)); n > 1 {
			s.Errorf("%d messages stand in the topic", n)
		}
	})
}

// In an evening of Shut the Box, Telegram gets one edit for each roll, and boards are drawn soon after each press.
func TestAnEveningAtTheBoxGoesOn(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		people := []*Person{s.Person("Anna", "en"), s.Person("Ben", "en"), s.Person("Clara", "en")}
		s.Sit("/shutbox match=rounds:3", people[0], people[1:]...)
		m := s.Offers(":throw 2")
		spent := s.writeCount()
		var behind []time.Duration
		for b, over := nextButton(m); !over; b, over = nextButton(m) {
			time.Sleep(1200 * time.Millisecond) // they look and think
			pressed := time.Now()
			people[s.moverOf(1)].Presses(b.Data[strings.LastIndex(b.Data, ":"):])
			s.Until("the board shows it", func() bool {
				now := s.Board()
				shows := now.Text != m.Text || !slices.Equal(now.Buttons, m.Buttons)
				m = now
				return shows
			})
			behind = append(behind, time.Since(pressed))
		}
		spent = s.writeCount() - spent
		slices.Sort(behind)
		throws := 0
		s.Reads(func(tx *store.Tx) error {
			moves, err := tx.Tables.Moves(1)
			for _, m := range moves {
				throws += min(len(m.Dice), 1)
			}
			return err
		})
		if spent > throws+3 || behind[len(behind)/2] > 3*time.Second {
			s.Errorf("%d throws cost %d sends and edits; boards are %v behind, in the median", throws, spent,
				behind[len(behind)/2])
		}
		if broken := s.Place.(*Group).Server.Violations(); len(broken) > 0 {
			s.Errorf("violations %v", broken)
		}
	})
}

// moverOf returns the seat whose turn it is at a table.
func (s *Stage) moverOf(table int64) (seat int) {
	s.Helper()
	t := s.Table(table)
	g, err := s.Bot.Game(t.Game)
	check(s, err)
	m, err := g.Load(t.Rules, t.Match)
	check(s, err)
	for _, p := range m.Turn() {
		seat = int(p)
	}
	return seat
}

// At ten tables in the topics of one group all people press. For minutes Telegram gets fewer than twenty writes in any
// minute, every press is answered while the boards wait, and every game continues.
func TestTenTablesInOneGroup(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		g := s.Place.(*Group)
		anna, ben := s.Person("Anna", "de"), s.Person("Ben", "en")
		var tables []*Stage
		for range 10 {
			there := s.Aside()
			tables = append(tables, there)
			there.Sit("/shutbox stake=10 match=rounds:5", anna.At(there), ben.At(there))
		}
		s.Settled()
		drawn := func() (edits []int) {
			for _, there := range tables {
				edits = append(edits, there.Board().Edits)
			}
			return edits
		}
		first, answered, most, waited := drawn(), 0, 0, 0
		for range 12 {
			for _, there := range tables {
				m, b, _ := there.Turn("")
				for _, p := range []*Person{anna, ben} {
					began := time.Now()
					p.At(there).Sends(m, b.Data)
					if answered++; time.Since(began) > time.Second {
						s.Errorf("a press waits %v for its answer", time.Since(began))
					}
				}
			}
			waited = max(waited, s.Adapter.Budget(chat.Place(s.Table(1).Place)).Waiting)
			for range 10 {
				time.Sleep(time.Second)
				most = max(most, g.Chat.Writes())
			}
		}
		for i, edits := range drawn() {
			if edits-first[i] < 2 {
				s.Errorf("table %d was drawn %d times", i+1, edits-first[i])
			}
		}
		if most >= 20 || most < 10 || waited < 5 || answered < 200 {
			s.Errorf("%d writes in one minute, %d boards waited, %d answers", most, waited, answered)
		}
	})
}

// A person who asks for a board where the bot may not write gets it, and reads privately which permission is missing.
func TestMissingPermissionsAreNamed(t *testing.T) {
	On(t, "Discord", func(s *Stage) {
		c, anna, ben := s.Place.(*Channel), s.Person("Anna", "en"), s.Person("Ben", "de")
		aside := s.In(c.At(s.Elsewhere().(*Channel).Thread("late")))
		thread := aside.Place.(*Channel)
		asks := func(p *Person, alone int) {
			s.Helper()
			s.Says(p.Writes("/shutbox"), p.Name)
			time.Sleep(time.Minute)
			all := p.Sees()
			if n := len(all) - len(p.Messages(-1)); n != alone || len(all[0].Buttons) == 0 {
				s.Errorf("%s sees %d messages alone: %+v", p.Name, n, all)
			}
		}
		asks(anna, 0) // nothing is missing yet
		s.Mute(true)
		asks(anna, 1)
		thread.Deny(discordtest.SendMessages) // does not apply to threads
		asks(ben.At(aside), 0)
		thread.Deny(discordtest.SendInThreads | discordtest.ViewChannel)
		asks(ben.At(aside), 1)
		if told := anna.Last().Text; told != "I need more permissions here: Send Messages. "+
			"To change that: Edit Channel → Permissions, or Server Settings → Roles." {
			s.Errorf("Anna reads %q", told)
		}
		if told := ben.At(aside).Last().Text; told != "Mir fehlen hier Rechte: Kanäle ansehen und "+
			"Nachrichten in Threads senden. Zu ändern unter: "+
			"Kanal bearbeiten → Berechtigungen oder Servereinstellungen → Rollen." {
			s.Errorf("Ben reads %q", told)
		}
	})
}
