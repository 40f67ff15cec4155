package store

// Payments between people, reported by one side and confirmed by the other.

import (
	"fmt"
	"strings"
)

// The states of a payment.
const (
	Told      = "told"      // by one side; not in the books
	Withdrawn = "withdrawn" // told, and not confirmed
	Confirmed = "confirmed" // by the other side; in the books
	Back      = "back"      // confirmed and taken back; both stand in the books
)

// Payment is an amount that one party has given to another, to settle up.
type Payment struct {
	ID      int64
	Chat    string
	Unit    string
	Payer   string // an account: "player:<id>" or "house"
	Payee   string
	Amount  int64  // above 0
	Teller  string // the player who reported it
	State   string // Told, Withdrawn, Confirmed or Back
	Told    int64  // Unix milliseconds
	Changed int64  // Unix milliseconds of the last change of its state
	// Asker is the player who asks for a confirmed payment to be taken back; "": no player does.
	Asker string
	// Evening is the day of the booking; 0: not booked, or booked before this was stored.
	Evening Day
}

// Silent reports whether an account is the House's or a forgotten person's, for which no one can confirm.
func Silent(account string) bool {
	return account == House || Forgotten(strings.TrimPrefix(account, ofPlayer)) > 0
}

var (
	paymentColumns = columnsOf(
		`id, chat, unit, payer, payee, amount, teller, state, told, changed, asker = '', evening = 0`,
		func(p *Payment) []any {
			return []any{&p.ID, (*sealedID)(&p.Chat), &p.Unit, (*sealedAccount)(&p.Payer), (*sealedAccount)(&p.Payee),
				&p.Amount, (*sealedID)(&p.Teller), &p.State, &p.Told, &p.Changed, (*sealedID)(&p.Asker), &p.Evening}
		})
	newPayments   = paymentColumns.without("id")
	insertPayment = newPayments.insert("payments") + ` RETURNING id`
	selectPayment = `SELECT ` + paymentColumns.list("") + ` FROM payments WHERE `
)

// TellPayment stores a payment that one side has reported, of a stored chat and teller, and returns its number.
func (tx Books) TellPayment(p Payment) (int64, error) {
	p.State, p.Changed, p.Asker, p.Evening = Told, p.Told, "", 0
	err := tx.get(insertPayment, newPayments.values(&p), &p.ID)
	return p.ID, wrapped(err, "tell of a payment in %s", p.Chat)
}

// Payment returns a payment of a chat, or ErrNotFound.
func (tx Books) Payment(chat string, id int64) (Payment, error) {
	return oneBy(tx.Tx, doing("read payment %d", id), paymentColumns.of, selectPayment+`id = $1 AND chat = $2`, id,
		sealedID(chat))
}

// Payments returns the newest payments of a chat in a state, newest first.
func (tx Books) Payments(chat, state string, most int) ([]Payment, error) {
	return tx.readPayments(`chat = $1 AND state = $2 ORDER BY id DESC LIMIT $3`, sealedID(chat), state, most)
}

// AskedBack returns the newest confirmed payments of a chat that a side wants to be taken back, newest first.
func (tx Books) AskedBack(chat string, most int) ([]Payment, error) {
	return tx.readPayments(`chat = $1 AND state = 'confirmed' AND asker IS NOT NULL ORDER BY id DESC LIMIT $2`,
		sealedID(chat), most)
}

// readPayments returns the payments for which a condition holds, in its order.
func (tx Books) readPayments(where string, args ...any) (all []Payment, err error) {
	return collectBy(tx.Tx, doing("read payments"), paymentColumns.of, selectPayment+where, args...)
}

// Withdraw ends a payment that was reported and not confirmed.
func (tx Books) Withdraw(p Payment, at int64) error { return tx.turn(p, Told, Withdrawn, at, "", 0) }

// Confirm enters a reported payment into the books, in p.Evening.
func (tx Books) Confirm(p Payment, at int64) error {
	return tx.turn(p, Told, Confirmed, at, Paid, p.Amount)
}

// TakeBack enters a confirmed payment the other way round.
func (tx Books) TakeBack(p Payment, at int64) error {
	return tx.turn(p, Confirmed, Back, at, PaidBack, -p.Amount)
}

