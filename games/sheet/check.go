package sheet

import (
	"fmt"

	"knobel/games"
)

// What a stored match must be to have been played.

// check says what is wrong with a match that nobody can have played.
func (m match) check() error {
	p := m.plan
	switch seats := len(m.pages); {
	case seats < 1 || seats > maxSeats:
		return fmt.Errorf("%d seats", seats)
	case m.turn < 0 || m.turn >= seats:
		return fmt.Errorf("the turn of seat %d", m.turn)
	case m.round < 0 || m.round > p.places || m.round == p.places && m.turn+m.throws > 0:
		return fmt.Errorf("round %d, the turn of seat %d", m.round, m.turn)
	case m.kept == p.all || m.throws == 1 && m.kept != 0:
		return fmt.Errorf("%v kept after %d throws", m.kept, m.throws)
	}
	for seat := range m.pages {
		if err := m.checkPage(seat); err != nil {
			return fmt.Errorf("seat %d: %w", seat, err)
		}
	}
	if err := m.checkTurn(); err != nil {
		return err
	}
	return m.checkEnding()
}

// checkTurn checks the turn that is played.
func (m match) checkTurn() error {
	p := m.plan
	if m.throws < 0 || m.throws > 0 && m.throwsLeft() < 0 {
		return fmt.Errorf("%d throws", m.throws)
	}
	wins := p.paper.Wins && m.throws == 1 && p.counts(m.hand).equal() > 0
	if (m.winner != games.Nobody) != wins {
		return fmt.Errorf("the throw %v, won by seat %d", m.hand, m.winner)
	}
	if m.called < 0 {
		if m.throws > 1 && len(m.fillable()) == 0 {
			return fmt.Errorf("%d throws, and no row is called where one had to be", m.throws)
		}
		return nil
	}
	for column, c := range p.columns {
		if c.Order == Called && !p.closed(&m.pages[m.turn], spot{column, m.called}) {
			return nil
		}
	}
	return fmt.Errorf("%s is called", p.rows[m.called].Name)
}

// checkPage checks that a page holds what its seat may have written in the rounds that it has played.
func (m match) checkPage(seat int) error {
	p, g, played := m.plan, &m.pages[seat], m.played(seat)
	for at, c := range g.cells {
		if err := p.checkCell(g, at, c); err != nil {
			return err
		}
	}
	if filled := g.filled(); filled > played || filled < played && !p.paper.Misses {
		return fmt.Errorf("%d places filled in %d rounds", filled, played)
	}
	if g.further > 0 && (!p.holds(g, p.again) || g.further > p.furthers(g)) {
		return fmt.Errorf("further points %d times", g.further)
	}
	if g.saved < 0 || g.saved > played*(p.paper.Throws-1) {
		return fmt.Errorf("%d throws saved in %d rounds", g.saved, played)
	}
	return m.checkOrder(seat)
}

// furthers is how many turns of a page may have ended with all dice equal, but for the one that needs them.
func (p *plan) furthers(g *page) (n int) {
	for at, c := range g.cells {
		r := p.rowAt(at)
		equal := c.mark == struck && p.strikesEqual(r) || c.mark == written && p.counts(c.hand).equal() > 0
		if equal && r != p.again {
			n++
		}
	}
	return n
}

// strikesEqual reports whether a row may be struck with all dice equal, once the row that needs them is full.
func (p *plan) strikesEqual(r int) bool {
	if p.paper.Again.Joker == ForcedJoker && p.rows[r].fixed() {
		return false // it is written as a joker, or the row of the face is filled
	}
	for face := 1; face <= sides; face++ {
		var c counts
		c[face] = uint8(p.paper.Dice)
		if _, there := p.points(r, c, moment{throw: 2}); !there {
			return true
		}
	}
	return false
}

// checkCell checks what stands in a place.
func (p *plan) checkCell(g *page, at int, c cell) error {
	r := p.rowAt(at)
	row := &p.rows[r]
	switch c.mark {
	case struck:
		if !row.strikes() || p.paper.Misses {
			return fmt.Errorf("%s is struck", row.Name)
		}
	case written:
		_, there := p.points(r, p.counts(c.hand), c.moment)
		if row.with >= 0 && !p.holds(g, row.with) || !there && !p.joked(g, r, c.hand) {
			return fmt.Errorf("%s is written with %v", row.Name, c.hand)
		}
	}
	return nil
}

// joked reports whether a joker may have written a row with a hand that does not have what the row needs.
func (p *plan) joked(g *page, r int, h hand) bool {
	face := p.counts(h).equal()
	if p.paper.Again.Joker == NoJoker || face == 0 || !p.rows[r].fixed() || r == p.again || !p.full(g, p.again) {
		return false
	}
	for own := range p.rows {
		if p.rows[own].face == face {
			return p.full(g, own)
		}
	}
	return false
}

// checkOrder checks that the places of a page were filled in an order that the sheet allows.
func (m match) checkOrder(seat int) error {
	p, g := m.plan, &m.pages[seat]
	for at, c := range g.cells {
		if at > 0 && c.mark != open && g.cells[at-1].mark == open && !m.mayPrecede(at-1, at) {
			return fmt.Errorf("%s is filled too early", p.rows[p.rowAt(at)].Name)
		}
		if at > 0 && c.mark == open && g.cells[at-1].mark != open && p.columns[p.columnAt(at)].Order == Up &&
			p.columnAt(at) == p.columnAt(at-1) {
			return fmt.Errorf("%s is filled too early", p.rows[p.rowAt(at-1)].Name)
		}
	}
	if p.paper.Order != Parts {
		return nil
	}
	var filled, first int
	for at, c := range g.cells {
		if c.mark == open {
			continue
		}
		filled++
		if p.rows[p.rowAt(at)].section == 0 {
			first++
		}
	}
	if played := m.played(seat); first != min(played, p.section(0)) {
		return fmt.Errorf("%d of %d rows in the first part after %d rounds", first, filled, played)
	}
	return nil
}

// columnAt is the column of a place.
func (p *plan) columnAt(at int) int { return at / (p.places / len(p.columns)) }

// mayPrecede reports whether a place may be filled while the one above it is open.
func (m match) mayPrecede(above, at int) bool {
	p := m.plan
	switch {
	case p.columnAt(above) != p.columnAt(at):
		return true
	case p.rowAt(above) == p.rowAt(at):
		return false
	}
	return p.columns[p.columnAt(at)].Order != Down && p.paper.Order != Top
}

// checkEnding checks that the turn before ended as its page says.
func (m match) checkEnding() error {
	p, e := m.plan, m.ended
	started := m.round+m.turn > 0
	if (e.kind != nothing) != (started && m.throws == 0) {
		return fmt.Errorf("the turn before ended with %q after %d throws of the next", p.endingMove(e), m.throws)
	}
	before := m.before()
	g, round := &m.pages[before], m.played(before)-1
	ok := true
	switch e.kind {
	case wrote, struckOut:
		want := map[kind]mark{wrote: written, struckOut: struck}[e.kind]
		at := m.lastPlace()
		ok = at >= p.place(e.spot) && g.cells[at].mark == want
	case missed:
		ok = p.paper.Misses && g.filled() <= round
	}
	if p.paper.Order == Parts && e.kind != nothing {
		inFirst := e.kind != missed && p.rows[e.spot.row].section == 0
		ok = ok && inFirst == (round < p.section(0))
	}
	if !ok {
		return fmt.Errorf("the turn before ended with %q", p.endingMove(e))
	}
	return nil
}
