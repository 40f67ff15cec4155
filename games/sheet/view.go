package sheet

import (
	"cmp"
	"slices"
	"strings"

	"knobel/games"
)

// The view of a match.

// shownOffers is how many rows the note about the present dice names.
const shownOffers = 3

// View returns the public view. The first row of buttons holds the rows that may be written, in the order of
// suggestOrder; the first one is Primary if the dice complete it or no throw is left. The next rows hold the moves that
// announce a row, give up the turn or strike a row. Every set of dice to throw again is a choice of View.Pick.
func (m match) View() games.View {
	v := games.View{Won: m.wonLine(), Head: m.head(), Tiles: m.lastWritten(), Stands: m.stands(), Sheet: m.sheet()}
	if m.isOver() {
		return v
	}
	v.Notes = []games.Line{m.roundLine()}
	switch {
	case m.ended.kind != nothing:
		v.Undo = []games.Seat{games.Seat(m.previousSeat())}
	case m.called >= 0 && m.throws == 1:
		v.Undo = []games.Seat{games.Seat(m.turn)}
	}
	if m.throws == 0 {
		label := m.plan.say("button.throw", nil)
		v.Buttons = [][]games.Button{{{Label: label, Move: "throw", Style: games.Primary}}}
		return v
	}
	v.Dice = m.plan.diceOf(m.hand, m.kept)
	offers, strikes := m.choices()
	offers, finished := m.suggestOrder(offers)
	m.sortCheapestFirst(strikes)
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
	v.Groups = m.setGroups(v.Buttons)
	m.setFills(v.Sheet, v.Buttons)
	if m.mayKeep() {
		v.Pick = m.pick(primary)
	}
	return v
}

// diceOf returns the dice of hand h, with Kept set for those in kept.
func (p *plan) diceOf(h hand, kept games.DiceSet) (dice []games.Die) {
	for position, face := range h[:p.paper.Dice] {
		dice = append(dice, games.Die{Face: int(face), Sides: sides, Kept: kept.Has(position)})
	}
	return dice
}

// head returns the lines on the last move and, between turns, on the seat whose turn is next.
func (m match) head() []games.Line {
	switch {
	case m.isOver():
		return m.turnEndLines(false)
	case m.called >= 0 && m.throws == 1:
		return []games.Line{m.callLine()}
	case m.throws > 0:
		return []games.Line{m.throwLine()}
	case m.ended.kind == nothing:
		return []games.Line{m.plan.say("opens", games.Args{"Seat": games.Seat(m.turn)})}
	}
	return append(m.turnEndLines(false), m.plan.say("to-throw", games.Args{"Seat": games.Seat(m.turn)}))
}

// lastWritten returns the dice that the last turn wrote, as a row for the board, until the next throw. At the end of
// the match it returns one only for the sole winner.
func (m match) lastWritten() []games.TileRow {
	if m.winner != games.Nobody {
		return []games.TileRow{{Owner: m.winner, Dice: m.plan.diceOf(m.hand, 0)}}
	}
	seat := games.Seat(m.previousSeat())
	if m.ended.kind != wrote || m.isOver() && !slices.Equal(m.firstPlaced(), []games.Seat{seat}) {
		return nil
	}
	return []games.TileRow{{Owner: seat, Dice: m.plan.diceOf(m.lastCell().hand, 0)}}
}

// roundLine returns the line on the round, within its section if sections are filled one after the other.
func (m match) roundLine() games.Line {
	p, round := m.plan, m.round+1
	if p.paper.Order != Parts {
		return p.say("round.any", games.Args{"Round": round, "Rounds": p.places})
	}
	for section, of := range p.paper.Sections {
		if round <= p.sectionPlaces(section) {
			return p.say("round."+of.Name, games.Args{"Round": round})
		}
		round -= p.sectionPlaces(section)
	}
	return games.Line{}
}

// offersLine returns the line on the points of the first few offers, or the line that a row must be called first.
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

// offerLine returns the line with this key about the points of offer o; row is the name of its row, a result of rowWord
// or rowLabel. A star marks doubled points.
func (m match) offerLine(key string, o offer, row any) games.Line {
	points := m.plan.spellPoints(o.row, o.points)
	if m.throws == 1 && m.plan.rows[o.row].canDouble() {
		points += "*"
	}
	return m.plan.say(key, games.Args{"Row": row, "Points": points})
}

// pick returns a Pick of the dice to keep. Its choices are Primary unless a button of the view is (hasPrimary).
func (m match) pick(hasPrimary bool) *games.Pick {
	say := m.plan.say
	p := &games.Pick{Kind: "dice", Picked: m.kept.Positions(), Done: say("button.throw-again", nil),
		Rest: say("button.rows", nil), Refusal: say("keep-all", nil)}
	for _, face := range m.hand[:m.plan.paper.Dice] {
		p.Items = append(p.Items, int(face))
	}
	for k := range m.plan.all {
		choice := games.Choice{Items: k.Positions(), Move: m.plan.keepMove(k), Style: games.Primary}
		if hasPrimary {
			choice.Style = games.Plain
		}
		choice.Label = say("button.throw-loose", games.Args{"N": m.plan.paper.Dice - k.Count()})
		p.Choices = append(p.Choices, choice)
	}
	return p
}

