package sheet

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"knobel/games"
)

// What sums of statistics come to, in sentences.

// bestRows is how many rows are told that were filled best.
const bestRows = 3

// filledRow is how a row was filled.
type filledRow struct {
	name                                string
	filled, struck, points, best, worst int64
}

// share is how far the points lie from the worst to the best, from 0 to 1.
func (r filledRow) share() float64 { return float64(r.points-r.worst) / float64(r.best-r.worst) }

// SayTally tells the rows that were filled best and worst, by how near they come to the best possible; how often a
// bonus was reached; and equal dice beside what chance brings.
func (g Game) SayTally(sum games.Tally) []games.Line {
	var lines []games.Line
	if rows := filledRows(sum); len(rows) > bestRows && rows[0].share() > rows[len(rows)-1].share() {
		var best games.List
		for _, r := range rows[:bestRows] {
			if r.points != 0 {
				best = append(best, g.rowLine(r))
			}
		}
		if len(best) > 0 {
			args := games.Args{"Best": best, "Worst": g.rowLine(rows[len(rows)-1])}
			lines = append(lines, g.set.say("tally.rows", args))
		}
	}
	if whole := sum[tallyWhole]; whole > 0 {
		share := games.Decimal(100 * float64(sum[tallyBonus]) / float64(whole))
		lines = append(lines, g.set.say("tally.bonus",
			games.Args{"N": int(sum[tallyBonus]), "Of": int(whole), "Share": share}))
	}
	if chance, some := chanceOf(sum); some {
		lines = append(lines, g.set.say("tally.equal", games.Args{"N": int(sum[tallyEqual]),
			"Dice": g.set.paper(nil).Dice, "Chance": games.Decimal(chance)}))
	}
	return lines
}

// filledRows are the rows that were filled, the best first.
func filledRows(sum games.Tally) []filledRow {
	var rows []filledRow
	for key, filled := range sum {
		if name, ok := strings.CutPrefix(key, tallyFilled); ok && filled > 0 {
			rows = append(rows, filledRow{name: name, filled: filled, struck: sum[tallyStruck+name],
				points: sum[tallyPoints+name], best: sum[tallyBest+name], worst: sum[tallyWorst+name]})
		}
	}
	slices.SortFunc(rows, func(a, b filledRow) int {
		return cmp.Or(cmp.Compare(b.share(), a.share()), cmp.Compare(a.name, b.name))
	})
	return rows
}

// rowLine tells a row by what it gave on average.
func (g Game) rowLine(r filledRow) games.Line {
	args := games.Args{
		"Row":    games.Word(g.set.Name + ".row." + r.name),
		"Points": games.Decimal(float64(r.points) / float64(r.filled)),
		"Best":   games.Decimal(float64(r.best) / float64(r.filled)),
	}
	if r.struck == 0 {
		return g.set.say("tally.row", args)
	}
	args["Struck"], args["Of"] = int(r.struck), int(r.filled)
	return g.set.say("tally.row-struck", args)
}

// chanceOf is how many throws of equal dice were to be expected, whatever the dice were that were kept: each throw
// counts by its own chance. It returns false where no throw had any.
func chanceOf(sum games.Tally) (expected float64, some bool) {
	for power := range maxDice + 1 {
		if n := sum[tallyChance+strconv.Itoa(power)]; n > 0 {
			expected += float64(n) * math.Pow(sides, -float64(power))
			some = true
		}
	}
	return expected, some
}
