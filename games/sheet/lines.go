package sheet

import (
	"math"
	"strconv"
	"strings"

	"knobel/games"
)

// say returns a line of the set.
func (p *plan) say(key string, args games.Args) games.Line {
	return games.Say(p.set.Name+"."+key, args)
}

// word returns a word of the set.
func (p *plan) word(key string) games.Word { return games.Word(p.set.Name + "." + key) }

// rowWord returns the name of a row for a sentence, with its column if there are several.
func (p *plan) rowWord(s spot) any {
	row := p.word("row." + p.rows[s.row].Name)
	if len(p.columns) == 1 {
		return row
	}
	return p.say("row-of-column", games.Args{"Row": row, "Column": p.word("column." + p.columns[s.column].Name)})
}

// rowSigned returns the name of a row for a button, after the sign of its column if there are several.
func (p *plan) rowSigned(s spot) any {
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

// spellPoints returns points of row r as text, with a sign if the row has gains and losses.
func (p *plan) spellPoints(r, points int) string {
	if p.rows[r].signed() {
		return signed(points)
	}
	return spell(points)
}

// faces returns faces as text, separated by spaces.
func faces(list []uint8) string {
	var words []string
	for _, face := range list {
		words = append(words, strconv.Itoa(int(face)))
	}
	return strings.Join(words, " ")
}

// thrown returns the line on the last throw: the dice kept and thrown, and how many throws are left.
func (m match) thrown() games.Line {
	var kept, again []uint8
	for position, face := range m.hand[:m.plan.paper.Dice] {
		if m.kept.Has(position) {
			kept = append(kept, face)
		} else {
			again = append(again, face)
		}
	}
	left := m.throwsLeft()
	args := games.Args{"Seat": games.Seat(m.turn), "Faces": faces(again)}
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
	args["Kept"] = faces(kept)
	return m.plan.say("kept."+how, args)
}

// calls returns the line on the called row.
func (m match) calls() games.Line {
	return m.plan.say("called", games.Args{"Seat": games.Seat(m.turn), "Row": m.plan.word("row." +
		m.plan.rows[m.called].Name)})
}

// turnEnded returns the lines on how the previous turn ended: the row, the bonus points of equal dice if further is
// true, and the bonus of a section that is complete now. It returns nil if no turn has ended.
func (m match) turnEnded(further bool) []games.Line {
	if m.ended.kind == nothing {
		return nil
	}
	p, seat, at := m.plan, m.before(), m.ended.spot
	args := games.Args{"Seat": games.Seat(seat)}
	if m.ended.kind == missed {
		return []games.Line{p.say("missed", args)}
	}
	args["Row"] = p.rowWord(at)
	var more []games.Line // the bonus points of equal dice
	if further {
		points := signed(p.paper.Again.Points)
		more = []games.Line{p.say("further", games.Args{"Seat": games.Seat(seat), "Points": points})}
	}
	if m.ended.kind == struckOut {
		return append([]games.Line{p.say("struck", args)}, more...)
	}
	c := m.lastCell()
	row := &p.rows[at.row]
	args["Points"] = p.spellPoints(at.row, c.points)
	key := "wrote"
	switch {
	case row.Cheers:
		key = "wrote-cheers"
	case c.moment.throw == 1 && row.doubles():
		key = "wrote-doubled"
	}
	lines := append([]games.Line{p.say(key, args)}, more...)
	return append(lines, m.sectionEnded(seat)...)
}

// lastPlace returns the place that the previous turn filled: the last one of its spot that is not open.
func (m match) lastPlace() int {
	at, there := m.plan.openPlace(&m.pages[m.before()], m.ended.spot)
	if !there {
		at = m.plan.place(m.ended.spot) + m.plan.rows[m.ended.spot.row].count
	}
	return at - 1
}

func (m match) lastCell() cell { return m.pages[m.before()].cells[m.lastPlace()] }

// sectionEnded returns the line on the bonus of a section that is complete now, nil for sections without rows of faces.
func (m match) sectionEnded(seat int) []games.Line {
	p, at, g := m.plan, m.ended.spot, &m.pages[seat]
	section := p.rows[at.row].section
	of := p.paper.Sections[section]
	bonus, booked := p.wholeBonus(g, at.column, section)
	if !booked || of.Name == "" || of.Rows[0].Points.Face == 0 {
		return nil
	}
	sum := p.sectionSum(g, at.column, section)
	args := games.Args{"Seat": games.Seat(seat), "Sum": spell(sum), "Bonus": signed(bonus)}
	if of.signed() {
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

// first returns the seats on the first place, nil if the match is not over.
func (m match) first() (first []games.Seat) {
	result, _ := m.Result()
	for seat, row := range result.Rows {
		if row.Place == 1 {
			first = append(first, games.Seat(seat))
		}
	}
	return first
}

// won returns the line that names the winners, an empty one if the match is not over.
func (m match) won() games.Line {
	p, first := m.plan, m.first()
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
	at, _ := m.plan.spotNamed(rest) // a legal move is spelled as it must be
	switch verb {
	case "write":
		return m.offerLine("move.write", offer{at, m.gives(at)}, m.plan.rowWord(at))
	case "keep":
		k, _ := games.ParseDiceSet(rest, m.plan.paper.Dice)
		return m.sayKeep(k)
	case "strike":
		return m.plan.say("move.strike", games.Args{"Row": m.plan.rowWord(at)})
	case "call":
		return m.plan.say("move.call", games.Args{"Row": m.plan.word("row." + rest)})
	}
	return m.plan.say("move."+verb, nil)
}

// gives returns the points of the dice in a spot that may be written, 0 for other spots.
func (m match) gives(at spot) int {
	writes, _ := m.fills()
	for _, o := range writes {
		if o.spot == at {
			return o.points
		}
	}
	return 0
}

// sayKeep returns the description of keeping k, with the dice sorted by face: keeping either of two equal dice is the
// same.
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

// TurnEnded returns the seat whose turn ended last, and the row or the miss that ended it.
func (m match) TurnEnded() (s games.Seat, how games.Line, ended bool) {
	seat := games.Seat(m.before())
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

// Why returns a sentence on how much more points the move better gives, at once or after one more throw; if it gives no
// more, on the row that it leaves open.
func (m match) Why(_ games.Seat, better, than games.Move) games.Line {
	key := "why.then"
	if !strings.HasPrefix(string(better), "keep") && !strings.HasPrefix(string(than), "keep") {
		key = "why.now"
	}
	more, fewer := int(math.Round(m.brings(better))), int(math.Round(m.brings(than)))
	if more > fewer {
		return m.plan.say(key, games.Args{"More": spell(more), "Fewer": spell(fewer)})
	}
	verb, rest, _ := strings.Cut(string(than), " ")
	if key == "why.now" && (verb == "write" || verb == "strike") {
		at, _ := m.plan.spotNamed(rest) // a legal move is spelled as it must be
		return m.plan.say("why.open", games.Args{"Row": m.plan.rowWord(at)})
	}
	return games.Line{}
}

// brings returns the points of a move in this turn: those that are written or, for keeping dice, the average of the
// best row after one more throw.
func (m match) brings(move games.Move) float64 {
	verb, rest, _ := strings.Cut(string(move), " ")
	switch verb {
	case "write":
		at, _ := m.plan.spotNamed(rest)
		return float64(m.gives(at))
	case "keep":
		k, _ := games.ParseDiceSet(rest, m.plan.paper.Dice)
		next := m
		next.throws, next.kept = m.throws+1, k
		return next.fits(m.fillable(), m.keptCounts(k), m.plan.paper.Dice-k.Count())
	}
	return 0
}

// fits returns the average points of the best of spots if thrown dice are thrown in addition to the kept dice c. A
// throw that fits none counts 0.
func (m match) fits(spots []spot, c counts, thrown int) float64 {
	if thrown > 0 {
		sum := 0.0
		for face := 1; face <= sides; face++ {
			c[face]++
			sum += m.fits(spots, c, thrown-1)
			c[face]--
		}
		return sum / sides
	}
	best, some := 0, false
	for _, s := range spots {
		if points, there := m.plan.points(s.row, c, m.moment()); there && (!some || points > best) {
			best, some = points, true
		}
	}
	return float64(best)
}