// stands returns the states and totals of the seats and, once the match is over, their final points, if there are any.
func (m match) stands() []games.Stand {
	stands := make([]games.Stand, len(m.pages))
	p := m.plan
	for seat := range m.pages {
		g, key := &m.pages[seat], "total"
		args := games.Args{"Points": spell(p.total(g))}
		if p.paper.Final != nil && m.isOver() {
			score := p.score(g)
			key, args["N"], args["Score"] = "total-points", score, spell(score)
		}
		stands[seat] = games.Stand{State: games.Waiting, Line: p.say(key, args)}
		if seat < m.turn || m.isOver() {
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

// suggestOrder returns offers, which are sorted by points, in the order to suggest them. On a sheet that multiplies
// columns they are sorted by the points that they add to the total. finished reports whether the dice need no further
// throw for one of the rows, such as a straight; its offer then comes first.
func (m match) suggestOrder(offers []offer) (ordered []offer, finished bool) {
	ordered = slices.Clone(offers)
	if slices.ContainsFunc(m.plan.paper.Sections, func(s Section) bool { return s.Times != "" }) {
		gains := map[spot]int{}
		for _, o := range ordered {
			gains[o.spot] = m.addedPoints(o)
		}
		slices.SortStableFunc(ordered, func(a, b offer) int { return cmp.Compare(gains[b.spot], gains[a.spot]) })
	}
	c := m.plan.counts(m.hand)
	best := -1
	for i, o := range ordered {
		if m.plan.isFinished(o.row, c) && (best < 0 || o.points > ordered[best].points) {
			best = i
		}
	}
	if best < 0 {
		return ordered, false
	}
	first := ordered[best]
	return slices.Insert(slices.Delete(ordered, best, best+1), 0, first), true
}

// sortCheapestFirst sorts strikes by the most points that their rows give without extras for a first throw, rising.
func (m match) sortCheapestFirst(strikes []spot) {
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
			if points, met := m.plan.points(s.row, c, moment{throw: 2}); met {
				most[s.row] = max(most[s.row], points)
			}
		}
	}
	slices.SortStableFunc(strikes, func(a, b spot) int {
		return cmp.Or(cmp.Compare(most[a.row], most[b.row]), cmp.Compare(a.row, b.row), cmp.Compare(a.column, b.column))
	})
}

// addedPoints returns the points that writing the offered row adds to the mover's total.
func (m match) addedPoints(o offer) int {
	g := m.pages[m.turn]
	before := m.plan.total(&g)
	place, _ := m.plan.openPlace(&g, o.spot)
	g.cells = slices.Clone(g.cells)
	g.cells[place] = m.plan.writtenCell(o.row, m.hand, m.plan.storedMoment(o.row, m.moment()))
	return m.plan.total(&g) - before
}

// isFinished reports whether the dice c complete row r: it is the row of all dice equal, or it needs all dice and its
// points do not depend on their faces.
func (p *plan) isFinished(r int, c counts) bool {
	need, n := p.rows[r].Need, p.paper.Dice
	if _, there := p.points(r, c, moment{throw: 2}); !there {
		return false // a joker does not meet the need
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
			_, there := c.oneOfEach(faces)
			return there && len(faces) == n
		})
	}
	return fixed && need.Total > 0 && need.Pair
}

// The buttons of a match.

// writeButtons returns a button for each of offers; the first one is Primary if primary is true.
func (m match) writeButtons(offers []offer, primary bool) []games.Button {
	var row []games.Button
	for i, o := range offers {
		b := games.Button{Label: m.offerLine("button.write", o, m.plan.rowLabel(o.spot)),
			Move: m.plan.writeMove(o.spot)}
		if i == 0 && primary {
			b.Style = games.Primary
		}
		row = append(row, b)
	}
	return row
}

// callButtons returns a button for each row that may be called (announced, then filled).
func (m match) callButtons() []games.Button {
	var row []games.Button
	for _, r := range m.callable() {
		name := m.plan.rows[r].Name
		label := m.plan.say("button.call", games.Args{"Row": m.plan.word("row." + name)})
		row = append(row, games.Button{Label: label, Move: games.Move("call " + name), Passing: true})
	}
	return row
}

// giveUpButtons returns the buttons that miss the turn (fill no row) or strike a row.
func (m match) giveUpButtons(strikes []spot) []games.Button {
	var row []games.Button
	if m.mayMiss() {
		row = append(row, games.Button{Label: m.plan.say("button.miss", nil), Move: "miss", Style: games.Danger})
	}
	for _, target := range strikes {
		label := m.plan.say("button.strike", games.Args{"Row": m.plan.rowLabel(target)})
		row = append(row, games.Button{Label: label, Move: m.plan.strikeMove(target), Style: games.Danger})
	}
	return row
}

// setGroups assigns the buttons of a sheet with several columns to groups, one for each column and one for calls. It
// returns the names of the groups that have buttons.
func (m match) setGroups(buttons [][]games.Button) (groups []games.Line) {
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

// placeOf returns the place (cell) on the mover's page that a move fills or calls, and false if there is none.
func (m match) placeOf(move games.Move) (place int, fills bool) {
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
