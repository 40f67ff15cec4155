package shutbox

import (
	"slices"

	"knobel/games"
)

// View shows both rows, the throw and what may be done.
func (d duel) View() games.View { return d.view(0) }

// ViewWithout returns what everybody may see where some seats can win nothing.
func (d duel) ViewWithout(out []games.Seat) games.View { return d.view(seatsOf(out)) }

// view is the view of Canoga when the seats in out can no longer win.
func (d duel) view(out seatSet) games.View {
	v := games.View{Head: d.head(out), Notes: d.notes()}
	for s, open := range d.open {
		row := games.TileRow{Owner: games.Seat(s)}
		for _, n := range d.rules.tiles.list() {
			row.Tiles = append(row.Tiles, games.Tile{Number: n, Open: open.has(n)})
		}
		v.Tiles = append(v.Tiles, row)
		v.Stands = append(v.Stands, d.stand(games.Seat(s)))
	}
	for _, face := range d.faces {
		v.Dice = append(v.Dice, games.Die{Face: face, Sides: d.rules.sides})
	}
	if !d.sheet.over {
		d.offer(&v)
		if d.told.chosen() {
			v.Undo = []games.Seat{d.told.Seat}
		}
	}
	return v
}

// head says what has just happened and who is to do what; out are those who can
// win nothing.
func (d duel) head(out seatSet) []games.Line {
	var head []games.Line
	if d.told.Key != "" {
		head = append(head, d.tell())
	}
	switch {
	case d.sheet.over && d.sheet.winners()&out != 0:
		// Who takes the pool does not follow from the dice.
	case d.sheet.over:
		head = append(head, d.ending())
	case d.choose:
		// The sentence about the throw asks for the choice already.
	case d.turn == 0:
		head = append(head, games.Say("shutbox.canoga.to-start", games.Args{"Seat": d.seat}))
	default:
		head = append(head, games.Say("shutbox.canoga.to-throw", games.Args{"Seat": d.seat}))
	}
	return head
}

// ending says who has won.
func (d duel) ending() games.Line {
	winners := d.sheet.winners().list()
	if len(winners) > 1 {
		return games.Say("shutbox.canoga.shared", games.Args{"N": d.sheet.totals[winners[0]]})
	}
	return games.Say("shutbox.canoga.won", games.Args{"Seat": winners[0], "N": d.sheet.totals[winners[0]]})
}

// notes name the round where there are several.
func (d duel) notes() []games.Line {
	switch {
	case d.sheet.rollOff > 0:
		return []games.Line{games.Say("shutbox.canoga.roll-off", games.Args{"RollOff": d.sheet.rollOff})}
	case d.rules.match == rounds:
		return []games.Line{games.Say("shutbox.canoga.round-of",
			games.Args{"Round": d.sheet.round, "Rounds": d.rules.limit})}
	case d.rules.match == until:
		return []games.Line{games.Say("shutbox.canoga.round-until",
			games.Args{"Round": d.sheet.round, "Limit": d.rules.limit})}
	}
	return nil
}

// stand shows the points of a match of several rounds, or once there are any;
// before, what is open is all there is to say.
func (d duel) stand(s games.Seat) games.Stand {
	stand := games.Stand{
		State: games.Waiting,
		Line:  games.Say("shutbox.canoga.open", games.Args{"Open": d.open[s].sum()}),
	}
	if d.sheet.over {
		stand.Line = games.Say("shutbox.canoga.points", games.Args{"N": d.sheet.totals[s]})
	} else if d.rules.match != single {
		stand.Line = games.Say("shutbox.canoga.open-points",
			games.Args{"Open": d.open[s].sum(), "N": d.sheet.totals[s]})
	}
	switch {
	case d.sheet.winners().has(s):
		stand.State = games.Won
	case d.sheet.over:
		stand.State = games.Done
	case s == d.seat:
		stand.State = games.ToMove
	}
	return stand
}

// offer puts the legal moves onto buttons. Where they are too many, covering
// stays on buttons and the tiles to uncover are picked: there are never more
// than 25 sets of one row that a throw of two dice allows.
func (d duel) offer(v *games.View) {
	if !d.choose {
		var throws []games.Button
		for _, mv := range d.Moves(d.seat) {
			throws = append(throws, throwButton(mv))
		}
		throws[0].Style = games.Primary
		v.Buttons = [][]games.Button{throws}
		return
	}
	covers, uncovers := d.covers(), d.uncovers()
	if len(covers) > 0 {
		v.Buttons = append(v.Buttons, setButtons("cover", covers))
	}
	switch {
	case len(covers)+len(uncovers) > maxButtons:
		v.Pick = d.pick(uncovers)
	case len(uncovers) > 0:
		v.Buttons = append(v.Buttons, setButtons("uncover", uncovers))
	}
	if len(v.Buttons) > 0 {
		v.Buttons[0][0].Style = games.Primary
	}
}

func throwButton(mv games.Move) games.Button {
	key := "shutbox.canoga.throw-both"
	if mv == throwMove(1) {
		key = "shutbox.canoga.throw-one"
	}
	return games.Button{Label: games.Say(key, nil), Move: mv}
}

func setButtons(verb string, found []tiles) []games.Button {
	var row []games.Button
	for _, set := range found {
		row = append(row, games.Button{
			Label: games.Say("shutbox.canoga."+verb, games.Args{"Tiles": set.falling()}),
			Move:  setMove(verb, set),
		})
	}
	return row
}

// pick offers sets of the other's covered tiles.
func (d duel) pick(found []tiles) *games.Pick {
	covered := (d.rules.tiles &^ d.open[1-d.seat]).list()
	p := &games.Pick{Kind: "tiles", Items: covered, Done: games.Say("shutbox.canoga.uncover-these", nil)}
	for _, set := range found {
		choice := games.Choice{Move: setMove("uncover", set)}
		for _, n := range set.list() {
			choice.Items = append(choice.Items, slices.Index(covered, n))
		}
		p.Choices = append(p.Choices, choice)
	}
	return p
}
