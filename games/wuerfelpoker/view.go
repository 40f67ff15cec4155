package wuerfelpoker

import (
	"slices"

	"knobel/games"
)

// The view of a match.

// shownOffers is how many rows the note about the dice names.
const shownOffers = 3

// View returns what everybody may see. The rows that may be written stand in
// the first row of buttons, most points first; what gives a row or a round up
// in the next. Every way to throw again is a choice of the Pick.
func (m match) View() games.View {
	v := games.View{Won: m.won(), Head: m.head(), Tiles: m.lastWritten(), Stands: m.stands(), Sheet: m.sheet()}
	if m.over() {
		return v
	}
	v.Notes = []games.Line{m.roundLine()}
	if m.ended.kind != nothing {
		v.Undo = []games.Seat{games.Seat(m.before())}
	}
	if m.throws == 0 {
		v.Buttons = [][]games.Button{{{Label: say("button.throw", nil), Move: "throw", Style: games.Primary}}}
		return v
	}
	for position, face := range m.hand {
		v.Dice = append(v.Dice, games.Die{Face: int(face), Sides: sides, Kept: m.kept.has(position)})
	}
	offers := m.offers()
	v.Notes = append(v.Notes, m.offersLine(offers))
	for _, row := range [][]games.Button{m.writeButtons(offers), m.giveUpButtons()} {
		if len(row) > 0 {
			v.Buttons = append(v.Buttons, row)
		}
	}
	m.touch(v.Sheet, v.Buttons)
	if m.mayKeep() {
		v.Pick = m.pick()
	}
	return v
}

func (m match) head() []games.Line {
	switch {
	case m.over():
		return m.turnEnded()
	case m.throws > 0:
		return []games.Line{m.thrown()}
	case m.ended.kind == nothing:
		return []games.Line{say("opens", games.Args{"Seat": games.Seat(m.turn)})}
	}
	return append(m.turnEnded(), say("to-throw", games.Args{"Seat": games.Seat(m.turn)}))
}

// lastWritten is the hand that has just been written, until the next throw; at the end only if the
// one who has won wrote it.
func (m match) lastWritten() []games.TileRow {
	seat := m.before()
	if m.ended.kind != wrote || m.over() && !slices.Equal(m.first(), []games.Seat{games.Seat(seat)}) {
		return nil
	}
	row := games.TileRow{Owner: games.Seat(seat)}
	for _, face := range m.sheets[seat][m.ended.row].hand {
		row.Dice = append(row.Dice, games.Die{Face: int(face), Sides: sides})
	}
	return []games.TileRow{row}
}

// roundLine says which round it is, and of which part.
func (m match) roundLine() games.Line {
	switch {
	case m.rules.free:
		return say("round.any", games.Args{"Round": m.round + 1})
	case m.round < schoolRows:
		return say("round.school", games.Args{"Round": m.round + 1})
	}
	return say("round.combinations", games.Args{"Round": m.round + 1 - schoolRows})
}

// offersLine says what the dice would give now.
func (m match) offersLine(offers []offer) games.Line {
	if len(offers) == 0 {
		return say("offers-nothing", nil)
	}
	var best games.List
	for _, o := range offers[:min(len(offers), shownOffers)] {
		best = append(best, m.offerLine("offer", o))
	}
	return say("offers", games.Args{"Rows": best})
}

// offerLine names a row and what it gives; a mark shows that it is doubled.
func (m match) offerLine(key string, o offer) games.Line {
	points := spell(o.points)
	if o.row.school() {
		points = signed(o.points)
	}
	if m.throws == 1 && m.rules.doubles(o.row) {
		points += "*"
	}
	return say(key, games.Args{"Row": o.row.name(), "Points": points})
}

func (m match) writeButtons(offers []offer) []games.Button {
	var row []games.Button
	for i, o := range offers {
		b := games.Button{Label: m.offerLine("button.write", o), Move: writes[o.row]}
		if i == 0 && !m.mayKeep() {
			b.Style = games.Primary
		}
		row = append(row, b)
	}
	return row
}

func (m match) giveUpButtons() []games.Button {
	var row []games.Button
	if m.mayMiss() {
		row = append(row, games.Button{Label: say("button.miss", nil), Move: "miss", Style: games.Danger})
	}
	for _, w := range m.strikes() {
		label := say("button.strike", games.Args{"Row": w.name()})
		row = append(row, games.Button{Label: label, Move: strikeMoves[w], Style: games.Danger})
	}
	return row
}

// pick offers the dice to keep; what is not kept is thrown again.
func (m match) pick() *games.Pick {
	p := &games.Pick{Kind: "dice", Done: say("button.throw-again", nil), Rest: say("button.rows", nil),
		Refusal: say("keep-all", nil)}
	for position, face := range m.hand {
		p.Items = append(p.Items, int(face))
		if m.kept.has(position) {
			p.Picked = append(p.Picked, position)
		}
	}
	for k := range keep(keepAll) {
		choice := games.Choice{Move: keeps[k], Style: games.Primary}
		choice.Label = say("button.throw-loose", games.Args{"N": handSize - k.count()})
		for position := range handSize {
			if k.has(position) {
				choice.Items = append(choice.Items, position)
			}
		}
		p.Choices = append(p.Choices, choice)
	}
	return p
}

func (m match) stands() []games.Stand {
	stands := make([]games.Stand, len(m.sheets))
	for seat, total := range m.totals() {
		stands[seat] = games.Stand{State: games.Waiting, Line: say("total", games.Args{"Points": spell(total)})}
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
