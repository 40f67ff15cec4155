package shutbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"knobel/games"
)

// The variant Canoga, for two seats with a row of tiles each.

// duel is a match of Canoga, as it is stored: two rows of tiles. The seat that covers its own row, or opens the other's
// completely, wins the round.
//
// A round begins with starting throws of seat 0 and then seat 1, repeated until they differ. In the first turn nothing
// can be uncovered: all tiles of the other row are still open, so this needs no code.
type duel struct {
	sheet
	Open   [2]tiles   `json:"open"`             // each seat's open tiles
	Starts [2]int     `json:"starts"`           // the totals of the starting throws, 0 before each
	Nth    int        `json:"turn"`             // the turn of the round, from 1; 0 during the starting throws
	Mover  games.Seat `json:"seat"`             // the seat to move, until the match is over
	Faces  []int      `json:"faces,omitempty"`  // the last throw
	Choose bool       `json:"choose,omitempty"` // the last throw is still to be played
	Told   told       `json:"told"`             // the effect of the last move
}

// told is the effect of the last move, stored for the view.
type told struct {
	Key    string     `json:"key,omitempty"` // under shutbox.canoga.
	Seat   games.Seat `json:"seat"`
	Set    tiles      `json:"set,omitempty"`
	Points int        `json:"points,omitempty"`
}

// chosen reports whether the last move covered or uncovered tiles, which can be undone.
func (t told) chosen() bool {
	return strings.HasPrefix(t.Key, "covered") || strings.HasPrefix(t.Key, "uncovered")
}

// reset starts a round: both rows open, and the starting throws.
func (d *duel) reset() {
	d.Open = [2]tiles{d.rules.tiles, d.rules.tiles}
	d.Starts = [2]int{}
	d.Nth, d.Mover, d.Choose = 0, 0, false
}

// Turn returns the seat to move, nil if the match is over.
func (d duel) Turn() []games.Seat {
	if d.Over {
		return nil
	}
	return []games.Seat{d.Mover}
}

// MidTurn reports whether the seat to move has already thrown in its turn.
func (d duel) MidTurn() bool {
	return !d.Over && d.Nth > 0 && (d.Choose || d.Told.chosen() && d.Told.Seat == d.Mover)
}

// Moves returns the possible throws or, after a throw, the sets to cover and then those to uncover.
func (d duel) Moves(s games.Seat) []games.Move {
	switch {
	case d.Over || s != d.Mover:
		return nil
	case d.Choose:
		var moves []games.Move
		for _, set := range d.covers() {
			moves = append(moves, setMove("cover", set))
		}
		for _, set := range d.uncovers() {
			moves = append(moves, setMove("uncover", set))
		}
		return moves
	}
	var moves []games.Move
	for _, count := range d.counts() {
		moves = append(moves, throwMove(count))
	}
	return moves
}

// counts returns the possible numbers of dice: always two for a starting throw, else as the rules allow.
func (d duel) counts() []int {
	if d.Nth == 0 {
		return []int{2}
	}
	return d.rules.counts(d.Open[d.Mover])
}

// covers returns the sets of the mover's own open tiles that the throw allows to cover; uncovers returns the sets of
// the other row's covered tiles that it allows to open.
func (d duel) covers() []tiles { return d.rules.choices(d.Open[d.Mover], d.Faces) }

func (d duel) uncovers() []tiles {
	return d.rules.choices(d.rules.tiles&^d.Open[1-d.Mover], d.Faces)
}

// Apply plays a legal move and returns the next match and its events; d does not change.
func (d duel) Apply(s games.Seat, mv games.Move, dice games.Dice) (games.Match, []games.Event) {
	verb, what, _ := strings.Cut(string(mv), " ")
	var events []games.Event
	switch verb {
	case "throw":
		count, _ := number(what)
		d.Faces = dice.Throw(count, d.rules.sides)
		if d.Nth == 0 {
			events = d.start(s)
		} else {
			events = d.threw(s)
		}
	case "cover":
		set, _ := parseSet(what)
		d.Open[s] &^= set
		events = d.played("covered", s, set, d.Open[s] == 0, d.Open[1-s].sum())
	case "uncover":
		set, _ := parseSet(what)
		d.Open[1-s] |= set
		opened := d.Open[1-s] == d.rules.tiles && d.Nth >= 3
		events = d.played("uncovered", s, set, opened, (d.rules.tiles &^ d.Open[s]).sum())
	}
	return d, events
}

// start stores a starting throw of s. After both have thrown, the higher one begins; if they are equal, both throw
// again.
func (d *duel) start(s games.Seat) []games.Event {
	d.Starts[s] = total(d.Faces)
	d.Told = told{Key: "start", Seat: s, Points: d.Starts[s]}
	events := []games.Event{games.Event(d.tell())}
	switch {
	case s == 0:
		d.Mover = 1
		return events
	case d.Starts[0] == d.Starts[1]:
		d.Told = told{Key: "equal", Seat: s, Points: d.Starts[s]}
		d.Starts, d.Mover = [2]int{}, 0
	case d.Starts[0] > d.Starts[1]:
		d.Nth, d.Mover = 1, 0
		d.Told = told{Key: "begins", Seat: 0, Points: d.Starts[0]}
	default:
		d.Nth, d.Mover = 1, 1
		d.Told = told{Key: "begins", Seat: 1, Points: d.Starts[1]}
	}
	return append(events, games.Event(d.tell()))
}

