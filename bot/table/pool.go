package table

import (
	"fmt"
	"slices"

	"knobel/games"
	"knobel/games/money"
	"knobel/store"
)

// boxAccount holds what pools could not share.
const boxAccount = "box"

// account is whose books a seat's stakes stand in.
func account(s store.Seat) string {
	if s.House != "" {
		return "house:" + s.House
	}
	return "player:" + s.Player
}

// holder is how the store names whoever sits at a seat as holder of the box.
func holder(s store.Seat) string {
	if s.House != "" {
		return "house:" + s.House
	}
	return s.Player
}

func poolAccount(table int64) string { return fmt.Sprint("pool:", table) }

// poolOf is what a started table is played for.
func poolOf(t store.Table) money.Pool {
	return money.Pool{Stake: t.Stake, Seats: len(t.Seats), Box: t.BoxIn}
}

// payIn puts the stakes and what is in the box into the pool.
func (v *Visit) payIn(t *store.Table, pool money.Pool) error {
	entries := []store.Entry{{Account: poolAccount(t.ID), Amount: pool.Total()}, {Account: boxAccount, Amount: -pool.Box}}
	for _, s := range t.Seats {
		entries = append(entries, store.Entry{Account: account(s), Amount: -t.Stake})
	}
	return v.post(t, store.Stakes, entries)
}

// payOut empties the pool by a settlement: what a seat has won or lost, with
// the stake that it had paid.
func (v *Visit) payOut(t *store.Table, kind string, settled money.Settlement) error {
	entries := []store.Entry{{Account: poolAccount(t.ID), Amount: -poolOf(*t).Total()}, {Account: boxAccount, Amount: settled.Out}}
	for i, s := range t.Seats {
		entries = append(entries, store.Entry{Account: account(s), Amount: settled.Amounts[i] + t.Stake})
	}
	return v.post(t, kind, entries)
}

// post enters a posting, one line an account and none without an amount. A
// friendly game has none at all.
func (v *Visit) post(t *store.Table, kind string, entries []store.Entry) error {
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
	p := store.Posting{Chat: t.Chat, Unit: t.Unit, Table: t.ID, Kind: kind, At: v.At, Entries: lines}
	if err := v.Tx.Post(p); err != nil {
		return fmt.Errorf("%s of table %d: %w", kind, t.ID, err)
	}
	return nil
}

// finish settles a game, stores the results and hands over the box.
func (v *Visit) finish(t *store.Table, g games.Game, result games.Result) error {
	if !g.Pool() {
		return v.settleDifferences(t, g, result)
	}
	inPlay := withoutOut(*t, result)
	settled, err := poolOf(*t).Settle(inPlay.Winners, inPlay.Doubles)
	if err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	if err := v.payOut(t, store.Payout, settled); err != nil {
		return err
	}
	rows := make([]store.Result, len(result.Rows))
	for i, r := range inPlay.Rows {
		rows[i] = store.Result{Seat: i, Score: int64(r.Score), Threw: r.Threw, Place: r.Place, Pool: settled.Amounts[i]}
	}
	t.State, t.BoxOut = store.Over, settled.Out
	if err := v.enter(*t, g, rows); err != nil {
		return err
	}
	return v.handOver(t, inPlay.Winners)
}

// AnyOut reports whether a seat of the table is out.
func AnyOut(t store.Table) bool { return len(outOf(t)) > 0 }

// outOf are the seats of a table that are out, in seat order.
func outOf(t store.Table) []games.Seat {
	var out []games.Seat
	for i, s := range t.Seats {
		if s.Absence == store.Out {
			out = append(out, games.Seat(i))
		}
	}
	return out
}

// OutAfter is after how many moves of those that stand a seat was out, nil: it was
// not. Where a version did not note that yet, it is the last move that the seat
// made itself.
func OutAfter(s store.Seat, seat int, moves []store.Move) *int {
	if s.Absence != store.Out {
		return nil
	}
	after := int(s.OutFrom) - 1
	if s.OutFrom == 0 {
		after = 1 + lastOwn(moves, seat)
	}
	return &after
}

// lastOwn is the index of the last move that a seat made itself, -1: none.
func lastOwn(moves []store.Move, seat int) int {
	for i, m := range slices.Backward(moves) {
		if m.Seat == seat && !m.Auto {
			return i
		}
	}
	return -1
}

// viewOf is what everybody may see of a match; a seat that is out is nobody to
// beat, nor has it won.
func viewOf(t store.Table, m games.Match) games.View {
	if led, ok := m.(games.Led); ok {
		return led.ViewWithout(outOf(t))
	}
	return m.View()
}

// withoutOut is a result as those have it who are still in.
func withoutOut(t store.Table, result games.Result) games.Result { return result.Without(outOf(t)) }

// settleDifferences stores the results of a game without a pool, with the
// differences to their average, and enters what those are worth. Neither the
// box nor who holds it has to do with it.
func (v *Visit) settleDifferences(t *store.Table, g games.Game, result games.Result) error {
	differences, err := money.DifferencesOf(result)
	if err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	settled, err := money.Round(differences, result.Point)
	if err != nil {
		return fmt.Errorf("table %d: %w", t.ID, err)
	}
	rows := make([]store.Result, len(result.Rows))
	var entries []store.Entry
	for i, r := range result.Rows {
		rows[i] = store.Result{Seat: i, Score: int64(r.Score), Threw: r.Threw, Place: r.Place, Difference: store.Difference(differences[i])}
		if result.Point > 0 {
			rows[i].Settlement = &settled.Amounts[i]
			entries = append(entries, store.Entry{Account: account(t.Seats[i]), Amount: settled.Amounts[i]})
		}
	}
	if err := v.post(t, store.Payout, entries); err != nil {
		return err
	}
	t.State = store.Over
	return v.enter(*t, g, rows)
}

// handOver gives the box to who has won a pool. Of several who share it, the
// present holder keeps it, else the first of them gets it.
func (v *Visit) handOver(t *store.Table, winners []games.Seat) error {
	if t.Stake == 0 || len(winners) == 0 {
		return nil
	}
	box, err := v.Tx.Box(t.Chat, t.Unit)
	if err != nil {
		return fmt.Errorf("box: %w", err)
	}
	for _, seat := range winners {
		if holder(t.Seats[seat]) == box.Holder {
			box.Times++
			return v.Tx.SaveBox(box)
		}
	}
	box.Holder, box.Since, box.Times = holder(t.Seats[winners[0]]), v.At, 1
	return v.Tx.SaveBox(box)
}

// refund gives back all stakes of a table that is ended before its time.
func (v *Visit) refund(t *store.Table) error {
	return v.payOut(t, store.Refund, poolOf(*t).Refund())
}
