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

func loadCanoga(r *rules, state []byte) (games.Match, error) {
	var saved savedDuel
	if err := decode(state, &saved); err != nil {
		return nil, fmt.Errorf("shutbox: canoga: %w", err)
	}
	sheet, err := saved.load(r)
	if err != nil {
		return nil, fmt.Errorf("shutbox: canoga: %w", err)
	}
	d := duel{
		rules: r, sheet: sheet, open: saved.Open, starts: saved.Starts, turn: saved.Turn, seat: saved.Seat,
		faces: saved.Faces, choose: saved.Choose, told: saved.Told,
	}
	if err := d.consistent(); err != nil {
		return nil, fmt.Errorf("shutbox: canoga: %w", err)
	}
	return d, nil
}

// toldKeys are the things that can have happened last.
var toldKeys = [...]string{
	"", "start", "equal", "begins", "threw", "stuck", "covered", "uncovered", "covered-all", "uncovered-all",
}

// consistent says what is wrong with a state, as far as playing on and
// showing it depend on it.
func (d duel) consistent() error {
	all := d.rules.tiles
	switch {
	case d.seat != 0 && d.seat != 1 || d.told.Seat != 0 && d.told.Seat != 1:
		return fmt.Errorf("seat %d after seat %d", d.seat, d.told.Seat)
	case d.open[0]&^all != 0 || d.open[1]&^all != 0 || d.told.Set&^all != 0:
		return errors.New("tiles that the board does not have")
	case !d.sheet.over && (d.open[0] == 0 || d.open[1] == 0):
		return errors.New("a covered row, and no end of the round")
	case d.turn < 0 || d.choose && d.turn == 0:
		return fmt.Errorf("turn %d", d.turn)
	case len(d.faces) > startDice || d.choose && len(d.faces) == 0:
		return fmt.Errorf("%d dice", len(d.faces))
	case !slices.Contains(toldKeys[:], d.told.Key):
		return fmt.Errorf("told %q", d.told.Key)
	}
	for _, face := range d.faces {
		if face < 1 || face > d.rules.sides {
			return fmt.Errorf("a face %d", face)
		}
	}
	if d.choose && !d.sheet.over && len(d.covers())+len(d.uncovers()) == 0 {
		return errors.New("a throw to be played that allows nothing")
	}
	return nil
}
