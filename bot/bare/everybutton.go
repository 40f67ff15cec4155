package bare

// Every button that a board has, pressed.

import (
	"context"
	"database/sql"
	"fmt"
	"slices"
	"strings"
	"sync"

	"knobel/bot/chat"
	"knobel/store"
)

// Buttons are all that were seen, of boards and answers, in the order in which
// they came. It is a stage that hears what is shown.
type Buttons struct {
	*Stage
	mu   sync.Mutex
	All  []string
	Seen map[string]bool
}

func (b *Buttons) See(m chat.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, button := range slices.Concat(m.Buttons...) {
		if !b.Seen[button.Press] {
			b.Seen[button.Press] = true
			b.All = append(b.All, button.Press)
		}
	}
}

func (b *Buttons) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	b.See(m)
	return b.Stage.Post(ctx, place, m)
}

func (b *Buttons) Edit(ctx context.Context, place chat.Place, ref chat.Ref, m chat.Message) error {
	b.See(m)
	return b.Stage.Edit(ctx, place, ref, m)
}

// auditor looks at the books after each event: it knows what may change them.
type auditor struct {
	*House
	db       *sql.DB
	Last     int64                               // the newest posting that it has seen
	once     map[string]bool                     // what may be booked once
	Stands   map[string]int64                    // of parties, by unit and number of account
	Tables   map[int64]store.Table               // that were not over
	Payments map[int64]store.Payment             // of the chat
	by       map[int64]string                    // the button by which a payment was told of
	booked   map[string]int                      // how many payments each button has booked
	Units    map[string][]store.Party            // before the last event
	made     map[string]map[string][]store.Party // when each button was made
}

// Auditor looks at the house's books from now on, until it is done.
func (h *House) Auditor() (a *auditor, done func()) {
	h.T.Helper()
	db, err := sql.Open("sqlite", h.File+"?_pragma=busy_timeout(5000)")
	if err != nil {
		h.T.Fatal(err)
	}
	a = &auditor{
		House: h, db: db, once: map[string]bool{}, Stands: map[string]int64{}, Tables: map[int64]store.Table{},
		Payments: map[int64]store.Payment{}, by: map[int64]string{}, booked: map[string]int{},
		made: map[string]map[string][]store.Party{},
	}
	return a, func() { db.Close() }
}

// Makes notes the balances for which new buttons were made.
func (a *auditor) Makes(all []string) {
	for _, button := range all[len(a.made):] {
		a.made[button] = a.Units
	}
}

// Act is what a person has just done.
type Act struct {
	Who   *Person
	Press string // "" for a command
}

func (a *auditor) String() string {
	return fmt.Sprint(a.Last, " postings, ", len(a.Payments), " payments, ", len(a.booked), " buttons that booked")
}

// State reads what is stored.
func (a *auditor) State() (units map[string][]store.Party, tables map[int64]store.Table,
	payments map[int64]store.Payment) {
	a.T.Helper()
	units, tables, payments = map[string][]store.Party{}, map[int64]store.Table{}, map[int64]store.Payment{}
	a.Reads(func(tx *store.Tx) error {
		all, err := tx.Books.Units("test:1")
		if err != nil {
			return err
		}
		for _, unit := range all {
			if units[unit], err = tx.Books.Parties("test:1", unit); err != nil {
				return err
			}
		}
		active, err := tx.Tables.ActiveTables("test:1")
		if err != nil {
			return err
		}
		for _, id := range active {
			if tables[id], err = tx.Tables.Table(id); err != nil {
				return err
			}
		}
		for _, state := range []string{store.Told, store.Withdrawn, store.Confirmed, store.Back} {
			some, err := tx.Books.Payments("test:1", state, 10_000)
			if err != nil {
				return err
			}
			for _, p := range some {
				payments[p.ID] = p
			}
		}
		return nil
	})
	return units, tables, payments
}

// posting is what was entered into the books.
type posting struct {
	id, table, payment int64
	kind               string
}

func (a *auditor) Postings() (all []posting) {
	a.T.Helper()
	rows, err := a.db.Query(`SELECT id, COALESCE(table_id, 0), COALESCE(payment_id, 0), kind FROM postings WHERE id > $1 ORDER BY id`, a.Last)
	if err != nil {
		a.T.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var p posting
		if err := rows.Scan(&p.id, &p.table, &p.payment, &p.kind); err != nil {
			a.T.Fatal(err)
		}
		a.Last = p.id
		all = append(all, p)
	}
	if err := rows.Err(); err != nil {
		a.T.Fatal(err)
	}
	return all
}

