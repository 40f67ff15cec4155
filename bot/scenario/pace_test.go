package scenario

import (
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/bot/discord/discordtest"
	"knobel/store"
)

// An evening of Shut the Box on Telegram costs an edit for each throw, not two, and no board is far behind its press.
func TestAnEveningAtTheBoxGoesOn(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		people := []*Person{s.Person("Anna", "en"), s.Person("Ben", "en"), s.Person("Clara", "en")}
		s.Sit("/shutbox match=rounds:3", people[0], people[1:]...)
		m := s.Offers(":throw 2")
		spent := s.spent()
		var behind []time.Duration
		for b, over := next(m); !over; b, over = next(m) {
			time.Sleep(1200 * time.Millisecond) // they look and think
			pressed := time.Now()
			people[s.toMove(1)].Presses(b.Data[strings.LastIndex(b.Data, ":"):])
			s.Until("the board shows it", func() bool {
				now := s.Board()
				shows := now.Text != m.Text || !slices.Equal(now.Buttons, m.Buttons)
				m = now
				return shows
			})
			behind = append(behind, time.Since(pressed))
		}
		spent = s.spent() - spent
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

// toMove is the seat that is to move at a table.
func (s *Stage) toMove(table int64) (seat int) {
	s.Helper()
	t := s.Table(table)
	g, err := s.Bot.Game(t.Game)
	if err != nil {
		s.Fatal(err)
	}
	m, err := g.Load(t.Rules, t.Match)
	if err != nil {
		s.Fatal(err)
	}
	for _, p := range m.Turn() {
		seat = int(p)
	}
	return seat
}

// Ten tables in the topics of one group, at all of which everybody presses: for minutes Telegram gets fewer than twenty
// writes in any minute, every press is answered while the boards still wait, and every table goes on.
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

// A person who asks for a board where the bot may not write gets it all the same, and reads alone which permission is
// missing.
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
		thread.Deny(discordtest.SendMessages) // which does not count in a thread
		asks(ben.At(aside), 0)
		thread.Deny(discordtest.SendInThreads | discordtest.ViewChannel)
		asks(ben.At(aside), 1)
		if told := anna.Last().Text; told != "I may not do all that a table needs here. Missing: Send Messages. "+
			"To grant it: Edit Channel → Permissions, or Server Settings → Roles." {
			s.Errorf("Anna reads %q", told)
		}
		if told := ben.At(aside).Last().Text; told != "Ich darf hier nicht alles, was ein Tisch braucht. Es fehlt: "+
			"Kanäle ansehen "+
			"und Nachrichten in Threads senden. Zu geben unter: "+
			"Kanal bearbeiten → Berechtigungen oder Servereinstellungen → Rollen." {
			s.Errorf("Ben reads %q", told)
		}
	})
}
