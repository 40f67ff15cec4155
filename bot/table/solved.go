package table

import (
	"context"
	"fmt"
	"slices"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/loop"
	"knobel/games"
	"knobel/games/dice"
	"knobel/store"
)

// House seats that play perfectly. What they play is looked up where it is
// known already, in the transaction that gave them the turn. Where it is not,
// the table waits: that is stored, and the loop below plays for it later.

// houseNamed finds a strategy of a game.
func houseNamed(g games.Game, name string) (games.House, bool) {
	for _, h := range g.Houses() {
		if h.Name == name {
			return h, true
		}
	}
	return games.House{}, false
}

// seatsSolved reports whether a house seat of the table plays perfectly.
func seatsSolved(g games.Game, seats []store.Seat) bool {
	for _, s := range seats {
		if h, ok := houseNamed(g, s.House); ok && h.Solved {
			return true
		}
	}
	return false
}

// checkSolved refuses rules that have no perfect play where a house seat is to
// play it.
func checkSolved(g games.Game, rules games.Rules, seats []store.Seat) error {
	if !seatsSolved(g, seats) {
		return nil
	}
	return board.Solvable(g, rules, len(seats))
}

// chooses returns what a house seat plays. waits is true where that is not
// known yet. A house whose perfect play cannot be known plays the best of the
// other strategies.
func (v *Visit) chooses(t store.Table, g games.Game, m games.Match, seat games.Seat, h games.House) (move games.Move,
	waits bool) {
	if !h.Solved {
		return h.Choose(m, seat, choices(t)), false
	}
	problem, err := board.ProblemOf(g, t)
	if err != nil {
		v.bot.Solutions.fail(fmt.Sprintf("%s for %d %v", t.Game, len(t.Seats), t.Rules), err)
		return fallback(g).Choose(m, seat, choices(t)), false
	}
	perfect, there, err := v.bot.Solutions.Look(problem)
	if !there {
		v.solve(problem)
		return "", true
	}
	if err == nil {
		move, err = perfectMove(perfect, m, seat)
	}
	if err != nil {
		v.bot.Solutions.fail(problem.String(), err)
		return fallback(g).Choose(m, seat, choices(t)), false
	}
	return move, false
}

// prepare refuses to start if a house seat's perfect play cannot be computed, and has perfect play
// computed that the table is going to need.
func (v *Visit) prepare(g games.Game, t store.Table) error {
	solved := seatsSolved(g, t.Seats) || t.Clock.Absent == store.PlaysPerfect
	if !solved && !games.AllowsHints(t.Rules) {
		return nil
	}
	problem, err := board.ProblemOf(g, t)
	switch {
	case err == nil:
		v.solve(problem)
	case solved:
		return err
	}
	return nil
}

// choices is the chance of a house strategy at the present turn.
func choices(t store.Table) games.Rand {
	return dice.Choices(dice.Seed(t.Dice.Seed), fmt.Sprint(t.ID), int(t.Turn))
}

// perfectMove is the best move; a solution that panics has failed.
func perfectMove(p games.Perfect, m games.Match, seat games.Seat) (move games.Move, err error) {
	defer loop.Rescue(&err)
	return games.PerfectMove(p, m, seat)
}

// plain are the strategies of a game that need no solution, the best last; where
// it has none, to play the safest move.
func plain(g games.Game) []games.House {
	all := slices.DeleteFunc(slices.Clone(g.Houses()), func(h games.House) bool { return h.Solved })
	if len(all) == 0 {
		all = []games.House{{Name: "safest", Choose: func(m games.Match, s games.Seat, _ games.Rand) games.Move {
			return m.Moves(s)[0]
		}}}
	}
	return all
}

// fallback is the best strategy of a game that needs no solution.
func fallback(g games.Game) games.House {
	all := plain(g)
	return all[len(all)-1]
}

// solve has a problem solved after the commit, and tables looked for that wait for what
// has been solved meanwhile.
func (v *Visit) solve(problem games.Problem) {
	v.DueBy(v.At)
	v.After(func(context.Context, *bot.Core) error {
		v.bot.Solutions.Ask(problem)
		v.bot.woken.Wake()
		return nil
	})
}
