package board

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// Steps: how a board looked after each of the last moves, for platforms that show them one after the other. They are
// those since a person's last move, with that, and the last few in any case: a page may have missed a board. They
// follow from the moves alone.

const (
	// minSteps is how many of the last moves are steps in any case, and maxSteps how many are at most.
	minSteps = 12
	maxSteps = 40
	// maxReplays is how many tables are remembered as they were replayed.
	maxReplays = 256
)

// replays remember what was found by playing tables again, so that many who look at one have that done once.
type replays[T any] struct {
	mu     sync.Mutex
	tables map[int64]T
}

func (r *replays[T]) of(table int64) T {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.tables[table]
}

func (r *replays[T]) keep(table int64, found T) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if r.tables == nil || len(r.tables) >= maxReplays {
		r.tables = map[int64]T{} // all can be played again
	}
	r.tables[table] = found
}

// stepped are the last moves of a table at a turn, and the match after its first moves: what has been played stays.
type stepped struct {
	turn, from int64
	at         games.Match // after from moves
	steps      []playedStep
}

// playedStep is a step and the turn that it led to.
type playedStep struct {
	record.Step
	turn int64
}

// steps adds the last moves to a board whose platform shows them one by one.
func (s *BoardView) steps() error {
	played, err := s.lastMoves()
	if err != nil {
		return err
	}
	played = slices.DeleteFunc(slices.Clone(played), func(step playedStep) bool {
		return step.turn <= s.Table.Turn-maxSteps
	})
	var after games.View
	for i, step := range played {
		before := after
		if i == 0 {
			before = viewOf(s.Table, step.Before)
		}
		after = viewOf(s.Table, step.After)
		if s.Table.Seats[step.Move.Seat].Absence == store.Out {
			continue // it decides nothing
		}
		on := i > 0 && played[i-1].Move.Seat == step.Move.Seat
		s.Message.Steps = append(s.Message.Steps, s.stepOf(step, before, after, on))
	}
	return nil
}

// lastMoves returns the moves that are steps, played again. If they cannot have been played, Check says what is wrong
// with them, and the board does without.
func (s *BoardView) lastMoves() ([]playedStep, error) {
	if s.Table.Ending.MovesDropped || s.Table.Turn == 0 {
		return nil, nil
	}
	known := s.bot.stepping.of(s.Table.ID)
	if known.turn == s.Table.Turn {
		return known.steps, nil
	}
	if known.turn > s.Table.Turn {
		known = stepped{}
	}
	history, err := s.Tx.Tables.MovesSince(s.Table.ID, known.from)
	if err != nil {
		return nil, err
	}
	if known.at == nil {
		if known.at, err = s.Game.New(s.Table.Rules, len(s.Table.Seats)); err != nil {
			return nil, fmt.Errorf("a new match: %w", err)
		}
	}
	known, err = known.on(history, max(min(s.Table.Turn-minSteps, s.Table.Board.Seen-1), 0))
	if err != nil {
		s.bot.Log.Warn("list steps of last move failed", "table", s.Table.ID, "error", err)
		return nil, nil
	}
	if known.turn == s.Table.Turn {
		s.bot.stepping.keep(s.Table.ID, known)
	}
	return known.steps, nil
}

// on plays what followed the first moves, and makes steps of what was played after begin moves, but for what was taken
// back.
func (k stepped) on(history []store.Move, begin int64) (stepped, error) {
	moves, turns, err := standing(history, k.from)
	if err != nil {
		return k, err
	}
	played, err := record.Steps(k.at, Facts(moves))
	if err != nil {
		return k, err
	}
	k.turn, k.steps = k.from+int64(len(history)), nil
	for i, step := range played {
		if turns[i] > begin {
			k.steps = append(k.steps, playedStep{step, turns[i]})
		} else {
			k.at, k.from = step.After, turns[i] // what was taken back since stands behind
		}
	}
	return k, nil
}

// stepOf is how the board looked after a move, by the views before and after it; on says that the same seat had moved
// before it. What a choice has moved lies beside the dice that it was made for, and the throw that ended all beside
// what it could not close.
func (s *BoardView) stepOf(step playedStep, before, after games.View, on bool) chat.Step {
	var said []string
	for _, e := range step.Events {
		said = append(said, s.Line(games.Line(e)))
	}
	tiles, lying := after.Tiles, after.Dice
	if len(tiles) == 0 {
		tiles = before.Tiles
		if !on {
			tiles = slices.DeleteFunc(slices.Clone(tiles),
				func(row games.TileRow) bool { return row.Owner != games.Nobody })
		}
	}
	inRow := slices.ContainsFunc(after.Tiles, func(row games.TileRow) bool { return len(row.Dice) > 0 })
	switch {
	case len(lying) > 0 || inRow:
	case len(step.Thrown) > 0:
		lying = step.Thrown
	case on:
		lying = before.Dice
	}
	return chat.Step{Turn: step.turn, Seat: int(step.Move.Seat), Said: strings.Join(said, " "),
		Tiles: s.tileRows(tiles), Dice: lyingDice(lying)}
}

// tileRows are rows of tiles of which nothing is picked.
func (s *BoardView) tileRows(rows []games.TileRow) (drawn []chat.TileRow) {
	for _, row := range rows {
		to := chat.TileRow{Dice: lyingDice(row.Dice)}
		if row.Owner != games.Nobody {
			to.Owner = s.name(row.Owner)
		}
		for _, tile := range row.Tiles {
			to.Tiles = append(to.Tiles, chat.Tile{Number: tile.Number, Open: tile.Open})
		}
		drawn = append(drawn, to)
	}
	return drawn
}

// lyingDice are dice of which none can be pressed.
func lyingDice(dice []games.Die) (drawn []chat.Die) {
	for _, die := range dice {
		drawn = append(drawn, chat.Die{Face: die.Face, Sides: die.Sides, Kept: die.Kept})
	}
	return drawn
}

// step draws a match as it stands, or its result once it is over.
func (s *BoardView) step(match games.Match, view games.View) error {
	if result, over := match.Result(); over {
		rows, err := s.Tx.Tables.Results(s.Table.ID)
		if err != nil {
			return err
		}
		s.outcome(view, result, rows)
		return nil
	}
	s.tellAll(view.Head)
	s.game(view)
	s.notes(view)
	if turn := match.Turn(); len(turn) == 1 {
		s.Message.Accent = int(turn[0])
	}
	return nil
}

// AsItStood draws a match of a table as it stood, with a seat's sheet, in a language.
// Nothing in it can be pressed.
func (b *Boards) AsItStood(tx *store.Tx, lang string, t store.Table, g games.Game, match games.Match,
	seat int) (*BoardView, error) {
	view := viewOf(t, match)
	t.Draft = OpeningDraft(view).String()
	s := b.view(tx, t, g, lang)
	if err := s.step(match, view); err != nil {
		return nil, err
	}
	if view.Sheet != nil {
		if s.Message.Sheet == nil {
			s.Message.Sheet = SheetOf(view.Sheet, []int{seat}, s.names, s.Line)
			s.Message.Sheet.Asked = true
		}
		ExplainSigns(&s.Message, view.Sheet, s.Line)
	}
	for i := range s.Message.Dice {
		s.Message.Dice[i].Press = "" // no one picks these any more
	}
	return &s, nil
}

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
