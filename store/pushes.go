package store

import (
	"cmp"

	"knobel/store/engine"
)

// Subscriptions of browsers to Web Push, and counts of what became of pushes.

// Push is the subscription of a person's browser to what happens in a browser room.
type Push struct {
	ID           int64
	Player       string // the id of the person
	Endpoint     string // the URL of the push service that the browser uses
	P256dh, Auth string // the browser's keys, as it gives them
	Origin       string // the address of the page, such as https://dice.example.org
	Lang         string // the language of the page
	Turn, Said   string // the last turn and the last message to all that were pushed, "" for none
	Since        int64  // in Unix milliseconds
}

const (
	// MaxPushes is how many endpoints a person has at most. A further one ends the oldest.
	MaxPushes = 5
	// maxPushed is how many subscriptions of a room are read at once, the newest ones.
	maxPushed = 200
)

var (
	newPushes = columnsOf(`player, endpoint, p256dh, auth, origin, lang, since`, func(p *Push) []any {
		return []any{(*sealedID)(&p.Player), (*sealedSecret)(&p.Endpoint), (*sealedSecret)(&p.P256dh),
			(*sealedSecret)(&p.Auth), &p.Origin, &p.Lang, &p.Since}
	})
	pushColumns = columnsOf(`id, turn, said`, func(p *Push) []any { return []any{&p.ID, &p.Turn, &p.Said} }).and(newPushes)
	insertPush  = newPushes.insert("pushes", "chat") + ` ON CONFLICT (chat, player, endpoint) DO UPDATE SET
		p256dh = excluded.p256dh, auth = excluded.auth, origin = excluded.origin, lang = excluded.lang`
	oldPushes = `DELETE FROM pushes WHERE player = $1 AND endpoint NOT IN (
		SELECT endpoint FROM pushes WHERE player = $1 GROUP BY endpoint ORDER BY MIN(id) DESC LIMIT $2)`
	selectPushes = `SELECT ` + pushColumns.list("p.") + ` FROM pushes p LEFT JOIN players o ON o.id = p.player
		WHERE p.chat = $1 AND (o.uncalled IS NULL OR NOT o.uncalled) ORDER BY p.id DESC LIMIT $2`
)

// AddPush stores the subscription p to the browser room with the given place. It replaces one of the same person and
// endpoint there. p.ID, p.Turn and p.Said are ignored.
func (tx Rooms) AddPush(place string, p Push) error {
	return wrapped(cmp.Or(tx.run(insertPush, newPushes.values(&p, sealedID(place))...),
		tx.run(oldPushes, sealedID(p.Player), MaxPushes)), "add push at %s", place)
}

// Pushes returns the subscriptions to a browser room, newest first, without those of people who want no calls (pings).
func (tx Rooms) Pushes(place string) ([]Push, error) {
	return collectBy(tx.Tx, doing("read pushes at %s", place), pushColumns.of, selectPushes, sealedID(place), maxPushed)
}

// Pushed reports whether a person has a subscription to a browser room.
func (tx Rooms) Pushed(place, player string) (bool, error) {
	return one[bool](tx.Tx, doing("read push at %s", place),
		`SELECT EXISTS (SELECT 1 FROM pushes WHERE chat = $1 AND player = $2)`, sealedID(place), sealedID(player))
}

// DropPushes deletes the subscriptions of a person to a browser room.
func (tx Rooms) DropPushes(place, player string) error {
	return wrapped(tx.run(`DELETE FROM pushes WHERE chat = $1 AND player = $2`, sealedID(place), sealedID(player)),
		"delete pushes at %s", place)
}

// DropEndpoint deletes all subscriptions with an endpoint, which no longer exists.
func (tx Rooms) DropEndpoint(endpoint string) error {
	return wrapped(tx.run(`DELETE FROM pushes WHERE endpoint = $1`, sealedSecret(endpoint)), "delete push")
}

// SavePushed stores the last turn that was pushed to the subscription with the number id, and the last message to all
// that was pushed to its endpoint. "" changes nothing.
func (tx Rooms) SavePushed(id int64, turn, said string) (err error) {
	if turn != "" {
		err = tx.run(`UPDATE pushes SET turn = $2 WHERE id = $1`, id, turn)
	}
	if said != "" {
		err = cmp.Or(err, tx.run(`UPDATE pushes SET said = $2 WHERE EXISTS (SELECT 1 FROM pushes o
			WHERE o.id = $1 AND o.chat = pushes.chat AND o.endpoint = pushes.endpoint)`, id, said))
	}
	return wrapped(err, "save push")
}

// PushedPeople returns the people with a subscription to a browser room.
func (tx Rooms) PushedPeople(place string) ([]string, error) {
	return collectIDs(tx.Tx, doing("read people of pushes at %s", place),
		`SELECT DISTINCT player FROM pushes WHERE chat = $1`, sealedID(place))
}

// CountPush adds 1 to the number of pushes with an outcome, such as "sent".
func (tx Rooms) CountPush(outcome string) error {
	return wrapped(tx.run(`INSERT INTO push_counts (outcome, count) VALUES ($1, 1)
		ON CONFLICT (outcome) DO UPDATE SET count = push_counts.count + 1`, outcome), "count push")
}

// PushCounts returns the numbers of pushes by outcome, and how many subscriptions there are.
func (tx Rooms) PushCounts() (outcomes map[string]int64, subscriptions int64, err error) {
	outcomes = map[string]int64{"sent": 0, "refused": 0, "removed": 0}
	var outcome string
	var n int64
	err = tx.rows(`SELECT outcome, count FROM push_counts`, nil, func(row engine.Row) error {
		err := row.Scan(&outcome, &n)
		outcomes[outcome] = n
		return err
	})
	if err == nil {
		subscriptions, err = one[int64](tx.Tx, doing("count pushes"), `SELECT COUNT(*) FROM pushes`)
	}
	return outcomes, subscriptions, wrapped(err, "count pushes")
}

// FinishedBy returns how many games a person has finished in a chat, counting no further than most.
func (tx Rooms) FinishedBy(chat, player string, most int) (int64, error) {
	return one[int64](tx.Tx, doing("count games of a person"), `SELECT COUNT(*) FROM (SELECT 1 FROM seats s
		JOIN tables t ON t.id = s.table_id WHERE t.chat = $1 AND s.player = $2 AND t.state = 'over' LIMIT $3) g`,
		sealedID(chat), sealedID(player), most)
}
