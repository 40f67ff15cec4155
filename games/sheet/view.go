package sheet

import (
	"cmp"
	"slices"
	"strings"

	"knobel/games"
)

// The view of a match.

// shownOffers is how many rows the note about the dice names.
const shownOffers = 3

// View returns the public view. The first row of buttons holds the rows that may be written, in the order of suggested;
// if the hand is finished, the first one is Primary. The next rows hold the calls, and the moves that give a row or a
// turn up. Every way to throw again is a choice of the Pick.
func (m match) View() games.View {
	v := games.View{Won: m.won(), Head: m.head(), Tiles: m.lastWritten(), Stands: m.stands(), Sheet: m.sheet()}
	if m.over() {
		return v
	}
	v.Notes = []games.Line{m.roundLine()}
	switch {
	case m.ended.kind != nothing:
		v.Undo = []games.Seat{games.Seat(m.before())}
	case m.called >= 0 && m.throws == 1:
		v.Undo = []games.Seat{games.Seat(m.turn)}
	}
	if m.throws == 0 {
		label := m.plan.say("button.throw", nil)
		v.Buttons = [][]games.Button{{{Label: label, Move: "throw", Style: games.Primary}}}
		return v
	}
	v.Dice = m.plan.lie(m.hand, m.kept)
	offers, strikes := m.choices()
	offers, finished := m.suggested(offers)
	m.cheapestFirst(strikes)
	v.Notes = append(v.Notes, m.offersLine(offers))
	primary := finished || !m.mayKeep()
	for _, row := range [][]games.Button{m.writeButtons(offers, primary), m.callButtons(), m.giveUpButtons(strikes)} {
		if len(row) > 0 {
			v.Buttons = append(v.Buttons, row)
		}
	}
	if len(strikes) > 1 && len(v.Buttons) > 1 {
		v.Apart = m.plan.say("button.strikes", nil)
	}
	v.Groups = m.group(v.Buttons)
	m.touch(v.Sheet, v.Buttons)
	if m.mayKeep() {
		v.Pick = m.pick(primary)
	}
	return v
}

// lie returns the dice of a hand; those in kept are marked.
func (p *plan) lie(h hand, kept games.DiceSet) (dice []games.Die) {
	for position, face := range h[:p.paper.Dice] {
		dice = append(dice, games.Die{Face: int(face), Sides: sides, Kept: kept.Has(position)})
	}
	return dice
}

func (m match) head() []games.Line {
	switch {
	case m.over():
		return m.turnEnded(false)
	case m.called >= 0 && m.throws == 1:
		return []games.Line{m.calls()}
	case m.throws > 0:
		return []games.Line{m.thrown()}
	case m.ended.kind == nothing:
		return []games.Line{m.plan.say("opens", games.Args{"Seat": games.Seat(m.turn)})}
	}
	return append(m.turnEnded(false), m.plan.say("to-throw", games.Args{"Seat": games.Seat(m.turn)}))
}

// lastWritten returns the hand just written as a row for the board, until the next throw. At the end of the match it
// returns one only for the sole winner.
func (m match) lastWritten() []games.TileRow {
	if m.winner != games.Nobody {
		return []games.TileRow{{Owner: m.winner, Dice: m.plan.lie(m.hand, 0)}}
	}
	seat := games.Seat(m.before())
	if m.ended.kind != wrote || m.over() && !slices.Equal(m.first(), []games.Seat{seat}) {
		return nil
	}
	return []games.TileRow{{Owner: seat, Dice: m.plan.lie(m.lastCell().hand, 0)}}
}

// roundLine returns the line about the round, within its section if sections are filled one after the other.
func (m match) roundLine() games.Line {
	p, round := m.plan, m.round+1
	if p.paper.Order != Parts {
		return p.say("round.any", games.Args{"Round": round, "Rounds": p.places})
	}
	for section, of := range p.paper.Sections {
		if round <= p.section(section) {
			return p.say("round."+of.Name, games.Args{"Round": round})
		}
		round -= p.section(section)
	}
	return games.Line{}
}

