package shutbox

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"

	"knobel/games"
)

// savedDuel is a match of Canoga as it is stored.
type savedDuel struct {
	savedSheet
	Open   [2]tiles   `json:"open"`
	Starts [2]int     `json:"starts"`
	Turn   int        `json:"turn"`
	Seat   games.Seat `json:"seat"`
	Faces  []int      `json:"faces,omitempty"`
	Choose bool       `json:"choose,omitempty"`
	Told   told       `json:"told"`
}

// Save returns the state as JSON.
func (d duel) Save() ([]byte, error) {
	return json.Marshal(savedDuel{
		savedSheet: d.sheet.save(),
		Open:       d.open, Starts: d.starts, Turn: d.turn, Seat: d.seat,
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
	d := duel{
		rules: r, sheet: sheet, open: saved.Open, starts: saved.Starts, turn: saved.Turn, seat: saved.Seat,
		faces: saved.Faces, choose: saved.Choose, told: saved.Told,
	}
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
	case d.seat != 0 && d.seat != 1 || d.told.Seat != 0 && d.told.Seat != 1:
		return fmt.Errorf("seat %d after seat %d", d.seat, d.told.Seat)
	case d.open[0]&^all != 0 || d.open[1]&^all != 0 || d.told.Set&^all != 0:
		return errors.New("tiles that the board does not have")
	case !d.sheet.over && (d.open[0] == 0 || d.open[1] == 0):
		return errors.New("a covered row, and no end of the round")
	case !d.rules.fall(d.faces):
		return fmt.Errorf("the dice %v", d.faces)
	case !slices.Contains(toldKeys[:], d.told.Key):
		return fmt.Errorf("told %q", d.told.Key)
	case d.choose && !d.sheet.over && len(d.covers())+len(d.uncovers()) == 0:
		return errors.New("a throw to be played that allows nothing")
	}
	return nil
}
