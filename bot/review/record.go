package review

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"knobel/bot"
	"knobel/bot/board"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
	"knobel/games/dice"
	"knobel/games/money"
	"knobel/games/record"
	"knobel/store"
)

// Wanted selects the records to export: of one table, one chat, or all. If both are set, the table must be in the chat.
type Wanted struct {
	Table     int64     // 0 for all tables
	Chat      chat.Chat // "" for all chats
	Anonymous bool      // the records contain no names
	// Unrecorded, if not nil, is called for each game without a record because its moves were dropped. If Table is set,
	// Export returns ErrMovesDropped instead.
	Unrecorded func(table int64)
}

// Export calls each with the record of every finished game that w selects, in the order of table numbers.
func (b *Reviews) Export(ctx context.Context, w Wanted, each func(record.Record) error) error {
	tables := []int64{w.Table}
	if w.Table == 0 {
		tables = nil
		err := b.Store.View(ctx, func(tx *store.Tx) error {
			return tx.Tables.Finished(string(w.Chat), func(table int64) error {
				tables = append(tables, table)
				return nil
			})
		})
		if err != nil {
			return fmt.Errorf("finished tables: %w", err)
		}
	}
	for _, table := range tables {
		r, err := b.Record(ctx, w.Chat, table)
		if w.Table == 0 && errors.Is(err, ErrMovesDropped) {
			if w.Unrecorded != nil {
				w.Unrecorded(table)
			}
			continue
		}
		if err != nil {
			return err
		}
		if w.Anonymous {
			for i := range r.Seats {
				r.Seats[i].Name = ""
			}
			if r.HouseRules != nil {
				r.HouseRules.Name = ""
			}
		}
		if err := each(r); err != nil {
			return err
		}
	}
	return nil
}

// Record returns the record of the finished table id in chat, or in any chat if chat is "". The error is
// store.ErrNotFound, a *games.Refusal if the game is not over, or ErrMovesDropped if its moves were dropped.
func (b *Reviews) Record(ctx context.Context, chat chat.Chat, id int64) (record.Record, error) {
	var r record.Record
	err := b.Store.View(ctx, func(tx *store.Tx) error {
		t, err := tx.Tables.Table(id)
		if err != nil {
			return err
		}
		if chat != "" && t.Chat != string(chat) {
			return store.ErrNotFound
		}
		if t.State != store.Over {
			return table.Gone(t)
		}
		if t.Ending.MovesDropped {
			return ErrMovesDropped
		}
		history, err := tx.Tables.Moves(id)
		if err != nil {
			return err
		}
		moves, err := board.Standing(history)
		if err != nil {
			return err
		}
		rows, err := tx.Tables.Results(id)
		if err != nil {
			return err
		}
		r, err = b.recordOf(tx, t, moves, rows)
		return err
	})
	if err != nil {
		return r, fmt.Errorf("record of table %d: %w", id, err)
	}
	return r, nil
}

// recordOf returns the record of t from its moves, without undone ones, and its results.
func (b *Reviews) recordOf(tx *store.Tx, t store.Table, moves []store.Move, rows []store.Result) (record.Record,
	error) {
	r := record.Record{
		Version: record.Version, Table: strconv.FormatInt(t.ID, 10), Game: t.Game, Rules: t.Rules,
		Stake: t.Stake, Unit: t.Unit, Dice: record.DiceOf(dice.Seed(t.Dice.Seed)), Moves: board.Facts(moves),
	}
	for i, s := range t.Seats {
		r.Seats = append(r.Seats, record.Seat{Name: s.Name, House: s.House, Entropy: s.Entropy,
			Out: board.OutAfter(s, i, moves)})
	}
	g, err := b.Game(t.Game)
	if err == nil && g.Shape(t.Rules).Owed() {
		r.Shape = g.Shape(t.Rules)
	}
	for _, row := range rows {
		isTotal := row.Difference.D != 0 // used for a game that is no longer installed
		if err == nil {
			isTotal = games.HasTotals(g)
		}
		score := int(row.Score)
		result := record.Row{Seat: games.Seat(row.Seat), Place: row.Place, Pool: row.Pool, Settlement: row.Settlement}
		if row.Difference.D != 0 {
			result.Difference = new(money.Difference(row.Difference))
		}
		switch {
		case row.Total != nil:
			result.Total, result.Counts = new(int(*row.Total)), &score
		case isTotal:
			result.Total = &score
		case row.Threw:
			result.Score = &score
		}
		r.Result = append(r.Result, result)
	}
	if t.BoxIn != 0 || t.BoxOut != 0 {
		r.Box = &record.Box{In: t.BoxIn, Out: t.BoxOut}
	}
	r.Voided = t.Ending.Voided
	if t.Turned {
		r.Rounding = record.Turned
	}
	if t.HouseRules == 0 {
		return r, nil
	}
	h, err := tx.Chats.HouseRules(t.HouseRules)
	if !games.PlayAlike(t.Rules, h.Rules) { // the table has another settlement: use the version of these rules
		h.Version = games.VersionOf(t.Game, t.Rules)
	}
	r.HouseRules = &record.HouseRules{Name: h.Name, Version: h.Version}
	return r, err
}

