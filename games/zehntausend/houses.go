package zehntausend

import "knobel/games"

// Houses returns the strategies that may take a seat.
func (Game) Houses() []games.House {
	return []games.House{
		{Name: "random", Choose: games.Random},
		{Name: "careful", Choose: careful},
		{Name: "bold", Choose: bold},
	}
}

// careful sets aside the most dice that it can, of as many the most points, and
// stops wherever it may with enough points in the turn.
func careful(played games.Match, s games.Seat, _ games.Rand) games.Move {
	m, ours := played.(match)
	if !ours || len(m.Dice) == 0 {
		return played.Moves(s)[0]
	}
	var most option
	for _, o := range m.options() {
		if o.set.Count() > most.set.Count() {
			most = o
		}
	}
	if most.bank && m.Points+most.points >= enough {
		return most.move("bank", len(m.Dice))
	}
	return most.move("keep", len(m.Dice))
}

// bold plays the turn for its greatest expected points. Whether to stop and what
// to set aside is exact; totals and the target play no part in it.
func bold(played games.Match, s games.Seat, _ games.Rand) games.Move {
	m, ours := played.(match)
	if !ours || len(m.Dice) == 0 {
		return played.Moves(s)[0]
	}
	t := m.rules.turn(m.banked(int(s)))
	var best choice
	for _, o := range m.options() {
		points := m.Points + o.points
		aside := o.set.Count()
		if o.bank {
			best = best.or(choice{worth: float64(points), bank: true, aside: aside, move: o.move("bank", len(m.Dice))})
		}
		worth := t.at(points, m.rules.next(len(m.Dice), aside)).points
		best = best.or(choice{worth: worth, aside: aside, move: o.move("keep", len(m.Dice))})
	}
	return best.move
}

// choice is a move with what it is worth.
type choice struct {
	worth float64
	bank  bool
	aside int
	move  games.Move // "": none
}

// or returns the better of two choices. Of equal ones, one that stops is better,
// then one that sets more dice aside, then the one further to the left.
func (c choice) or(other choice) choice {
	better := false
	switch apart := other.worth - c.worth; {
	case c.move == "" || apart > equal*c.worth:
		better = true
	case apart < -equal*c.worth:
	case other.bank != c.bank:
		better = other.bank
	case other.aside != c.aside:
		better = other.aside > c.aside
	default:
		better = other.move > c.move
	}
	if better {
		return other
	}
	return c
}
