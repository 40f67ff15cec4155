package sheet

import (
	"math"
	"strconv"
	"strings"

	"knobel/games"
)

// say returns the line of the set with the message key "NAME." + key, where NAME is the name of the set.
func (p *plan) say(key string, args games.Args) games.Line {
	return games.Say(p.set.Name+"."+key, args)
}

// name returns the line for a name, such as "row.ones", or for a sentence of the rules. A variant that has its own
// command can have its own line, with the message key "NAME.variant.V." + key.
func (p *plan) name(key string, args games.Args) games.Line {
	if p.variant == "" {
		return p.say(key, args)
	}
	return p.say("variant."+p.variant+"."+key, args)
}

// word returns the line of name without arguments as an argument of lines.
func (p *plan) word(key string) games.Word { return games.Word(p.name(key, nil).Key) }

// rowWord returns the name of the row of spot s for a sentence and, with several columns, the name of its column.
func (p *plan) rowWord(s spot) any {
	row := p.word("row." + p.rows[s.row].Name)
	if len(p.columns) == 1 {
		return row
	}
	return p.say("row-of-column", games.Args{"Row": row, "Column": p.word("column." + p.columns[s.column].Name)})
}

// rowLabel returns the name of the row of spot s for a button; if there are several columns, after its column's sign.
func (p *plan) rowLabel(s spot) any {
	row := p.word("row." + p.rows[s.row].Name)
	if len(p.columns) == 1 {
		return row
	}
	return p.say("row-signed", games.Args{"Row": row, "Sign": p.word("sign." + p.columns[s.column].Name)})
}

// signed returns points with a sign: "+6", "−2", "0".
func signed(points int) string {
	if points > 0 {
		return "+" + strconv.Itoa(points)
	}
	return spell(points)
}

// spell returns points as text, with a true minus sign.
func spell(points int) string {
	if points < 0 {
		return "−" + strconv.Itoa(-points)
	}
	return strconv.Itoa(points)
}

// spellPoints returns points of row r as text; if the row can give losses, with a plus or minus sign.
func (p *plan) spellPoints(r, points int) string {
	if p.rows[r].isSigned() {
		return signed(points)
	}
	return spell(points)
}

// spellFaces returns the faces in shown as text, separated by spaces.
func spellFaces(shown []uint8) string {
	var words []string
	for _, face := range shown {
		words = append(words, strconv.Itoa(int(face)))
	}
	return strings.Join(words, " ")
}

// throwLine returns the line on the last throw: the dice kept and thrown, and how many throws are left.
func (m match) throwLine() games.Line {
	var kept, again []uint8
	for position, face := range m.hand[:m.plan.paper.Dice] {
		if m.kept.Has(position) {
			kept = append(kept, face)
		} else {
			again = append(again, face)
		}
	}
	left := m.throwsLeft()
	args := games.Args{"Seat": games.Seat(m.turn), "Faces": spellFaces(again)}
	how := [...]string{"none-left", "one-left", "two-left"}[min(left, 2)]
	if left > 2 {
		how, args["Left"] = "many-left", left
	}
	switch {
	case m.throws == 1:
		return m.plan.say("threw."+how, args)
	case len(kept) == 0:
		return m.plan.say("threw-again."+how, args)
	}
	args["Kept"] = spellFaces(kept)
	return m.plan.say("kept."+how, args)
}

// callLine returns the line on the called row.
func (m match) callLine() games.Line {
	return m.plan.say("called", games.Args{"Seat": games.Seat(m.turn), "Row": m.plan.word("row." +
		m.plan.rows[m.called].Name)})
}

