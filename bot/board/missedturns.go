package board

import (
	"fmt"
	"slices"
	"strings"

	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// Unseen turns: turns that the computer has played, for its own seats or for absent people, since a person last moved.
// A line shows the rolls and the result of each, "House 6 2 · 3 3 → 16", until a person moves. If an unseen turn ends
// the game, the board is staged: it first shows for a moment the state before that turn.

const (
	// maxUnseen is how many unseen turns have a line each. One more line gives the number of the earlier turns.
	maxUnseen = 3
	// unseenWidth is the width in characters beyond which a line leaves out rolls.
	unseenWidth = 38
)

// unseenMoves returns the moves made since a person last moved.
func (s *BoardView) unseenMoves() []playedStep {
	if s.Table.Board.Seen == s.Table.Turn {
		return nil
	}
	return slices.DeleteFunc(slices.Clone(s.lastMoves().steps), func(step playedStep) bool {
		return step.turn <= s.Table.Board.Seen
	})
}

// groupTurns groups moves into turns. It leaves out the turns of seats that are out of the game: they change no result.
func (s *BoardView) groupTurns(moves []playedStep) []record.Retold {
	steps := make([]record.Step, len(moves))
	for i, move := range moves {
		steps[i] = move.Step
	}
	return slices.DeleteFunc(record.Retell(steps), func(turn record.Retold) bool {
		return s.Table.Seats[turn.Seat].Absence == store.Out
	})
}

// unseenLines returns a line for each turn that shownTurns selects, and one with the number of turns left out.
// reviewed: the board has a button for the review, which shows all turns, and the line says so.
func (s *BoardView) unseenLines(turns []record.Retold, winners []games.Seat, reviewed bool) []string {
	turns = slices.DeleteFunc(turns, func(t record.Retold) bool { return len(t.Throws) == 0 && t.How.Key == "" })
	all := len(turns)
	turns = shownTurns(turns, winners)
	var lines []string
	for _, turn := range turns {
		line := s.turnLine(turn, len(turn.Throws))
		for some := len(turn.Throws) - 2; some > 0 && len([]rune(line)) > unseenWidth; some-- {
			line = s.turnLine(turn, some) // the last roll always stays: it ended the turn
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

// shownTurns returns the latest maxUnseen turns. If none of these is a winner's, a winner's latest replaces the oldest.
func shownTurns(turns []record.Retold, winners []games.Seat) []record.Retold {
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

// turnLine returns the line about a turn: its first count rolls and, if there are more, "…" and the final roll.
func (s *BoardView) turnLine(turn record.Retold, count int) string {
	var said []string
	for _, faces := range turn.Throws[:count] {
		said = append(said, spellFaces(faces))
	}
	if count < len(turn.Throws) {
		said = append(said, "…", spellFaces(turn.Throws[len(turn.Throws)-1]))
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

// spellFaces returns the faces of dice as text, in the given order: "6 2".
func spellFaces(faces []int) string { return strings.Trim(fmt.Sprint(faces), "[]") }

// addPlayedFor adds to a finished game a line with the names of the people for whom the computer played while absent.
func (s *BoardView) addPlayedFor() {
	seats := readOnce(s, "played for", s.Tx.Tables.PlayedFor)
	seats = slices.DeleteFunc(slices.Clone(seats), func(i int) bool { return s.Table.Seats[i].Absence == store.Out })
	if len(seats) > 0 {
		s.Note("bot.unseen.house-for", games.Args{"Names": NamesOf(s.names, seats)})
	}
}

// drawStaged draws a finished table as it was before the turn that ended the game, and names the seat whose turn it
// was. It draws nothing and returns false if no turn is unseen.
func (s *BoardView) drawStaged() bool {
	turns := s.groupTurns(s.unseenMoves())
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
	s.drawGame(view)
	s.Message.Lines = append(s.unseenLines(turns[:len(turns)-1], nil, false), s.Message.Lines...)
	if s.Table.Stake > 0 {
		s.Message.Small = s.stakesLine(PoolOf(s.Table).Total()) // as on the board of a running match
	}
	s.Message.Accent = int(last.Seat)
	return true
}

// adaptUnseen changes view, the view of m, for people who last saw the match in the state seen. If the computer has
// just played for an absent person, the heading says so. Otherwise heading and tiles show how the latest turn of a
// person ended, because the unseen turns have their own lines. The heading still ends with what to do next.
func (s *BoardView) adaptUnseen(seen, m games.Match, view games.View) games.View {
	next := len(view.Head) - 1
	seat, how := endedTurn(m)
	if s.isPersonsSeat(seat) && next > 0 && how.Key != "" && s.Table.Seats[seat].Absence != store.Out {
		if readOnce(s, "last is auto", s.Tx.Calls.LastIsAuto) {
			said := games.Say("bot.unseen.house-played", games.Args{"Seat": seat, "How": how})
			view.Head = []games.Line{said, view.Head[next]}
			return view
		}
	}
	if before, _ := endedTurn(seen); seat == games.Nobody || !s.isPersonsSeat(before) {
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

// endedTurn returns the seat whose turn the latest move of m has ended, and the result of that turn in words. seat is
// games.Nobody if the turn continues or the game does not report it.
func endedTurn(m games.Match) (seat games.Seat, how games.Line) {
	if turned, ok := m.(games.Turned); ok {
		if seat, how, ended := turned.TurnEnded(); ended {
			return seat, how
		}
	}
	return games.Nobody, how
}

// isPersonsSeat reports whether seat exists at the table and belongs to a person.
func (s *BoardView) isPersonsSeat(seat games.Seat) bool {
	return seat != games.Nobody && int(seat) < len(s.Table.Seats) && s.Table.Seats[seat].House == ""
}

// showsEnded reports whether a view shows only one row of tiles, which belongs to a turn that has ended.
func showsEnded(v games.View) bool {
	return len(v.Tiles) == 1 && v.Tiles[0].Owner != games.Nobody && len(v.Tiles[0].Dice) > 0
}
