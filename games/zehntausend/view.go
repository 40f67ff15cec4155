package zehntausend

import (
	"slices"

	"knobel/games"
)

// The view of a match.

var (
	_ games.Led    = match{}
	_ games.Saying = match{}
)

// View returns the public view.
func (m match) View() games.View { return m.ViewWithout(nil) }

// ViewWithout returns the view when some seats can no longer win.
func (m match) ViewWithout(out []games.Seat) games.View {
	v := games.View{Won: m.won(out), Head: m.head(), Dice: games.LieAs(m.Dice, sides), Stands: m.stands(out),
		Notes: m.notes()}
	ended := games.Seat(m.Ended.Seat)
	result, over := m.Result()
	alone := slices.Equal(result.Winners, []games.Seat{ended}) && !slices.Contains(out, ended)
	if len(m.Ended.Dice) > 0 && (alone || !over) {
		v.Tiles = []games.TileRow{{Owner: ended, Dice: games.LieAs(m.Ended.Dice, sides)}}
	}
	switch {
	case m.over():
		return v
	case len(m.Dice) > 0:
		v.Pick = m.pick()
	default:
		v.Buttons = [][]games.Button{{{Label: say("button.throw", nil), Move: "throw", Style: games.Primary}}}
	}
	if m.Ended.Kind == stopped {
		v.Undo = []games.Seat{games.Seat(m.Ended.Seat)}
	}
	return v
}

// enough is the amount with which people like to stop.
const enough = 300

// pick offers the dice to set aside. As many as can be are picked to begin with;
// with what is picked one throws on, or stops.
func (m match) pick() *games.Pick {
	p := &games.Pick{Kind: "dice", Items: m.Dice, Done: say("button.throw", nil), Unfit: say("unfit", nil)}
	for _, o := range m.options() {
		items := o.set.Positions()
		if len(items) > len(p.Picked) {
			p.Picked = items
		}
		keep := games.Choice{Items: items, Move: o.move("keep", len(m.Dice))}
		keep.Label = say("button.keep", games.Args{"N": m.rules.next(len(m.Dice), len(items))})
		bank := games.Choice{Items: items, Move: o.move("bank", len(m.Dice))}
		bank.Label = say("button.bank", games.Args{"Points": m.Points + o.points})
		if o.bank && m.Points+o.points >= enough {
			bank.Style = games.Primary
		} else {
			keep.Style = games.Primary
		}
		p.Choices = append(p.Choices, keep)
		if o.bank {
			p.Choices = append(p.Choices, bank)
		}
	}
	return p
}

// stands returns the totals, and who is to move or has won.
func (m match) stands(out []games.Seat) []games.Stand {
	stands := make([]games.Stand, len(m.Totals))
	waits := func(seat int) bool { return seat >= m.Next }
	if m.rolling() {
		playing, thrown := m.rollingOff()
		waits = func(seat int) bool { return slices.Contains(playing[len(thrown):], seat) }
	}
	for seat, total := range m.Totals {
		stands[seat] = games.Stand{State: games.Done, Line: say("total", games.Args{"Points": total})}
		if !m.over() && waits(seat) {
			stands[seat].State = games.Waiting
		}
	}
	if !m.over() {
		seat := m.seat()
		stands[seat].State = games.ToMove
		if m.Points > 0 {
			stands[seat].Line = say("total-and", games.Args{"Points": m.Totals[seat], "More": m.Points})
		}
	}
	result, _ := m.Result()
	for _, seat := range result.Winners {
		if len(result.Rows) > 1 && !slices.Contains(out, seat) {
			stands[seat].State = games.Won
		}
	}
	return stands
}