// turn changes the state of a payment that is in another, else ErrNotFound, and enters an amount into the books.
func (tx Books) turn(p Payment, from, to string, at int64, kind string, amount int64) error {
	err := execFound(tx.Tx, `UPDATE payments SET state = $3, changed = $4, asker = NULL,
		evening = COALESCE(NULLIF($5, 0), evening) WHERE id = $1 AND state = $2`, p.ID, from, to, at, int64(p.Evening))
	if err != nil {
		return fmt.Errorf("payment %d becomes %s: %w", p.ID, to, err)
	}
	tx.atEnd.payments = append(tx.atEnd.payments, p.ID)
	return tx.Post(Posting{Chat: p.Chat, Unit: p.Unit, Payment: p.ID, Kind: kind, At: at,
		Entries: []Entry{{Account: p.Payer, Amount: amount}, {Account: p.Payee, Amount: -amount}}})
}

// Undated returns the confirmed payments of a chat that have no evening.
func (tx Books) Undated(chat string) ([]Payment, error) {
	return tx.readPayments(`chat = $1 AND state = 'confirmed' AND evening IS NULL ORDER BY id`, sealedID(chat))
}

// DatePayment keeps the evening in which a payment was booked.
func (tx Books) DatePayment(id int64, evening Day) error {
	return wrapped(tx.run(`UPDATE payments SET evening = $2 WHERE id = $1`, id, int64(evening)), "date payment %d", id)
}

// AskBack stores which player asks for a confirmed payment to be taken back; "": none any more.
func (tx Books) AskBack(p Payment, asker string) error {
	err := execFound(tx.Tx, `UPDATE payments SET asker = NULLIF($2, '') WHERE id = $1 AND state = 'confirmed'`,
		p.ID, sealedID(asker))
	return wrapped(err, "ask for payment %d back", p.ID)
}

// Doubt is a payment that one person's word may have entered into the books.
type Doubt struct {
	Payment
	// Perhaps says that the other side may have confirmed it before they were forgotten.
	Perhaps bool
}

// Doubtful returns the confirmed payments of all chats that one person alone has or may have entered and by which a
// balance grew or changed its sign: those to or from the House or a forgotten person. Older versions allowed them.
func (tx Books) Doubtful() ([]Doubt, error) {
	confirmed, err := tx.readPayments(`state = 'confirmed' ORDER BY id`)
	if err != nil {
		return nil, fmt.Errorf("payments by one word: %w", err)
	}
	var all []Doubt
	for _, p := range confirmed {
		d := Doubt{Payment: p}
		if p.Payer != House && p.Payee != House && p.Told != p.Changed {
			if d.Perhaps, err = tx.perhapsAlone(p); err != nil {
				return nil, err
			}
			if !d.Perhaps {
				continue
			}
		}
		if !Silent(p.Payer) && !Silent(p.Payee) {
			continue
		}
		payer, err := tx.stoodAt(p, p.Payer)
		if err != nil {
			return nil, err
		}
		payee, err := tx.stoodAt(p, p.Payee)
		if err != nil {
			return nil, err
		}
		if -payer < p.Amount || payee < p.Amount {
			all = append(all, d)
		}
	}
	return all, nil
}

// perhapsAlone reports whether the teller may have confirmed a payment alone, after the other side was forgotten: no
// later row shows the other side, and when they were forgotten is not stored. Payments with an evening are safe, as
// versions that store it do not allow that.
func (tx Books) perhapsAlone(p Payment) (bool, error) {
	other := p.Payer
	if other == ofPlayer+p.Teller {
		other = p.Payee
	}
	player := strings.TrimPrefix(other, ofPlayer)
	if p.Evening != 0 || Forgotten(player) == 0 {
		return false, nil
	}
	there, err := one[bool](tx.Tx, doing("who agreed to payment %d", p.ID), `
		SELECT EXISTS (SELECT 1 FROM payments WHERE teller = $1 AND told > $2)
			OR EXISTS (SELECT 1 FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.player = $1 AND t.opened > $2)`,
		sealedID(player), p.Changed)
	return err == nil && !there, err
}

// stoodAt returns the balance of a party, as in Parties, when a confirmed payment was entered.
func (tx Books) stoodAt(p Payment, account string) (int64, error) {
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
	who, args := isOfHouse, []any{p.ID, sealedID(p.Chat), p.Unit}
	if account != House {
		who, args = `a.name = $4`, append(args, sealedAccount(account))
	}
	return one[int64](tx.Tx, doing("what payment %d met", p.ID), before+who, args...)
}
