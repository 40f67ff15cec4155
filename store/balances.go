package store

// Balances of the players of a chat, and the postings behind them.

import (
	"slices"
	"strings"
)

// House is the account, in settlements and payments, of all computer players and the box (jackpot) together.
const House = "house"

// Party is a player of a chat, or House, with the balance in one unit of stakes.
type Party struct {
	Account string  // "player:<id>" or House
	Name    string  // the player's present name, "" for House
	Number  int64   // the id of an account of the party, by which buttons name it; 0: House without any account
	Balance int64   // below zero: the party owes that amount
	Paid    int64   // the number of payments to or from it in the books, plus their reversals: it only grows
	others  []int64 // the ids of further accounts of House
}

// Player returns the id of the player, or "" if the party is House.
func (p Party) Player() string {
	id, is := strings.CutPrefix(p.Account, ofPlayer)
	if !is {
		return ""
	}
	return id
}

// Has reports whether number is the id of an account of the party. House has several accounts, a player has one.
func (p Party) Has(number int64) bool {
	return number != 0 && (number == p.Number || slices.Contains(p.others, number))
}

// Units returns the units of stakes in which a chat has accounts, in alphabetical order.
func (tx Books) Units(chat string) ([]string, error) {
	return collect[string](tx.Tx, doing("read units of %s", chat),
		`SELECT DISTINCT unit FROM accounts WHERE chat = $1 ORDER BY unit`, sealedID(chat))
}

// Parties returns the players who have an account in a chat and in a unit of stakes, and House last. Their balances add
// up to zero. In a game in play, the stakes still count as money of the players who have paid them.
func (tx Books) Parties(chat, unit string) ([]Party, error) {
	var parties []Party
	house := Party{Account: House}
	accounts, err := collectBy(tx.Tx, doing("read accounts"), func(p *Party) []any {
		return []any{&p.Number, (*sealedAccount)(&p.Account), (*sealedName)(&p.Name), &p.Balance}
	}, balancesIn, sealedID(chat), unit)
	for _, p := range accounts {
		if p.Player() != "" {
			parties = append(parties, p)
			continue
		}
		house.Balance += p.Balance
		if house.Number == 0 || p.Account == House {
			p.Number, house.Number = house.Number, p.Number
		}
		house.others = append(house.others, p.Number)
	}
	parties = append(parties, house)
	var paid []Payment
	if err == nil { // here Amount holds the number of postings
		paid, err = collectBy(tx.Tx, doing("read payments"), func(p *Payment) []any {
			return []any{(*sealedAccount)(&p.Payer), (*sealedAccount)(&p.Payee), &p.Amount}
		}, paidIn, sealedID(chat), unit)
	}
	for _, p := range paid {
		for i := range parties {
			if parties[i].Account == p.Payer || parties[i].Account == p.Payee {
				parties[i].Paid += p.Amount
			}
		}
	}
	return parties, wrapped(err, "read balances of %s in %s", chat, unit)
}

// balancesIn selects the accounts in the chat $1 and the unit $2, except those of pools. Their balances leave out games
// in play. The unary + keeps SQLite from using the index on account_id.
const balancesIn = `
	SELECT a.id, a.name, COALESCE(u.name, ''),
		COALESCE((SELECT SUM(e.amount) FROM entries e WHERE e.account_id = a.id), 0) - COALESCE((
			SELECT SUM(e.amount)
			FROM tables t
			JOIN postings p ON p.table_id = t.id
			JOIN entries e ON e.posting_id = p.id
			WHERE t.chat = $1 AND t.state = 'playing' AND p.unit = $2 AND +e.account_id = a.id), 0)
	FROM accounts a
	LEFT JOIN players u ON u.id = SUBSTR(a.name, 8)
	WHERE a.chat = $1 AND a.unit = $2 AND (a.name < 'pool:' OR a.name >= 'pool;')
	ORDER BY a.id`

// paidIn counts the postings of payments in the chat $1 and the unit $2 for each payer and payee. A confirmed payment
// has one posting, a reversed one two.
const paidIn = `
	SELECT payer, payee, SUM(CASE state WHEN 'back' THEN 2 ELSE 1 END)
	FROM payments WHERE chat = $1 AND unit = $2 AND state IN ('confirmed', 'back')
	GROUP BY payer, payee`

// isOfHouse is the SQL condition for accounts a that belong neither to a pool nor to a player. It compares with SUBSTR
// because LIKE ignores case on SQLite but not on PostgreSQL.
const isOfHouse = `SUBSTR(a.name, 1, 5) <> 'pool:' AND SUBSTR(a.name, 1, 7) <> 'player:'`

// Reason is a game or a payment that changed a party's balance, with the amount of the change.
type Reason struct {
	Table   int64 // the number of the game's table; 0: it is a payment
	Game    string
	Rules   map[string]string
	Payment int64 // the number of the payment; 0: it is a game
	Amount  int64 // the amount that it added to the balance
	At      int64 // Unix milliseconds
	Evening Day   // on which the game ended or the payment was booked; 0: not stored
}

// Reasons returns the games and payments whose amounts add up to the balance that Parties gives for account, a player's
// account or House. The newest comes first. Those without effect, such as a reversed payment, are left out.
func (tx Books) Reasons(chat, unit, account string) ([]Reason, error) {
	const from = `
		SELECT COALESCE(p.table_id, 0), COALESCE(t.game, ''), COALESCE(t.rules, 'null'), COALESCE(p.payment_id, 0),
		SUM(e.amount), MAX(p.at), COALESCE(t.evening, m.evening, 0)
		FROM accounts a
		JOIN entries e ON e.account_id = a.id
		JOIN postings p ON p.id = e.posting_id
		LEFT JOIN tables t ON t.id = p.table_id
		LEFT JOIN payments m ON m.id = p.payment_id
		WHERE a.chat = $1 AND a.unit = $2 AND COALESCE(t.state, '') <> 'playing' AND `
	const by = `
		GROUP BY p.table_id, t.game, t.rules, t.evening, m.evening, p.payment_id
		HAVING SUM(e.amount) <> 0
		ORDER BY MAX(p.id) DESC`
	query, args := from+`a.name = $3`+by, []any{sealedID(chat), unit, sealedAccount(account)}
	if account == House {
		query, args = from+isOfHouse+by, args[:2]
	}
	return collectBy(tx.Tx, doing("read reasons of %s", account), func(r *Reason) []any {
		return []any{&r.Table, &r.Game, inJSON{&r.Rules}, &r.Payment, &r.Amount, &r.At, &r.Evening}
	}, query, args...)
}