// threw checks whether the throw of s allows a move. If not, it ends the turn.
func (d *duel) threw(s games.Seat) []games.Event {
	if d.Choose = len(d.covers())+len(d.uncovers()) > 0; d.Choose {
		d.Told = told{Key: "threw", Seat: s}
	} else {
		d.Told = told{Key: "stuck", Seat: s}
		d.Nth++
		d.Mover = 1 - s
	}
	return []games.Event{games.Event(d.tell())}
}

// played stores that s has covered or uncovered set (key), and returns the events. If won is true it ends the round,
// which gives points.
func (d *duel) played(key string, s games.Seat, set tiles, won bool, points int) []games.Event {
	d.Choose = false
	d.Told = told{Key: key, Seat: s, Set: set}
	if !won {
		return []games.Event{games.Event(d.tell())}
	}
	d.Told = told{Key: key + "-all", Seat: s, Set: set, Points: points}
	events := []games.Event{games.Event(d.tell())}
	d.endDuel(s, points)
	if !d.Over {
		d.reset()
	}
	return events
}

// tell returns the line that describes the last move.
func (d duel) tell() games.Line {
	args := games.Args{"Seat": d.Told.Seat, "Faces": games.Faces(slices.Clone(d.Faces)), "Total": total(d.Faces),
		"Tiles": d.Told.Set.falling()}
	switch d.Told.Key {
	case "":
		return games.Line{}
	case "begins":
		args["Total"], args["Other"] = d.Told.Points, d.Starts[1-d.Told.Seat]
	case "covered-all", "uncovered-all":
		args["N"] = d.Told.Points
	}
	return say("canoga."+d.Told.Key, args)
}

// Save returns the state as JSON.
func (d duel) Save() ([]byte, error) { return json.Marshal(d) }

// toldKeys holds all values of told.Key.
var toldKeys = [...]string{
	"", "start", "equal", "begins", "threw", "stuck", "covered", "uncovered", "covered-all", "uncovered-all",
}

// loadCanoga returns the match that Save stored, or an error if it is inconsistent with the rules.
func loadCanoga(r *rules, state []byte) (games.Match, error) {
	d := duel{sheet: sheet{rules: r}}
	if err := games.Decode(state, &d); err != nil {
		return nil, err
	}
	if err := d.sheet.check(); err != nil {
		return nil, err
	}
	all := r.tiles
	switch {
	case d.Mover != 0 && d.Mover != 1 || d.Told.Seat != 0 && d.Told.Seat != 1:
		return nil, fmt.Errorf("seat %d after seat %d", d.Mover, d.Told.Seat)
	case d.Open[0]&^all != 0 || d.Open[1]&^all != 0 || d.Told.Set&^all != 0:
		return nil, errors.New("tiles that the board does not have")
	case !d.Over && (d.Open[0] == 0 || d.Open[1] == 0):
		return nil, errors.New("a covered row, and no end of the round")
	case !r.fall(d.Faces):
		return nil, fmt.Errorf("the dice %v", d.Faces)
	case !slices.Contains(toldKeys[:], d.Told.Key):
		return nil, fmt.Errorf("told %q", d.Told.Key)
	case d.Choose && !d.Over && len(d.covers())+len(d.uncovers()) == 0:
		return nil, errors.New("a throw to be played that allows nothing")
	}
	return d, nil
}

// View returns the view: both rows, the throw and the legal moves.
func (d duel) View() games.View { return d.ViewWithout(nil) }

// ViewWithout returns the view when the seats in out have left the game for good and cannot win.
func (d duel) ViewWithout(out []games.Seat) games.View {
	v := d.said(out, d.head(out), d.notes("canoga"), d.won)
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

// head returns the sentences on the last move and on the next one; the seats in out cannot win.
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
		dead := games.Args{"Seat": d.Told.Seat, "Total": total(d.Faces)} // the board shows the throw beside it
		return []games.Line{say("canoga.dead", dead), next}
	}
	return []games.Line{d.tell(), next}
}

// choice returns the line on the last throw and on whether it can cover, uncover or both.
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

// won returns the line that names the winner.
func (d duel) won() games.Line { return d.saysWon("canoga") }

// stand returns the standing of s: its points in a match of several rounds or after the end, else only the sum of its
// open tiles.
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

// offer adds the legal moves to v as buttons. If there are too many, only covering has buttons and the tiles to uncover
// are selected one by one: a throw of two dice allows at most 25 sets of one row.
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
