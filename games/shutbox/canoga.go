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

// duel is a match of Canoga, as it is stored: each of two seats has a row of tiles. A seat wins the round if it covers
// its own row or, from the third turn of the round on, opens the other seat's row completely.
//
// A round begins with one starting throw of each seat, which are repeated until their totals differ. In the first turn
// nothing can be uncovered, because all tiles of the other row are still open.
type duel struct {
	sheet
	Open   [2]tiles   `json:"open"`             // each seat's open tiles
	Starts [2]int     `json:"starts"`           // the totals of the starting throws, 0 before each
	Nth    int        `json:"turn"`             // the turn of the round, from 1; 0 during the starting throws
	Mover  games.Seat `json:"seat"`             // the seat to move, until the match is over
	Faces  []int      `json:"faces,omitempty"`  // the last throw
	Choose bool       `json:"choose,omitempty"` // the mover must choose what to cover or uncover with Faces
	Told   lastMove   `json:"told"`             // the last move, described for the view
}

// lastMove describes the latest move of a match of Canoga. It is stored because the view shows it.
type lastMove struct {
	Key    string     `json:"key,omitempty"`    // of its sentence, without the prefix "shutbox.canoga."
	Seat   games.Seat `json:"seat"`             // the seat that moved
	Set    tiles      `json:"set,omitempty"`    // the tiles covered or uncovered
	Points int        `json:"points,omitempty"` // the total of a starting throw, or the points of a won round
}

// isChoice reports whether the latest move covered or uncovered tiles. Only such a move can be undone.
func (t lastMove) isChoice() bool {
	return strings.HasPrefix(t.Key, "covered") || strings.HasPrefix(t.Key, "uncovered")
}

// reset starts a round: it opens all tiles of both rows and lets seat 0 make the first starting throw.
func (d *duel) reset() {
	d.Open = [2]tiles{d.rules.tiles, d.rules.tiles}
	d.Starts = [2]int{}
	d.Nth, d.Mover, d.Choose = 0, 0, false
}

// Turn returns the seat to move as the only element, nil if the match is over.
func (d duel) Turn() []games.Seat {
	if d.Over {
		return nil
	}
	return []games.Seat{d.Mover}
}

// MidTurn reports whether the seat to move has already thrown in its turn.
func (d duel) MidTurn() bool {
	return !d.Over && d.Nth > 0 && (d.Choose || d.Told.isChoice() && d.Told.Seat == d.Mover)
}

// Moves returns the legal moves of s: throws or, after a throw, the sets that it may cover, then those it may uncover.
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
	for _, count := range d.diceCounts() {
		moves = append(moves, throwMove(count))
	}
	return moves
}

// diceCounts returns the numbers of dice that the mover may throw: two for a starting throw, else as the rules allow.
func (d duel) diceCounts() []int {
	if d.Nth == 0 {
		return []int{2}
	}
	return d.rules.diceCounts(d.Open[d.Mover])
}

// covers returns the sets of open tiles in the mover's row that may be covered after the latest throw.
func (d duel) covers() []tiles { return d.rules.choices(d.Open[d.Mover], d.Faces) }

// uncovers returns the sets of covered tiles in the opponent's row that may be opened after the latest throw.
func (d duel) uncovers() []tiles {
	return d.rules.choices(d.rules.tiles&^d.Open[1-d.Mover], d.Faces)
}

// Apply returns the match after s has played the legal move mv, and the events of the move; d does not change.
func (d duel) Apply(s games.Seat, mv games.Move, dice games.Dice) (games.Match, []games.Event) {
	verb, what, _ := strings.Cut(string(mv), " ")
	var events []games.Event
	switch verb {
	case "throw":
		count, _ := parseNumber(what)
		d.Faces = dice.Throw(count, d.rules.sides)
		if d.Nth == 0 {
			events = d.storeStart(s)
		} else {
			events = d.checkThrow(s)
		}
	case "cover":
		set, _ := parseSet(what)
		d.Open[s] &^= set
		events = d.storeChoice("covered", s, set, d.Open[s] == 0, d.Open[1-s].sum())
	case "uncover":
		set, _ := parseSet(what)
		d.Open[1-s] |= set
		opened := d.Open[1-s] == d.rules.tiles && d.Nth >= 3
		events = d.storeChoice("uncovered", s, set, opened, (d.rules.tiles &^ d.Open[s]).sum())
	}
	return d, events
}

