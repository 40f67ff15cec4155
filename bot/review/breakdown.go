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

// The components of a reviewed result, such as luck and mistakes, in the user's units: units of the stake, percent of
// the pool if there was no stake, or points. The rounded components still add up to the result.

// component is one addend of a seat's result, such as its luck.
type component struct {
	key   string // message key of its label
	value float64
}

// isInShares reports whether the values of the review are shares of a pool.
func (rev reviewed) isInShares() bool { return rev.r.Measure == string(games.Share) }

// displayFactor returns the factor from values of the review to displayed values.
func (rev reviewed) displayFactor() float64 {
	return review.Scale(games.Measure(rev.r.Measure), len(rev.t.Seats), rev.t.Stake)
}

// componentsOf splits a seat's result by its causes, such as luck and mistakes, in the unit that is displayed. Luck and
// mistakes of the other seats are one component.
func (rev reviewed) componentsOf(seat int) []component {
	s, factor := rev.r.Seats[seat], rev.displayFactor()
	return []component{
		{"bot.review.start", factor * s.Start},
		{"bot.review.dice", factor * s.Dice},
		{"bot.review.decisions", factor * s.Decisions},
		{"bot.review.played-for", factor * s.PlayedFor},
		{"bot.review.others", factor * (s.OthersDice + s.OthersDecisions)},
		{"bot.review.box", factor * s.Box},
	}
}

// roundingError is the size below which a value counts as zero.
const roundingError = 1e-7

