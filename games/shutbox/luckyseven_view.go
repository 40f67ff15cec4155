package shutbox

import "knobel/games"

// View shows the one tile, the last throw and the one button.
func (l lucky) View() games.View { return l.view(0) }

// ViewWithout returns what everybody may see where some seats can win nothing.
func (l lucky) ViewWithout(out []games.Seat) games.View { return l.view(seatsOf(out)) }

func (l lucky) view(out seatSet) games.View {
	v := games.View{Head: l.head(out), Notes: l.notes()}
	if l.sheet.over && l.sheet.winners()&out == 0 {
		v.Won = l.won()
	}
	row := games.TileRow{Owner: games.Nobody, Tiles: []games.Tile{{Number: 7, Open: total(l.faces) != 7}}}
	if len(l.faces) > 0 {
		row.Owner, row.Dice = l.last, games.LieAs(l.faces, l.rules.sides)
	}
	if !l.sheet.over || l.shows(out) {
		v.Tiles = []games.TileRow{row}
	}
	for s := range games.Seat(l.sheet.seats) {
		v.Stands = append(v.Stands, l.stand(s))
	}
	if !l.sheet.over {
		v.Buttons = [][]games.Button{{{
			Label: say("button.throw", nil), Move: throwTwo, Style: games.Primary,
		}}}
	}
	return v
}

// head says what has just been thrown and who is to throw; out are those who can
// win nothing.
func (l lucky) head(out seatSet) []games.Line {
	switch {
	case l.sheet.over && l.shows(out) && l.won().Key == "shutbox.lucky-seven.seven":
		return nil // that is what the winner has won by
	case l.sheet.over:
		return []games.Line{l.tell()}
	case len(l.faces) == 0:
		return []games.Line{say("head.starts", games.Args{"Seat": l.seat})}
	}
	return []games.Line{l.tell(), games.Say("shutbox.lucky-seven.to-throw", games.Args{"Seat": l.seat})}
}

// shows reports whether a match that is over shows its last throw: that of the only winner.
func (l lucky) shows(out seatSet) bool {
	return l.sheet.winners() == 1<<l.last && l.sheet.winners()&out == 0
}

// won says who has won.
func (l lucky) won() games.Line {
	winners := l.sheet.winners().list()
	args := games.Args{"Seat": winners[0], "Seats": names(l.sheet.winners()), "N": l.sheet.totals[winners[0]]}
	switch {
	case l.rules.match == single:
		return l.tell() // the 7 has said it all
	case len(winners) > 1:
		return games.Say("shutbox.lucky-seven.shared", args)
	}
	return games.Say("shutbox.lucky-seven.won", args)
}

// notes name the round where there are several.
func (l lucky) notes() []games.Line {
	args := games.Args{"Round": l.sheet.round, "Limit": l.rules.limit}
	switch {
	case l.sheet.rollOff > 0:
		return []games.Line{games.Say("shutbox.lucky-seven.roll-off", games.Args{"RollOff": l.sheet.rollOff})}
	case l.rules.match == single:
		return nil
	}
	return []games.Line{games.Say("shutbox.lucky-seven.round-"+l.rules.match, args)}
}

// stand shows the total in a match of several rounds; in a match of one round no seat has points
// before its end.
func (l lucky) stand(s games.Seat) games.Stand {
	stand := games.Stand{State: games.Waiting}
	if l.rules.match != single || l.sheet.over {
		stand.Line = games.Say("shutbox.lucky-seven.points", games.Args{"N": l.sheet.totals[s]})
	}
	switch {
	case l.sheet.winners().has(s) && l.sheet.seats > 1:
		stand.State = games.Won
	case l.sheet.outs[s] > 0:
		stand.State = games.Out
	case l.sheet.over || !l.sheet.playing.has(s):
		stand.State = games.Done
	case s == l.seat:
		stand.State = games.ToMove
	}
	return stand
}
