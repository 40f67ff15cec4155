package shutbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"knobel/games"
)

// Canoga: the variant for two, in which each side has tiles of its own.

// startDice are the dice of a starting throw, whatever the rules say about one die.
const startDice = 2

// duel is a match of Canoga: two rows, and who covers their own or opens the other's wins the round.
//
// A round begins with the starting throws, seat 0 and then seat 1, until they differ. In the very first turn nothing
// can be uncovered: all tiles of the other row are still open, so this needs no rule here.
type duel struct {
	rules *rules
	sheet
	open   [2]tiles // each seat's open tiles
	starts [2]int   // the totals of the starting throws, 0 before
	nth    int      // the turn of the round, from 1; 0 while the start is thrown for
	faces  []int    // the last throw
	choose bool     // the last throw is still to be played
	told   told     // what the last move has led to
}

// told is the last thing that happened, for the view.
type told struct {
	Key    string     `json:"key,omitempty"` // under shutbox.canoga.
	Seat   games.Seat `json:"seat"`
	Set    tiles      `json:"set,omitempty"`
	Points int        `json:"points,omitempty"`
}

// chosen reports whether a throw has been played: that can be taken back.
func (t told) chosen() bool {
	return strings.HasPrefix(t.Key, "covered") || strings.HasPrefix(t.Key, "uncovered")
}

// reset lays both rows open for a round.
func (d *duel) reset() {
	d.open = [2]tiles{d.rules.tiles, d.rules.tiles}
	d.starts = [2]int{}
	d.nth, d.turn, d.choose = 0, 0, false
}

// MidTurn reports whether the seat to move has thrown in its turn: it has to play the throw, or has played one.
func (d duel) MidTurn() bool {
	return !d.over && d.nth > 0 && (d.choose || d.told.chosen() && d.told.Seat == d.turn)
}

// Moves returns the throws that are allowed, or what the throw may be played as: covering first.
func (d duel) Moves(s games.Seat) []games.Move {
	switch {
	case d.over || s != d.turn:
		return nil
	case d.choose:
		var moves []games.Move
		for _, set := range d.covers() {
			moves = append(moves, setMove("cover", set))
		}
		for _, set := range d.uncovers() {
			moves = append(moves, setMove("uncover", set))
		}
		return moves
	case d.nth == 0:
		return []games.Move{throwMove(startDice)}
	}
	var moves []games.Move
	for _, count := range d.rules.counts(d.open[s]) {
		moves = append(moves, throwMove(count))
	}
	return moves
}

// covers returns the sets of the mover's own open tiles that the throw allows,
// uncovers those of the other's covered ones.
func (d duel) covers() []tiles { return d.rules.choices(d.open[d.turn], d.faces) }

func (d duel) uncovers() []tiles {
	return d.rules.choices(d.rules.tiles&^d.open[1-d.turn], d.faces)
}

// Apply plays a move.
func (d duel) Apply(s games.Seat, mv games.Move, dice games.Dice) (games.Match, []games.Event) {
	verb, what, _ := strings.Cut(string(mv), " ")
	var events []games.Event
	switch verb {
	case "throw":
		count, _ := number(what)
		d.faces = dice.Throw(count, d.rules.sides)
		if d.nth == 0 {
			events = d.start(s)
		} else {
			events = d.threw(s)
		}
	case "cover":
		set, _ := parseSet(what)
		d.open[s] &^= set
		events = d.played("covered", s, set, d.open[s] == 0, d.open[1-s].sum())
	case "uncover":
		set, _ := parseSet(what)
		d.open[1-s] |= set
		opened := d.open[1-s] == d.rules.tiles && d.nth >= 3
		events = d.played("uncovered", s, set, opened, (d.rules.tiles &^ d.open[s]).sum())
	}
	return d, events
}

// start counts a starting throw. The higher one begins; equal ones are thrown again.
func (d *duel) start(s games.Seat) []games.Event {
	d.starts[s] = total(d.faces)
	d.told = told{Key: "start", Seat: s, Points: d.starts[s]}
	events := []games.Event{games.Event(d.tell())}
	switch {
	case s == 0:
		d.turn = 1
		return events
	case d.starts[0] == d.starts[1]:
		d.told = told{Key: "equal", Seat: s, Points: d.starts[s]}
		d.starts, d.turn = [2]int{}, 0
	case d.starts[0] > d.starts[1]:
		d.nth, d.turn = 1, 0
		d.told = told{Key: "begins", Seat: 0, Points: d.starts[0]}
	default:
		d.nth, d.turn = 1, 1
		d.told = told{Key: "begins", Seat: 1, Points: d.starts[1]}
	}
	return append(events, games.Event(d.tell()))
}

