package scenario

import (
	"slices"
	"strings"
	"testing"
	"time"

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
		if throws := s.thrownAt(1); spent > throws+3 || behind[len(behind)/2] > 3*time.Second {
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

// thrownAt is how often dice were thrown at a table.
func (s *Stage) thrownAt(table int64) (n int) {
	s.Helper()
	s.Reads(func(tx *store.Tx) error {
		moves, err := tx.Tables.Moves(table)
		for _, m := range moves {
			if len(m.Dice) > 0 {
				n++
			}
		}
		return err
	})
	return n
}
