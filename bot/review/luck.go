package review

// Luck and mistakes in words, on the board of a finished game.

import (
	"encoding/json"
	"fmt"
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
	r, known, err := reviewOf(s.Tx, s.Table)
	if err != nil || !known {
		return known, err
	}
	history, err := s.Tx.Tables.Moves(s.Table.ID)
	if err != nil {
		return known, err
	}
	moves, err := board.Standing(history)
	if err != nil {
		return known, err
	}
	absent, err := s.Tx.Tables.PlayedFor(s.Table.ID)
	if err != nil {
		return known, err
	}
	lines, err := luckLines(s.Game, s.Table, r, moves, absent)
	for _, line := range lines {
		s.Message.Lines = append(s.Message.Lines, s.Line(line))
	}
	return known, err
}

// luckLines returns these lines. Without the moves, which may have been dropped, all players count as having thrown.
func luckLines(g games.Game, t store.Table, r store.Review, moves []store.Move, absent []int) ([]games.Line, error) {
	deviation, err := deviationOf(r, moves)
	if err != nil {
		return nil, err
	}
	var told []int
	for seat := range r.Seats {
		threw := len(moves) == 0 || slices.ContainsFunc(moves, func(m store.Move) bool {
			return int(m.Seat) == seat && len(m.Dice) > 0
		})
		if t.Seats[seat].House == "" && threw && !slices.Contains(absent, seat) {
			told = append(told, seat)
		}
	}
	even := min(little(t, r), deviation/4) // what is less goes without figures
	allUnlucky := len(told) > 1 && !slices.ContainsFunc(told, func(seat int) bool { return r.Seats[seat].Dice > -even })
	var lines []games.Line
	for _, seat := range told {
		least := allUnlucky && !slices.ContainsFunc(r.Seats, func(s store.ReviewSeat) bool {
			return s.Dice > r.Seats[seat].Dice
		})
		lines = append(lines, luckLine(g, t, r, seat, even, least))
	}
	return lines, nil
}

// little returns a tenth of the stake, or without one a tenth of the mean absolute difference of the results, in the
// measure of the review; +Inf where these are equal.
func little(t store.Table, r store.Review) float64 {
	if r.Measure == string(games.Share) && t.Stake > 0 {
		return 0.1
	}
	n, mean, apart := float64(len(r.Seats)), 0.0, 0.0
	for _, s := range r.Seats {
		mean += s.Result / n
	}
	for _, s := range r.Seats {
		apart += math.Abs(s.Result-mean) / n
	}
	if apart < nothing {
		return math.Inf(1)
	}
	return apart / 10
}

// deviationOf estimates the standard deviation of a seat's luck under the rules of a game by its throws: the luck of
// one is independent of the others', so that the mean sum of their squares is the variance. It returns +Inf without
// the moves.
func deviationOf(r store.Review, moves []store.Move) (float64, error) {
	if len(moves) == 0 {
		return math.Inf(1), nil
	}
	var steps reviewSteps
	if err := json.Unmarshal(r.Steps, &steps); err != nil {
		return 0, fmt.Errorf("review of table %d: %w", r.Table, err)
	}
	if len(moves) != len(steps.Moves) {
		return 0, fmt.Errorf("review of table %d: %d steps of %d moves", r.Table, len(steps.Moves), len(moves))
	}
	variance := 0.0
	for i, step := range steps.Moves {
		luck := step.Expect[moves[i].Seat] - step.Worth
		variance += luck * luck / float64(len(r.Seats))
	}
	return math.Sqrt(variance), nil
}

// luckLine says how lucky a seat was, with least that all others threw worse, and what its decisions cost. Luck below
// even is average; the figures of all parts are those of the review.
func luckLine(g games.Game, t store.Table, r store.Review, seat int, even float64, least bool) games.Line {
	told := func(n int) games.Line {
		said := amountOf(t, r, n, 1, false)
		if games.AimsAtTotal(g, t.Rules) { // people would read it as what was won
			said = games.Say("bot.hint.points", games.Args{"Points": said})
		}
		return said
	}
	whole := map[string]int{}
	parts := partsOf(r.Seats[seat], scaleOf(t, r))
	tenths, _ := rounded(parts, 10)
	for i, p := range parts {
		whole[p.key] = tenths[i]
	}
	dice, decisions := whole["bot.review.dice"], -whole["bot.review.decisions"]
	luck, mistakes := games.Say("bot.review.even", nil), games.Say("bot.review.no-mistake", nil)
	switch {
	case math.Abs(r.Seats[seat].Dice) < even:
	case dice > 0:
		luck = games.Say("bot.review.lucky", games.Args{"Amount": told(dice)})
	case dice < 0 && least:
		luck = games.Say("bot.review.least-unlucky", games.Args{"Amount": told(-dice), "N": len(r.Seats) - 1})
	case dice < 0:
		luck = games.Say("bot.review.unlucky", games.Args{"Amount": told(-dice)})
	}
	switch {
	case decisions > 0 && -r.Seats[seat].Decisions >= even:
		mistakes = games.Say("bot.review.mistakes", games.Args{"Amount": told(decisions)})
	case -r.Seats[seat].Decisions >= review.Least(games.Measure(r.Measure), len(r.Seats)):
		mistakes = games.Say("bot.review.small-mistake", nil)
	}
	return games.Say("bot.review.line", games.Args{"Seat": games.Seat(seat), "Luck": luck, "Mistakes": mistakes})
}
