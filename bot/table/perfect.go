package table

import (
	"context"
	"fmt"
	"math"
	"slices"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/games"
	"knobel/games/dice"
	"knobel/games/money"
	"knobel/store"
)

// Computer players that play perfectly. If perfect play of the game is already cached, they move in the transaction
// that gave them the turn. Otherwise the table is stored as waiting, and a loop moves for them later.

// checkSolvable refuses if a computer player among seats plays perfectly, but no perfect play exists for these rules.
func checkSolvable(g games.Game, rules games.Rules, seats []store.Seat) error {
	if !board.SeatsPerfect(g, seats) {
		return nil
	}
	return board.Solvable(g, rules, len(seats))
}

// chooseMove returns the move that a computer player with the strategy h makes at seat. waits: its perfect play is
// still being computed, and there is no move. If the computation has failed, another strategy chooses the move.
func (v *Visit) chooseMove(t store.Table, g games.Game, m games.Match, seat games.Seat, h games.House) (move games.Move,
	waits bool) {
	if !h.Solved {
		return h.Choose(m, seat, strategyRand(t)), false
	}
	known, err := v.withPerfect(g, t, func(p games.Perfect) (err error) {
		move, err = games.PerfectMove(p, m, seat)
		return err
	})
	if err != nil {
		move = fallbackHouse(g).Choose(m, seat, strategyRand(t))
	}
	return move, !known
}

// withPerfect calls use with the perfect play of a table. If use fails or panics, this perfect play is not used
// again while it is cached. known is false if perfect play is still being computed; use is then not called.
func (v *Visit) withPerfect(g games.Game, t store.Table, use func(games.Perfect) error) (known bool, err error) {
	problem, err := board.ProblemOf(g, t)
	if err != nil {
		v.bot.Solutions.markFailed(fmt.Sprintf("%s for %d %v", t.Game, len(t.Seats), t.Rules), err)
		return true, err
	}
	perfect, known, err := v.bot.Solutions.Look(problem)
	if !known {
		v.queueProblem(problem)
		return false, nil
	}
	if err == nil {
		err = loop.Safely(func() error { return use(perfect) })
	}
	if err != nil {
		v.bot.Solutions.markFailed(problem.String(), err)
	}
	return true, err
}

// preparePerfect starts to compute the perfect play that a table will need. It returns a refusal if a seat needs
// perfect play but none exists for the rules.
func (v *Visit) preparePerfect(g games.Game, t store.Table) error {
	solved := board.SeatsPerfect(g, t.Seats) || t.Clock.Absent == store.PlaysPerfect
	if !solved && !games.AllowsHints(t.Rules) {
		return nil
	}
	problem, err := board.ProblemOf(g, t)
	switch {
	case err == nil:
		v.queueProblem(problem)
	case solved:
		return err
	}
	return nil
}

// strategyRand returns the random numbers for a computer player's move. The same turn always gets the same numbers.
func strategyRand(t store.Table) games.Rand {
	return dice.Choices(dice.Seed(t.Dice.Seed), fmt.Sprint(t.ID), int(t.Turn))
}

// unsolvedHouses returns the strategies of a game that work without computed perfect play, the best one last. If the
// game has none, it returns one that plays the first possible move.
func unsolvedHouses(g games.Game) []games.House {
	all := slices.DeleteFunc(slices.Clone(g.Houses()), func(h games.House) bool { return h.Solved })
	if len(all) == 0 {
		all = []games.House{{Name: "safest", Choose: func(m games.Match, s games.Seat, _ games.Rand) games.Move {
			return m.Moves(s)[0]
		}}}
	}
	return all
}

// fallbackHouse returns the best strategy of a game that works without computed perfect play.
func fallbackHouse(g games.Game) games.House {
	all := unsolvedHouses(g)
	return all[len(all)-1]
}

// queueProblem queues problem for the solver after the commit, and wakes the loop that plays at waiting tables.
func (v *Visit) queueProblem(problem games.Problem) {
	v.DueBy(v.At)
	v.After(func(context.Context, *bot.Core) error {
		v.bot.Solutions.Ask(problem)
		v.bot.playWaker.Wake()
		return nil
	})
}

// lookWaiting is one round of the loop that plays at waiting tables. At tables whose perfect play is cached, it moves
// for the computer players; for others it has perfect play computed. soon is always 0, the usual interval.
func (b *Tables) lookWaiting(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	return 0, b.eachTable(ctx, c, "table", func(tx *store.Tx, after int64) ([]store.Row, error) {
		return tx.Tables.Waiting(after, atOnce)
	}, (*Visit).playHouse)
}

// playHouse moves for the computer players of a waiting table. If perfect play is unknown, it has it computed instead.
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

// AwaitHouse moves for the computer players of a waiting table, and blocks until their perfect play is computed. It is
// for programs that do not run the loops of the bot. waited: the table was waiting.
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
		play := b.withTable((*Visit).playHouse)
		err = c.Step(ctx, store.OfTable(table), func(v *bot.Visit) error { return play(v, table) })
		if err != nil {
			return waited, err
		}
	}
}

