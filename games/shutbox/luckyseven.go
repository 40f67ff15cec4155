package shutbox

import (
	"encoding/json"
	"fmt"
	"slices"

	"knobel/games"
)

// lucky is a match of lucky-seven, as it is stored. The only tile is 7. The seats make one throw each, in turn, until a
// seat throws a total of 7, which closes the tile and wins the round.
type lucky struct {
	sheet
	Mover games.Seat `json:"seat"`            // the seat to move, until the match is over
	Last  games.Seat `json:"last"`            // the seat that made the last throw
	Faces []int      `json:"faces,omitempty"` // the last throw
}

// throwTwo is the only move of lucky-seven.
const throwTwo games.Move = "throw 2"

// Turn returns the seat to move as the only element, nil if the match is over.
func (l lucky) Turn() []games.Seat {
	if l.Over {
		return nil
	}
	return []games.Seat{l.Mover}
}

// Moves returns the only move, a throw, if s is the seat to move.
func (l lucky) Moves(s games.Seat) []games.Move {
	if l.Over || s != l.Mover {
		return nil
	}
	return []games.Move{throwTwo}
}

// Apply returns the match after s has thrown, and the events of the throw; l does not change. A 7 ends the round.
func (l lucky) Apply(s games.Seat, _ games.Move, dice games.Dice) (games.Match, []games.Event) {
	l.Faces = dice.Throw(l.rules.dice, l.rules.sides)
	l.Last = s
	events := []games.Event{games.Event(l.moveLine())}
	if total(l.Faces) != 7 {
		l.Mover = l.nextThrower(s)
		return l, events
	}
	if l.rules.shut == shutDouble {
		l.addDouble(s)
	}
	l.endRound(l.roundScores(s))
	if !l.Over {
		l.Mover = l.Playing[0]
	}
	return l, events
}

// nextThrower returns the seat that throws after s.
func (l lucky) nextThrower(s games.Seat) games.Seat {
	return l.Playing[(slices.Index(l.Playing, s)+1)%len(l.Playing)]
}

// roundScores returns the scores of a round, by seat: 0 for winner, who threw the 7, and the points of the open tile
// for every other seat of the round, even if it has not thrown.
func (l lucky) roundScores(winner games.Seat) []int {
	scores := slices.Repeat([]int{pending}, l.Seats)
	for _, s := range l.Playing {
		scores[s] = l.rules.points(l.rules.tiles)
	}
	scores[winner] = 0
	return scores
}

// moveLine returns the line that describes the latest throw.
func (l lucky) moveLine() games.Line {
	key := "lucky-seven.threw"
	if total(l.Faces) == 7 {
		key = "lucky-seven.seven"
	}
	return say(key, games.Args{"Seat": l.Last, "Faces": games.Faces(slices.Clone(l.Faces)),
		"Total": total(l.Faces)})
}

// Save returns the state as JSON.
func (l lucky) Save() ([]byte, error) { return json.Marshal(l) }

// loadLuckySeven returns the match that Save stored as state, or an error if state contradicts the rules r.
func loadLuckySeven(r *rules, state []byte) (games.Match, error) {
	l := lucky{sheet: sheet{rules: r}}
	if err := games.Decode(state, &l); err != nil {
		return nil, err
	}
	if err := l.sheet.check(); err != nil {
		return nil, err
	}
	if !l.Over && !slices.Contains(l.Playing, l.Mover) || l.Last < 0 || int(l.Last) >= l.Seats || !r.isThrow(l.Faces) {
		return nil, fmt.Errorf("seat %d rolls after seat %d rolled %v", l.Mover, l.Last, l.Faces)
	}
	return l, nil
}

// View returns the view for players: the tile, the latest throw and the only button.
func (l lucky) View() games.View { return l.ViewWithout(nil) }

// ViewWithout returns the view of the match if the seats in gone have left the game for good and cannot win.
func (l lucky) ViewWithout(gone []games.Seat) games.View {
	v := l.newView(gone, l.headLines(gone), l.roundNotes("lucky-seven"), l.wonLine)
	row := games.TileRow{Owner: games.Nobody, Tiles: []games.Tile{{Number: 7, Open: total(l.Faces) != 7}}}
	if len(l.Faces) > 0 {
		row.Owner, row.Dice = l.Last, games.LieAs(l.Faces, l.rules.sides)
	}
	if !l.Over || l.isSoleWinner(l.Last, gone) {
		v.Tiles = []games.TileRow{row}
	}
	for s := range games.Seat(l.Seats) {
		v.Stands = append(v.Stands, l.seatStand(s))
	}
	if !l.Over {
		v.Buttons = [][]games.Button{throwButtons([]int{2}, false)}
	}
	return v
}

// headLines returns the sentences about the latest throw and the next one. The seats in gone cannot win.
func (l lucky) headLines(gone []games.Seat) []games.Line {
	switch {
	case l.Over && l.isSoleWinner(l.Last, gone) && l.wonLine().Key == "shutbox.lucky-seven.seven":
		return nil // the line View.Won already describes the winning throw
	case l.Over:
		return []games.Line{l.moveLine()}
	case len(l.Faces) == 0:
		return []games.Line{say("head.starts", games.Args{"Seat": l.Mover})}
	}
	return []games.Line{l.moveLine(), say("lucky-seven.to-throw", games.Args{"Seat": l.Mover})}
}

// wonLine returns the line that names the winner of the match.
func (l lucky) wonLine() games.Line {
	if l.rules.match == single {
		return l.moveLine() // the line of the 7 names the winner
	}
	return l.winnersLine("lucky-seven")
}

// seatStand returns the text beside seat s on the board. In a match of one round s has no points before the end.
func (l lucky) seatStand(s games.Seat) games.Stand {
	stand := games.Stand{State: l.state(s, l.Mover)}
	if l.rules.match != single || l.Over {
		stand.Line = say("lucky-seven.points", games.Args{"N": l.Totals[s]})
	}
	return stand
}