// offersLine returns the line about the points that the dice give now, or about the call that has to be made first.
func (m match) offersLine(offers []offer) games.Line {
	if m.mustCall() {
		return m.plan.say("offers-call", nil)
	}
	if len(offers) == 0 {
		return m.plan.say("offers-nothing", nil)
	}
	var best games.List
	for _, o := range offers[:min(len(offers), shownOffers)] {
		best = append(best, m.offerLine("offer", o, m.plan.rowWord(o.spot)))
	}
	return m.plan.say("offers", games.Args{"Rows": best})
}

// offerLine returns a line with a row and its points; a star marks doubled points.
func (m match) offerLine(key string, o offer, row any) games.Line {
	points := m.plan.spellPoints(o.row, o.points)
	if m.throws == 1 && m.plan.rows[o.row].doubles() {
		points += "*"
	}
	return m.plan.say(key, games.Args{"Row": row, "Points": points})
}

// pick returns a Pick of the dice to keep; the others are thrown again. Its choices are Primary unless primary is true:
// then a button is.
func (m match) pick(primary bool) *games.Pick {
	say := m.plan.say
	p := &games.Pick{Kind: "dice", Picked: m.kept.Positions(), Done: say("button.throw-again", nil),
		Rest: say("button.rows", nil), Refusal: say("keep-all", nil)}
	for _, face := range m.hand[:m.plan.paper.Dice] {
		p.Items = append(p.Items, int(face))
	}
	for k := range m.plan.all {
		choice := games.Choice{Items: k.Positions(), Move: m.plan.keepMove(k), Style: games.Primary}
		if primary {
			choice.Style = games.Plain
		}
		choice.Label = say("button.throw-loose", games.Args{"N": m.plan.paper.Dice - k.Count()})
		p.Choices = append(p.Choices, choice)
	}
	return p
}

// stands returns the totals of the seats, at the end of the match with their final points if the paper has any.
func (m match) stands() []games.Stand {
	stands := make([]games.Stand, len(m.pages))
	p := m.plan
	for seat := range m.pages {
		g, key := &m.pages[seat], "total"
		args := games.Args{"Points": spell(p.total(g))}
		if p.paper.Final != nil && m.over() {
			score := p.score(g)
			key, args["N"], args["Score"] = "total-points", score, spell(score)
		}
		stands[seat] = games.Stand{State: games.Waiting, Line: p.say(key, args)}
		if seat < m.turn || m.over() {
			stands[seat].State = games.Done
		}
	}
	result, over := m.Result()
	for seat, row := range result.Rows {
		if row.Place == 1 && len(result.Rows) > 1 {
			stands[seat].State = games.Won
		}
	}
	if !over {
		stands[m.turn].State = games.ToMove
	}
	return stands
}

// The suggested order of rows.

// suggested returns offers, which are sorted by points, in the order to suggest them, and whether the hand is finished,
// so that the first of them is nearly always best. On sheets with multiplied rows, the order is by the points that each
// adds to the total.
func (m match) suggested(offers []offer) (ordered []offer, finished bool) {
	ordered = slices.Clone(offers)
	if slices.ContainsFunc(m.plan.paper.Sections, func(s Section) bool { return s.Times != "" }) {
		adds := map[spot]int{}
		for _, o := range ordered {
			adds[o.spot] = m.adds(o)
		}
		slices.SortStableFunc(ordered, func(a, b offer) int { return cmp.Compare(adds[b.spot], adds[a.spot]) })
	}
	c := m.plan.counts(m.hand)
	best := -1
	for i, o := range ordered {
		if m.plan.finishes(o.row, c) && (best < 0 || o.points > ordered[best].points) {
			best = i
		}
	}
	if best < 0 {
		return ordered, false
	}
	first := ordered[best]
	return slices.Insert(slices.Delete(ordered, best, best+1), 0, first), true
}

// cheapestFirst sorts strikes by the most points that their rows can give, without the extra points of a first throw.
func (m match) cheapestFirst(strikes []spot) {
	if len(strikes) < 2 {
		return
	}
	most := map[int]int{}
	for _, s := range strikes {
		if _, known := most[s.row]; known {
			continue
		}
		most[s.row] = 0
		for _, c := range lattices[m.plan.paper.Dice]().throws() {
			if points, there := m.plan.points(s.row, c, moment{throw: 2}); there {
				most[s.row] = max(most[s.row], points)
			}
		}
	}
	slices.SortStableFunc(strikes, func(a, b spot) int {
		return cmp.Or(cmp.Compare(most[a.row], most[b.row]), cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column))
	})
}

