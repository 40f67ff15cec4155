package shutbox

import (
	"slices"
	"strings"

	"knobel/games"
)

// View shows both rows, the throw and what may be done.
func (d duel) View() games.View { return d.ViewWithout(nil) }

// ViewWithout returns the view when some seats can no longer win.
func (d duel) ViewWithout(out []games.Seat) games.View {
	v := d.said(out, d.head(out), d.notes(), d.won)
	for s, open := range d.Open {
		row := d.rules.row(games.Seat(s), open)
		if ended := d.Told.Key == "stuck" || d.Told.Key == "start"; ended && d.Told.Seat == games.Seat(s) {
			row.Dice = games.LieAs(d.Faces, d.rules.sides)
		}
		if !d.Over || d.wonBy(d.Told.Seat, out) {
			v.Tiles = append(v.Tiles, row)
		}
		v.Stands = append(v.Stands, d.stand(games.Seat(s)))
	}
	if d.Choose {
		v.Dice = games.LieAs(d.Faces, d.rules.sides)
	}
	if !d.Over {
		d.offer(&v)
		if d.Told.chosen() {
			v.Undo = []games.Seat{d.Told.Seat}
		}
	}
	return v
}

// head says what has just happened and who is to do what; out are those who can win nothing.
func (d duel) head(out []games.Seat) []games.Line {
	next := games.Say("shutbox.canoga.to-throw", games.Args{"Seat": d.Mover})
	if d.Nth == 0 {
		next = games.Say("shutbox.canoga.to-start", games.Args{"Seat": d.Mover})
	}
	switch {
	case d.Over && d.wonBy(d.Told.Seat, out) && d.rules.match == single:
		return nil // the rows show it
	case d.Over:
		return []games.Line{d.tell()}
	case d.Told.Key == "":
		return []games.Line{next}
	case d.Told.Key == "begins":
		return []games.Line{d.tell()}
	case d.Choose:
		return []games.Line{d.choice()}
	case d.Told.Key == "stuck":
		return []games.Line{d.deadEnd(), next}
	}
	return []games.Line{d.tell(), next}
}

// choice says what the throw may be played as.
func (d duel) choice() games.Line {
	args := games.Args{"Seat": d.Told.Seat, "Faces": games.Faces(slices.Clone(d.Faces)), "Total": total(d.Faces)}
	switch {
	case len(d.uncovers()) == 0:
		return games.Say("shutbox.canoga.threw-cover", args)
	case len(d.covers()) == 0:
		return games.Say("shutbox.canoga.threw-uncover", args)
	}
	return games.Say("shutbox.canoga.threw", args)
}

// deadEnd says in short that nothing fits the throw that lies beside it.
func (d duel) deadEnd() games.Line {
	return games.Say("shutbox.canoga.dead", games.Args{"Seat": d.Told.Seat, "Total": total(d.Faces)})
}

// won says who has won.
func (d duel) won() games.Line {
	winners := d.winners()
	args := games.Args{"Seat": winners[0], "Seats": names(d.winners()), "N": d.Totals[winners[0]]}
	if len(winners) > 1 {
		return games.Say("shutbox.canoga.shared", args)
	}
	return games.Say("shutbox.canoga.won", args)
}

// notes name the round where there are several.
func (d duel) notes() []games.Line {
	switch {
	case d.RollOff > 0:
		return []games.Line{games.Say("shutbox.canoga.roll-off", games.Args{"RollOff": d.RollOff})}
	case d.rules.match == rounds:
		return []games.Line{games.Say("shutbox.canoga.round-of",
			games.Args{"Round": d.Round, "Rounds": d.rules.limit})}
	case d.rules.match == until:
		return []games.Line{games.Say("shutbox.canoga.round-until",
			games.Args{"Round": d.Round, "Limit": d.rules.limit})}
	}
	return nil
}

// stand shows the points of a match of several rounds, or once there are any;
// before, what is open is all there is to say.
func (d duel) stand(s games.Seat) games.Stand {
	stand := games.Stand{
		State: games.Waiting,
		Line:  games.Say("shutbox.canoga.open", games.Args{"Open": d.Open[s].sum()}),
	}
	if d.Over {
		stand.Line = games.Say("shutbox.canoga.points", games.Args{"N": d.Totals[s]})
	} else if d.rules.match != single {
		stand.Line = games.Say("shutbox.canoga.open-points",
			games.Args{"Open": d.Open[s].sum(), "N": d.Totals[s]})
	}
	switch {
	case slices.Contains(d.winners(), s):
		stand.State = games.Won
	case d.Over:
		stand.State = games.Done
	case s == d.Mover:
		stand.State = games.ToMove
	}
	return stand
}

// offer puts the legal moves onto buttons. Where they are too many, covering stays on buttons and the tiles to
// uncover are picked: there are never more than 25 sets of one row that a throw of two dice allows.
func (d duel) offer(v *games.View) {
	if !d.Choose {
		throws := d.throwButtons()
		throws[0].Style = games.Primary
		v.Buttons = [][]games.Button{throws}
		return
	}
	covers, uncovers := d.covers(), d.uncovers()
	if len(covers) > 0 {
		v.Buttons = append(v.Buttons, setButtons("cover", covers, d.Mover))
	}
	switch {
	case len(covers)+len(uncovers) > maxButtons:
		v.Pick = d.pick(uncovers)
	case len(uncovers) > 0:
		v.Buttons = append(v.Buttons, setButtons("uncover", uncovers, 1-d.Mover))
	}
	if len(v.Buttons) > 0 {
		v.Buttons[0][0].Style = games.Primary
	}
}

// throwButtons are as at any other box: all dice, one die.
func (d duel) throwButtons() []games.Button {
	moves := d.Moves(d.Mover)
	var row []games.Button
	for _, mv := range moves {
		label := say("button.throw", nil)
		if len(moves) > 1 {
			_, count, _ := strings.Cut(string(mv), " ")
			label = say("button.dice-"+count, nil)
		}
		row = append(row, games.Button{Label: label, Move: mv})
	}
	return row
}

// setButtons returns the sets of a row, the one of whose seat.
func setButtons(verb string, found []tiles, whose games.Seat) []games.Button {
	var row []games.Button
	for _, set := range found {
		row = append(row, games.Button{
			Label: games.Say("shutbox.canoga."+verb, games.Args{"Tiles": set.falling()}),
			Move:  setMove(verb, set),
			Tiles: set.list(),
			Row:   int(whose),
		})
	}
	return row
}

// pick offers sets of the other's covered tiles.
func (d duel) pick(found []tiles) *games.Pick {
	covered := (d.rules.tiles &^ d.Open[1-d.Mover]).list()
	p := &games.Pick{Kind: "tiles", Items: covered, Row: int(1 - d.Mover), Goal: total(d.Faces),
		Guide: games.Say("shutbox.guide.canoga", games.Args{"Total": total(d.Faces)})}
	for _, set := range found {
		choice := games.Choice{Move: setMove("uncover", set), Style: games.Primary,
			Label: games.Say("shutbox.canoga.uncover", games.Args{"Tiles": set.falling()})}
		for _, n := range set.list() {
			choice.Items = append(choice.Items, slices.Index(covered, n))
		}
		p.Choices = append(p.Choices, choice)
	}
	return p
}
