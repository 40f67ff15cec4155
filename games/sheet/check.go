package sheet

import "fmt"

// check returns an error for a stored match that cannot be played on or shown. Whether it is what its moves lead to is
// found by playing them again.
func (m match) check() error {
	p := m.plan
	switch seats := len(m.pages); {
	case seats < 1 || seats > maxSeats:
		return fmt.Errorf("%d seats", seats)
	case m.turn < 0 || m.turn >= seats:
		return fmt.Errorf("the turn of seat %d", m.turn)
	case m.round < 0 || m.round > p.places || m.round == p.places && m.turn+m.throws > 0:
		return fmt.Errorf("round %d, the turn of seat %d", m.round, m.turn)
	case m.throws < 0 || m.throws > 0 && m.throwsLeft() < 0:
		return fmt.Errorf("%d throws", m.throws)
	}
	for seat := range m.pages {
		g, played := &m.pages[seat], m.played(seat)
		filled := g.filled()
		if filled > played || filled < played && !p.paper.Misses || g.saved < 0 {
			return fmt.Errorf("seat %d has filled %d places in %d rounds", seat, filled, played)
		}
	}
	if (m.called >= 0 || m.throws > 1) && len(m.fillable()) == 0 {
		return fmt.Errorf("%d throws, and no row can be filled", m.throws)
	}
	if e := m.ended; e.kind == wrote || e.kind == struckOut {
		want := map[kind]mark{wrote: written, struckOut: struck}[e.kind]
		if at := m.lastPlace(); at < p.place(e.spot) || m.pages[m.before()].cells[at].mark != want {
			return fmt.Errorf("the turn before ended with %q", p.endingMove(e))
		}
	}
	return nil
}
