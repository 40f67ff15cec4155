package store

import "fmt"

// Doubtful returns the confirmed payments, of all chats, that one person's word
// has entered into the books though it made a balance grow or turned its sign: to
// or from the House or somebody who was forgotten, as that could be done once.
func (tx *Tx) Doubtful() ([]Payment, error) {
	var silent []Payment
	err := tx.list(`SELECT `+paymentColumns+` FROM payments WHERE state = 'confirmed' ORDER BY id`, nil, func(scan func(...any) error) error {
		var p Payment
		if err := scan(p.into()...); err != nil {
			return err
		}
		// What two people have agreed on before one was forgotten took a moment.
		if p.Payer == House || p.Payee == House || p.Told == p.Changed && (Silent(p.Payer) || Silent(p.Payee)) {
			silent = append(silent, p)
		}
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("payments by one word: %w", err)
	}
	var all []Payment
	for _, p := range silent {
		payer, err := tx.stoodAt(p, p.Payer)
		if err != nil {
			return nil, err
		}
		payee, err := tx.stoodAt(p, p.Payee)
		if err != nil {
			return nil, err
		}
		if -payer < p.Amount || payee < p.Amount {
			all = append(all, p)
		}
	}
	return all, nil
}

// stoodAt is what a party stood at when a confirmed payment was entered, as
// Parties tells it: games that were being played then do not count.
func (tx *Tx) stoodAt(p Payment, account string) (sum int64, err error) {
	const before = `
		SELECT COALESCE(SUM(e.amount), 0)
		FROM accounts a
		JOIN entries e ON e.account_id = a.id
		JOIN postings o ON o.id = e.posting_id
		JOIN postings this ON this.payment_id = $1 AND this.kind = 'payment'
		WHERE a.chat = $2 AND a.unit = $3 AND o.id < this.id
			AND (o.table_id IS NULL OR EXISTS (
				SELECT 1 FROM postings d WHERE d.table_id = o.table_id AND d.kind IN ('payout', 'refund') AND d.id < this.id))
			AND `
	args := []any{p.ID, sealedID(p.Chat), p.Unit}
	if account == House {
		err = tx.get(before+`a.name NOT LIKE 'pool:%' AND a.name NOT LIKE 'player:%'`, args, &sum)
	} else {
		err = tx.get(before+`a.name = $4`, append(args, sealedAccount(account)), &sum)
	}
	if err != nil {
		return 0, fmt.Errorf("what payment %d met: %w", p.ID, err)
	}
	return sum, nil
}
