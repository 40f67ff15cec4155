package sheet

import (
	"cmp"
	"math"
	"slices"
	"strconv"
	"strings"

	"knobel/games"
)

// The tallies for a player's statistics: points by row, bonuses of sections, and throws of equal dice compared with
// their probability.

var _ games.Tallied = Game{}

// Keys of the Tally; those with a trailing space are followed by a row or a number.
const (
	tallyFilled = "filled "  // places of the row that were written or struck
	tallyStruck = "struck "  // places of the row that were struck
	tallyPoints = "points "  // the points of the filled places
	tallyBest   = "best "    // the largest possible points of the filled places
	tallyWorst  = "worst "   // the smallest possible points of the filled places
	tallyWhole  = "sections" // finished sections that offer a bonus, won or not
	tallyBonus  = "bonuses"  // finished sections that won their bonus
	tallyEqual  = "equal"    // throws after which all dice were equal
	tallyChance = "power "   // throws that had a chance of (1/6)^n to make all dice equal; n follows
)

// Tally returns what move mv of seat s, which led to after, adds to statistics; nil if after is not of this package.
func (g Game) Tally(_, after games.Match, s games.Seat, mv games.Move) games.Tally {
	m, ours := after.(match)
	if !ours {
		return nil
	}
	t := games.Tally{}
	switch verb, _, _ := strings.Cut(string(mv), " "); verb {
	case "throw", "keep":
		m.tallyThrow(t)
	case "write", "strike":
		m.tallyRow(t, m.ended.spot.row, m.lastCell())
		m.tallyEnd(t, int(s))
	case "miss":
		m.tallyEnd(t, int(s))
	}
	return t
}

// tallyThrow adds the last throw to t if it could make all dice equal: the kept dice had to be equal.
func (m match) tallyThrow(t games.Tally) {
	kept, thrown := m.keptCounts(m.kept), m.plan.paper.Dice-m.kept.Count()
	switch {
	case m.kept == 0:
		thrown-- // the first die may show any face, the others must match it
	case kept.equalFace() == 0:
		return
	}
	t[tallyChance+strconv.Itoa(thrown)]++
	if m.plan.counts(m.hand).equalFace() > 0 {
		t[tallyEqual]++
	}
}

// tallyRow adds c, a cell of row r, to t. A cell that is still open counts as struck.
func (m match) tallyRow(t games.Tally, r int, c cell) {
	name, limits := m.plan.rows[r].Name, m.plan.extremes()[r]
	t[tallyFilled+name]++
	t[tallyPoints+name] += int64(c.points)
	t[tallyWorst+name] += int64(limits.worst)
	t[tallyBest+name] += int64(limits.best)
	if c.mark != written {
		t[tallyStruck+name]++
	}
}

// tallyEnd adds to t the sections with a bonus that the last turn of seat completed. After the final turn of seat it
// also adds the sections that are not complete and the cells that are empty.
func (m match) tallyEnd(t games.Tally, seat int) {
	p, g, at, last := m.plan, &m.pages[seat], m.ended.spot, m.roundsPlayed(seat) == m.plan.places
	for section, of := range p.paper.Sections {
		if !slices.ContainsFunc(of.Bonus, func(s Step) bool { return s.Points > 0 }) {
			continue
		}
		for column := range p.columns {
			now := m.ended.kind != missed && at.column == column && p.rows[at.row].section == section
			if filled := p.isFilled(g, column, section); filled && now || !filled && last {
				t[tallyWhole]++
				if bonus, _ := p.bonus(g, column, section); bonus > 0 {
					t[tallyBonus]++
				}
			}
		}
	}
	for at, c := range g.cells {
		if last && c.mark == open {
			m.tallyRow(t, p.rowOf(at), c)
		}
	}
}

// isFilled reports whether a section has no open place in a column of page g.
func (p *plan) isFilled(g *page, column, section int) bool {
	for r := range p.rows {
		if p.rows[r].section == section && !p.isClosed(g, spot{column, r}) {
			return false
		}
	}
	return true
}

// extreme holds the worst and the best points that one cell of a row can give. If points are subtracted, best < worst.
type extreme struct{ worst, best int }

// extremeOf returns the worst and the best points that a place of row r can give.
func (p *plan) extremeOf(r int) extreme {
	low, high, some := 0, 0, p.rows[r].canBeStruck() // a struck row gives 0
	moments := p.moments(r)
	for _, c := range lattices[p.paper.Dice]().throws() {
		for _, when := range moments {
			points, met := p.points(r, c, when)
			if !met {
				continue
			}
			if !some {
				low, high, some = points, points, true
			}
			low, high = min(low, points), max(high, points)
		}
	}
	if of := p.paper.Sections[p.rows[r].section]; of.Times != "" && of.Rows[1].Name == p.rows[r].Name {
		low, high = high, low
	}
	return extreme{low, high}
}

// moments returns the throws after which row r may give different points; a single one if it always gives the same.
func (p *plan) moments(r int) []moment {
	all, rowPoints := []moment{{1, true}}, p.rows[r].Points
	if rowPoints.First == 0 && rowPoints.Served == 0 && len(rowPoints.ByThrow) == 0 && rowPoints.Doubled == Single {
		return all
	}
	for throw := 2; throw <= p.paper.Throws; throw++ {
		all = append(all, moment{throw, false}, moment{throw, true})
	}
	return all
}

// Sentences that describe a tally to players.

// bestRows is how many of the best rows SayTally names.
const bestRows = 3

// filledRow holds the sums of one row in a Tally.
type filledRow struct {
	name                                string
	filled, struck, points, best, worst int64
}

// share returns the points on a scale from the worst possible points (0) to the best possible ones (1).
func (r filledRow) share() float64 { return float64(r.points-r.worst) / float64(r.best-r.worst) }

// SayTally returns sentences on the best rows and the worst one, compared with the best possible points; on how often a
// bonus was reached; and on how often all dice were equal, compared with the probability of that.
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
	expected, some := 0.0, false // the expected number of throws of equal dice: the sum of their chances
	for power := range maxDice + 1 {
		if n := sum[tallyChance+strconv.Itoa(power)]; n > 0 {
			expected += float64(n) * math.Pow(sides, -float64(power))
			some = true
		}
	}
	if some {
		lines = append(lines, g.set.say("tally.equal", games.Args{"N": int(sum[tallyEqual]),
			"Dice": g.set.paper(nil).Dice, "Chance": games.Decimal(expected)}))
	}
	return lines
}

// filledRows returns the sums in sum of each row that was filled, the row with the best share first.
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

// rowLine returns a line with the average points of row r.
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