// Check replays every table from its seed and moves. It returns a sentence for each stored state that differs and for
// each fault in a record. Of tables whose moves were dropped it checks only the seed. progress may be nil.
func (b *Reviews) Check(ctx context.Context, progress store.Progress) ([]string, error) {
	var faults []string
	var done int64
	err := b.Store.View(ctx, func(tx *store.Tx) error {
		all, err := tx.Tables.CountTables()
		if err != nil {
			return err
		}
		return tx.Tables.Tables(func(id int64) error {
			if done++; progress != nil {
				progress(done, all)
			}
			found, err := b.tableFaults(tx, id)
			for _, fault := range found {
				faults = append(faults, fmt.Sprintf("table %d: %s", id, fault))
			}
			return errors.Join(err, ctx.Err())
		})
	})
	if err != nil {
		err = fmt.Errorf("check tables: %w", err)
	}
	return faults, err
}

// tableFaults returns the differences between a table's stored state and the one that its seed and moves give. If there
// are none and the table is finished, it returns the faults of its record and of its counts of turns (-1: not stored by
// old versions). It does not solve perfect moves of computer players again, because that may take long.
func (b *Reviews) tableFaults(tx *store.Tx, id int64) (faults []string, err error) {
	t, err := tx.Tables.Table(id)
	if err != nil {
		return nil, err
	}
	var moves []store.Move
	fault := checkSeal(t)
	if !t.Ending.MovesDropped && fault == nil {
		history, err := tx.Tables.Moves(id)
		if err != nil {
			return nil, err
		}
		if moves, fault = board.Standing(history); fault == nil {
			fault = b.checkReplay(t, len(history), moves)
		}
	}
	switch {
	case fault != nil:
		return []string{fault.Error()}, nil
	case t.Ending.MovesDropped || t.State != store.Over:
		return nil, nil
	}
	rows, err := tx.Tables.Results(id)
	if err != nil {
		return nil, err
	}
	rec, err := b.recordOf(tx, t, moves, rows)
	if err != nil {
		return nil, err
	}
	for _, fault := range record.Verify(rec, b.Games, nil) {
		_, message, _ := strings.Cut(fault.String(), ": ") // the caller adds the table
		faults = append(faults, message)
	}
	for i, n := range b.TurnsAtTheBox(t, moves) {
		if i < len(rows) && rows[i].Turns >= 0 && (rows[i].Turns != int64(n.Turns) || rows[i].Shut != int64(n.Shut)) {
			faults = append(faults, fmt.Sprintf("seat %d counts %d turns and %d shut boxes, its moves %d and %d",
				i, rows[i].Turns, rows[i].Shut, n.Turns, n.Shut))
		}
	}
	return faults, nil
}

// checkSeal returns an error unless the seed of t has the right length and matches the commitment.
func checkSeal(t store.Table) error {
	if len(t.Dice.Seed) != len(dice.Seed{}) {
		return fmt.Errorf("the seed has %d bytes", len(t.Dice.Seed))
	}
	if dice.Seed(t.Dice.Seed).Commitment() != t.Dice.Commitment {
		return errors.New("the seed does not match its commitment")
	}
	return nil
}

