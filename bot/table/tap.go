package table

import (
	"time"

	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/store"
)

// Double taps. A board changes under the finger: where Throw stood may stand a set to close. So what
// the same hand presses right behind a press that has changed the board is asked for again if it
// would play; the first press after somebody else's always counts.

// doubleTap is how soon behind a tap the next one may belong to it.
const doubleTap = 600 * time.Millisecond

// plays reports whether a press throws, closes, writes or ends: whether it does what no further
// press of the same person takes back. Picks, pages and what is chosen in a lobby do not.
func plays(p chat.Press) bool {
	name, rest, ok := p.Verb()
	switch {
	case !ok:
		return true
	case name == "end" || name == "vote":
		return rest == "yes"
	}
	return name == "play" || name == "start" || name == "rematch"
}

// tap notes, as a table is stored, that the person has changed its board by a press. A pick is none: with
// it nothing moves, and who has picked the last die may throw at once. Nor is what is chosen in a lobby.
func (v *Visit) tap(t *store.Table) {
	p := v.Pressed()
	if p.Table == 0 || v.Event.Press == "" {
		return
	}
	if name, _, _ := p.Verb(); name == "pick" || t.State == store.Lobby && !plays(p) {
		return
	}
	t.Tapped, t.Tapper = v.At, board.SeatOf(*t, v.Event.User)
}

// tappedAgain reports whether the person, or somebody at the same device, has changed the board by a
// press so shortly before that this one may be the second tap of a double one. What is typed is no tap.
func (v *Visit) tappedAgain(t store.Table) bool {
	since := time.Duration(v.At-t.Tapped) * time.Millisecond
	if v.Event.Typed || since < 0 || since >= doubleTap || t.Tapper < 0 || t.Tapper >= len(t.Seats) {
		return false
	}
	last := chat.User(t.Seats[t.Tapper].Player)
	return last != "" && (last == v.Event.User || v.bot.Same(last, v.Event.User))
}