// storeStart stores the latest throw as the starting throw of s and returns its events. Once both seats have thrown,
// the seat with the higher total begins; if the totals are equal, both throw again.
func (d *duel) storeStart(s games.Seat) []games.Event {
	d.Starts[s] = total(d.Faces)
	d.Told = lastMove{Key: "start", Seat: s, Points: d.Starts[s]}
	events := []games.Event{games.Event(d.moveLine())}
	switch {
	case s == 0:
		d.Mover = 1
		return events
	case d.Starts[0] == d.Starts[1]:
		d.Told = lastMove{Key: "equal", Seat: s, Points: d.Starts[s]}
		d.Starts, d.Mover = [2]int{}, 0
	case d.Starts[0] > d.Starts[1]:
		d.Nth, d.Mover = 1, 0
		d.Told = lastMove{Key: "begins", Seat: 0, Points: d.Starts[0]}
	default:
		d.Nth, d.Mover = 1, 1
		d.Told = lastMove{Key: "begins", Seat: 1, Points: d.Starts[1]}
	}
	return append(events, games.Event(d.moveLine()))
}

// checkThrow stores whether the latest throw, made by s, allows a move; if not, the turn ends. It returns the event.
func (d *duel) checkThrow(s games.Seat) []games.Event {
	if d.Choose = len(d.covers())+len(d.uncovers()) > 0; d.Choose {
		d.Told = lastMove{Key: "threw", Seat: s}
	} else {
		d.Told = lastMove{Key: "stuck", Seat: s}
		d.Nth++
		d.Mover = 1 - s
	}
	return []games.Event{games.Event(d.moveLine())}
}

// storeChoice stores that s has covered or uncovered set; key is "covered" or "uncovered". If won is true, s wins the
// round and gets points. It returns the events of the move.
func (d *duel) storeChoice(key string, s games.Seat, set tiles, won bool, points int) []games.Event {
	d.Choose = false
	d.Told = lastMove{Key: key, Seat: s, Set: set}
	if !won {
		return []games.Event{games.Event(d.moveLine())}
	}
	d.Told = lastMove{Key: key + "-all", Seat: s, Set: set, Points: points}
	events := []games.Event{games.Event(d.moveLine())}
	d.endDuel(s, points)
	if !d.Over {
		d.reset()
	}
	return events
}

// moveLine returns the line that describes the latest move.
func (d duel) moveLine() games.Line {
	args := games.Args{"Seat": d.Told.Seat, "Faces": games.Faces(slices.Clone(d.Faces)), "Total": total(d.Faces),
		"Tiles": d.Told.Set.descending()}
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

// lastMoveKeys holds all values of lastMove.Key.
var lastMoveKeys = [...]string{
	"", "start", "equal", "begins", "threw", "stuck", "covered", "uncovered", "covered-all", "uncovered-all",
}

// loadCanoga returns the match that Save stored as state, or an error if state contradicts the rules r.
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
		return nil, errors.New("a covered row in a round that has not ended")
	case !r.isThrow(d.Faces):
		return nil, fmt.Errorf("the dice %v", d.Faces)
	case !slices.Contains(lastMoveKeys[:], d.Told.Key):
		return nil, fmt.Errorf("told %q", d.Told.Key)
	case d.Choose && !d.Over && len(d.covers())+len(d.uncovers()) == 0:
		return nil, errors.New("a roll without a legal move")
	}
	return d, nil
}

// View returns the view for players: both rows, the throw and buttons for the legal moves.
func (d duel) View() games.View { return d.ViewWithout(nil) }