// adds returns the points that writing an offered row adds to the mover's total.
func (m match) adds(o offer) int {
	g := m.pages[m.turn]
	before := m.plan.total(&g)
	at, _ := m.plan.openPlace(&g, o.spot)
	g.cells = slices.Clone(g.cells)
	g.cells[at] = m.plan.writes(o.row, m.hand, m.plan.kept(o.row, m.moment()))
	return m.plan.total(&g) - before
}

// finishes reports whether the dice c complete row r: it is the row of all dice equal, or all dice are part of it and
// its points do not depend on their faces.
func (p *plan) finishes(r int, c counts) bool {
	need, n := p.rows[r].Need, p.paper.Dice
	if _, there := p.points(r, c, moment{throw: 2}); !there {
		return false // a joker
	}
	grouped := 0
	for _, size := range need.Groups {
		grouped += size
	}
	fixed := p.rows[r].Points.Count == NoDice
	switch {
	case grouped > 0:
		return grouped == n && (fixed || len(need.Groups) == 1)
	case len(need.Faces) > 0:
		return slices.ContainsFunc(need.Faces, func(faces []int) bool {
			_, there := c.all(faces)
			return there && len(faces) == n
		})
	}
	return fixed && need.Total > 0 && need.Pair
}

// The buttons of a match.

func (m match) writeButtons(offers []offer, primary bool) []games.Button {
	var row []games.Button
	for i, o := range offers {
		b := games.Button{Label: m.offerLine("button.write", o, m.plan.rowSigned(o.spot)), Move: m.plan.write(o.spot)}
		if i == 0 && primary {
			b.Style = games.Primary
		}
		row = append(row, b)
	}
	return row
}

func (m match) callButtons() []games.Button {
	var row []games.Button
	for _, r := range m.callable() {
		name := m.plan.rows[r].Name
		label := m.plan.say("button.call", games.Args{"Row": m.plan.word("row." + name)})
		row = append(row, games.Button{Label: label, Move: games.Move("call " + name), Passing: true})
	}
	return row
}

func (m match) giveUpButtons(strikes []spot) []games.Button {
	var row []games.Button
	if m.mayMiss() {
		row = append(row, games.Button{Label: m.plan.say("button.miss", nil), Move: "miss", Style: games.Danger})
	}
	for _, at := range strikes {
		label := m.plan.say("button.strike", games.Args{"Row": m.plan.rowSigned(at)})
		row = append(row, games.Button{Label: label, Move: m.plan.strike(at), Style: games.Danger})
	}
	return row
}

// group assigns the buttons of a sheet with several columns to groups, one for each column and one for calls, and
// returns the names of the groups that have any.
func (m match) group(buttons [][]games.Button) (groups []games.Line) {
	p := m.plan
	if len(p.columns) == 1 {
		return nil
	}
	add := func(name games.Line, in func(move games.Move, at spot) bool) {
		some := false
		for _, row := range buttons {
			for i, b := range row {
				_, rest, _ := strings.Cut(string(b.Move), " ")
				at, _ := p.spotNamed(rest)
				if in(b.Move, at) {
					if !some {
						groups, some = append(groups, name), true
					}
					row[i].Group = len(groups)
				}
			}
		}
	}
	calls := func(move games.Move) bool { return strings.HasPrefix(string(move), "call ") }
	for column, c := range p.columns {
		args := games.Args{"Sign": p.word("sign." + c.Name), "Column": p.word("column." + c.Name)}
		add(p.say("button.column", args), func(move games.Move, at spot) bool {
			return !calls(move) && at.column == column
		})
	}
	add(p.say("button.calls", nil), func(move games.Move, _ spot) bool { return calls(move) })
	return groups
}

// placeOf returns the place that a move fills or calls, and false if there is none.
func (m match) placeOf(move games.Move) (at int, fills bool) {
	p := m.plan
	verb, rest, _ := strings.Cut(string(move), " ")
	s, known := p.spotNamed(rest)
	if verb == "call" {
		for column, c := range p.columns {
			if c.Order == Called {
				s, known = spot{column, p.rowNamed(rest)}, true
			}
		}
	}
	if !known {
		return 0, false
	}
	return p.openPlace(&m.pages[m.turn], s)
}
