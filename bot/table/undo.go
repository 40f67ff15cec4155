package table

import (
	"errors"
	"fmt"
	"slices"
	"time"

	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/games"
	"knobel/games/record"
	"knobel/store"
)

// Replayed plays moves from the start of a match at the table t. It returns the match after them and all dice thrown.
func Replayed(g games.Game, t store.Table, moves []store.Move) (games.Match, []int, error) {
	m, err := g.New(t.Rules, len(t.Seats))
	if err != nil {
		return nil, nil, err
	}
	t.Dice.Thrown = 0
	thrown := fairDice(t)
	m, err = record.Replay(m, board.Facts(moves), thrown)
	return m, thrown.Faces, err
}

// undo takes back the person's latest choice. It refuses if dice have been rolled since.
func (v *Visit) undo(t *store.Table, _ string) error {
	seat, err := v.seatInPlay(t)
	if err != nil {
		return err
	}
	history, err := v.Tx.Tables.Moves(t.ID)
	if err != nil {
		return fmt.Errorf("moves of table %d: %w", t.ID, err)
	}
	if v.Pressed().Turn != t.Turn {
		return lateUndoRefusal(history, v.Pressed().Turn)
	}
	g, m, err := v.bot.Match(*t)
	if err != nil {
		return err
	}
	if err := v.forcedUndoRefusal(t); err != nil {
		return err
	}
	may := m.View().Undo
	switch {
	case len(may) == 0:
		return lateUndoRefusal(history, t.Turn-1)
	case !slices.Contains(may, seat) && t.Seats[may[0]].House != "":
		return games.Refuse("bot.undo-thrown", nil) // the computer chose after a roll, which undo would take back
	case !slices.Contains(may, seat):
		return games.Refuse("bot.undo-theirs", games.Args{"Seat": may[0]})
	case !board.MovedSinceTaken(*t, seat):
		return games.Refuse("bot.undo-another", nil)
	}
	back := append(slices.Clone(history), store.Move{Seat: int(seat), Move: board.TakenBack, At: v.At})
	if len(history) > 0 && history[len(history)-1].Auto {
		return games.Refuse("bot.undo-auto", nil)
	}
	moves, err := board.Standing(back)
	if err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	if m, _, err = Replayed(g, *t, moves); err != nil {
		return Ours(fmt.Errorf("table %d: %w", t.ID, err))
	}
	if err := v.Tx.Tables.AddMove(t.ID, back[len(back)-1]); err != nil {
		return fmt.Errorf("move %d of table %d: %w", t.Turn+1, t.ID, err)
	}
	if t.Match, err = m.Save(); err != nil {
		return fmt.Errorf("save the match of table %d: %w", t.ID, err)
	}
	for i := range t.Seats { // a seat that was put out after the undone move stays out
		t.Seats[i].OutFrom = min(t.Seats[i].OutFrom, int64(len(moves))+1)
	}
	t.Turn++
	t.Board.Seen = t.Turn
	if last := len(moves) - 1; last >= 0 { // so that an undo does not restart the others' waiting time
		t.Clock.Moved = moves[last].At
	}
	t.Waits = false // it is a person's turn again
	t.Board.Page, t.Draft = board.PageGame, board.OpeningDraft(m.View())
	if err := v.bot.Notifier.Next(v, *t, m); err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	if err := v.restoreDeadline(t, m, seat, moves, back); err != nil {
		return err
	}
	v.Toast("bot.undone", nil)
	return v.save(t)
}

// forcedUndoRefusal returns a refusal if the latest moves were forced by a roll and played together with it, else nil.
func (v *Visit) forcedUndoRefusal(t *store.Table) error {
	set, err := v.Settings(t.Chat)
	if err != nil || !board.IsQuick(v.bot.Bot, set, t.Place) {
		return err
	}
	if at, err := v.Tx.Tables.MovesAt(t.ID, t.Clock.Moved); err != nil || !board.FollowsRoll(at) {
		return err
	}
	return games.Refuse("bot.undo-thrown", nil)
}

// lateUndoRefusal returns the refusal of an undo that came too late: since the turn number turn, dice were rolled or
// another move was made. history holds all moves of the table.
func lateUndoRefusal(history []store.Move, turn int64) error {
	since := history[min(max(turn, 0), int64(len(history))):]
	if slices.ContainsFunc(since, func(m store.Move) bool { return len(m.Dice) > 0 }) {
		return games.Refuse("bot.undo-thrown", nil)
	}
	return games.Refuse("bot.moved-on", nil)
}

// restoreDeadline sets the deadline that the turn would have without the undone choice: the whole turn limit after the
// start of the seat's turn or, if later, the end of the extra time after an outage. At least board.MinTurnLimit remains
// after the first undo since the latest move still in effect; more undos add no time. history holds all moves of the
// table, moves those still in effect.
func (v *Visit) restoreDeadline(t *store.Table, m games.Match, seat games.Seat, moves, history []store.Move) error {
	began := v.At
	for _, move := range slices.Backward(moves) {
		began = move.At
		if move.Seat != int(seat) {
			break
		}
	}
	t.Clock.Due = 0
	left := v.graceLeft(chat.Place(t.Place), time.Duration(v.At-began)*time.Millisecond)
	if err := errors.Join(v.extendTo(t, began, board.TurnLimit(*t)), v.extendTo(t, v.At, left)); err != nil {
		return err
	}
	keptAt := int64(0)
	if last := len(moves) - 1; last >= 0 {
		keptAt = moves[last].At
	}
	for _, move := range history {
		if move.Move == board.TakenBack && move.At >= keptAt {
			if err := v.extendTo(t, move.At, board.MinTurnLimit); err != nil {
				return err
			}
			break
		}
	}
	return v.setDeadline(t, m)
}

// MovesOf returns the moves of a table that are still in effect (not undone). It refuses if they are no longer stored.
func (v *Visit) MovesOf(t store.Table) ([]store.Move, error) {
	if t.Ending.MovesDropped {
		return nil, games.Refuse("bot.review.bare", nil)
	}
	history, err := v.Tx.Tables.Moves(t.ID)
	if err != nil {
		return nil, err
	}
	moves, err := board.Standing(history)
	if err != nil {
		return nil, fmt.Errorf("table %d: %w", t.ID, err)
	}
	return moves, nil
}
