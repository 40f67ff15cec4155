package store

// The books of a chat: postings, accounts and the box, their invariants, and how a finished game is voided.

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// maxAmount is the largest amount of an entry, small enough that sums of entries do not overflow.
const maxAmount = 1_000_000_000_000_000

// Post stores a posting in the books, without entries that have the amount 0. It returns ErrUnbalanced unless the
// amounts add up to zero. If the box (jackpot) has a negative balance when the transaction ends, the transaction fails
// with ErrUnbalanced. A table has at most one posting of stakes, and at most one payout or refund.
func (tx Books) Post(p Posting) error {
	entries := slices.DeleteFunc(slices.Clone(p.Entries), func(e Entry) bool { return e.Amount == 0 })
	err := requireBalanced(entries)
	if err == nil && p.Table != 0 {
		tx.atEnd.settling = append(tx.atEnd.settling, p.Table)
	}
	if err == nil && len(entries) > 0 {
		err = tx.insertPosting(p, entries)
	}
	return wrapped(err, "post %s of table %d, payment %d", p.Kind, p.Table, p.Payment)
}

// newestPosting is a subquery for the id of the last posting in the chat $1 and the unit $2. This is the one just
// inserted, because changes of a chat run one at a time. To read the id first would take a round trip to the database.
const newestPosting = `(SELECT MAX(id) FROM postings WHERE chat = $1 AND unit = $2)`

// unbalanced finds the newest posting if it has fewer than two entries or does not add up to zero. The view
// unbalanced_postings does the same for all postings, but would read all entries.
const unbalanced = `SELECT COUNT(*) FROM entries WHERE posting_id = ` + newestPosting +
	` HAVING COUNT(*) < 2 OR SUM(amount) <> 0`

// insertPosting inserts p with entries in place of p.Entries, and the accounts that are missing.
func (tx Books) insertPosting(p Posting, entries []Entry) error {
	chat := sealedID(p.Chat)
	err := cmp.Or(tx.Chats.meetChat(p.Chat), tx.run(`
		INSERT INTO postings (chat, unit, table_id, payment_id, kind, at)
		VALUES ($1, $2, NULLIF(CAST($3 AS BIGINT), 0), NULLIF(CAST($4 AS BIGINT), 0), $5, $6)`,
		chat, p.Unit, p.Table, p.Payment, p.Kind, p.At))
	overdraws := false
	for line, e := range entries {
		name := sealedAccount(e.Account)
		err = cmp.Or(err, tx.run(`
			INSERT INTO accounts (chat, unit, name) SELECT $1, $2, $3
			WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE chat = $1 AND unit = $2 AND name = $3)`,
			chat, p.Unit, name), tx.run(`
			INSERT INTO entries (posting_id, line, account_id, amount) VALUES (`+newestPosting+`, $3,
				(SELECT id FROM accounts WHERE chat = $1 AND unit = $2 AND name = $4), $5)`,
			chat, p.Unit, line, name, e.Amount))
		overdraws = overdraws || e.Account == "box" && e.Amount < 0
	}
	if overdraws {
		tx.atEnd.boxes = append(tx.atEnd.boxes, Box{Chat: p.Chat, Unit: p.Unit})
	}
	return cmp.Or(err, tx.requireNone(unbalanced, []any{chat, p.Unit},
		"posting %s of table %d, payment %d does not add up to zero", p.Kind, p.Table, p.Payment))
}

// requireBalanced returns ErrUnbalanced if the amounts of the entries do not add up to zero, an account is "", or an
// amount is beyond maxAmount.
func requireBalanced(entries []Entry) error {
	var sum int64
	for _, e := range entries {
		if e.Account == "" {
			return fmt.Errorf("%w: an entry without an account", ErrUnbalanced)
		}
		if e.Amount > maxAmount || e.Amount < -maxAmount {
			return fmt.Errorf("%w: %d is too much for %s", ErrUnbalanced, e.Amount, e.Account)
		}
		sum += e.Amount
	}
	if sum != 0 {
		return fmt.Errorf("%w: the posting adds up to %d", ErrUnbalanced, sum)
	}
	return nil
}

// Balance returns the balance of an account in a chat and a unit of stakes, 0 if there is no such account.
func (tx Books) Balance(chat, unit, account string) (int64, error) {
	return one[int64](tx.Tx, doing("balance of %s", account), balanceOf, sealedID(chat), unit, sealedAccount(account))
}

