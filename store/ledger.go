package store

// The books: postings, accounts and boxes, and what has to add up.

import (
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strconv"
	"strings"
)

// most is the largest amount of an entry: sums of many stay far from where
// whole numbers end.
const most = 1_000_000_000_000_000

// Post enters a posting into the ledger. Its amounts must add up to zero, or the error is
// ErrUnbalanced. Entries of zero are left out, and a posting without others is not entered. A table
// has each kind of posting once, and either a payout or a refund. When the transaction ends, no box
// may be overdrawn.
func (tx *Tx) Post(p Posting) error {
	wrap := func(err error) error { return fmt.Errorf("post %s of table %d: %w", p.Kind, p.Table, err) }
	entries := slices.DeleteFunc(slices.Clone(p.Entries), func(e Entry) bool { return e.Amount == 0 })
	if err := balanced(entries); err != nil {
		return wrap(err)
	}
	if p.Table != 0 {
		tx.settling = append(tx.settling, p.Table)
	}
	if len(entries) == 0 {
		return nil
	}
	if err := tx.meetChat(p.Chat); err != nil {
		return wrap(err)
	}
	var posting int64
	err := tx.get(`INSERT INTO postings (chat, unit, table_id, payment_id, kind, at) VALUES ($1, $2, $3, $4, $5, $6)
		RETURNING id`,
		[]any{sealedID(p.Chat), p.Unit, numberOrNull(p.Table), numberOrNull(p.Payment), p.Kind, p.At}, &posting)
	if err != nil {
		return wrap(err)
	}
	for line, e := range entries {
		if err := tx.enter(p, posting, line, e); err != nil {
			return wrap(err)
		}
		if e.Account == "box" && e.Amount < 0 {
			tx.boxes = append(tx.boxes, Box{Chat: p.Chat, Unit: p.Unit})
		}
	}
	tx.postings = append(tx.postings, posting)
	return nil
}

// balanced refuses entries that do not add up to zero.
func balanced(entries []Entry) error {
	var sum int64
	for _, e := range entries {
		if e.Account == "" {
			return fmt.Errorf("%w: an entry without an account", ErrUnbalanced)
		}
		if e.Amount > most || e.Amount < -most {
			return fmt.Errorf("%w: %d is too much for %s", ErrUnbalanced, e.Amount, e.Account)
		}
		sum += e.Amount
	}
	if sum != 0 {
		return fmt.Errorf("%w: the posting adds up to %d", ErrUnbalanced, sum)
	}
	return nil
}

// enter enters a line of a posting, opening its account where that is new. Nothing is read for it, which would take a
// round trip each.
func (tx *Tx) enter(p Posting, posting int64, line int, e Entry) error {
	chat, name := sealedID(p.Chat), sealedAccount(e.Account)
	err := tx.run(`INSERT INTO accounts (chat, unit, name) SELECT $1, $2, $3
		WHERE NOT EXISTS (SELECT 1 FROM accounts WHERE chat = $1 AND unit = $2 AND name = $3)`, chat, p.Unit, name)
	if err != nil {
		return err
	}
	return tx.run(`INSERT INTO entries (posting_id, line, account_id, amount)
		VALUES ($1, $2, (SELECT id FROM accounts WHERE chat = $3 AND unit = $4 AND name = $5), $6)`,
		posting, line, chat, p.Unit, name, e.Amount)
}

// Balance returns what an account of a chat and unit stands at.
func (tx *Tx) Balance(chat, unit, account string) (int64, error) {
	var sum int64
	err := tx.get(`
		SELECT COALESCE(SUM(e.amount), 0) FROM accounts a JOIN entries e ON e.account_id = a.id
		WHERE a.chat = $1 AND a.unit = $2 AND a.name = $3`, []any{sealedID(chat), unit, sealedAccount(account)}, &sum)
	return sum, wrapped(err, "balance of %s", account)
}

// Box returns the holder of the box of a chat and unit, and what is in it.
func (tx *Tx) Box(chat, unit string) (Box, error) {
	b := Box{Chat: chat, Unit: unit}
	err := tx.get(`SELECT holder, since, times FROM boxes WHERE chat = $1 AND unit = $2`, []any{sealedID(chat), unit},
		(*sealedID)(&b.Holder), &b.Since, &b.Times)
	if err != nil && !errors.Is(err, ErrNotFound) {
		return Box{}, fmt.Errorf("read box of %s: %w", chat, err)
	}
	b.Inside, err = tx.Balance(chat, unit, "box")
	return b, err
}

