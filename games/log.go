package games

import (
	"slices"
	"strconv"
	"strings"
)

// The log of a match: the actions of the seats, in short lines without names.

// Played is a move that was played, with the views of the match around it.
type Played struct {
	Before, After Match // the match before and after the move
	Old, New      View  // their views
	Seat          Seat
	Move          Move
	Events        []Event
	Threw         bool // the move threw dice
}

// LogLine is a line of the log of a match.
type LogLine struct {
	// Said is a seat's action, or the end of its turn by a throw: "closed 6 + 2", "nothing fits: 17 points".
	Said Line
	// Dice are the dice before the move, those that it keeps marked; none before the first throw of a turn.
	Dice []Die
	// Threw means that the line is about the dice that the move threw, instead of Dice.
	Threw bool
}

// Log returns the lines of the log for the move: one for a choice, one for a throw that leaves nothing to choose. A
// throw that is followed by a choice has no line, because the line of that choice shows its dice.
func (p Played) Log() (lines []LogLine) {
	if !p.Threw || len(p.Old.Dice) > 0 {
		choice := LogLine{Dice: slices.Clone(p.Old.Dice)}
		kept := p.Old.pickedDice(p.Move)
		for i := range choice.Dice {
			choice.Dice[i].Kept = slices.Contains(kept, i)
		}
		if p.Threw {
			choice.Said = Event(SayMove(p.Before, p.Seat, p.Move)).Log()
		} else if len(p.Events) > 0 {
			choice.Said = p.Events[0].Log()
		}
		lines = append(lines, choice)
	}
	chooses := len(p.New.Dice) > 0 && slices.Contains(p.After.Turn(), p.Seat)
	if p.Threw && !chooses && len(p.Events) > 0 {
		lines = append(lines, LogLine{Said: p.Events[0].Log(), Threw: true})
	}
	return lines
}

// pickedDice returns the indices of the dice in v that the move mv selects.
func (v View) pickedDice(mv Move) []int {
	if v.Pick == nil || v.Pick.Kind != "dice" {
		return nil
	}
	for _, choice := range v.Pick.Choices {
		if choice.Move == mv {
			return choice.Items
		}
	}
	return nil
}

// Log returns the line of the event for the log, without the seat's name: "coin.log.threw" for "coin.threw".
func (e Event) Log() Line {
	game, rest, _ := strings.Cut(e.Key, ".")
	return Line{Key: game + ".log." + rest, Args: e.Args}.Spaced()
}

// Spaced returns the line with spaces in its sums of tiles: "9 + 2".
func (l Line) Spaced() Line {
	args := make(Args, len(l.Args))
	for name, arg := range l.Args {
		switch arg := arg.(type) {
		case Tiles:
			numbers := slices.Sorted(slices.Values(arg))
			slices.Reverse(numbers)
			var texts []string
			for _, n := range numbers {
				texts = append(texts, strconv.Itoa(n))
			}
			args[name] = strings.Join(texts, " + ")
		case Line:
			args[name] = arg.Spaced()
		default:
			args[name] = arg
		}
	}
	return Line{l.Key, args}
}
