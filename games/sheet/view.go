package sheet

import (
	"slices"

	"knobel/games"
)

// The view of a match.

// shownOffers is how many rows the note about the dice names.
const shownOffers = 3

// View returns what everybody may see. The rows that may be written stand in the first row of buttons, in the order in
// which they are suggested, and where the hand is finished the first is what one nearly always wants; what calls a row,
// and what gives a row or a turn up, stands in the next. Every way to throw again is a choice of the Pick.
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

// lie is a hand as it lies, some of it kept.
func (p *plan) lie(h hand, kept keep) (dice []games.Die) {
	for position, face := range h[:p.paper.Dice] {
		dice = append(dice, games.Die{Face: int(face), Sides: sides, Kept: kept.has(position)})
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

// lastWritten is the hand that has just been written, until the next throw; at the end only if the one who has won
// wrote it, or threw it.
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

// roundLine says which round it is, and of which part.
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

// offersLine says what the dice would give now or, where no row can be filled but by calling it, that one is to be
// called.
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

// offerLine names a row and what it gives; a mark shows that it is doubled.
func (m match) offerLine(key string, o offer, row any) games.Line {
	points := m.plan.spellPoints(o.row, o.points)
	if m.throws == 1 && m.plan.rows[o.row].doubles() {
		points += "*"
	}
	return m.plan.say(key, games.Args{"Row": row, "Points": points})
}

// pick offers the dice to keep; what is not kept is thrown again. That is what one nearly always wants, unless a button
// is.
func (m match) pick(primary bool) *games.Pick {
	say := m.plan.say
	p := &games.Pick{Kind: "dice", Done: say("button.throw-again", nil), Rest: say("button.rows", nil),
		Refusal: say("keep-all", nil)}
	for position, face := range m.hand[:m.plan.paper.Dice] {
		p.Items = append(p.Items, int(face))
		if m.kept.has(position) {
			p.Picked = append(p.Picked, position)
		}
	}
	for k := range m.plan.all {
		choice := games.Choice{Move: m.plan.keepMove(k), Style: games.Primary}
		if primary {
			choice.Style = games.Plain
		}
		choice.Label = say("button.throw-loose", games.Args{"N": m.plan.paper.Dice - k.count()})
		for position := range m.plan.paper.Dice {
			if k.has(position) {
				choice.Items = append(choice.Items, position)
			}
		}
		p.Choices = append(p.Choices, choice)
	}
	return p
}

// standing is the total of a seat, in the end with the points that it gives where these count.
func (m match) standing(seat int) games.Line {
	p, g := m.plan, &m.pages[seat]
	args := games.Args{"Points": spell(p.total(g))}
	if p.paper.Final != nil && m.over() {
		score := p.score(g)
		args["N"], args["Score"] = score, spell(score)
		return p.say("total-points", args)
	}
	return p.say("total", args)
}

func (m match) stands() []games.Stand {
	stands := make([]games.Stand, len(m.pages))
	for seat := range m.pages {
		stands[seat] = games.Stand{State: games.Waiting, Line: m.standing(seat)}
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