// SaveBox stores the holder of the box; its contents follow from the ledger.
func (tx *Tx) SaveBox(b Box) error {
	err := tx.meetChat(b.Chat)
	if err == nil {
		err = tx.run(`
			INSERT INTO boxes (chat, unit, holder, since, times) VALUES ($1, $2, $3, $4, $5)
			ON CONFLICT (chat, unit) DO UPDATE SET holder = excluded.holder, since = excluded.since,
				times = excluded.times`,
			sealedID(b.Chat), b.Unit, sealedID(b.Holder), b.Since, b.Times)
	}
	return wrapped(err, "save box of %s", b.Chat)
}

// settleLater has a table that ended looked at before the transaction does.
func (tx *Tx) settleLater(t Table) {
	if t.State == Over || t.State == Abandoned {
		tx.settling = append(tx.settling, t.ID)
	}
}

// flaw is a query that counts what is wrong in the books of a transaction, and what an error says of that.
type flaw struct {
	query string
	args  []any // $1, $2 and so on
	what  string
}

// settled refuses a transaction that would leave the books wrong: in the
// database's own eyes, by the views that Check looks at as well.
func (tx *Tx) settled() error {
	for _, table := range tx.finished {
		if err := tx.run(addTotals, table); err != nil {
			return fmt.Errorf("add table %d to the totals: %w", table, err)
		}
	}
	var flaws []flaw
	add := func(id int64, query, what string) {
		flaws = append(flaws, flaw{query, []any{id}, fmt.Sprintf(what, id)})
	}
	for _, posting := range tx.postings {
		add(posting, `SELECT COUNT(*) FROM unbalanced_postings WHERE posting_id = $1`,
			"posting %d does not add up to zero")
	}
	for _, box := range tx.boxes {
		flaws = append(flaws, flaw{overdrawn, []any{sealedID(box.Chat), box.Unit, sealedAccount("box")},
			fmt.Sprintf("the box of %s would hold less than nothing of %s", box.Chat, box.Unit)})
	}
	for _, payment := range tx.payments {
		add(payment, `SELECT COUNT(*) FROM wrong_payments WHERE payment_id = $1`,
			"payment %d is not what the books say")
	}
	slices.Sort(tx.settling)
	for _, table := range slices.Compact(tx.settling) {
		add(table, `SELECT COUNT(*) FROM missing_results WHERE table_id = $1`,
			"table %d has no result of one row a seat though it is over, or one though it is not")
		add(table, `SELECT COUNT(*) FROM wrong_differences WHERE table_id = $1`,
			"table %d has differences that do not follow from its scores")
		add(table, `SELECT COUNT(*) FROM untimed_tables WHERE table_id = $1`,
			"table %d is over without a time, or has one though it is not")
		add(table, `SELECT COUNT(*) FROM (`+unsettledAt+`) unsettled`,
			"table %d ended, but not what was posted")
	}
	for some := range slices.Chunk(flaws, maxFlaws) {
		if err := tx.flawless(some); err != nil {
			return err
		}
	}
	return nil
}

// unsettledAt is the view unsettled_accounts for one table, spelled so that
// only that table's rows are read.
const unsettledAt = `SELECT account FROM ended_accounts WHERE table_id = $1 GROUP BY account HAVING SUM(amount) <> 0`

// overdrawn counts an account of a chat and unit that stands below zero.
const overdrawn = `SELECT COUNT(*) FROM (
	SELECT a.id FROM accounts a JOIN entries e ON e.account_id = a.id
	WHERE a.chat = $1 AND a.unit = $2 AND a.name = $3 GROUP BY a.id HAVING SUM(e.amount) < 0) overdrawn`

// maxFlaws is how many flaws are looked for at once.
const maxFlaws = 16

// argument is the number of an argument in a query.
var argument = regexp.MustCompile(`\$(\d+)`)

// flawless says ErrUnbalanced where something is wrong: all is one query, and one round trip.
func (tx *Tx) flawless(all []flaw) error {
	var query strings.Builder
	var args []any
	for i, f := range all {
		if i > 0 {
			query.WriteString(" UNION ALL ")
		}
		fmt.Fprintf(&query, "SELECT %d, (%s)", i, argument.ReplaceAllStringFunc(f.query, func(is string) string {
			n, _ := strconv.Atoi(is[1:]) // the pattern has digits alone
			return fmt.Sprint("$", len(args)+n)
		}))
		args = append(args, f.args...)
	}
	return tx.list(query.String(), args, func(scan func(...any) error) error {
		var at, count int
		if err := scan(&at, &count); err != nil {
			return err
		}
		if count > 0 {
			return fmt.Errorf("%s: %w", all[at].what, ErrUnbalanced)
		}
		return nil
	})
}
