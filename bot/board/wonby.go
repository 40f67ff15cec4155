package board

import (
	"fmt"
	"slices"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// The winner's box: a game shows its last turn at the end only where the winner made it.

// wonBox are the rows of who has won a table at a turn.
type wonBox struct {
	turn int64
	rows []games.TileRow
}

// withBox returns the view of a match that is over with the box as the only winner's last turn left it, where it shows
// none itself and the platform shows moves one by one: others tell that turn in a sentence.
func (s *BoardView) withBox(view games.View, winners []games.Seat) (games.View, error) {
	if len(view.Tiles) > 0 || len(winners) != 1 || s.Table.Ending.MovesDropped ||
		!s.bot.Traits(chat.Place(s.Table.Place)).Steps {
		return view, nil
	}
	box := s.bot.won.of(s.Table.ID)
	if box.turn != s.Table.Turn {
		history, err := s.Tx.Tables.MovesSince(s.Table.ID, 0)
		if err != nil {
			return view, err
		}
		box.turn = s.Table.Turn
		if box.rows, err = s.boxOf(winners[0], history); err != nil {
			s.bot.Log.Warn("show winner's box failed", "table", s.Table.ID, "error", err)
		}
		s.bot.won.keep(s.Table.ID, box)
	}
	view.Tiles = box.rows
	return view, nil
}

// boxOf returns the rows of tiles as the last turn of a seat left them, by all moves of the table.
func (s *BoardView) boxOf(seat games.Seat, history []store.Move) ([]games.TileRow, error) {
	moves, err := Standing(history)
	if err != nil {
		return nil, err
	}
	m, err := s.Game.New(s.Table.Rules, len(s.Table.Seats))
	if err != nil {
		return nil, fmt.Errorf("a new match: %w", err)
	}
	steps, err := record.Steps(m, Facts(moves))
	if err != nil {
		return nil, err
	}
	for _, step := range slices.Backward(steps) {
		if step.Move.Seat == seat {
			rows := slices.Clone(viewOf(s.Table, step.After).Tiles)
			return slices.DeleteFunc(rows, func(row games.TileRow) bool { return row.Owner != seat }), nil
		}
	}
	return nil, nil
}