// hintCommand shows the person the best move, its value, and how much worse the next best move is. It refuses if the
// rules do not allow hints or it is not their turn.
func (v *Visit) hintCommand(bot.Args) error {
	t, err := v.Asked()
	if err != nil {
		return err
	}
	if t.State != store.Playing {
		return Gone(t)
	}
	if !games.AllowsHints(t.Rules) {
		return games.Refuse("bot.hint.forbidden", nil)
	}
	seat := games.Seat(board.SeatOf(t, v.Event.User))
	if seat < 0 {
		return notSeated(t)
	}
	g, m, err := v.bot.Match(t)
	if err != nil {
		return err
	}
	if !slices.Contains(m.Turn(), seat) {
		return games.Refuse("games.not-your-turn", games.Args{"Seat": m.Turn()[0]})
	}
	if v.Event.Aloud && v.Event.Press == "" { // all would read the answer: show a button that confirms first
		head := v.Private(games.Say("bot.hint.behind", nil))
		head.Buttons = [][]chat.Button{{v.Button(games.Say("bot.button.hint", nil), "/hint", games.Primary)}}
		return nil
	}
	return v.hint(t, g, m, seat)
}

// hint answers with the best move of seat in m and its value. While perfect play is being computed, it says so instead.
func (v *Visit) hint(t store.Table, g games.Game, m games.Match, seat games.Seat) error {
	if err := board.Solvable(g, t.Rules, len(t.Seats)); err != nil {
		return err
	}
	var perfect games.Perfect
	var worths []games.Worth
	known, err := v.withPerfect(g, t, func(p games.Perfect) (err error) {
		perfect = p
		if worths, err = p.Worths(m, seat); err == nil && len(worths) == 0 {
			err = fmt.Errorf("seat %d has no move with a value", seat)
		}
		return err
	})
	switch {
	case !known:
		v.Toast("bot.hint.soon", nil)
		return nil
	case err != nil:
		return games.Refuse("bot.hint.unknown", nil)
	}
	best, _ := games.Best(worths, seat)
	lines := []games.Line{v.worthLine(t, perfect, best.Values[seat])}
	worse := slices.DeleteFunc(slices.Clone(worths), func(w games.Worth) bool {
		return w.Values[seat] >= best.Values[seat]-games.Noise
	})
	if next, ok := games.Best(worse, seat); ok {
		lines = append(lines, games.Say("bot.hint.next", games.Args{
			"Move": games.SayMove(m, seat, next.Move),
			"Cost": v.costLine(t, perfect, best.Values[seat]-next.Values[seat]),
		}))
	} else if len(worths) > 1 {
		lines = append(lines, games.Say("bot.hint.all-alike", nil))
	}
	private := v.Private(games.Say("bot.hint.best", games.Args{"Move": games.SayMove(m, seat, best.Move)}), lines...)
	board.ExplainSigns(private, m.View().Sheet, v.Say)
	v.Reply.Secret = true
	return nil
}

// worthLine returns the line that shows value, a value of perfect play: in units of the stake; without a stake in
// percent of the pool; or in points.
func (v *Visit) worthLine(t store.Table, p games.Perfect, value float64) games.Line {
	switch {
	case p.Measure() == games.Share && t.Stake > 0:
		return games.Say("bot.hint.worth", games.Args{"Worth": v.FractionOf(t.Unit, value*float64(t.Stake), true)})
	case p.Measure() == games.Share:
		return games.Say("bot.hint.worth", games.Args{"Worth": games.Say("bot.hint.share",
			games.Args{"Percent": v.Fraction(100*(value+1)/float64(len(t.Seats)), false)})})
	}
	behind, level, ahead := "bot.hint.average.behind", "bot.hint.average.level", "bot.hint.average.ahead"
	if p.Measure() == games.Par || len(t.Seats) == 1 {
		behind, level, ahead = "bot.hint.par.behind", "bot.hint.par.level", "bot.hint.par.ahead"
	}
	points := games.Args{"Points": v.Fraction(math.Abs(value), false)}
	switch {
	case math.Round(value*100) == 0:
		return games.Say(level, nil)
	case value > 0:
		return games.Say(ahead, points)
	}
	return games.Say(behind, points)
}

// costLine returns the line for lost, the cost of a move: in units of the stake, in percent of the pool, or in points.
func (v *Visit) costLine(t store.Table, p games.Perfect, lost float64) games.Line {
	switch {
	case p.Measure() == games.Share && t.Stake > 0:
		return v.FractionOf(t.Unit, lost*float64(t.Stake), false)
	case p.Measure() == games.Share:
		return games.Say("bot.hint.share", games.Args{"Percent": v.Fraction(100*lost/float64(len(t.Seats)), false)})
	}
	return games.Say("bot.hint.points", games.Args{"Points": v.Fraction(lost, false)})
}

// FractionOf returns the line for x units of stakes, such as 1.25 chips. If sign, it has a plus or a minus.
func (v *Visit) FractionOf(unit string, x float64, sign bool) games.Line {
	if unit == money.DefaultUnit || unit == "" {
		return games.Say("bot.chips-part", games.Args{"Amount": v.Fraction(x, sign)})
	}
	return games.Say("bot.units", games.Args{"Amount": v.Fraction(x, sign), "Unit": chat.Isolate(unit)})
}

// Fraction returns the line for x, with at most two decimals. If sign, it has a plus or a minus. Otherwise a
// nonzero number that rounds to 0 is "less than 0.01".
func (v *Visit) Fraction(x float64, sign bool) games.Line {
	hundredths := int(math.Round(math.Abs(x) * 100))
	said := map[bool]string{x > 0 && sign: "+", x < 0: "−"}[true]
	switch {
	case hundredths == 0 && x != 0 && !sign:
		return games.Say("bot.number.less", games.Args{"Whole": "0", "Part": "01"})
	case hundredths == 0:
		return games.Say("bot.text", games.Args{"Text": "0"})
	}
	return games.Say("bot.number.decimal", games.Args{
		"Whole": games.Number(said + fmt.Sprint(hundredths/100)), "Part": fmt.Sprintf("%02d", hundredths%100)})
}