// boxOf selects who holds the box (jackpot) of chat $1 and unit $2, since when, and for how many pools in a row.
const boxOf = `SELECT holder, since, times FROM boxes WHERE chat = $1 AND unit = $2`

// balanceOf selects the balance of the account $3 in the chat $1 and the unit $2.
const balanceOf = `
	SELECT COALESCE(SUM(e.amount), 0) FROM accounts a JOIN entries e ON e.account_id = a.id
	WHERE a.chat = $1 AND a.unit = $2 AND a.name = $3`

// Box returns the box (jackpot) of a chat in a unit of stakes, with the amount inside and its holder, who won the last
// pool. If it never had a holder, Holder, Since and Times are empty.
func (tx Books) Box(chat, unit string) (Box, error) {
	tx.db.Ahead(balanceOf, sealedID(chat), unit, sealedAccount("box"))
	b, err := tx.BoxHolder(chat, unit)
	if err != nil {
		return Box{}, err
	}
	b.Inside, err = tx.Balance(chat, unit, "box")
	return b, err
}

// BoxHolder returns the box (jackpot) of a chat in a unit of stakes like Box, but without the amount inside.
func (tx Books) BoxHolder(chat, unit string) (Box, error) {
	b := Box{Chat: chat, Unit: unit}
	err := tx.get(boxOf, []any{sealedID(chat), unit},
		(*sealedID)(&b.Holder), &b.Since, &b.Times)
	return b, wrapped(orNone(err), "read box of %s", chat)
}

// GiveBox stores the holder of the box (jackpot) of a chat in a unit after a pool was won: the present holder, if among
// winners, else winners[0]. winners are players' ids or "house:<strategy>". at is the time in Unix milliseconds.
func (tx Books) GiveBox(chat, unit string, winners []string, at int64) error {
	args := []any{sealedID(chat), unit, at}
	var placeholders []string
	for _, w := range winners {
		args = append(args, sealedID(w))
		placeholders = append(placeholders, fmt.Sprint("$", len(args)))
	}
	stays := `CASE WHEN boxes.holder IN (` + strings.Join(placeholders, ", ") + `) THEN `
	err := cmp.Or(tx.Chats.meetChat(chat), tx.run(`
		INSERT INTO boxes (chat, unit, holder, since, times) VALUES ($1, $2, $4, $3, 1)
		ON CONFLICT (chat, unit) DO UPDATE SET
			holder = `+stays+`boxes.holder ELSE excluded.holder END,
			since = `+stays+`boxes.since ELSE excluded.since END,
			times = `+stays+`boxes.times + 1 ELSE 1 END`, args...))
	return wrapped(err, "hand over box of %s", chat)
}

// settleLater makes beforeCommit check the results and the books of t, if t is Over or Abandoned.
func (tx *Tx) settleLater(t Table) {
	if t.State == Over || t.State == Abandoned {
		tx.atEnd.settling = append(tx.atEnd.settling, t.ID)
	}
}

// beforeCommit does the work left for the end of a transaction: it adds new results to the totals. It then fails the
// transaction with ErrUnbalanced if a changed table, box or payment violates an invariant of Check.
func (tx *Tx) beforeCommit() error {
	for _, table := range tx.atEnd.finished {
		if err := tx.run(addTotals, table); err != nil {
			return fmt.Errorf("add table %d to the totals: %w", table, err)
		}
	}
	for _, box := range tx.atEnd.boxes {
		err := tx.requireNone(overdrawn, []any{sealedID(box.Chat), box.Unit, sealedAccount("box")},
			"the box of %s would hold less than nothing of %s", box.Chat, box.Unit)
		if err != nil {
			return err
		}
	}
	for _, payment := range tx.atEnd.payments {
		err := tx.requireNone(`SELECT 1 FROM wrong_payments WHERE payment_id = $1`, []any{payment},
			"payment %d is not what the books say", payment)
		if err != nil {
			return err
		}
	}
	slices.Sort(tx.atEnd.settling)
	for _, table := range slices.Compact(tx.atEnd.settling) {
		for _, f := range endChecks {
			if err := tx.requireNone(f.query, []any{table}, f.what, table); err != nil {
				return err
			}
		}
	}
	return nil
}

