package scenario

import (
	"slices"
	"strings"
	"testing"
	"time"

	"knobel/store"
)

// How fast an evening is, in time that the platform's own pace takes. The counts are printed.

// timed is what an evening took.
type timed struct {
	*Stage
	began  time.Time
	throws int             // presses that throw
	behind []time.Duration // from the last press to the board that shows it
}

// think is the time between seeing a board and pressing.
const think = 1200 * time.Millisecond

// does presses a button after a look, and waits until the board shows it.
func (e *timed) does(p *Person, button string) {
	e.Helper()
	time.Sleep(think)
	m, _, before := e.standing()
	pressed := time.Now()
	p.Presses(button)
	e.Until("the board shows "+button, func() bool {
		now, _, turn := e.standing()
		return turn != before || now.Text != m.Text || !slices.Equal(now.Buttons, m.Buttons)
	})
	e.behind = append(e.behind, time.Since(pressed))
}

// median is the middle of how late boards were.
func (e *timed) median() time.Duration {
	slices.Sort(e.behind)
	return e.behind[len(e.behind)/2]
}

// tells prints the counts, and looks at what no evening may have.
func (e *timed) tells(game string) {
	e.Helper()
	took := time.Since(e.began)
	e.Logf("%s on %s: %v, %d throws, board median %v behind", game, e.Name(), took, e.throws, e.median())
	if e.median() > 3*time.Second {
		e.Errorf("boards are %v behind, in the median", e.median())
	}
	g, ok := e.Place.(*Group)
	if !ok {
		return
	}
	var writes []time.Time
	for _, c := range g.Server.Calls() {
		if strings.HasPrefix(c.Method, "send") || strings.HasPrefix(c.Method, "editMessage") {
			writes = append(writes, c.At)
		}
		if c.Status == 429 {
			e.Errorf("%s was refused", c.Method)
		}
	}
	busiest := 0
	for i := range writes {
		n := 0
		for j := i; j < len(writes) && writes[j].Sub(writes[i]) < time.Minute; j++ {
			n++
		}
		busiest = max(busiest, n)
	}
	e.Logf("%d sends and edits, the busiest minute %d, %d violations", len(writes), busiest, len(g.Server.Violations()))
	if busiest > 20 || len(g.Server.Violations())+len(g.Server.Unanswered()) > 0 {
		e.Errorf("%d in a minute, violations %v", busiest, g.Server.Violations())
	}
}

// An evening of Shut the Box on Telegram costs an edit for each throw, not two.
func TestAnEveningAtTheBoxGoesOn(t *testing.T) {
	On(t, "Telegram", func(s *Stage) {
		people := []*Person{s.Person("Anna", "en"), s.Person("Ben", "en"), s.Person("Clara", "en")}
		s.Sit("/shutbox match=rounds:3", people[0], people[1:]...)
		s.Offers(":throw 2")
		e := &timed{Stage: s, began: time.Now()}
		spent := s.spent()
		for {
			m := s.Board()
			b, over := next(m)
			if over {
				break
			}
			_, table, _ := s.standing()
			seat := s.toMove(table)
			e.does(people[seat], b.Data[strings.LastIndex(b.Data, ":"):])
		}
		spent = s.spent() - spent
		e.throws = s.thrownAt(1)
		e.tells("Shut the Box")
		if spent > e.throws+3 {
			s.Errorf("%d throws cost %d sends and edits", e.throws, spent)
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
