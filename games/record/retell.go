package record

import "knobel/games"

// Retold is a turn as it was played, or the part of one that was.
type Retold struct {
	Seat   games.Seat
	Auto   bool          // a part of it was played for somebody absent
	Before games.Match   // as it stood when the turn, or this part, began
	Throws []games.Faces // in order; of each throw the dice that fell
	Ended  bool
	How    games.Line // how it came out; an empty key: nothing can be said
}

// Retell returns the turns that some steps of a match were.
func Retell(steps []Step) (turns []Retold) {
	open := false // the last of the turns goes on
	for _, step := range steps {
		move := step.Move
		if last := len(turns) - 1; !open || turns[last].Seat != move.Seat {
			turns = append(turns, Retold{Seat: move.Seat, Before: step.Before})
		}
		turn := &turns[len(turns)-1]
		turn.Throws = append(turn.Throws, step.Throws...)
		turn.Auto = turn.Auto || move.Auto
		turn.How, turn.Ended = games.EndedTurn(step.After, move.Seat)
		open = !turn.Ended
	}
	return turns
}