// roundComponents returns the values in units of 1/perUnit, as whole numbers that add up to sum, the rounded total.
// Values with the largest rounding errors are adjusted by one. Values that count as zero stay 0.
func roundComponents(components []component, perUnit float64) (whole []int, sum int) {
	exact := 0.0
	whole = make([]int, len(components))
	remainder := make([]float64, len(components)) // exact value minus rounded value
	var adjustable []int
	for i, p := range components {
		exact += p.value * perUnit
		if math.Abs(p.value) < roundingError {
			continue
		}
		whole[i] = int(math.Round(p.value * perUnit))
		remainder[i] = p.value*perUnit - float64(whole[i])
		adjustable = append(adjustable, i)
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
	slices.SortStableFunc(adjustable, func(a, b int) int {
		return cmp.Compare(remainder[b], remainder[a]) * step
	})
	for _, i := range adjustable[:min(missing*step, len(adjustable))] {
		whole[i] += step
	}
	return whole, sum
}

// amountLabel returns n tenths (digits 1) or hundredths (digits 2) as text, with a "+" in front if plus is set and n is
// positive. It adds the word for percent, but not for other units.
func (rev reviewed) amountLabel(n, digits int, plus bool) games.Line {
	unit := int(math.Pow10(digits))
	sign := map[bool]string{n > 0 && plus: "+", n < 0: "−"}[true]
	text := games.Say("bot.text", games.Args{"Text": "0"})
	if n = max(n, -n); n > 0 {
		text = games.Say("bot.number.decimal",
			games.Args{"Whole": games.Number(sign + fmt.Sprint(n/unit)), "Part": fmt.Sprintf("%0*d", digits, n%unit)})
	}
	if rev.isInShares() && rev.t.Stake == 0 {
		return games.Say("bot.review.percent", games.Args{"Amount": text})
	}
	return text
}

// unitLabel returns the name of the unit of displayed values. It adds a note to points if they are not the winnings.
func (rev reviewed) unitLabel() games.Line {
	switch {
	case rev.r.Measure == string(games.Par):
		return games.Say("bot.review.in-par", nil)
	case rev.isInShares() && rev.t.Stake == 0:
		return games.Say("bot.review.in-percent", nil)
	case rev.isInShares():
		return unitPhrase(rev.t.Unit)
	case !games.AimsAtTotal(rev.g, rev.t.Rules):
		return games.Say("bot.review.in-points", nil)
	case rev.g.Shape(rev.t.Rules).Staked():
		return games.Say("bot.review.in-points-beside-pool", nil)
	}
	return games.Say("bot.review.in-points-of-total", nil)
}

// unitPhrase returns the name of a stake's unit for use inside a sentence.
func unitPhrase(unit string) games.Line {
	if unit == money.DefaultUnit || unit == "" {
		return games.Say("bot.review.in-units", games.Args{"Unit": games.Word("bot.leaders.chips")})
	}
	return games.Say("bot.review.in-units", games.Args{"Unit": chat.Isolate(unit)})
}

// decider returns the sentence that says whether luck or mistakes decided the game: in which of them the seats differ
// more. It names the seat with the most of it. Without luck and mistakes it returns none.
func (rev reviewed) decider() []games.Line {
	size := func(of func(store.ReviewSeat) float64) (seat int, spread float64) {
		var values []float64
		for i, s := range rev.r.Seats {
			values = append(values, of(s))
			if math.Abs(of(s)) > math.Abs(values[seat]) {
				seat = i
			}
		}
		if len(values) < 2 {
			values = append(values, 0)
		}
		return seat, slices.Max(values) - slices.Min(values)
	}
	if len(rev.r.Seats) == 0 {
		return nil
	}
	dice := func(s store.ReviewSeat) float64 { return s.Dice }
	decisions := func(s store.ReviewSeat) float64 { return s.Decisions }
	lucky, luck := size(dice)
	mistaken, mistakes := size(decisions)
	switch {
	case max(luck, mistakes)*rev.displayFactor() < 0.05: // shown as 0
		return nil
	case mistakes > luck:
		return []games.Line{rev.amountOf("bot.review.by-mistakes", mistaken, rev.r.Seats[mistaken].Decisions)}
	}
	return []games.Line{rev.amountOf("bot.review.by-luck", lucky, rev.r.Seats[lucky].Dice)}
}

// amountOf returns the sentence of a key about a seat and an amount in the measure of the review.
func (rev reviewed) amountOf(key string, seat int, amount float64) games.Line {
	tenths := int(math.Round(amount * rev.displayFactor() * 10))
	return games.Say(key, games.Args{"Seat": games.Seat(seat), "Amount": rev.amountLabel(tenths, 1, true)})
}

// Lines about luck and mistakes on the board of a finished game.

// drawReview adds a line about luck and mistakes for each person to the board of a finished game. known reports whether
// there is a review. Players who rolled no dice or missed a move get no line.
func drawReview(s *board.BoardView) (known bool, err error) {
	rev, known, err := reviewOf(s.Tx, s.Table, s.Game)
	if err != nil || !known {
		return known, err
	}
	history, err := s.Tx.Tables.Moves(s.Table.ID)
	if err != nil {
		return known, err
	}
	moves, err := board.Standing(history)
	if err == nil && len(moves) > 0 {
		err = rev.checkSteps(moves)
	}
	if err != nil {
		return known, err
	}
	absent, err := s.Tx.Tables.PlayedFor(s.Table.ID)
	if err != nil {
		return known, err
	}
	for _, line := range rev.luckLines(moves, absent) {
		s.Message.Lines = append(s.Message.Lines, s.Line(line))
	}
	return known, nil
}

// luckLines returns a line about luck and mistakes for each person who rolled, without the seats in absent. If moves is
// empty because the moves were dropped, all players count as having rolled.
func (rev reviewed) luckLines(moves []store.Move, absent []int) []games.Line {
	seats := rev.r.Seats
	var shown []int
	for seat := range seats {
		rolled := len(moves) == 0 || slices.ContainsFunc(moves, func(m store.Move) bool {
			return int(m.Seat) == seat && len(m.Dice) > 0
		})
		if rev.t.Seats[seat].House == "" && rolled && !slices.Contains(absent, seat) {
			shown = append(shown, seat)
		}
	}
	threshold := min(rev.smallLuck(), rev.luckDeviation(moves)/4) // smaller luck and mistakes are shown without figures
	allUnlucky := len(shown) > 1 &&
		!slices.ContainsFunc(shown, func(seat int) bool { return seats[seat].Dice > -threshold })
	var lines []games.Line
	for _, seat := range shown {
		leastUnlucky := allUnlucky && !slices.ContainsFunc(seats, func(s store.ReviewSeat) bool {
			return s.Dice > seats[seat].Dice
		})
		lines = append(lines, rev.luckLine(seat, threshold, leastUnlucky))
	}
	return lines
}

// smallLuck returns the size below which luck is not worth mentioning: a tenth of the stake or, without a stake, of
// the mean absolute deviation of the results; +Inf if all results are equal.
func (rev reviewed) smallLuck() float64 {
	if rev.isInShares() && rev.t.Stake > 0 {
		return 0.1
	}
	n, mean, deviation := float64(len(rev.r.Seats)), 0.0, 0.0
	for _, s := range rev.r.Seats {
		mean += s.Result / n
	}
	for _, s := range rev.r.Seats {
		deviation += math.Abs(s.Result-mean) / n
	}
	if deviation < roundingError {
		return math.Inf(1)
	}
	return deviation / 10
}

// luckDeviation returns an estimate of the standard deviation of a seat's luck; +Inf without moves. The luck of each
// roll is independent, so the mean over the seats of the summed squares is the variance.
func (rev reviewed) luckDeviation(moves []store.Move) float64 {
	if len(moves) == 0 {
		return math.Inf(1)
	}
	variance := 0.0
	for i, step := range rev.steps.Moves {
		luck := step.Expect[moves[i].Seat] - step.Worth
		variance += luck * luck / float64(len(rev.r.Seats))
	}
	return math.Sqrt(variance)
}

// luckLine returns a line about a seat's luck and the cost of its decisions. Luck below threshold counts as average.
// leastUnlucky means that all seats had bad luck and this one the least. Figures are rounded as in the review.
func (rev reviewed) luckLine(seat int, threshold float64, leastUnlucky bool) games.Line {
	label := func(n int) games.Line {
		text := rev.amountLabel(n, 1, false)
		if games.AimsAtTotal(rev.g, rev.t.Rules) { // a bare number would look like the winnings
			text = games.Say("bot.hint.points", games.Args{"Points": text})
		}
		return text
	}
	tenthsOf := map[string]int{}
	components := rev.componentsOf(seat)
	tenths, _ := roundComponents(components, 10)
	for i, p := range components {
		tenthsOf[p.key] = tenths[i]
	}
	s, dice, decisions := rev.r.Seats[seat], tenthsOf["bot.review.dice"], -tenthsOf["bot.review.decisions"]
	luck, mistakes := games.Say("bot.review.even", nil), games.Say("bot.review.no-mistake", nil)
	switch {
	case math.Abs(s.Dice) < threshold:
	case dice > 0:
		luck = games.Say("bot.review.lucky", games.Args{"Amount": label(dice)})
	case dice < 0 && leastUnlucky:
		luck = games.Say("bot.review.least-unlucky", games.Args{"Amount": label(-dice), "N": len(rev.r.Seats) - 1})
	case dice < 0:
		luck = games.Say("bot.review.unlucky", games.Args{"Amount": label(-dice)})
	}
	switch {
	case decisions > 0 && -s.Decisions >= threshold:
		mistakes = games.Say("bot.review.mistakes", games.Args{"Amount": label(decisions)})
	case -s.Decisions >= review.Least(games.Measure(rev.r.Measure), len(rev.r.Seats)):
		mistakes = games.Say("bot.review.small-mistake", nil)
	}
	return games.Say("bot.review.line", games.Args{"Seat": games.Seat(seat), "Luck": luck, "Mistakes": mistakes})
}
