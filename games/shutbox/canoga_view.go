package shutbox

import (
	"slices"

	"knobel/games"
)

// View shows both rows, the throw and what may be done.
func (d duel) View() games.View { return d.ViewWithout(nil) }

// ViewWithout returns the view when some seats can no longer win.
func (d duel) ViewWithout(out []games.Seat) games.View {
	v := d.said(out, d.head(out), d.notes(d.rules, "canoga"), d.won)
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
	next := say("canoga.to-throw", games.Args{"Seat": d.Mover})
	if d.Nth == 0 {
		next = say("canoga.to-start", games.Args{"Seat": d.Mover})
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
		dead := games.Args{"Seat": d.Told.Seat, "Total": total(d.Faces)} // of the throw that lies beside it
		return []games.Line{say("canoga.dead", dead), next}
	}
	return []games.Line{d.tell(), next}
}

// choice says what the throw may be played as.
func (d duel) choice() games.Line {
	args := games.Args{"Seat": d.Told.Seat, "Faces": games.Faces(slices.Clone(d.Faces)), "Total": total(d.Faces)}
	switch {
	case len(d.uncovers()) == 0:
		return say("canoga.threw-cover", args)
	case len(d.covers()) == 0:
		return say("canoga.threw-uncover", args)
	}
	return say("canoga.threw", args)
}

// won says who has won.
func (d duel) won() games.Line { return d.saysWon("canoga") }

// stand shows the points of a match of several rounds, or once there are any;
// before, what is open is all there is to say.
func (d duel) stand(s games.Seat) games.Stand {
	key := "canoga.open"
	switch {
	case d.Over:
		key = "canoga.points"
	case d.rules.match != single:
		key = "canoga.open-points"
	}
	args := games.Args{"Open": d.Open[s].sum(), "N": d.Totals[s]}
	return games.Stand{State: d.state(s, d.Mover), Line: say(key, args)}
}

// offer puts the legal moves onto buttons. Where they are too many, covering stays on buttons and the tiles to
// uncover are picked: there are never more than 25 sets of one row that a throw of two dice allows.
func (d duel) offer(v *games.View) {
	if !d.Choose {
		counts := d.counts()
		v.Buttons = [][]games.Button{throwButtons(counts, len(counts) > 1)}
		return
	}
	covers, uncovers, mine, other := d.covers(), d.uncovers(), int(d.Mover), int(1-d.Mover)
	if len(covers) > 0 {
		v.Buttons = append(v.Buttons, setButtons("canoga.cover", "cover", covers, mine))
	}
	switch {
	case len(covers)+len(uncovers) > maxButtons:
		v.Pick = pick("canoga.uncover", "uncover", d.rules.tiles&^d.Open[other], uncovers, other)
		v.Pick.Goal, v.Pick.Guide = total(d.Faces), say("guide.canoga", games.Args{"Total": total(d.Faces)})
	case len(uncovers) > 0:
		v.Buttons = append(v.Buttons, setButtons("canoga.uncover", "uncover", uncovers, other))
	}
	if len(v.Buttons) > 0 {
		v.Buttons[0][0].Style = games.Primary
	}
}
