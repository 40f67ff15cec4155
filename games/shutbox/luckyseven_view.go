package shutbox

import "knobel/games"

// View shows the one tile, the last throw and the one button.
func (l lucky) View() games.View { return l.view(0) }

// ViewWithout returns what everybody may see where some seats can win nothing.
func (l lucky) ViewWithout(out []games.Seat) games.View { return l.view(seatsOf(out)) }

func (l lucky) view(out seatSet) games.View {
	v := games.View{
		Head:  l.head(out),
		Notes: l.notes(),
		Tiles: []games.TileRow{{Owner: games.Nobody, Tiles: []games.Tile{{Number: 7, Open: !l.sheet.over}}}},
	}
	for _, face := range l.faces {
		v.Dice = append(v.Dice, games.Die{Face: face, Sides: l.rules.sides})
	}
	for s := range games.Seat(l.sheet.seats) {
		v.Stands = append(v.Stands, l.stand(s))
	}
	if !l.sheet.over {
		v.Buttons = [][]games.Button{{{
			Label: games.Say("shutbox.lucky-seven.throw", nil), Move: throwTwo, Style: games.Primary,
		}}}
	}
	return v
}

// head says what has just been thrown and who is to throw; out are those who can
// win nothing.
func (l lucky) head(out seatSet) []games.Line {
	var head []games.Line
	if len(l.faces) > 0 {
		head = append(head, l.tell())
	}
	if !l.sheet.over {
		return append(head, games.Say("shutbox.lucky-seven.to-throw", games.Args{"Seat": l.seat}))
	}
	if l.rules.match == single || l.sheet.winners()&out != 0 {
		return head // the 7 has said it all, or who takes the pool does not follow from the dice
	}
	winners := l.sheet.winners().list()
	if len(winners) > 1 {
		return append(head, games.Say("shutbox.lucky-seven.shared", games.Args{"N": l.sheet.totals[winners[0]]}))
	}
	return append(head, games.Say("shutbox.lucky-seven.won",
		games.Args{"Seat": winners[0], "N": l.sheet.totals[winners[0]]}))
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
	case l.sheet.winners().has(s):
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
