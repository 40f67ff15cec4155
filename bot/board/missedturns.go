package board

import (
	"fmt"
	"slices"
	"strings"

	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// Unseen turns: those of house seats and of absent people, played one after the other since the last move that
// a person made. Each has a line, with its throws and what came of it: "House 6 2 · 3 3 → 16". They stay until a person
// moves. Where such a turn ends the game, the board is staged: for a moment it shows how all stood before that turn.

const (
	// maxUnseen is the number of these turns that have a line each. One more line counts the others.
	maxUnseen = 3
	// unseenWidth is the largest number of characters of a line from which throws can be left out.
	unseenWidth = 38
)

// unseen returns the moves that were made since a person's last one.
func (s *BoardView) unseen() []playedStep {
	if s.Table.Board.Seen == s.Table.Turn {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.lastMoves().steps), func(step playedStep) bool {
		return step.turn <= s.Table.Board.Seen
	})
}

// retold groups moves into turns. Seats that are out decide nothing, so their turns are left out.
func (s *BoardView) retold(moves []playedStep) []record.Retold {
	steps := make([]record.Step, len(moves))
	for i, move := range moves {
		steps[i] = move.Step
	}
	return slices.DeleteFunc(record.Retell(steps), func(turn record.Retold) bool {
		return s.Table.Seats[turn.Seat].Absence == store.Out
	})
}

// unseenLines returns the lines of unseen turns: the last ones, and those of seats that have
// won. reviewed says that a button leads to the others.
func (s *BoardView) unseenLines(turns []record.Retold, winners []games.Seat, reviewed bool) []string {
	turns = slices.DeleteFunc(turns, func(t record.Retold) bool { return len(t.Throws) == 0 && t.How.Key == "" })
	all := len(turns)
	turns = mostTelling(turns, winners)
	var lines []string
	for _, turn := range turns {
		line := s.toldTurn(turn, len(turn.Throws))
		for some := len(turn.Throws) - 2; some > 0 && len([]rune(line)) > unseenWidth; some-- {
			line = s.toldTurn(turn, some) // by the last throw it ended
		}
		lines = append(lines, line)
	}
	if more := all - len(turns); more > 0 {
		key := "bot.unseen.more"
		if reviewed {
			key = "bot.unseen.more-reviewed"
		}
		lines = append(lines, s.Say(key, games.Args{"N": more, "Review": games.Word("bot.button.review")}))
	}
	return lines
}

// mostTelling returns the turns that have a line, in their order: the last ones, but instead of the
// first of these the last turn of a winner that is not among them.
func mostTelling(turns []record.Retold, winners []games.Seat) []record.Retold {
	first := len(turns) - maxUnseen
	if first <= 0 {
		return turns
	}
	shown := slices.Clone(turns[first:])
	won := func(t record.Retold) bool { return slices.Contains(winners, t.Seat) }
	if slices.ContainsFunc(shown, won) {
		return shown
	}
	for _, turn := range slices.Backward(turns[:first]) {
		if won(turn) {
			shown[0] = turn
			break
		}
	}
	return shown
}

// toldTurn tells one turn with some of its first throws and the last.
func (s *BoardView) toldTurn(turn record.Retold, some int) string {
	var said []string
	for _, faces := range turn.Throws[:some] {
		said = append(said, spelled(faces))
	}
	if some < len(turn.Throws) {
		said = append(said, "…", spelled(turn.Throws[len(turn.Throws)-1]))
	}
	who := "bot.unseen.seat"
	if turn.Auto {
		who = "bot.unseen.played-for"
	}
	key := "bot.unseen.turn"
	switch {
	case len(said) == 0:
		key = "bot.unseen.no-throw"
	case turn.How.Key == "":
		key = "bot.unseen.goes-on"
	}
	args := games.Args{"Who": games.Say(who, games.Args{"Seat": turn.Seat}), "Throws": strings.Join(said, " · ")}
	if turn.How.Key != "" {
		args["How"] = turn.How
	}
	return s.Say(key, args)
}

// spelled returns faces as they lie: "6 2".
func spelled(faces []int) string { return strings.Trim(fmt.Sprint(faces), "[]") }

// playedFor names the people of a finished table for whom the house has played.
func (s *BoardView) playedFor() {
	seats := readOnce(s, "played for", s.Tx.Tables.PlayedFor)
	seats = slices.DeleteFunc(slices.Clone(seats), func(i int) bool { return s.Table.Seats[i].Absence == store.Out })
	if len(seats) > 0 {
		s.Note("bot.unseen.house-for", games.Args{"Names": Named(s.names, seats)})
	}
}

// staged draws a table that is over as it stood before the turn that ended it, and who plays that.
// It reports whether there is such a turn.
func (s *BoardView) staged() bool {
	turns := s.retold(s.unseen())
	if len(turns) == 0 {
		return false
	}
	last := turns[len(turns)-1]
	s.Table.Draft = ""
	view := viewOf(s.Table, last.Before)
	view.Buttons, view.Pick = nil, nil
	key := "bot.unseen.last"
	if last.Auto {
		key = "bot.unseen.last-for"
	}
	s.tell(s.Say(key, games.Args{"Seat": last.Seat}))
	s.game(view)
	s.Message.Lines = append(s.unseenLines(turns[:len(turns)-1], nil, false), s.Message.Lines...)
	if s.Table.Stake > 0 {
		s.Message.Small = s.stakes(PoolOf(s.Table).Total()) // where it stands in play
	}
	s.Message.Accent = int(last.Seat)
	return true
}

// asSeen returns a view that shows the end of the last person's turn if turns were played since that no board has
// shown: these have a line each, and what comes next is said as it is. Where the house has just ended a turn of a
// person who is away, the view tells of that first.
func (s *BoardView) asSeen(seen, m games.Match, view games.View) games.View {
	next := len(view.Head) - 1
	seat, how := endedTurn(m)
	if s.isPersons(seat) && next > 0 && how.Key != "" && s.Table.Seats[seat].Absence != store.Out {
		if readOnce(s, "last is auto", s.Tx.Calls.LastIsAuto) {
			said := games.Say("bot.unseen.house-played", games.Args{"Seat": seat, "How": how})
			view.Head = []games.Line{said, view.Head[next]}
			return view
		}
	}
	if before, _ := endedTurn(seen); seat == games.Nobody || !s.isPersons(before) {
		return view
	}
	then := viewOf(s.Table, seen)
	if told := len(then.Head) - 1; told > 0 && next > 0 {
		view.Head = append(then.Head[:told:told], view.Head[next])
	}
	if showsEnded(view) && showsEnded(then) {
		view.Tiles = then.Tiles
	}
	return view
}

// endedTurn returns the seat whose turn the last move of a match has ended, and how it came out, as far as its game
// says; games.Nobody: none.
func endedTurn(m games.Match) (seat games.Seat, how games.Line) {
	if turned, ok := m.(games.Turned); ok {
		if seat, how, ended := turned.TurnEnded(); ended {
			return seat, how
		}
	}
	return games.Nobody, how
}

// isPersons reports whether a seat is one of the table and a person's.
func (s *BoardView) isPersons(seat games.Seat) bool {
	return seat != games.Nobody && int(seat) < len(s.Table.Seats) && s.Table.Seats[seat].House == ""
}

// showsEnded reports whether the only tiles in a view are those of a turn that has ended.
func showsEnded(v games.View) bool {
	return len(v.Tiles) == 1 && v.Tiles[0].Owner != games.Nobody && len(v.Tiles[0].Dice) > 0
}
