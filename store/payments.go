package store

// Payments between players, which one side reports and the other side confirms.

import (
	"fmt"
	"strings"
)

// The states of a payment.
const (
	Told      = "told"      // reported by one side; not in the books
	Withdrawn = "withdrawn" // reported, then withdrawn without a confirmation
	Confirmed = "confirmed" // confirmed by the other side; in the books
	Back      = "back"      // confirmed, then reversed; the payment and its reversal are in the books
)

// Payment is an amount that one player, or House (the computer players and the box), has paid to another, to settle a
// balance.
type Payment struct {
	ID      int64
	Chat    string
	Unit    string
	Payer   string // the account that pays: "player:<id>" or House
	Payee   string
	Amount  int64  // above 0
	Teller  string // the player who reported it
	State   string // Told, Withdrawn, Confirmed or Back
	Told    int64  // when it was reported, Unix milliseconds
	Changed int64  // Unix milliseconds of the last change of its state
	// Asker is the id of the player who wants this confirmed payment to be reversed; "": no one does.
	Asker string
	// Evening is the day on which the payment was booked. 0: it is not booked, or an older version stored no day.
	Evening Day
}

// Silent reports whether account is House or that of a forgotten person: no one can confirm a payment for this account.
func Silent(account string) bool {
	return account == House || Forgotten(strings.TrimPrefix(account, ofPlayer)) > 0
}

var (
	newPayments = columnsOf(
		`chat, unit, payer, payee, amount, teller, state, told, changed, asker = '', evening = 0`,
		func(p *Payment) []any {
			return []any{(*sealedID)(&p.Chat), &p.Unit, (*sealedAccount)(&p.Payer), (*sealedAccount)(&p.Payee),
				&p.Amount, (*sealedID)(&p.Teller), &p.State, &p.Told, &p.Changed, (*sealedID)(&p.Asker), &p.Evening}
		})
	insertPayment  = newPayments.insert("payments") + ` RETURNING id`
	paymentColumns = columnsOf(`id`, func(p *Payment) []any { return []any{&p.ID} }).and(newPayments)
	selectPayment  = `SELECT ` + paymentColumns.list("") + ` FROM payments WHERE `
)

// TellPayment stores a payment that p.Teller has reported and returns its number. The chat and the player p.Teller must
// be stored already. State, Changed, Asker and Evening of p are ignored.
func (tx Books) TellPayment(p Payment) (int64, error) {
	p.State, p.Changed, p.Asker, p.Evening = Told, p.Told, "", 0
	err := tx.get(insertPayment, newPayments.values(&p), &p.ID)
	return p.ID, wrapped(err, "add payment in %s", p.Chat)
}

// Payment returns the payment of a chat with the number id, or ErrNotFound.
func (tx Books) Payment(chat string, id int64) (Payment, error) {
	return oneBy(tx.Tx, doing("read payment %d", id), paymentColumns.of, selectPayment+`id = $1 AND chat = $2`, id,
		sealedID(chat))
}

// Payments returns at most limit payments of a chat that are in the given state, the newest first.
func (tx Books) Payments(chat, state string, limit int) ([]Payment, error) {
	return collectBy(tx.Tx, doing("read payments"), paymentColumns.of,
		selectPayment+`chat = $1 AND state = $2 ORDER BY id DESC LIMIT $3`, sealedID(chat), state, limit)
}

// AskedBack returns at most limit confirmed payments of a chat that a player wants to have reversed, the newest first.
func (tx Books) AskedBack(chat string, limit int) ([]Payment, error) {
	return collectBy(tx.Tx, doing("read payments asked back"), paymentColumns.of, selectPayment+
		`chat = $1 AND state = 'confirmed' AND asker IS NOT NULL ORDER BY id DESC LIMIT $2`, sealedID(chat), limit)
}

// Withdraw withdraws a reported payment at the time at, in Unix milliseconds. It returns ErrNotFound if the payment is
// no longer in the state Told.
func (tx Books) Withdraw(p Payment, at int64) error { return tx.alter(p, Told, Withdrawn, at, "", 0) }

// Confirm confirms a reported payment at the time at, in Unix milliseconds, and posts it to the books for the evening
// p.Evening. It returns ErrNotFound if the payment is no longer in the state Told.
func (tx Books) Confirm(p Payment, at int64) error {
	return tx.alter(p, Told, Confirmed, at, Paid, p.Amount)
}

// TakeBack reverses a confirmed payment in the books at the time at, in Unix milliseconds. It returns ErrNotFound if
// the payment is not in the state Confirmed.
func (tx Books) TakeBack(p Payment, at int64) error {
	return tx.alter(p, Confirmed, Back, at, PaidBack, -p.Amount)
}

