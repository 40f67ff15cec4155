package table

import (
	"fmt"
	"slices"

	"knobel/bot/board"
	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// Booking a table's stakes: paid in, paid out, settled or refunded.

// boxAccount holds the remainders of pools.
const boxAccount = "box"

// account returns the account that pays a seat's stakes.
func account(s store.Seat) string {
	if s.House != "" {
		return "house:" + s.House
	}
	return "player:" + s.Player
}

func poolAccount(table int64) string { return fmt.Sprint("pool:", table) }

// payIn moves the stakes and the contents of the box into the pool.
func (v *Visit) payIn(t *store.Table, pool money.Pool) error {
	entries := []store.Entry{{Account: poolAccount(t.ID), Amount: pool.Total()},
		{Account: boxAccount, Amount: -pool.Box}}
	for _, s := range t.Seats {
		entries = append(entries, store.Entry{Account: account(s), Amount: -t.Stake})
	}
	return v.post(t, store.Stakes, entries)
}

// payOut empties the pool by a settlement: each seat's win or loss plus its stake.
func (v *Visit) payOut(t *store.Table, kind string, settled money.Settlement) error {
	entries := []store.Entry{{Account: poolAccount(t.ID), Amount: -board.PoolOf(*t).Total()},
		{Account: boxAccount, Amount: settled.Out}}
	for i, s := range t.Seats {
		entries = append(entries, store.Entry{Account: account(s), Amount: settled.Amounts[i] + t.Stake})
	}
	return v.post(t, kind, entries)
}

// post enters a posting with one line per account and amount. Friendly games and practice have none.
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

// finish settles a game, stores the results and hands over the box.
func (v *Visit) finish(t *store.Table, g games.Game, result games.Result) error {
	inPlay := board.WithoutOut(*t, result)
	rows := make([]store.Result, len(inPlay.Rows))
	for i, r := range inPlay.Rows {
		rows[i] = store.Result{Seat: i, Score: int64(r.Score), Threw: r.Threw, Place: r.Place}
		if r.Total != nil {
			rows[i].Total = new(int64(*r.Total))
		}
	}
	var settled money.Settlement
	var err error
	shape := g.Shape(t.Rules)
	switch {
	case shape.Owed():
		settled, err = money.Owe(shape, t.Stake, result, board.OutOf(*t))
	case shape == games.ShapeDifference:
		settled, err = differ(t, result, rows)
	default:
		settled, err = board.PoolOf(*t).Settle(inPlay.Winners, inPlay.Doubles)
	}
	if err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	if shape != games.ShapePool {
		err = v.payOwed(t, settled, rows)
	} else if err = v.payOut(t, store.Payout, settled); err == nil {
		t.BoxOut = settled.Out
		for i := range rows {
			rows[i].Pool = settled.Amounts[i]
		}
	}
	if err != nil {
		return err
	}
	t.State = store.Over
	if err := v.enter(*t, g, rows); err != nil || shape != games.ShapePool {
		return err
	}
	return v.handOver(t, inPlay.Winners)
}

// differ settles the differences of the rows to the average; without a point's worth in units there are no amounts. The
// box is not affected.
func differ(t *store.Table, result games.Result, rows []store.Result) (settled money.Settlement, err error) {
	differences, err := money.Differences(result)
	if err != nil {
		return settled, err
	}
	for i, d := range differences {
		rows[i].Difference = store.Difference(d)
	}
	if t.Turned = result.Point > 0; !t.Turned {
		return settled, nil
	}
	return money.Round(differences, result.Point, t.ID)
}

// payOwed books what the seats of a game without a pool owe each other.
func (v *Visit) payOwed(t *store.Table, settled money.Settlement, rows []store.Result) error {
	var entries []store.Entry
	for i := range settled.Amounts {
		rows[i].Settlement = &settled.Amounts[i]
		entries = append(entries, store.Entry{Account: account(t.Seats[i]), Amount: settled.Amounts[i]})
	}
	return v.post(t, store.Payout, entries)
}

// handOver gives the box to the winner of a pool. If several share it, the present holder keeps it, else the first gets
// it.
func (v *Visit) handOver(t *store.Table, winners []games.Seat) error {
	if t.Stake == 0 || t.Practice || len(winners) == 0 {
		return nil
	}
	holders := make([]string, len(winners))
	for i, seat := range winners {
		holders[i] = board.Holder(t.Seats[seat])
	}
	return v.Tx.Books.GiveBox(t.Chat, t.Unit, holders, v.At)
}

// refund returns all stakes of a table that ends early, and reports whether there were any.
func (v *Visit) refund(t *store.Table) (staked bool, err error) {
	inPool, err := v.Tx.Books.Balance(t.Chat, t.Unit, poolAccount(t.ID))
	if err != nil || inPool == 0 {
		return false, err
	}
	return true, v.payOut(t, store.Refund, board.PoolOf(*t).Refund())
}

// enter stores the result of a table that ends now.
func (v *Visit) enter(t store.Table, g games.Game, rows []store.Result) error {
	for i, n := range v.bot.TurnsAtTheBox(t, v.history) {
		rows[i].Turns, rows[i].Shut = int64(n.Turns), int64(n.Shut)
	}
	evening, err := v.EveningIn(t.Chat, v.At)
	if err != nil {
		return err
	}
	err = v.Tx.Tables.Finish(t.ID, v.At, evening, rows)
	for i := 0; err == nil && i < len(v.bot.Ended); i++ {
		err = v.bot.Ended[i](v, t, g)
	}
	return err
}