// turnEndLines returns the lines on how the previous turn ended: on the row, on the bonus points of equal dice if
// further is true, and on the bonus of a section that the turn completed. It returns nil if no turn has ended.
func (m match) turnEndLines(further bool) []games.Line {
	if m.ended.kind == nothing {
		return nil
	}
	p, seat, filled := m.plan, m.previousSeat(), m.ended.spot
	args := games.Args{"Seat": games.Seat(seat)}
	if m.ended.kind == missed {
		return []games.Line{p.say("missed", args)}
	}
	args["Row"] = p.rowWord(filled)
	var more []games.Line // the bonus points of equal dice
	if further {
		points := signed(p.paper.Again.Points)
		more = []games.Line{p.say("further", games.Args{"Seat": games.Seat(seat), "Points": points})}
	}
	if m.ended.kind == struckOut {
		return append([]games.Line{p.say("struck", args)}, more...)
	}
	c := m.lastCell()
	row := &p.rows[filled.row]
	args["Points"] = p.spellPoints(filled.row, c.points)
	key := "wrote"
	switch {
	case row.Cheers:
		key = "wrote-cheers"
	case c.moment.throw == 1 && row.canDouble():
		key = "wrote-doubled"
	}
	lines := append([]games.Line{p.say(key, args)}, more...)
	return append(lines, m.sectionLines(seat)...)
}

// lastPlace returns the place that the previous turn filled: the last filled place of the row and column in m.ended.
func (m match) lastPlace() int {
	place, found := m.plan.openPlace(&m.pages[m.previousSeat()], m.ended.spot)
	if !found {
		place = m.plan.firstPlace(m.ended.spot) + m.plan.rows[m.ended.spot.row].count
	}
	return place - 1
}

// lastCell returns the cell that the previous turn filled.
func (m match) lastCell() cell { return m.pages[m.previousSeat()].cells[m.lastPlace()] }

// sectionLines returns the line on the bonus of the section that the previous turn, of seat, completed. It returns nil
// if the turn completed no section, or one whose rows do not count faces.
func (m match) sectionLines(seat int) []games.Line {
	p, filled, g := m.plan, m.ended.spot, &m.pages[seat]
	section := p.rows[filled.row].section
	of := p.paper.Sections[section]
	bonus, whole := p.wholeBonus(g, filled.column, section)
	if !whole || of.Name == "" || of.Rows[0].Points.Face == 0 {
		return nil
	}
	sum := p.sectionSum(g, filled.column, section)
	args := games.Args{"Seat": games.Seat(seat), "Sum": spell(sum), "Bonus": signed(bonus)}
	if of.isSigned() {
		args["Sum"] = signed(sum)
	}
	switch {
	case bonus > 0:
		return []games.Line{p.say(of.Name+"-won", args)}
	case bonus < 0:
		return []games.Line{p.say(of.Name+"-lost", args)}
	}
	return []games.Line{p.say(of.Name+"-whole", args)}
}

// firstPlaced returns the seats on the first place, nil if the match is not over.
func (m match) firstPlaced() (first []games.Seat) {
	result, _ := m.Result()
	for seat, row := range result.Rows {
		if row.Place == 1 {
			first = append(first, games.Seat(seat))
		}
	}
	return first
}

// wonLine returns the line that names the winners, an empty one if the match is not over.
func (m match) wonLine() games.Line {
	p, first := m.plan, m.firstPlaced()
	if len(first) == 0 {
		return games.Line{}
	}
	score := p.score(&m.pages[first[0]])
	args := games.Args{"Seat": first[0], "N": score, "Points": spell(score)}
	switch {
	case m.winner != games.Nobody:
		return p.say("won-served", args)
	case len(m.pages) == 1:
		return p.say("finished", args)
	case len(first) == 1:
		return p.say("won", args)
	}
	var names games.List
	for _, seat := range first {
		names = append(names, p.say("seat", games.Args{"Seat": seat}))
	}
	return p.say("won-together", games.Args{"Seats": names, "N": score, "Points": spell(score)})
}

// SayMove returns the description of a legal move.
func (m match) SayMove(_ games.Seat, move games.Move) games.Line {
	verb, rest, _ := strings.Cut(string(move), " ")
	target, _ := m.plan.spotNamed(rest) // always found, because the move is legal
	switch verb {
	case "write":
		return m.offerLine("move.write", offer{target, m.pointsFor(target)}, m.plan.rowWord(target))
	case "keep":
		k, _ := games.ParseDiceSet(rest, m.plan.paper.Dice)
		return m.sayKeep(k)
	case "strike":
		return m.plan.say("move.strike", games.Args{"Row": m.plan.rowWord(target)})
	case "call":
		return m.plan.say("move.call", games.Args{"Row": m.plan.word("row." + rest)})
	}
	return m.plan.say("move."+verb, nil)
}