// threw looks at a throw of a turn: one that allows nothing ends it.
func (d *duel) threw(s games.Seat) []games.Event {
	if d.choose = len(d.covers())+len(d.uncovers()) > 0; d.choose {
		d.told = told{Key: "threw", Seat: s}
	} else {
		d.told = told{Key: "stuck", Seat: s}
		d.nth++
		d.turn = 1 - s
	}
	return []games.Event{games.Event(d.tell())}
}

// played ends a throw, and with it the round when it has been won.
func (d *duel) played(key string, s games.Seat, set tiles, won bool, points int) []games.Event {
	d.choose = false
	d.told = told{Key: key, Seat: s, Set: set}
	if !won {
		return []games.Event{games.Event(d.tell())}
	}
	d.told = told{Key: key + "-all", Seat: s, Set: set, Points: points}
	events := []games.Event{games.Event(d.tell())}
	d.endDuel(d.rules, s, points)
	if !d.over {
		d.reset()
	}
	return events
}

// tell puts what has just happened into a line.
func (d duel) tell() games.Line {
	args := games.Args{"Seat": d.told.Seat}
	switch d.told.Key {
	case "":
		return games.Line{}
	case "start":
		args["Faces"], args["Total"] = games.Faces(slices.Clone(d.faces)), d.told.Points
	case "equal":
		args["Total"] = d.told.Points
	case "begins":
		args["Total"], args["Other"] = d.told.Points, d.starts[1-d.told.Seat]
	case "threw", "stuck":
		args["Faces"], args["Total"] = games.Faces(slices.Clone(d.faces)), total(d.faces)
	case "covered", "uncovered":
		args["Tiles"] = d.told.Set.falling()
	case "covered-all", "uncovered-all":
		args["Tiles"], args["N"] = d.told.Set.falling(), d.told.Points
	}
	return games.Say("shutbox.canoga."+d.told.Key, args)
}

// savedDuel is a match of Canoga as it is stored.
type savedDuel struct {
	savedSheet
	Open   [2]tiles   `json:"open"`
	Starts [2]int     `json:"starts"`
	Nth    int        `json:"turn"`
	Turn   games.Seat `json:"seat"`
	Faces  []int      `json:"faces,omitempty"`
	Choose bool       `json:"choose,omitempty"`
	Told   told       `json:"told"`
}

// Save returns the state as JSON.
func (d duel) Save() ([]byte, error) {
	return json.Marshal(savedDuel{
		savedSheet: d.save(),
		Open:       d.open, Starts: d.starts, Nth: d.nth, Turn: d.turn,
		Faces: d.faces, Choose: d.choose, Told: d.told,
	})
}

// loadCanoga reads what Save wrote.
func loadCanoga(r *rules, state []byte) (games.Match, error) {
	var saved savedDuel
	if err := games.Decode(state, &saved); err != nil {
		return nil, err
	}
	sheet, err := saved.load(r)
	if err != nil {
		return nil, err
	}
	d := duel{rules: r, sheet: sheet, open: saved.Open, starts: saved.Starts, nth: saved.Nth, faces: saved.Faces,
		choose: saved.Choose, told: saved.Told}
	d.turn = saved.Turn
	return d, d.check()
}

// toldKeys are the things that can have happened last.
var toldKeys = [...]string{
	"", "start", "equal", "begins", "threw", "stuck", "covered", "uncovered", "covered-all", "uncovered-all",
}

// check returns an error for a stored state that cannot be played on or shown.
func (d duel) check() error {
	all := d.rules.tiles
	switch {
	case d.turn != 0 && d.turn != 1 || d.told.Seat != 0 && d.told.Seat != 1:
		return fmt.Errorf("seat %d after seat %d", d.turn, d.told.Seat)
	case d.open[0]&^all != 0 || d.open[1]&^all != 0 || d.told.Set&^all != 0:
		return errors.New("tiles that the board does not have")
	case !d.over && (d.open[0] == 0 || d.open[1] == 0):
		return errors.New("a covered row, and no end of the round")
	case !d.rules.fall(d.faces):
		return fmt.Errorf("the dice %v", d.faces)
	case !slices.Contains(toldKeys[:], d.told.Key):
		return fmt.Errorf("told %q", d.told.Key)
	case d.choose && !d.over && len(d.covers())+len(d.uncovers()) == 0:
		return errors.New("a throw to be played that allows nothing")
	}
	return nil
}
