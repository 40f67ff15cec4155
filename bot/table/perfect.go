package table

import (
	"context"
	"fmt"
	"slices"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/loop"
	"knobel/games"
	"knobel/games/dice"
	"knobel/store"
)

// House seats that play perfectly. A known move is played in the transaction that gave them the turn. Otherwise the
// table is stored as waiting, and the loop plays later.

// checkSolved refuses rules without perfect play if a house seat is to play it.
func checkSolved(g games.Game, rules games.Rules, seats []store.Seat) error {
	if !board.SeatsPerfect(g, seats) {
		return nil
	}
	return board.Solvable(g, rules, len(seats))
}

// chooses returns the move of a house seat. waits is true while it is not known. Without usable perfect play the house
// uses the best other strategy.
func (v *Visit) chooses(t store.Table, g games.Game, m games.Match, seat games.Seat, h games.House) (move games.Move,
	waits bool) {
	if !h.Solved {
		return h.Choose(m, seat, choices(t)), false
	}
	known, err := v.perfectly(g, t, func(p games.Perfect) (err error) {
		move, err = games.PerfectMove(p, m, seat)
		return err
	})
	if err != nil {
		move = fallback(g).Choose(m, seat, choices(t))
	}
	return move, !known
}

// perfectly uses the perfect play of a table, which is not used again after an error or a panic. known is false while
// it is being solved.
func (v *Visit) perfectly(g games.Game, t store.Table, use func(games.Perfect) error) (known bool, err error) {
	problem, err := board.ProblemOf(g, t)
	if err != nil {
		v.bot.Solutions.fail(fmt.Sprintf("%s for %d %v", t.Game, len(t.Seats), t.Rules), err)
		return true, err
	}
	perfect, known, err := v.bot.Solutions.Look(problem)
	if !known {
		v.solve(problem)
		return false, nil
	}
	if err == nil {
		err = loop.Safely(func() error { return use(perfect) })
	}
	if err != nil {
		v.bot.Solutions.fail(problem.String(), err)
	}
	return true, err
}

// prepare refuses to start if a house seat's perfect play cannot be computed, and queues the problems that the table
// will need.
func (v *Visit) prepare(g games.Game, t store.Table) error {
	solved := board.SeatsPerfect(g, t.Seats) || t.Clock.Absent == store.PlaysPerfect
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

// choices returns the random source of a house strategy at the present turn.
func choices(t store.Table) games.Rand {
	return dice.Choices(dice.Seed(t.Dice.Seed), fmt.Sprint(t.ID), int(t.Turn))
}

// plain returns the strategies of a game that need no solution, the best last; if there is none, the safest move.
func plain(g games.Game) []games.House {
	all := slices.DeleteFunc(slices.Clone(g.Houses()), func(h games.House) bool { return h.Solved })
	if len(all) == 0 {
		all = []games.House{{Name: "safest", Choose: func(m games.Match, s games.Seat, _ games.Rand) games.Move {
			return m.Moves(s)[0]
		}}}
	}
	return all
}

// fallback returns the best strategy of a game that needs no solution.
func fallback(g games.Game) games.House {
	all := plain(g)
	return all[len(all)-1]
}

// solve queues a problem after the commit, and wakes the loop for tables that wait for solutions.
func (v *Visit) solve(problem games.Problem) {
	v.DueBy(v.At)
	v.After(func(context.Context, *bot.Core) error {
		v.bot.Solutions.Ask(problem)
		v.bot.woken.Wake()
		return nil
	})
}

// lookWaiting plays at every table whose solution is there, and asks for the others'.
func (b *Tables) lookWaiting(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	return 0, b.atEach(ctx, c, "table", func(tx *store.Tx, after int64) ([]store.Row, error) {
		return tx.Tables.Waiting(after, atOnce)
	}, (*Visit).playHouse)
}

// playHouse plays the house turns of a waiting table if the play is known, and otherwise asks for it.
func (v *Visit) playHouse(t *store.Table) error {
	if !t.Waits {
		return nil
	}
	g, m, err := v.bot.Match(*t)
	if err != nil {
		return err
	}
	if problem, err := board.ProblemOf(g, *t); err == nil {
		if _, there, _ := v.bot.Solutions.Look(problem); !there {
			v.After(func(context.Context, *bot.Core) error {
				v.bot.Solutions.Ask(problem)
				return nil
			})
			return nil
		}
	}
	return v.CarryOn(t, g, m)
}

// AwaitHouse plays the house seats that a table waits for, waiting for solutions, when Run is not running. It reports
// whether there was anything to play.
func (b *Tables) AwaitHouse(ctx context.Context, c *bot.Core, table int64) (waited bool, err error) {
	for {
		var t store.Table
		err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
			t, err = tx.Tables.Table(table)
			return err
		})
		if err != nil || !t.Waits {
			return waited, err
		}
		waited = true
		g, err := b.Game(t.Game)
		if err != nil {
			return waited, err
		}
		if problem, err := board.ProblemOf(g, t); err == nil {
			select {
			case <-b.Solutions.Ask(problem):
			case <-ctx.Done():
				return waited, ctx.Err()
			}
		}
		play := b.at((*Visit).playHouse)
		err = c.Step(ctx, store.OfTable(table), func(v *bot.Visit) error { return play(v, table) })
		if err != nil {
			return waited, err
		}
	}
}
