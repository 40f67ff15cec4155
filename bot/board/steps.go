package board

import (
	"cmp"
	"slices"
	"strings"
	"sync"

	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// Steps: the board after each of the latest moves, for platforms that show moves one after the other. The steps are
// computed from the stored moves. They begin with the latest move by a person, or earlier, so that there are at least
// minSteps: a page may have missed a board.

const (
	// A board shows at least minSteps moves as steps, if as many were made, and at most maxSteps.
	minSteps = 12
	maxSteps = 40
	// maxRemembered is how many values a Memory holds. When one more is added, it first drops all of them.
	maxRemembered = 256
)

// Memory is a cache for concurrent use, by key. When it is full, it drops all values. The zero value is an empty cache.
type Memory[K comparable, V any] struct {
	mu    sync.Mutex
	known map[K]V
}

// Of returns the value of a key, or the zero value if it is not cached.
func (m *Memory[K, V]) Of(key K) V {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known[key]
}

// Keep caches the value of a key.
func (m *Memory[K, V]) Keep(key K, value V) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.known == nil || len(m.known) >= maxRemembered {
		m.known = map[K]V{}
	}
	m.known[key] = value
}

// replay is a cached replay of a table up to the turn number turn. The moves after the turn number base are its steps.
type replay struct {
	turn, base int64
	at         games.Match   // the match after the turn number base; nil: not replayed
	last       []games.Match // by seat: the match after the seat's last move up to base; nil if it made none
	steps      []playedStep
}

// playedStep is a replayed move, and the table's turn number after the move.
type playedStep struct {
	record.Step
	turn int64
}

// addSteps adds the latest moves to a board, as steps which the platform shows one by one.
func (s *BoardView) addSteps() {
	played := slices.DeleteFunc(slices.Clone(s.lastMoves().steps), func(step playedStep) bool {
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
			continue // moves of a seat that is out of the game change no result
		}
		on := i > 0 && played[i-1].Move.Seat == step.Move.Seat
		s.Message.Steps = append(s.Message.Steps, s.stepOf(step, before, after, on))
	}
}

// lastMoves returns a replay of the table's latest moves. It continues the cached replay if it can. If the replay
// fails, it logs the failure and returns no steps; the consistency check reports the fault.
func (s *BoardView) lastMoves() replay {
	if s.Table.Ending.MovesDropped || s.Table.Turn == 0 {
		return replay{}
	}
	known := s.bot.replays.Of(s.Table.ID)
	if known.turn == s.Table.Turn {
		return known
	}
	if known.turn > s.Table.Turn {
		known = replay{}
	}
	history, err := s.Tx.Tables.MovesSince(s.Table.ID, known.base)
	if err == nil && known.at == nil {
		known.last = make([]games.Match, len(s.Table.Seats))
		known.at, err = s.Game.New(s.Table.Rules, len(s.Table.Seats))
	}
	if s.Err = cmp.Or(s.Err, err); err != nil {
		return replay{}
	}
	moves, turns, err := withoutUndone(history, known.base)
	var played []record.Step
	if err == nil {
		played, err = record.Steps(known.at, Facts(moves))
	}
	if err != nil {
		s.bot.Log.Warn("replay latest moves failed", "table", s.Table.ID, "error", err)
		known = replay{turn: s.Table.Turn} // drops the failed replay: the next turn replays from the start
		s.bot.replays.Keep(s.Table.ID, known)
		return known
	}
	begin := max(min(s.Table.Turn-minSteps, s.Table.Board.Seen-1), 0) // moves up to this turn are not steps
	known.turn, known.last, known.steps = known.base+int64(len(history)), slices.Clone(known.last), nil
	for i, step := range played {
		if turns[i] > begin {
			known.steps = append(known.steps, playedStep{step, turns[i]})
			continue
		}
		known.at, known.base = step.After, turns[i] // moves after this one are read again, since they may be undone
		known.last[step.Move.Seat] = step.After
	}
	if known.turn == s.Table.Turn {
		s.bot.replays.Keep(s.Table.ID, known)
	}
	return known
}

