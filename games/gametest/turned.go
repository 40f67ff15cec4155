package gametest

// What is checked when a turn has ended.

import (
	"fmt"
	"reflect"
	"slices"

	"knobel/games"
)

// longestTurn is the largest number of characters that how a turn came out may take: it stands in
// one line with the throws of the turn.
const longestTurn = 26

// checkTurned checks what a match says of a turn that a move has ended: it is the turn of whoever
// moved, short, the same after a restart, and a turn at the box where the game counts those.
func (p *player) checkTurned(next games.Match, seat games.Seat, events []games.Event) {
	p.t.Helper()
	turned, ok := next.(games.Turned)
	if !ok {
		return
	}
	of, how, ended := turned.TurnEnded()
	if again, ok := p.load(p.save(next)).(games.Turned); ok {
		s, said, is := again.TurnEnded()
		if s != of || is != ended || !reflect.DeepEqual(said, how) {
			p.fatalf("after a restart the turn of seat %d came out as %v, %t; before as %v, %t", s, said, is, how,
				ended)
		}
	}
	if boxed, counts := p.game.(games.Boxed); counts {
		atBox := false
		for _, e := range events {
			_, over, _ := boxed.Turned(e)
			atBox = atBox || over
		}
		if atBox != ended {
			p.fatalf("%v end a turn at the box: %t; the match says %t", events, atBox, ended)
		}
	}
	if !ended {
		return
	}
	if of != seat {
		p.fatalf("seat %d has moved, and the turn of seat %d is over", seat, of)
	}
	p.words.checkLine(p.t, fmt.Sprintf("turn of seat %d", seat), how)
	for language, said := range p.words {
		if n := len([]rune(said[how.Key])); n > longestTurn {
			p.fatalf("%s is %d characters long in %s, at most %d fit behind the throws", how.Key, n, language,
				longestTurn)
		}
	}
}

// checkDeadEnd checks that the head tells how a turn came out that dice have ended before its seat could choose.
func (p *player) checkDeadEnd(next games.Match, view games.View, seat games.Seat, events []games.Event) {
	p.t.Helper()
	if turn := next.Turn(); len(turn) > 0 && !slices.Contains(turn, seat) && !tells(view.Head, seat, events) {
		p.fatalf("dice have ended the turn of seat %d, and the head %v tells nothing of %v", seat, view.Head, events)
	}
}

// tells reports whether a head speaks of a seat, or of one of these events.
func tells(head []games.Line, seat games.Seat, events []games.Event) bool {
	return slices.ContainsFunc(head, func(l games.Line) bool {
		return l.Args["Seat"] == seat ||
			slices.ContainsFunc(events, func(e games.Event) bool { return e.Key == l.Key })
	})
}
