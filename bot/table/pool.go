package table

import (
	"fmt"
	"slices"

	"knobel/bot/board"
	"knobel/games"
	"knobel/games/money"
	"knobel/games/record"
	"knobel/store"
)

// Bookings of a table's stakes: payments, winnings and refunds.

// accountOf returns the name of the account that pays the stake of a seat and gets its winnings.
func accountOf(s store.Seat) string {
	if s.House != "" {
		return "house:" + s.House
	}
	return "player:" + s.Player
}

// poolAccount returns the name of the account that holds the pool of a table.
func poolAccount(table int64) string { return fmt.Sprint("pool:", table) }

// pay books the amounts that a table's pool, the box (jackpot) and the seats get; a negative amount is paid instead.
// kind is the kind of the posting; seat returns the amount of seat i.
func (v *Visit) pay(t *store.Table, kind string, pool, box int64, seat func(i int) int64) error {
	entries := []store.Entry{{Account: poolAccount(t.ID), Amount: pool}, {Account: "box", Amount: box}}
	for i, s := range t.Seats {
		entries = append(entries, store.Entry{Account: accountOf(s), Amount: seat(i)})
	}
	return v.post(t, kind, entries)
}

// payOut empties the pool by a posting of kind: each seat gets its stake plus its settled amount, the box the rest.
func (v *Visit) payOut(t *store.Table, kind string, settled money.Settlement) error {
	return v.pay(t, kind, -board.PoolOf(*t).Total(), settled.Out,
		func(i int) int64 { return settled.Amounts[i] + t.Stake })
}

// post books entries, added up by account, as one posting of kind, unless t is a practice table. It omits sums of 0.
func (v *Visit) post(t *store.Table, kind string, entries []store.Entry) error {
	if t.Practice {
		return nil
	}
	var lines []store.Entry
	for _, e := range entries {
		i := slices.IndexFunc(lines, func(l store.Entry) bool { return l.Account == e.Account })
		if i < 0 {
			lines = append(lines, e)
		} else {
			lines[i].Amount += e.Amount
		}
	}
	lines = slices.DeleteFunc(lines, func(l store.Entry) bool { return l.Amount == 0 })
	if len(lines) == 0 {
		return nil
	}
	return v.Tx.Books.Post(store.Posting{Chat: t.Chat, Unit: t.Unit, Table: t.ID, Kind: kind, At: v.At, Entries: lines})
}

// finish pays out a finished game, stores its result and makes the winner of a pool the holder of the box (jackpot). If
// several share the pool, the present holder stays if they won too; else the first winner becomes the holder.
func (v *Visit) finish(t *store.Table, g games.Game, result games.Result) error {
	shape := g.Shape(t.Rules)
	t.Turned = shape == games.ShapeDifference && result.Point > 0
	result = board.WithoutOut(*t, result)
	rows, settled, err := record.Account{Game: g, Shape: shape, Pool: board.PoolOf(*t), Out: board.OutOf(*t),
		Turn: t.ID}.Settle(result)
	if err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	if shape == games.ShapePool {
		t.BoxOut = settled.Out
		err = v.payOut(t, store.Payout, settled)
	} else {
		err = v.pay(t, store.Payout, 0, 0, func(i int) int64 { return settled.Amounts[i] })
	}
	if err != nil {
		return err
	}
	t.State = store.Over
	if err := v.storeResult(*t, g, result, rows); err != nil {
		return err
	}
	if shape != games.ShapePool || !board.AtStake(*t) || len(result.Winners) == 0 {
		return nil
	}
	var holders []string
	for _, seat := range result.Winners {
		holders = append(holders, board.Holder(t.Seats[seat]))
	}
	return v.Tx.Books.GiveBox(t.Chat, t.Unit, holders, v.At)
}

// storeResult stores the result of a game that ends now, and calls the functions of Tables.Ended. settled holds the
// amount that each seat is paid.
func (v *Visit) storeResult(t store.Table, g games.Game, result games.Result, settled []record.Row) error {
	rows := make([]store.Result, len(settled))
	for i, r := range settled {
		scored := result.Rows[i]
		rows[i] = store.Result{Seat: i, Score: int64(scored.Score), Threw: scored.Threw, Place: r.Place, Pool: r.Pool,
			Settlement: r.Settlement}
		if scored.Total != nil {
			rows[i].Total = new(int64(*scored.Total))
		}
		if r.Difference != nil {
			rows[i].Difference = store.Difference(*r.Difference)
		}
	}
	if _, boxed := g.(games.Boxed); boxed {
		history, err := v.Tx.Tables.Moves(t.ID)
		if err != nil {
			return err
		}
		for i, n := range v.bot.TurnsAtTheBox(t, history) {
			rows[i].Turns, rows[i].Shut = int64(n.Turns), int64(n.Shut)
		}
	}
	evening, err := v.EveningIn(t.Chat, v.At)
	if err != nil {
		return err
	}
	err = v.Tx.Tables.Finish(t.ID, v.At, evening, rows)
	for _, ended := range v.bot.Ended {
		if err == nil {
			err = ended(v, t, g)
		}
	}
	return err
}