// stepOf returns the step that shows a move: the events in words, tiles and dice. before and after are the views around
// the move; continues: the same seat made the previous move. If after has no tiles or dice, the step shows those of
// before or the dice thrown, so that people see the choice, or which roll ended the turn.
func (s *BoardView) stepOf(step playedStep, before, after games.View, continues bool) chat.Step {
	var said []string
	for _, e := range step.Events {
		said = append(said, s.Line(games.Line(e)))
	}
	tiles, lying := after.Tiles, after.Dice
	if len(tiles) == 0 {
		tiles = before.Tiles
		if !continues {
			tiles = slices.DeleteFunc(slices.Clone(tiles),
				func(row games.TileRow) bool { return row.Owner != games.Nobody })
		}
	}
	inRow := slices.ContainsFunc(after.Tiles, func(row games.TileRow) bool { return len(row.Dice) > 0 })
	switch {
	case len(lying) > 0 || inRow:
	case len(step.Thrown) > 0:
		lying = step.Thrown
	case continues:
		lying = before.Dice
	}
	return chat.Step{Turn: step.turn, Seat: int(step.Move.Seat), Said: strings.Join(said, " "),
		Tiles: s.tileRows(tiles), Dice: ToDice(lying)}
}

// tileRows converts a view's rows of tiles to rows of a board, in which no tile is picked.
func (s *BoardView) tileRows(rows []games.TileRow) (drawn []chat.TileRow) {
	for _, row := range rows {
		to := chat.TileRow{Dice: ToDice(row.Dice)}
		if row.Owner != games.Nobody {
			to.Owner = s.seatName(row.Owner)
		}
		for _, tile := range row.Tiles {
			to.Tiles = append(to.Tiles, chat.Tile{Number: tile.Number, Open: tile.Open})
		}
		drawn = append(drawn, to)
	}
	return drawn
}

// ToDice converts a view's dice to dice of a board, which cannot be pressed.
func ToDice(dice []games.Die) (drawn []chat.Die) {
	for _, die := range dice {
		drawn = append(drawn, chat.Die{Face: die.Face, Sides: die.Sides, Kept: die.Kept})
	}
	return drawn
}

// AsItStood returns a board of the table t that shows match, an earlier or final state of it. The board has no buttons.
// If the score sheet is too large, it shows only the columns of seat. The caller must check Err of the board.
func (b *Boards) AsItStood(tx *store.Tx, lang string, t store.Table, g games.Game, match games.Match,
	seat int) *BoardView {
	view := viewOf(t, match)
	t.Draft = OpeningDraft(view)
	s := b.newView(tx, t, g, lang)
	if result, over := match.Result(); over {
		s.drawResult(view, result, readOnce(&s, "results", tx.Tables.Results))
	} else {
		s.tellAll(view.Head)
		s.drawGame(view)
		s.addNotes(view)
		if turn := match.Turn(); len(turn) == 1 {
			s.Message.Accent = int(turn[0])
		}
	}
	if view.Sheet != nil {
		if s.Message.Sheet == nil {
			s.Message.Sheet = SheetOf(view.Sheet, []int{seat}, s.names, s.Line)
			s.Message.Sheet.Asked = true
		}
		ExplainSigns(&s.Message, view.Sheet, s.Line)
	}
	for i := range s.Message.Dice {
		s.Message.Dice[i].Press = "" // the picks of an old state cannot be played
	}
	return &s
}

// withWinnersTiles returns the view of a finished match. On platforms that show steps, a view without tiles gets those
// that the only winner's last turn left. Other platforms describe that turn in a sentence.
func (s *BoardView) withWinnersTiles(view games.View, winners []games.Seat) games.View {
	if len(view.Tiles) > 0 || len(winners) != 1 || !s.traits.Steps {
		return view
	}
	winner, known := winners[0], s.lastMoves()
	if known.at == nil {
		return view
	}
	last := known.last[winner]
	for _, step := range known.steps {
		if step.Move.Seat == winner {
			last = step.After
		}
	}
	if last != nil {
		rows := slices.Clone(viewOf(s.Table, last).Tiles)
		view.Tiles = slices.DeleteFunc(rows, func(row games.TileRow) bool { return row.Owner != winner })
	}
	return view
}