// alter changes the state of p from old to next at the time at, in Unix milliseconds, or returns ErrNotFound if p is
// not in the state old. Unless amount is 0, it also makes a posting of the given kind, which adds amount to the balance
// of p.Payer and subtracts it from that of p.Payee.
func (tx Books) alter(p Payment, old, next string, at int64, kind string, amount int64) error {
	err := execFound(tx.Tx, `UPDATE payments SET state = $3, changed = $4, asker = NULL,
		evening = COALESCE(NULLIF($5, 0), evening) WHERE id = $1 AND state = $2`, p.ID, old, next, at, int64(p.Evening))
	if err != nil {
		return fmt.Errorf("change payment %d to %s: %w", p.ID, next, err)
	}
	tx.atEnd.payments = append(tx.atEnd.payments, p.ID)
	return tx.Post(Posting{Chat: p.Chat, Unit: p.Unit, Payment: p.ID, Kind: kind, At: at,
		Entries: []Entry{{Account: p.Payer, Amount: amount}, {Account: p.Payee, Amount: -amount}}})
}

// Undated returns the confirmed payments of a chat for which no evening is stored, as older versions left them.
func (tx Books) Undated(chat string) ([]Payment, error) {
	return collectBy(tx.Tx, doing("read undated payments"), paymentColumns.of,
		selectPayment+`chat = $1 AND state = 'confirmed' AND evening IS NULL ORDER BY id`, sealedID(chat))
}

// DatePayment stores the evening on which the payment with the number id was booked.
func (tx Books) DatePayment(id int64, evening Day) error {
	return wrapped(tx.run(`UPDATE payments SET evening = $2 WHERE id = $1`, id, int64(evening)), "date payment %d", id)
}

// AskBack stores that the player asker wants the confirmed payment p to be reversed; "": no one wants that now.
// It returns ErrNotFound if p is not in the state Confirmed.
func (tx Books) AskBack(p Payment, asker string) error {
	err := execFound(tx.Tx, `UPDATE payments SET asker = NULLIF($2, '') WHERE id = $1 AND state = 'confirmed'`,
		p.ID, sealedID(asker))
	return wrapped(err, "request return of payment %d", p.ID)
}

// Doubt is a payment in the books that perhaps only one of the two sides has entered.
type Doubt struct {
	Payment
	// Perhaps means that it is unknown who confirmed the payment: the side that did not report it is forgotten.
	Perhaps bool
}

// Doubtful returns the confirmed payments of all chats that one person may have entered alone, as older versions
// allowed: one side is House or a forgotten person. Payments that only bring both balances nearer to zero are left out.
func (tx Books) Doubtful() ([]Doubt, error) {
	confirmed, err := collectBy(tx.Tx, doing("read booked payments"), paymentColumns.of,
		selectPayment+`state = 'confirmed' ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("read one-sided payments: %w", err)
	}
	var all []Doubt
	for _, p := range confirmed {
		d := Doubt{Payment: p}
		if p.Payer != House && p.Payee != House && p.Told != p.Changed {
			if d.Perhaps, err = tx.mayBeOneSided(p); err != nil {
				return nil, err
			}
			if !d.Perhaps {
				continue
			}
		}
		if !Silent(p.Payer) && !Silent(p.Payee) {
			continue
		}
		payer, err := tx.balanceBefore(p, p.Payer)
		if err != nil {
			return nil, err
		}
		payee, err := tx.balanceBefore(p, p.Payee)
		if err != nil {
			return nil, err
		}
		if -payer < p.Amount || payee < p.Amount {
			all = append(all, d)
		}
	}
	return all, nil
}

// mayBeOneSided reports whether the teller may have confirmed p alone, after the other person was forgotten: that
// person is forgotten now, and has reported no payment and joined no new table since p. It is false if p has an
// evening, because versions that store evenings do not allow such a payment.
func (tx Books) mayBeOneSided(p Payment) (bool, error) {
	other := p.Payer
	if other == ofPlayer+p.Teller {
		other = p.Payee
	}
	player := strings.TrimPrefix(other, ofPlayer)
	if p.Evening != 0 || Forgotten(player) == 0 {
		return false, nil
	}
	active, err := one[bool](tx.Tx, doing("read whether payment %d was agreed", p.ID), `
		SELECT EXISTS (SELECT 1 FROM payments WHERE teller = $1 AND told > $2)
			OR EXISTS (SELECT 1 FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.player = $1 AND t.opened > $2)`,
		sealedID(player), p.Changed)
	return err == nil && !active, err
}

// balanceBefore returns the balance of account, computed as in Parties, just before the confirmed payment p was posted.
func (tx Books) balanceBefore(p Payment, account string) (int64, error) {
	const before = `
		SELECT COALESCE(SUM(e.amount), 0)
		FROM accounts a
		JOIN entries e ON e.account_id = a.id
		JOIN postings o ON o.id = e.posting_id
		JOIN postings this ON this.payment_id = $1 AND this.kind = 'payment'
		WHERE a.chat = $2 AND a.unit = $3 AND o.id < this.id
			AND (o.table_id IS NULL OR EXISTS (
				SELECT 1 FROM postings d WHERE d.table_id = o.table_id AND d.kind IN ('payout', 'refund')
					AND d.id < this.id))
			AND `
	condition, args := isOfHouse, []any{p.ID, sealedID(p.Chat), p.Unit}
	if account != House {
		condition, args = `a.name = $4`, append(args, sealedAccount(account))
	}
	return one[int64](tx.Tx, doing("read account of payment %d", p.ID), before+condition, args...)
}