// checkReplay returns an error that describes how a table's stored state differs from the one that moves give. moves
// excludes undone moves; count is the number of all stored moves.
func (b *Reviews) checkReplay(t store.Table, count int, moves []store.Move) error {
	if int(t.Turn) != count {
		return fmt.Errorf("the table counts %d moves, %d are stored", t.Turn, count)
	}
	if t.Match == nil {
		return nil
	}
	g, err := b.Game(t.Game)
	if err != nil {
		return err
	}
	m, rolled, err := table.Replayed(g, t, moves)
	if err != nil {
		return err
	}
	var stored []int
	for _, move := range moves {
		stored = append(stored, move.Dice...)
	}
	if !slices.Equal(rolled, stored) {
		return errors.New("the dice of its moves differ from those of its seed")
	}
	same, err := isSavedAs(t.Match, m)
	switch {
	case err != nil:
		return err
	case int64(len(rolled)) != t.Dice.Thrown:
		return fmt.Errorf("the table counts %d dice, its moves roll %d", t.Dice.Thrown, len(rolled))
	case !same:
		return errors.New("its seed and moves do not lead to the stored state")
	}
	if _, over := m.Result(); over != (t.State == store.Over) && t.State != store.Abandoned {
		return fmt.Errorf("it is %s, but its match says otherwise", t.State)
	}
	return nil
}

// isSavedAs reports whether state is the encoding of m by this version, or by an older version that stored less.
func isSavedAs(state []byte, m games.Match) (bool, error) {
	saved, err := m.Save()
	if err != nil || bytes.Equal(saved, state) {
		return err == nil, err
	}
	older, ok := m.(games.Outgrown)
	if !ok {
		return false, nil
	}
	saved, err = older.SavedBefore()
	return err == nil && bytes.Equal(saved, state), err
}

// Dropping old moves, if the operator wants that. Everything computed from them stays: results, payments, totals,
// statistics, reviews. Commands that need moves then reply that they are gone.

// LeastKept is the shortest time for which moves can be kept, because reviews and puzzles need them for that long.
const LeastKept = 14 * 24 * time.Hour

// ErrMovesDropped is the error for the record of a game whose moves were dropped.
var ErrMovesDropped = errors.New("its moves were deleted")

// dropMoves drops the moves of some old games. It returns the time until the next pass, 0 for the usual interval.
func (b *Reviews) dropMoves(ctx context.Context, c *bot.Core) (time.Duration, error) {
	const droppedAtOnce = 20 // games before a pause
	var tables []store.Row
	before := b.Clock.Now().Add(-b.KeepMoves).UnixMilli()
	err := b.Due(ctx, func(tx *store.Tx) (err error) {
		tables, err = tx.Tables.OlderMoves(before, droppedAtOnce+b.faulty.Len())
		return err
	})
	if err != nil {
		return 0, err
	}
	tables = slices.DeleteFunc(tables, func(r store.Row) bool { return b.faulty.Has(r.ID) })
	err = c.StepAt(ctx, store.OfTable, tables, "table", bot.At(b.Visit, (*visit).dropMoves))
	if err == nil && len(tables) >= droppedAtOnce {
		return time.Second, nil // there are more, but presses go first
	}
	return 0, err
}

// dropMoves drops the moves of a table. For a finished table it first stores the counts for statistics; if these cannot
// be computed, the table keeps its moves.
func (v *visit) dropMoves(table int64) error {
	t, err := v.Tx.Tables.Table(table)
	if err != nil {
		return err
	}
	if t.State != store.Over {
		return v.Tx.Tables.DropMoves(table)
	}
	moves, err := v.Tx.Tables.Moves(table)
	if err != nil {
		return err
	}
	faces, err1 := v.bot.FacesAt(t, moves)
	tallies, err2 := v.bot.TalliesAt(t, moves)
	if err := cmp.Or(err1, err2); err != nil {
		v.bot.faulty.Note(table)
		return err
	}
	if err := v.Tx.Scores.AddFaces(table, faces); err != nil {
		return err
	}
	if err := v.Tx.Scores.AddTallies(table, tallies); err != nil {
		return err
	}
	return v.Tx.Tables.DropMoves(table)
}
