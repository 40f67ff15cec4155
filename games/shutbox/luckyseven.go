package shutbox

import (
	"encoding/json"
	"fmt"
	"slices"

	"knobel/games"
)

// lucky is a match of lucky-seven: tile 7 stands alone, the seats throw once in turn, round and
// round, and the first total of 7 shuts it.
type lucky struct {
	rules *rules
	sheet
	last  games.Seat // who threw last
	faces []int      // the last throw
}

// throwTwo is the one move of lucky-seven.
const throwTwo games.Move = "throw 2"

// Moves has one move: the throw.
func (l lucky) Moves(s games.Seat) []games.Move {
	if l.over || s != l.turn {
		return nil
	}
	return []games.Move{throwTwo}
}

// Apply throws. A 7 ends the round at once.
func (l lucky) Apply(s games.Seat, _ games.Move, dice games.Dice) (games.Match, []games.Event) {
	l.faces = dice.Throw(l.rules.dice, l.rules.sides)
	l.last = s
	events := []games.Event{games.Event(l.tell())}
	if total(l.faces) != 7 {
		l.turn = l.after(s)
		return l, events
	}
	if l.rules.shut == shutDouble {
		l.paysDouble(s)
	}
	l.endRound(l.rules, l.given(s))
	if !l.over {
		l.turn = l.playing.list()[0]
	}
	return l, events
}

// after returns the next seat in the round of those who play.
func (l lucky) after(s games.Seat) games.Seat {
	playing := l.playing.list()
	return playing[(slices.Index(playing, s)+1)%len(playing)]
}

// given returns the scores of a round: 0 for the seat that threw the 7, and the open tile for all others, also for
// those whose turn had not come.
func (l lucky) given(winner games.Seat) scores {
	got := noScores
	for _, s := range l.playing.list() {
		got[s] = l.rules.points(l.rules.tiles)
	}
	got[winner] = 0
	return got
}

// tell puts the last throw into a line.
func (l lucky) tell() games.Line {
	key := "shutbox.lucky-seven.threw"
	if total(l.faces) == 7 {
		key = "shutbox.lucky-seven.seven"
	}
	return games.Say(key, games.Args{"Seat": l.last, "Faces": games.Faces(slices.Clone(l.faces)),
		"Total": total(l.faces)})
}

// savedLucky is a match of lucky-seven as it is stored.
type savedLucky struct {
	savedSheet
	Turn  games.Seat `json:"seat"`
	Last  games.Seat `json:"last"`
	Faces []int      `json:"faces,omitempty"`
}

// Save returns the state as JSON.
func (l lucky) Save() ([]byte, error) {
	return json.Marshal(savedLucky{savedSheet: l.save(), Turn: l.turn, Last: l.last, Faces: l.faces})
}

// loadLuckySeven reads what Save wrote.
func loadLuckySeven(r *rules, state []byte) (games.Match, error) {
	var saved savedLucky
	if err := games.Decode(state, &saved); err != nil {
		return nil, err
	}
	sheet, err := saved.load(r)
	l := lucky{rules: r, sheet: sheet, last: saved.Last, faces: saved.Faces}
	l.turn = saved.Turn
	switch {
	case err != nil:
		return nil, err
	case !sheet.over && !sheet.playing.has(l.turn) || l.last < 0 || int(l.last) >= sheet.seats || !r.fall(l.faces):
		return nil, fmt.Errorf("seat %d is to throw after seat %d threw %v", l.turn, l.last, l.faces)
	}
	return l, nil
}

// View shows the one tile, the last throw and the one button.
func (l lucky) View() games.View { return l.ViewWithout(nil) }

// ViewWithout returns the view when some seats can no longer win.
func (l lucky) ViewWithout(list []games.Seat) games.View {
	out := seatsOf(list)
	v := l.said(out, l.head(out), l.notes(), l.won)
	row := games.TileRow{Owner: games.Nobody, Tiles: []games.Tile{{Number: 7, Open: total(l.faces) != 7}}}
	if len(l.faces) > 0 {
		row.Owner, row.Dice = l.last, games.LieAs(l.faces, l.rules.sides)
	}
	if !l.over || l.wonBy(l.last, out) {
		v.Tiles = []games.TileRow{row}
	}
	for s := range games.Seat(l.seats) {
		v.Stands = append(v.Stands, l.stand(s))
	}
	if !l.over {
		v.Buttons = [][]games.Button{{{Label: say("button.throw", nil), Move: throwTwo, Style: games.Primary}}}
	}
	return v
}

// head says what has just been thrown and who is to throw; out are those who can win nothing.
func (l lucky) head(out seatSet) []games.Line {
	switch {
	case l.over && l.wonBy(l.last, out) && l.won().Key == "shutbox.lucky-seven.seven":
		return nil // that is what the winner has won by
	case l.over:
		return []games.Line{l.tell()}
	case len(l.faces) == 0:
		return []games.Line{say("head.starts", games.Args{"Seat": l.turn})}
	}
	return []games.Line{l.tell(), games.Say("shutbox.lucky-seven.to-throw", games.Args{"Seat": l.turn})}
}

// won says who has won.
func (l lucky) won() games.Line {
	winners := l.winners().list()
	args := games.Args{"Seat": winners[0], "Seats": names(l.winners()), "N": l.totals[winners[0]]}
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
	args := games.Args{"Round": l.round, "Limit": l.rules.limit}
	switch {
	case l.rollOff > 0:
		return []games.Line{games.Say("shutbox.lucky-seven.roll-off", games.Args{"RollOff": l.rollOff})}
	case l.rules.match == single:
		return nil
	}
	return []games.Line{games.Say("shutbox.lucky-seven.round-"+l.rules.match, args)}
}

// stand shows the total in a match of several rounds; in a match of one round no seat has points before its end.
func (l lucky) stand(s games.Seat) games.Stand {
	stand := games.Stand{State: games.Waiting}
	if l.rules.match != single || l.over {
		stand.Line = games.Say("shutbox.lucky-seven.points", games.Args{"N": l.totals[s]})
	}
	switch {
	case l.winners().has(s) && l.seats > 1:
		stand.State = games.Won
	case l.outs[s] > 0:
		stand.State = games.Out
	case l.over || !l.playing.has(s):
		stand.State = games.Done
	case s == l.turn:
		stand.State = games.ToMove
	}
	return stand
}
