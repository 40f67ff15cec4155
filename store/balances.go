package store

// What people have won and lost in a chat, by the books.

import (
	"encoding/json"
	"fmt"
	"strings"
)

// House is the one party that all house seats and the box are when a chat
// settles up, and the account in which its payments stand.
const House = "house"

// Party is a player of a chat, or House, with the balance in a unit.
type Party struct {
	Account string // "player:<id>" or House
	Number  int64  // of an account of theirs, as Account takes it; 0: the house has none, and nothing open
	Balance int64  // below zero: they owe
}

// Player is the id of the player who the party is, "" for the house.
func (p Party) Player() string {
	id, _ := strings.CutPrefix(p.Account, "player:")
	if p.Account == House {
		return ""
	}
	return id
}

// Units returns the units in which a chat keeps books, by name.
func (tx Books) Units(chat string) ([]string, error) {
	units, err := collect[string](tx.Tx, `SELECT DISTINCT unit FROM accounts WHERE chat = $1 ORDER BY unit`,
		sealedID(chat))
	return units, wrapped(err, "units of %s", chat)
}

// Parties returns the players who have an account in the books of a chat and unit, and the House
// last, with balances that add up to zero. Unfinished games do not count: their stakes still belong
// to those who paid them, and what came from the box to the box.
func (tx Books) Parties(chat, unit string) ([]Party, error) {
	var parties []Party
	house := Party{Account: House}
	at := map[int64]int{} // where players' accounts stand among the parties
	count := func(number int64, name string, amount int64) {
		if partyOf(name) == House {
			if house.Number == 0 || name == House {
				house.Number = number
			}
			house.Balance += amount
			return
		}
		i, known := at[number]
		if !known {
			i = len(parties)
			at[number] = i
			parties = append(parties, Party{Account: name, Number: number})
		}
		parties[i].Balance += amount
	}
	for _, query := range []string{postedIn, inPlay} {
		err := tx.list(query, []any{sealedID(chat), unit}, func(scan func(...any) error) error {
			var number, amount int64
			var name string
			if err := scan(&number, (*sealedAccount)(&name), &amount); err != nil {
				return err
			}
			count(number, name, amount)
			return nil
		})
		if err != nil {
			return nil, fmt.Errorf("balances of %s in %s: %w", chat, unit, err)
		}
	}
	return append(parties, house), nil
}

// partyOf is whose an account is: a player's own, or the House's.
func partyOf(account string) string {
	if strings.HasPrefix(account, "player:") {
		return account
	}
	return House
}

// postedIn selects the balances of accounts. Pools are left out: those of ended games are empty.
const postedIn = `
	SELECT a.id, a.name, COALESCE((SELECT SUM(e.amount) FROM entries e WHERE e.account_id = a.id), 0)
	FROM accounts a
	WHERE a.chat = $1 AND a.unit = $2 AND (a.name < 'pool:' OR a.name >= 'pool;')
	ORDER BY a.id`

// inPlay is what games that are being played have taken, given back.
const inPlay = `
	SELECT a.id, a.name, -e.amount
	FROM tables t
	JOIN postings p ON p.table_id = t.id
	JOIN entries e ON e.posting_id = p.id
	JOIN accounts a ON a.id = e.account_id
	WHERE t.chat = $1 AND t.state = 'playing' AND p.unit = $2 AND (a.name < 'pool:' OR a.name >= 'pool;')
	ORDER BY e.posting_id, e.line`

// Account returns the unit and the owner of an account of a chat, by the account's number, with the
// owner as in Party; or ErrNotFound.
func (tx Books) Account(chat string, number int64) (unit, party string, err error) {
	var name string
	err = tx.get(`SELECT unit, name FROM accounts WHERE id = $1 AND chat = $2`, []any{number, sealedID(chat)}, &unit,
		(*sealedAccount)(&name))
	return unit, partyOf(name), wrapped(err, "account %d", number)
}

// isOfHouse is what accounts of the house are told from pools and players by: LIKE minds case on one engine alone.
const isOfHouse = `SUBSTR(a.name, 1, 5) <> 'pool:' AND SUBSTR(a.name, 1, 7) <> 'player:'`

// Reason is a game or a payment that changed what a party stands at.
type Reason struct {
	Table   int64 // 0: no game
	Game    string
	Rules   map[string]string
	Payment int64 // 0: no payment
	Amount  int64
	At      int64 // Unix milliseconds
	Evening Day   // of a game that is over or a payment, 0: none is kept
}

// Reasons returns the postings behind the balance of a party, newest first. Their amounts add up to
// the balance in Parties; postings that cancel each other, such as a payment and its reversal, are
// left out.
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
	var all []Reason
	err := tx.list(query, args, func(scan func(...any) error) error {
		var r Reason
		var rules string
		if err := scan(&r.Table, &r.Game, &rules, &r.Payment, &r.Amount, &r.At, &r.Evening); err != nil {
			return err
		}
		err := json.Unmarshal([]byte(rules), &r.Rules)
		all = append(all, r)
		return err
	})
	return all, wrapped(err, "reasons of %s", account)
}