// endChecks holds queries that must find no row for the ended table $1, each with the error's format if one is found.
var endChecks = []struct{ query, what string }{
	{`SELECT 1 FROM missing_results WHERE table_id = $1`,
		"table %d has no result of one row a seat though it is over, or one though it is not"},
	{`SELECT 1 FROM wrong_differences WHERE table_id = $1`,
		"table %d has differences that do not follow from its scores"},
	{`SELECT 1 FROM untimed_tables WHERE table_id = $1`,
		"table %d is over without a time, or has one though it is not"},
	{unsettledAt, "table %d ended, but not what was posted"},
}

// unsettledAt finds accounts whose postings differ from the result of the table $1. The view unsettled_accounts does
// the same for all tables, but would read all their rows.
const unsettledAt = `SELECT account FROM ended_accounts WHERE table_id = $1 GROUP BY account HAVING SUM(amount) <> 0`

// overdrawn finds the account $3 of the chat $1 and the unit $2 if its balance is negative.
const overdrawn = `SELECT a.id FROM accounts a JOIN entries e ON e.account_id = a.id
	WHERE a.chat = $1 AND a.unit = $2 AND a.name = $3 GROUP BY a.id HAVING SUM(e.amount) < 0`

// requireNone runs query with args, at the end of the transaction at the latest. If it finds a row, the transaction
// fails with ErrUnbalanced. format and values make the beginning of the error's text.
func (tx *Tx) requireNone(query string, args []any, format string, values ...any) error {
	return tx.dbFor(0, query).Never(fmt.Errorf(format+": %w", append(values, ErrUnbalanced)...), query, args...)
}

// Void voids the finished table t at the time at, in Unix milliseconds. It posts the reverse of all postings of t. In
// the chat it rebuilds the totals of the game, rules and unit of t, now without t. The results of t stay stored.
func (tx Books) Void(t Table, at int64) error {
	t.Ending.Voided, t.Ending.Voider = true, ""
	for i := range t.Seats {
		t.Seats[i].Voids = false
	}
	err := tx.Tables.SaveTable(t)
	back := Posting{Chat: t.Chat, Unit: t.Unit, Table: t.ID, Kind: BookedBack, At: at}
	if err == nil {
		back.Entries, err = collectBy(tx.Tx, doing("read postings"), func(e *Entry) []any {
			return []any{(*sealedAccount)(&e.Account), &e.Amount}
		}, reversal, t.ID)
	}
	if err == nil && len(back.Entries) > 0 {
		err = tx.Post(back)
	}
	const same = ` WHERE chat = $1 AND unit = $2 AND game = $3 AND rules = (SELECT rules FROM tables WHERE id = $4)`
	args := []any{sealedID(t.Chat), t.Unit, t.Game, t.ID}
	if err == nil {
		err = cmp.Or(tx.run(`DELETE FROM totals`+same, args...),
			tx.run(`INSERT INTO totals SELECT * FROM recounted_totals`+same, args...))
	}
	return wrapped(err, "void table %d", t.ID)
}

// reversal selects, for each account, the amount that reverses all its entries for the table $1.
const reversal = `
	SELECT a.name, -SUM(e.amount)
	FROM postings p
	JOIN entries e ON e.posting_id = p.id
	JOIN accounts a ON a.id = e.account_id
	WHERE p.table_id = $1
	GROUP BY a.id, a.name HAVING SUM(e.amount) <> 0 ORDER BY a.id`

// TookRemainder returns the number of the later table whose pool took the chips that the finished table t left in the
// box (jackpot), and whether that table is in play. If that table was abandoned or voided, the chips went back: then
// the next table counts. If t left no chips, or they are still in the box, it returns ErrNotFound.
func (tx Books) TookRemainder(t Table) (table int64, playing bool, err error) {
	if t.BoxOut == 0 || t.Practice {
		return 0, false, ErrNotFound
	}
	table = t.ID
	for wentBack := true; wentBack && err == nil; {
		err = tx.get(`
			SELECT o.id, o.state = 'playing', o.state = 'abandoned' OR o.voided
			FROM tables o JOIN postings p ON p.table_id = o.id AND p.kind = 'stakes'
			WHERE o.chat = $1 AND o.unit = $2 AND o.box_in > 0
				AND p.id > (SELECT MAX(own.id) FROM postings own WHERE own.table_id = $3)
			ORDER BY p.id LIMIT 1`, []any{sealedID(t.Chat), t.Unit, table}, &table, &playing, &wentBack)
	}
	return table, playing, wrapped(err, "read who took the remainder of table %d", t.ID)
}
