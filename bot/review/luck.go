package review

// Luck and mistakes in words, on the board of a finished game.

import (
	"math"
	"slices"

	"knobel/bot/board"
	"knobel/games"
	"knobel/games/review"
	"knobel/store"
)

// drawReview adds a line for each person about their luck and their mistakes, once the review is known. It leaves out
// players who threw no dice or were absent.
func drawReview(s *board.BoardView) (known bool, err error) {
	of, known, err := reviewOf(s.Tx, s.Table, s.Game)
	if err != nil || !known {
		return known, err
	}
	history, err := s.Tx.Tables.Moves(s.Table.ID)
	if err != nil {
		return known, err
	}
	moves, err := board.Standing(history)
	if err == nil && len(moves) > 0 {
		err = of.fits(moves)
	}
	if err != nil {
		return known, err
	}
	absent, err := s.Tx.Tables.PlayedFor(s.Table.ID)
	if err != nil {
		return known, err
	}
	for _, line := range of.luckLines(moves, absent) {
		s.Message.Lines = append(s.Message.Lines, s.Line(line))
	}
	return known, nil
}

// luckLines returns the lines about luck and mistakes. Without the moves, which may have been dropped, all players
// count as having thrown.
func (of reviewed) luckLines(moves []store.Move, absent []int) []games.Line {
	seats := of.r.Seats
	var told []int
	for seat := range seats {
		threw := len(moves) == 0 || slices.ContainsFunc(moves, func(m store.Move) bool {
			return int(m.Seat) == seat && len(m.Dice) > 0
		})
		if of.t.Seats[seat].House == "" && threw && !slices.Contains(absent, seat) {
			told = append(told, seat)
		}
	}
	even := min(of.little(), of.deviation(moves)/4) // what is less goes without figures
	allUnlucky := len(told) > 1 && !slices.ContainsFunc(told, func(seat int) bool { return seats[seat].Dice > -even })
	var lines []games.Line
	for _, seat := range told {
		least := allUnlucky && !slices.ContainsFunc(seats, func(s store.ReviewSeat) bool {
			return s.Dice > seats[seat].Dice
		})
		lines = append(lines, of.luckLine(seat, even, least))
	}
	return lines
}

// little returns a tenth of the stake, or without one a tenth of the mean absolute difference of the results, in the
// measure of the review; +Inf where these are equal.
func (of reviewed) little() float64 {
	if of.shares() && of.t.Stake > 0 {
		return 0.1
	}
	n, mean, apart := float64(len(of.r.Seats)), 0.0, 0.0
	for _, s := range of.r.Seats {
		mean += s.Result / n
	}
	for _, s := range of.r.Seats {
		apart += math.Abs(s.Result-mean) / n
	}
	if apart < nothing {
		return math.Inf(1)
	}
	return apart / 10
}

// deviation estimates the standard deviation of a seat's luck under the rules of a game by its throws: the luck of
// one is independent of the others', so that the mean sum of their squares is the variance. It returns +Inf without
// the moves.
func (of reviewed) deviation(moves []store.Move) float64 {
	if len(moves) == 0 {
		return math.Inf(1)
	}
	variance := 0.0
	for i, step := range of.steps.Moves {
		luck := step.Expect[moves[i].Seat] - step.Worth
		variance += luck * luck / float64(len(of.r.Seats))
	}
	return math.Sqrt(variance)
}

// luckLine says how lucky a seat was, with least that all others threw worse, and what its decisions cost. Luck below
// even is average; the figures of all parts are those of the review.
func (of reviewed) luckLine(seat int, even float64, least bool) games.Line {
	told := func(n int) games.Line {
		said := of.amount(n, 1, false)
		if games.AimsAtTotal(of.g, of.t.Rules) { // people would read it as what was won
			said = games.Say("bot.hint.points", games.Args{"Points": said})
		}
		return said
	}
	whole := map[string]int{}
	parts := of.partsOf(seat)
	tenths, _ := rounded(parts, 10)
	for i, p := range parts {
		whole[p.key] = tenths[i]
	}
	s, dice, decisions := of.r.Seats[seat], whole["bot.review.dice"], -whole["bot.review.decisions"]
	luck, mistakes := games.Say("bot.review.even", nil), games.Say("bot.review.no-mistake", nil)
	switch {
	case math.Abs(s.Dice) < even:
	case dice > 0:
		luck = games.Say("bot.review.lucky", games.Args{"Amount": told(dice)})
	case dice < 0 && least:
		luck = games.Say("bot.review.least-unlucky", games.Args{"Amount": told(-dice), "N": len(of.r.Seats) - 1})
	case dice < 0:
		luck = games.Say("bot.review.unlucky", games.Args{"Amount": told(-dice)})
	}
	switch {
	case decisions > 0 && -s.Decisions >= even:
		mistakes = games.Say("bot.review.mistakes", games.Args{"Amount": told(decisions)})
	case -s.Decisions >= review.Least(games.Measure(of.r.Measure), len(of.r.Seats)):
		mistakes = games.Say("bot.review.small-mistake", nil)
	}
	return games.Say("bot.review.line", games.Args{"Seat": games.Seat(seat), "Luck": luck, "Mistakes": mistakes})
}