// ViewWithout returns the view of the match if the seats in gone have left the game for good and cannot win.
func (d duel) ViewWithout(gone []games.Seat) games.View {
	v := d.newView(gone, d.headLines(gone), d.roundNotes("canoga"), d.wonLine)
	for s, open := range d.Open {
		row := d.rules.tileRow(games.Seat(s), open)
		if ended := d.Told.Key == "stuck" || d.Told.Key == "start"; ended && d.Told.Seat == games.Seat(s) {
			row.Dice = games.LieAs(d.Faces, d.rules.sides)
		}
		if !d.Over || d.isSoleWinner(d.Told.Seat, gone) {
			v.Tiles = append(v.Tiles, row)
		}
		v.Stands = append(v.Stands, d.seatStand(games.Seat(s)))
	}
	if d.Choose {
		v.Dice = games.LieAs(d.Faces, d.rules.sides)
	}
	if !d.Over {
		d.addButtons(&v)
		if d.Told.isChoice() {
			v.Undo = []games.Seat{d.Told.Seat}
		}
	}
	return v
}

// headLines returns the sentences about the latest move and the next one. The seats in gone cannot win.
func (d duel) headLines(gone []games.Seat) []games.Line {
	next := say("canoga.to-throw", games.Args{"Seat": d.Mover})
	if d.Nth == 0 {
		next = say("canoga.to-start", games.Args{"Seat": d.Mover})
	}
	switch {
	case d.Over && d.isSoleWinner(d.Told.Seat, gone) && d.rules.match == single:
		return nil // the rows of tiles show who has won
	case d.Over:
		return []games.Line{d.moveLine()}
	case d.Told.Key == "":
		return []games.Line{next}
	case d.Told.Key == "begins":
		return []games.Line{d.moveLine()}
	case d.Choose:
		return []games.Line{d.choiceLine()}
	case d.Told.Key == "stuck":
		dead := games.Args{"Seat": d.Told.Seat, "Total": total(d.Faces)} // no faces: the board shows the dice
		return []games.Line{say("canoga.dead", dead), next}
	}
	return []games.Line{d.moveLine(), next}
}

// choiceLine returns the line that names the latest throw and says whether it can cover, uncover or both.
func (d duel) choiceLine() games.Line {
	args := games.Args{"Seat": d.Told.Seat, "Faces": games.Faces(slices.Clone(d.Faces)), "Total": total(d.Faces)}
	switch {
	case len(d.uncovers()) == 0:
		return say("canoga.threw-cover", args)
	case len(d.covers()) == 0:
		return say("canoga.threw-uncover", args)
	}
	return say("canoga.threw", args)
}

// wonLine returns the line that names the winner of the match.
func (d duel) wonLine() games.Line { return d.winnersLine("canoga") }

// seatStand returns the text beside seat s on the board: its points in a match of several rounds or after the end, else
// only the sum of its open tiles.
func (d duel) seatStand(s games.Seat) games.Stand {
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

// addButtons adds buttons for the legal moves to v. If there are more than maxButtons moves, only those that cover get
// buttons (two dice never allow more than maxButtons of them), and tiles to uncover are selected one by one.
func (d duel) addButtons(v *games.View) {
	if !d.Choose {
		counts := d.diceCounts()
		v.Buttons = [][]games.Button{throwButtons(counts, len(counts) > 1)}
		return
	}
	covers, uncovers, mine, other := d.covers(), d.uncovers(), int(d.Mover), int(1-d.Mover)
	if len(covers) > 0 {
		v.Buttons = append(v.Buttons, setButtons("canoga.cover", "cover", covers, mine))
	}
	switch {
	case len(covers)+len(uncovers) > maxButtons:
		v.Pick = newPick("canoga.uncover", "uncover", d.rules.tiles&^d.Open[other], uncovers, other)
		v.Pick.Goal, v.Pick.Guide = total(d.Faces), say("guide.canoga", games.Args{"Total": total(d.Faces)})
	case len(uncovers) > 0:
		v.Buttons = append(v.Buttons, setButtons("canoga.uncover", "uncover", uncovers, other))
	}
	if len(v.Buttons) > 0 {
		v.Buttons[0][0].Style = games.Primary
	}
}
