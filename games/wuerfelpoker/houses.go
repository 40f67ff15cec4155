package wuerfelpoker

import "knobel/games"

// houses are the strategies that may take a seat.
func houses() []games.House {
	return []games.House{
		{Name: "random", Choose: random},
		{Name: "greedy", Choose: greedy},
		{Name: "perfect", Solved: true},
	}
}

// random plays any legal move, each alike.
func random(m games.Match, s games.Seat, r games.Rand) games.Move {
	moves := m.Moves(s)
	return moves[r.IntN(len(moves))]
}

// greedy looks at the open row that gives most points now (the upper one of
// equals) and plays for no other. It writes it when there is no throw left,
// when all five dice count for it, or when it counts double now; else it keeps
// the dice that count for it and throws the rest. For chance, those dice count
// that show more than a throw brings on average: 4, 5 and 6. Where nothing
// could be written it throws all dice again; at last it misses, or strikes the
// combination that a round brings least of.
func greedy(played games.Match, s games.Seat, _ games.Rand) games.Move {
	m, ours := played.(match)
	if !ours || m.throws == 0 {
		return played.Moves(s)[0]
	}
	offers := m.offers()
	if m.mayKeep() {
		if k := m.greedyKeep(offers); k != keepAll {
			return keeps[k]
		}
	}
	if len(offers) > 0 {
		return writes[offers[0].row]
	}
	if m.mayMiss() {
		return "miss"
	}
	return strikeMoves[m.strikes()[0]]
}

// greedyKeep returns the dice that greedy keeps: all five where it writes.
func (m match) greedyKeep(offers []offer) keep {
	if len(offers) == 0 {
		return 0
	}
	best := offers[0].row
	if m.throws == 1 && m.rules.doubles(best) {
		return keepAll
	}
	return m.counting(best)
}

// counting returns the dice that count for a row which they have.
func (m match) counting(w row) keep {
	c := m.hand.counts()
	switch {
	case w.school():
		return m.showing(w.face(), handSize)
	case w == pair:
		return m.showing(c.highest(2), 2)
	case w == three:
		return m.showing(c.highest(3), 3)
	case w == four:
		return m.showing(c.highest(4), 4)
	case w == twoPairs && c.highest(4) > 0 && m.rules.fourAsTwoPairs:
		return m.showing(c.highest(4), 4)
	case w == twoPairs:
		high := c.highest(2)
		c[high] = 0
		return m.showing(high, 2) | m.showing(c.highest(2), 2)
	case w == chance:
		return m.showing(4, handSize) | m.showing(5, handSize) | m.showing(6, handSize)
	}
	return keepAll
}

// showing returns the leftmost dice that show a face, at most so many.
func (m match) showing(face, most int) keep {
	var k keep
	for position, shown := range m.hand {
		if int(shown) == face && most > 0 {
			k |= 1 << position
			most--
		}
	}
	return k
}
