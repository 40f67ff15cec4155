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
	sheet sheet
	seat  games.Seat // who is to throw
	last  games.Seat // who threw last
	faces []int      // the last throw
}

// throwTwo is the one move of lucky-seven.
const throwTwo games.Move = "throw 2"

func newLuckySeven(r *rules, seats int) (games.Match, error) {
	return lucky{rules: r, sheet: newSheet(seats)}, nil
}

// Turn is with one seat until the match is over.
func (l lucky) Turn() []games.Seat {
	if l.sheet.over {
		return nil
	}
	return []games.Seat{l.seat}
}

// Moves has one move: the throw.
func (l lucky) Moves(s games.Seat) []games.Move {
	if l.sheet.over || s != l.seat {
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
		l.seat = l.after(s)
		return l, events
	}
	if l.rules.shut == shutDouble {
		l.sheet.paysDouble(s)
	}
	l.sheet.endRound(l.rules, l.scores(s))
	if !l.sheet.over {
		l.seat = l.sheet.playing.list()[0]
	}
	return l, events
}

// after is the next seat in the round of those who play.
func (l lucky) after(s games.Seat) games.Seat {
	playing := l.sheet.playing.list()
	return playing[(slices.Index(playing, s)+1)%len(playing)]
}

// scores are 0 for who threw the 7, and the open tile for all others, also for
// those whose turn had not come.
func (l lucky) scores(winner games.Seat) scores {
	got := noScores()
	for _, s := range l.sheet.playing.list() {
		got[s] = l.rules.points(l.rules.tiles)
	}
	got[winner] = 0
	return got
}

// Result is what the sheet says.
func (l lucky) Result() (games.Result, bool) { return l.sheet.result() }

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
	Seat  games.Seat `json:"seat"`
	Last  games.Seat `json:"last"`
	Faces []int      `json:"faces,omitempty"`
}

// Save returns the state as JSON.
func (l lucky) Save() ([]byte, error) {
	return json.Marshal(savedLucky{
		savedSheet: l.sheet.save(), Seat: l.seat, Last: l.last, Faces: l.faces,
	})
}

// loadLuckySeven reads what Save wrote.
func loadLuckySeven(r *rules, state []byte) (games.Match, error) {
	var saved savedLucky
	if err := games.Decode(state, &saved); err != nil {
		return nil, err
	}
	sheet, err := saved.load(r)
	l := lucky{rules: r, sheet: sheet, seat: saved.Seat, last: saved.Last, faces: saved.Faces}
	switch {
	case err != nil:
		return nil, err
	case !sheet.over && !sheet.playing.has(l.seat) || l.last < 0 || int(l.last) >= sheet.seats || !r.fall(l.faces):
		return nil, fmt.Errorf("seat %d is to throw after seat %d threw %v", l.seat, l.last, l.faces)
	}
	return l, nil
}
