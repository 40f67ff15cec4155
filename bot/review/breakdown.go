package review

import (
	"cmp"
	"fmt"
	"math"
	"slices"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// The parts of a reviewed result, as people read them: in units of the pool, in percent of it where it was a friendly
// game, or in points. Rounded, they still add up to the result.

// part is one part of a result: the key of its words, and what it brought.
type part struct {
	key   string
	value float64
}

// scaleOf returns the factor between values of a review and what people read.
func scaleOf(t store.Table, r store.Review) float64 {
	switch {
	case r.Measure != string(games.Share):
		return 1
	case t.Stake > 0:
		return float64(t.Stake)
	}
	return 100 / float64(len(t.Seats))
}

// partsOf are the parts of a seat's result, those of the others together.
func partsOf(s store.ReviewSeat, by float64) []part {
	told := func(value float64) float64 { return by * value }
	return []part{
		{"bot.review.start", told(s.Start)},
		{"bot.review.dice", told(s.Dice)},
		{"bot.review.decisions", told(s.Decisions)},
		{"bot.review.played-for", told(s.PlayedFor)},
		{"bot.review.others", told(s.OthersDice + s.OthersDecisions)},
		{"bot.review.box", told(s.Box)},
	}
}

// nothing is what rounding alone can bring.
const nothing = 1e-7

// rounded rounds parts to whole multiples of 1/unit so that they add up to the rounded sum: those that are furthest
// from their value give or take one more. Parts of nothing stay nothing.
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

// decimal spells a whole number of tenths (digits 1) or hundredths (2), with its sign where that is wanted.
func decimal(n, digits int, sign bool) games.Line {
	unit := int(math.Pow10(digits))
	said := map[bool]string{n > 0 && sign: "+", n < 0: "−"}[true]
	n = max(n, -n)
	if n == 0 {
		return games.Say("bot.text", games.Args{"Text": "0"})
	}
	return games.Say("bot.number.decimal",
		games.Args{"Whole": games.Number(said + fmt.Sprint(n/unit)), "Part": fmt.Sprintf("%0*d", digits, n%unit)})
}

// amountOf says a number that decimal spells in what the review counts: percent
// are named, units and points speak for themselves.
func amountOf(t store.Table, r store.Review, n, digits int, sign bool) games.Line {
	said := decimal(n, digits, sign)
	if r.Measure == string(games.Share) && t.Stake == 0 {
		return games.Say("bot.review.percent", games.Args{"Amount": said})
	}
	return said
}

// partLines returns lines for the parts of a seat's result, rounded to digits: its dice and
// decisions always, those of others if there are others, the rest if it is not zero.
func partLines(t store.Table, r store.Review, seat, digits int) (lines []games.Line, sum games.Line) {
	parts := partsOf(r.Seats[seat], scaleOf(t, r))
	whole, total := rounded(parts, math.Pow10(digits))
	for i, p := range parts {
		always := p.key == "bot.review.dice" || p.key == "bot.review.decisions" ||
			p.key == "bot.review.others" && len(r.Seats) > 1 && r.Measure != string(games.Par)
		if whole[i] != 0 || always {
			lines = append(lines, games.Say(p.key, games.Args{"Amount": amountOf(t, r, whole[i], digits, true)}))
		}
	}
	return lines, amountOf(t, r, total, digits, true)
}

// inUnits names what a table's review counts.
func (v *visit) inUnits(t store.Table, r store.Review) games.Line {
	switch {
	case r.Measure == string(games.Par):
		return games.Say("bot.review.in-par", nil)
	case r.Measure != string(games.Share):
		return games.Say(v.bot.pointsOf(t), nil)
	case t.Stake == 0:
		return games.Say("bot.review.in-percent", nil)
	}
	return inUnit(t.Unit)
}

// pointsOf is the key of what points of a review are: where something else was settled than differences of totals, they
// say that they are not that.
func (b *Reviews) pointsOf(t store.Table) string {
	g, err := b.Game(t.Game)
	switch {
	case err != nil || !games.AimsAtTotal(g, t.Rules):
		return "bot.review.in-points"
	case g.Shape(t.Rules).Staked():
		return "bot.review.in-points-beside-pool"
	}
	return "bot.review.in-points-of-total"
}

// inUnit names a unit inside a sentence.
func inUnit(unit string) games.Line {
	if unit == money.DefaultUnit || unit == "" {
		return games.Say("bot.review.in-units", games.Args{"Unit": games.Word("bot.leaders.chips")})
	}
	return games.Say("bot.review.in-units", games.Args{"Unit": chat.Isolate(unit)})
}
