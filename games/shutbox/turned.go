package shutbox

import "knobel/games"

// Turned reports whether an event ends a turn, and whether that turn has shut the
// box: in Canoga the own row, in lucky-seven, where a turn is one throw, the 7.
func (Game) Turned(e games.Event) (seat games.Seat, ended, shut bool) {
	shut, ended = turns[e.Key]
	if !ended {
		return games.Nobody, false, false
	}
	return e.Args["Seat"].(games.Seat), true, shut
}

// turns are the events that end a turn, and whether they shut a box.
var turns = map[string]bool{
	"shutbox.head." + didBox:     true,
	"shutbox.head." + didStick:   false,
	"shutbox.head." + didMiss:    false,
	"shutbox.head." + didSeven:   false,
	"shutbox.head." + didSevens:  false,
	"shutbox.head." + didDeclare: false,

	"shutbox.canoga.covered-all":   true,
	"shutbox.canoga.uncovered-all": false,
	"shutbox.canoga.stuck":         false,

	"shutbox.lucky-seven.seven": true,
	"shutbox.lucky-seven.threw": false,
}
