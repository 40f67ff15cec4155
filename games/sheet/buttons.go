package sheet

import (
	"strings"

	"knobel/games"
)

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

// group puts buttons into the parts that they fall into on a sheet of several columns, those columns and the calls, and
// returns the names of the parts that have any.
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

// placeOf is the place that a move would fill, or let be filled: false where it fills none.
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
