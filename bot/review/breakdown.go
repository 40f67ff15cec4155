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

// The parts of a reviewed result, as people read them: in units of the pool, in percent of it where it was a friendly
// game, or in points. Rounded, they still add up to the result.

// part is one part of a result.
type part struct {
	key   string // of its sentence
	value float64
}

// shares reports whether the review counts shares of a pool.
func (of reviewed) shares() bool { return of.r.Measure == string(games.Share) }

// scale returns the factor between values of the review and what people read.
func (of reviewed) scale() float64 {
	return review.Scale(games.Measure(of.r.Measure), len(of.t.Seats), of.t.Stake)
}

// partsOf returns the parts of a seat's result, those of the others together.
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

// nothing is the size below which a value is a rounding error.
const nothing = 1e-7

// rounded rounds parts to whole multiples of 1/unit so that they add up to the rounded sum: the parts with the largest
// rounding errors are moved by one more. Parts of nothing stay 0.
func rounded(parts []part, unit float64) (whole []int, sum int) {
	exact := 0.0
	whole = make([]int, len(parts))
	left := make([]float64, len(parts)) // what rounding took
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

// amount spells a whole number of tenths (digits 1) or hundredths (2), with a plus if sign is set. Percent are named,
// units and points are not.
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

// inUnits names the unit of the review. Points say so if something else than differences of totals was settled.
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

// inUnit names a unit inside a sentence.
func inUnit(unit string) games.Line {
	if unit == money.DefaultUnit || unit == "" {
		return games.Say("bot.review.in-units", games.Args{"Unit": games.Word("bot.leaders.chips")})
	}
	return games.Say("bot.review.in-units", games.Args{"Unit": chat.Isolate(unit)})
}

// Luck and mistakes in words, on the board of a finished game.

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