// pointsFor returns the points that the dice give in target (a row in a column), 0 if they may not be written there.
func (m match) pointsFor(target spot) int {
	writes, _ := m.possibleFills()
	for _, o := range writes {
		if o.spot == target {
			return o.points
		}
	}
	return 0
}

// sayKeep returns the description of keeping the dice in k. It names their faces in ascending order.
func (m match) sayKeep(k games.DiceSet) games.Line {
	var kept []string
	for face, n := range m.keptCounts(k) {
		for range n {
			kept = append(kept, spell(face))
		}
	}
	if len(kept) == 0 {
		return m.plan.say("move.throw-all", nil)
	}
	args := games.Args{"Dice": strings.Join(kept, " "), "N": m.plan.paper.Dice - len(kept)}
	return m.plan.say("move.keep", args)
}

// TurnEnded returns the seat whose turn ended last and how; ended is false if no turn has ended since the last throw.
func (m match) TurnEnded() (s games.Seat, outcome games.Line, ended bool) {
	seat := games.Seat(m.previousSeat())
	switch m.ended.kind {
	case nothing:
		return games.Nobody, games.Line{}, false
	case missed:
		return seat, m.plan.say("turn.missed", nil), true
	}
	args := games.Args{"Row": m.plan.rowWord(m.ended.spot)}
	if m.ended.kind == struckOut {
		return seat, m.plan.say("turn.struck", args), true
	}
	args["Points"] = m.plan.spellPoints(m.ended.spot.row, m.lastCell().points)
	return seat, m.plan.say("turn.wrote", args), true
}

// Why one move is better than another, in one sentence.

var _ games.Reasoning = match{}

// Why returns a sentence on the points that the two moves give, at once or after one more throw. If better gives no
// more points than worse, Why returns a sentence on the row that worse fills, or an empty line if worse fills none or
// one of the moves keeps dice.
func (m match) Why(_ games.Seat, better, worse games.Move) games.Line {
	key := "why.then"
	if !strings.HasPrefix(string(better), "keep") && !strings.HasPrefix(string(worse), "keep") {
		key = "why.now"
	}
	more, fewer := int(math.Round(m.movePoints(better))), int(math.Round(m.movePoints(worse)))
	if more > fewer {
		return m.plan.say(key, games.Args{"More": spell(more), "Fewer": spell(fewer)})
	}
	verb, rest, _ := strings.Cut(string(worse), " ")
	if key == "why.now" && (verb == "write" || verb == "strike") {
		target, _ := m.plan.spotNamed(rest) // always found, because the move is legal
		return m.plan.say("why.open", games.Args{"Row": m.plan.rowWord(target)})
	}
	return games.Line{}
}

// movePoints returns the points a move writes; if it keeps dice, the average of the most points after a throw; else 0.
func (m match) movePoints(move games.Move) float64 {
	verb, rest, _ := strings.Cut(string(move), " ")
	switch verb {
	case "write":
		target, _ := m.plan.spotNamed(rest)
		return float64(m.pointsFor(target))
	case "keep":
		k, _ := games.ParseDiceSet(rest, m.plan.paper.Dice)
		next := m
		next.throws, next.kept = m.throws+1, k
		return next.averageBest(m.fillableSpots(), m.keptCounts(k), m.plan.paper.Dice-k.Count())
	}
	return 0
}

// averageBest returns the average of the most points that the kept dice c and further dice give in one of spots, over
// all throws of the further dice; thrown is their number. A throw that fits none of spots counts 0.
func (m match) averageBest(spots []spot, c counts, thrown int) float64 {
	if thrown > 0 {
		sum := 0.0
		for face := 1; face <= sides; face++ {
			c[face]++
			sum += m.averageBest(spots, c, thrown-1)
			c[face]--
		}
		return sum / sides
	}
	best, some := 0, false
	for _, s := range spots {
		if points, met := m.plan.points(s.row, c, m.moment()); met && (!some || points > best) {
			best, some = points, true
		}
	}
	return float64(best)
}