// Audit fails where an event has changed the books as it may not.
func (a *auditor) Audit(did Act) {
	a.T.Helper()
	units, tables, payments := a.State()
	settled := false // something may have changed a balance
	for _, p := range a.Postings() {
		key := fmt.Sprint(p.kind, " ", p.table, " ", p.payment)
		if p.kind == store.Refund || p.kind == store.Payout {
			key = fmt.Sprint("end ", p.table)
		}
		if a.once[key] && p.kind != "handover" {
			a.T.Errorf("%+v: %s is booked twice", did, key)
		}
		a.once[key] = true
		switch p.kind {
		case store.Stakes:
			a.charged(did, p.table, tables)
		case store.Payout, store.Refund:
			settled = true
		case store.Paid, store.PaidBack:
			settled = true
			a.paid(did, payments[p.payment], p.kind)
		}
	}
	now := a.Standing(units)
	for key, balance := range now {
		if balance != a.Stands[key] && !settled {
			a.T.Errorf("%+v: %s goes from %d to %d, and nothing was settled", did, key, a.Stands[key], balance)
		}
	}
	for id, p := range payments {
		if _, known := a.Payments[id]; !known && strings.Contains(did.Press, "/settle paid ") {
			a.by[id] = did.Press
		}
		if was := a.Payments[id].State; p.State == store.Confirmed && was != store.Confirmed && a.by[id] != "" {
			if a.booked[a.by[id]]++; a.booked[a.by[id]] > 1 {
				a.T.Errorf("%+v: the button %q has booked more than one payment", did, a.by[id])
			}
		}
	}
	a.Stands, a.Tables, a.Payments, a.Units = now, tables, payments, units
}

// Did audits what an event has changed, and sees the buttons of its answer.
func (a *auditor) Did(b *Buttons, who *Person, press string, r chat.Reply) {
	a.T.Helper()
	for _, broken := range []string{"our side", "Bei uns klemmt", "That counted, but"} {
		if strings.Contains(r.Toast, broken) {
			a.T.Fatalf("an error of ours at %q", press)
		}
	}
	a.Audit(Act{Who: who, Press: press})
	for _, m := range []*chat.Message{r.Private, r.Page} {
		if m != nil {
			b.See(*m)
		}
	}
	a.Makes(b.All)
}

// Standing returns what each party stands at, by unit and number; the books add up.
func (a *auditor) Standing(units map[string][]store.Party) map[string]int64 {
	a.T.Helper()
	now := map[string]int64{}
	for unit, parties := range units {
		sum, house := int64(0), int64(0)
		for _, party := range parties {
			sum += party.Balance
			if party.Account == store.House {
				house = party.Balance
				continue
			}
			now[fmt.Sprint(unit, " ", party.Number)] = party.Balance
		}
		now[unit] = house
		if sum != 0 {
			a.T.Errorf("the books in %s add up to %d", unit, sum)
		}
	}
	return now
}

// charged fails where a table has begun with a person who had not agreed to its terms as they stood then.
func (a *auditor) charged(did Act, table int64, now map[int64]store.Table) {
	a.T.Helper()
	before, open := a.Tables[table]
	if !open || before.State != store.Lobby {
		return // it was opened and has begun within one event: no other person sat there
	}
	began, goesOn := now[table]
	switch {
	case !goesOn:
		began = before // it is over already
	case began.Stake != before.Stake || began.Terms != before.Terms:
		a.T.Errorf("%+v: table %d begins for %d, and its board said %d", did, table, began.Stake, before.Stake)
	}
	for _, s := range began.Seats {
		if s.Player == "" || s.Player == "test:"+did.Who.Name {
			continue
		}
		agreed := slices.ContainsFunc(before.Seats, func(was store.Seat) bool {
			return was.Player == s.Player && was.Confirmed && was.Agreed == before.Terms
		})
		if !agreed {
			a.T.Errorf("%+v: table %d charges %s, who has not agreed", did, table, s.Name)
		}
	}
}

// paid fails where a payment was booked, or taken back, without those who have to agree to it.
func (a *auditor) paid(did Act, p store.Payment, kind string) {
	a.T.Helper()
	me := "player:test:" + did.Who.Name
	a.asMade(did, p)
	before, told := a.Payments[p.ID]
	mine := p.Payer == me || p.Payee == me
	oneSided := store.Silent(p.Payer) || store.Silent(p.Payee)
	switch {
	case kind == store.PaidBack && oneSided:
		if !did.Who.Admin {
			a.T.Errorf("%+v: %+v is taken back by nobody who may", did, p)
		}
	case kind == store.PaidBack:
		if !mine || before.Asker == "" || before.Asker == "test:"+did.Who.Name {
			a.T.Errorf("%+v: %+v is taken back by one side", did, before)
		}
	case !mine:
		a.T.Errorf("%+v: %+v is not theirs", did, p)
	case told && before.Teller != "test:"+did.Who.Name: // the other side has told of it
	case !oneSided:
		a.T.Errorf("%+v: %+v is booked by one side", did, p)
	default:
		for _, party := range a.Units[p.Unit] {
			if party.Account == p.Payer && party.Balance+p.Amount > 0 ||
				party.Account == p.Payee && party.Balance-p.Amount < 0 {
				a.T.Errorf("%+v: %+v goes beyond zero of %+v", did, p, party)
			}
		}
	}
}

// asMade fails where a button has moved a payment in or out of the books though the
// balances are others than those that it was made for.
func (a *auditor) asMade(did Act, p store.Payment) {
	a.T.Helper()
	then, seen := a.made[did.Press]
	if !seen {
		return
	}
	for _, now := range a.Units[p.Unit] {
		if now.Account != p.Payer && now.Account != p.Payee {
			continue
		}
		for _, was := range then[p.Unit] {
			same := was.Number == now.Number || was.Account == store.House && now.Account == store.House
			if same && was.Balance != now.Balance {
				a.T.Errorf("%+v: %+v counts by a button that was made when %+v stood at %d", did, p, now, was.Balance)
			}
		}
	}
}
