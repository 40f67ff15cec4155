package review

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/games/review"
	"knobel/store"
)

// The parts of a reviewed result in the user's units: units of the pool, percent of it if there was no stake, or
// points. The rounded parts still add up to the result.

// part is one part of a result.
type part struct {
	key   string // message key of the part
	value float64
}

// shares reports whether the values of the review are shares of a pool.
func (of reviewed) shares() bool { return of.r.Measure == string(games.Share) }

// scale returns the factor from values of the review to the values that are shown.
func (of reviewed) scale() float64 {
	return review.Scale(games.Measure(of.r.Measure), len(of.t.Seats), of.t.Stake)
}

// partsOf returns the parts of a seat's result, with the luck and decisions of all other seats as one part.
func (of reviewed) partsOf(seat int) []part {
	s, by := of.r.Seats[seat], of.scale()
	return []part{
		{"bot.review.start", by * s.Start},
		{"bot.review.dice", by * s.Dice},
		{"bot.review.decisions", by * s.Decisions},
		{"bot.review.played-for", by * s.PlayedFor},
		{"bot.review.others", by * (s.OthersDice + s.OthersDecisions)},
		{"bot.review.box", by * s.Box},
	}
}

// nothing is the size below which a value counts as zero, to ignore rounding errors.
const nothing = 1e-7

// rounded returns the parts in whole multiples of 1/unit, adjusted to add up to the rounded sum: the parts with the
// largest rounding errors change by one. Parts that count as zero stay 0.
func rounded(parts []part, unit float64) (whole []int, sum int) {
	exact := 0.0
	whole = make([]int, len(parts))
	left := make([]float64, len(parts)) // exact value minus rounded value
	var some []int
	for i, p := range parts {
		exact += p.value * unit
		if math.Abs(p.value) < nothing {
			continue
		}
		whole[i] = int(math.Round(p.value * unit))
		left[i] = p.value*unit - float64(whole[i])
		some = append(some, i)
	}
	sum = int(math.Round(exact))
	missing := sum
	for _, n := range whole {
		missing -= n
	}
	step := 1
	if missing < 0 {
		step = -1
	}
	slices.SortStableFunc(some, func(a, b int) int {
		return cmp.Compare(left[b], left[a]) * step
	})
	for _, i := range some[:min(missing*step, len(some))] {
		whole[i] += step
	}
	return whole, sum
}

// amount returns n tenths (digits 1) or hundredths (digits 2) as text, with a plus if sign is set. It names percent,
// but not units or points.
func (of reviewed) amount(n, digits int, sign bool) games.Line {
	unit := int(math.Pow10(digits))
	before := map[bool]string{n > 0 && sign: "+", n < 0: "−"}[true]
	said := games.Say("bot.text", games.Args{"Text": "0"})
	if n = max(n, -n); n > 0 {
		said = games.Say("bot.number.decimal",
			games.Args{"Whole": games.Number(before + fmt.Sprint(n/unit)), "Part": fmt.Sprintf("%0*d", digits, n%unit)})
	}
	if of.shares() && of.t.Stake == 0 {
		return games.Say("bot.review.percent", games.Args{"Amount": said})
	}
	return said
}

// inUnits returns the name of the review's unit. Points get a note if other points decided the settlement.
func (of reviewed) inUnits() games.Line {
	switch {
	case of.r.Measure == string(games.Par):
		return games.Say("bot.review.in-par", nil)
	case of.shares() && of.t.Stake == 0:
		return games.Say("bot.review.in-percent", nil)
	case of.shares():
		return inUnit(of.t.Unit)
	case !games.AimsAtTotal(of.g, of.t.Rules):
		return games.Say("bot.review.in-points", nil)
	case of.g.Shape(of.t.Rules).Staked():
		return games.Say("bot.review.in-points-beside-pool", nil)
	}
	return games.Say("bot.review.in-points-of-total", nil)
}

// inUnit returns the name of a unit for use inside a sentence.
func inUnit(unit string) games.Line {
	if unit == money.DefaultUnit || unit == "" {
		return games.Say("bot.review.in-units", games.Args{"Unit": games.Word("bot.leaders.chips")})
	}
	return games.Say("bot.review.in-units", games.Args{"Unit": chat.Isolate(unit)})
}

// Lines about luck and mistakes on the board of a finished game.

// drawReview adds a line about luck and mistakes for each person to the board, and reports whether there is a review.
// It leaves out players who rolled no dice or missed a move.
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

// luckLines returns the lines about luck and mistakes, without the seats in absent. If moves is empty because they were
// dropped, all players count as having rolled.
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
	even := min(of.little(), of.deviation(moves)/4) // smaller luck and mistakes are shown without figures
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

// little returns a tenth of the stake or, without one, of the mean absolute deviation of the results, in the measure of
// the review; +Inf if all results are equal.
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

// deviation returns an estimate of the standard deviation of a seat's luck: the luck of each roll is independent, so
// the mean over the seats of the summed squares is the variance. It returns +Inf without moves.
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

// luckLine returns a line about a seat's luck and the cost of its decisions. Luck below even counts as average. least
// means that all seats had bad luck and this one the least. Figures are rounded as in the review.
func (of reviewed) luckLine(seat int, even float64, least bool) games.Line {
	told := func(n int) games.Line {
		said := of.amount(n, 1, false)
		if games.AimsAtTotal(of.g, of.t.Rules) { // a bare number would look like the winnings
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
