package store

// Payments that one person's word may have entered into the books.

import (
	"fmt"
	"strings"
)

// Doubt is a payment that one person's word may have entered into the books.
type Doubt struct {
	Payment
	// Perhaps says that the payment waited before it was booked, so the other side may have agreed
	// to it before they were forgotten.
	Perhaps bool
}

// Doubtful returns the confirmed payments, of all chats, that one person alone has or may have
// entered into the books although a balance grew or changed its sign by it: payments to or from the
// House or a forgotten person. Older versions allowed that.
func (tx Books) Doubtful() ([]Doubt, error) {
	confirmed, err := tx.readPayments(`WHERE state = 'confirmed' ORDER BY id`)
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

// perhapsAlone reports whether a waiting payment may have been booked by the person who had told of
// it, after the other side was forgotten: nothing shows that the other side was there later. The
// moment of forgetting is not stored. Payments with an evening are safe: versions that store
// evenings keep one person's word within bounds.
func (tx Books) perhapsAlone(p Payment) (bool, error) {
	other := p.Payer
	if other == ofPlayer+p.Teller {
		other = p.Payee
	}
	player := strings.TrimPrefix(other, ofPlayer)
	if p.Evening != 0 || Forgotten(player) == 0 {
		return false, nil
	}
	var there bool
	err := tx.get(`
		SELECT EXISTS (SELECT 1 FROM payments WHERE teller = $1 AND told > $2)
			OR EXISTS (SELECT 1 FROM seats s JOIN tables t ON t.id = s.table_id WHERE s.player = $1 AND t.opened > $2)`,
		[]any{sealedID(player), p.Changed}, &there)
	return err == nil && !there, wrapped(err, "who agreed to payment %d", p.ID)
}

// stoodAt returns the balance of a party at the moment when a confirmed payment was entered, as in
// Parties: games that were unfinished then do not count.
func (tx Books) stoodAt(p Payment, account string) (sum int64, err error) {
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
	args := []any{p.ID, sealedID(p.Chat), p.Unit}
	if account == House {
		err = tx.get(before+isOfHouse, args, &sum)
	} else {
		err = tx.get(before+`a.name = $4`, append(args, sealedAccount(account)), &sum)
	}
	return sum, wrapped(err, "what payment %d met", p.ID)
}
