package bare

// Checks that run after every press, for tests that press all buttons.

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

// Buttons is a Stage that collects the data of all buttons that it sees, each once, in the order of their appearance.
type Buttons struct {
	*Stage
	mu   sync.Mutex
	All  []string
	Seen map[string]bool
}

// See collects the buttons of m that are new.
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

// auditor checks after each event whether the balances have changed only as they may.
type auditor struct {
	*House
	db       *sql.DB
	Last     int64                               // the newest posting that it has read
	once     map[string]bool                     // keys of postings that may exist only once
	Stands   map[string]int64                    // balances by unit and number of account
	Tables   map[int64]store.Table               // tables that were not over
	Payments map[int64]store.Payment             // payments of the chat
	by       map[int64]string                    // by payment, the button that entered it
	booked   map[string]int                      // by button, how many payments it has booked
	Units    map[string][]store.Party            // accounts by unit before the last event
	made     map[string]map[string][]store.Party // by button, the accounts by unit when it was first seen
}

// Auditor returns an auditor of the house's database. done closes it.
func (h *House) Auditor() (a *auditor, done func()) {
	h.T.Helper()
	db, err := sql.Open("sqlite", h.File+"?_pragma=busy_timeout(5000)")
	check(h.T, err)
	a = &auditor{
		House: h, db: db, once: map[string]bool{}, Stands: map[string]int64{}, Tables: map[int64]store.Table{},
		Payments: map[int64]store.Payment{}, by: map[int64]string{}, booked: map[string]int{},
		made: map[string]map[string][]store.Party{},
	}
	return a, func() { db.Close() }
}

// Makes stores the current accounts for each new button. all lists the buttons of all messages so far.
func (a *auditor) Makes(all []string) {
	for _, button := range all[len(a.made):] {
		a.made[button] = a.Units
	}
}

// Act is a person's press or command.
type Act struct {
	Who   *Person
	Press string // "" for a command
}

func (a *auditor) String() string {
	return fmt.Sprint(a.Last, " postings, ", len(a.Payments), " payments, ", len(a.booked), " buttons that booked")
}

// State reads the accounts by unit, the running tables and the payments of the chat "test:1".
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

// posting is one posting in the database.
type posting struct {
	id, table, payment int64
	kind               string
}

// Postings returns the postings since the last call.
func (a *auditor) Postings() (all []posting) {
	a.T.Helper()
	rows, err := a.db.Query(`SELECT id, COALESCE(table_id, 0), COALESCE(payment_id, 0), kind FROM postings WHERE id > $1 ORDER BY id`, a.Last)
	check(a.T, err)
	defer rows.Close()
	for rows.Next() {
		var p posting
		check(a.T, rows.Scan(&p.id, &p.table, &p.payment, &p.kind))
		a.Last = p.id
		all = append(all, p)
	}
	check(a.T, rows.Err())
	return all
}

// Audit fails the test if an event has changed balances in a way that is not allowed.
func (a *auditor) Audit(act Act) {
	a.T.Helper()
	units, tables, payments := a.State()
	settled := false // true after a posting that may change balances
	for _, p := range a.Postings() {
		key := fmt.Sprint(p.kind, " ", p.table, " ", p.payment)
		if p.kind == store.Refund || p.kind == store.Payout {
			key = fmt.Sprint("end ", p.table)
		}
		if a.once[key] && p.kind != "handover" {
			a.T.Errorf("%+v: %s is booked twice", act, key)
		}
		a.once[key] = true
		switch p.kind {
		case store.Stakes:
			a.checkStakes(act, p.table, tables)
		case store.Payout, store.Refund:
			settled = true
		case store.Paid, store.PaidBack:
			settled = true
			a.checkPayment(act, payments[p.payment], p.kind)
		}
	}
	now := a.Standing(units)
	for key, balance := range now {
		if balance != a.Stands[key] && !settled {
			a.T.Errorf("%+v: %s goes from %d to %d, and nothing was settled", act, key, a.Stands[key], balance)
		}
	}
	for id, p := range payments {
		if _, known := a.Payments[id]; !known && strings.Contains(act.Press, "/settle paid ") {
			a.by[id] = act.Press
		}
		if before := a.Payments[id].State; p.State == store.Confirmed && before != store.Confirmed && a.by[id] != "" {
			if a.booked[a.by[id]]++; a.booked[a.by[id]] > 1 {
				a.T.Errorf("%+v: the button %q has booked more than one payment", act, a.by[id])
			}
		}
	}
	a.Stands, a.Tables, a.Payments, a.Units = now, tables, payments, units
}

// Did audits the changes of an event, and collects the buttons of its reply.
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

// Standing returns the balance of each party by unit and number, and fails the test unless they add up to zero.
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

// checkStakes fails the test if a table has begun with a person who had not agreed to its latest terms.
func (a *auditor) checkStakes(act Act, table int64, tables map[int64]store.Table) {
	a.T.Helper()
	before, known := a.Tables[table]
	if !known || before.State != store.Lobby { // opened and begun within one event: no other person had a seat
		return
	}
	began, running := tables[table]
	switch {
	case !running:
		began = before // the table is over already, so tables lacks it
	case began.Stake != before.Stake || began.Terms != before.Terms:
		a.T.Errorf("%+v: table %d begins for %d, and its board said %d", act, table, began.Stake, before.Stake)
	}
	for _, s := range began.Seats {
		if s.Player == "" || s.Player == "test:"+act.Who.Name {
			continue
		}
		agreed := slices.ContainsFunc(before.Seats, func(seat store.Seat) bool {
			return seat.Player == s.Player && seat.Confirmed && seat.Agreed == before.Terms
		})
		if !agreed {
			a.T.Errorf("%+v: table %d charges %s, who has not agreed", act, table, s.Name)
		}
	}
}

// checkPayment fails the test if a payment was booked or undone without the consent of those who must agree.
func (a *auditor) checkPayment(act Act, p store.Payment, kind string) {
	a.T.Helper()
	me := "player:test:" + act.Who.Name
	a.checkButtonAge(act, p)
	before, known := a.Payments[p.ID]
	mine := p.Payer == me || p.Payee == me
	oneSided := store.Silent(p.Payer) || store.Silent(p.Payee)
	switch {
	case kind == store.PaidBack && oneSided:
		if !act.Who.Admin {
			a.T.Errorf("%+v: %+v is taken back by nobody who may", act, p)
		}
	case kind == store.PaidBack:
		if !mine || before.Asker == "" || before.Asker == "test:"+act.Who.Name {
			a.T.Errorf("%+v: %+v is taken back by one side", act, before)
		}
	case !mine:
		a.T.Errorf("%+v: %+v is not theirs", act, p)
	case known && before.Teller != "test:"+act.Who.Name: // the other side has reported it
	case !oneSided:
		a.T.Errorf("%+v: %+v is booked by one side", act, p)
	default:
		for _, party := range a.Units[p.Unit] {
			if party.Account == p.Payer && party.Balance+p.Amount > 0 ||
				party.Account == p.Payee && party.Balance-p.Amount < 0 {
				a.T.Errorf("%+v: %+v goes beyond zero of %+v", act, p, party)
			}
		}
	}
}

// checkButtonAge fails the test if p's payer or payee had another balance when the button of act was first seen.
func (a *auditor) checkButtonAge(act Act, p store.Payment) {
	a.T.Helper()
	atCreation, seen := a.made[act.Press]
	if !seen {
		return
	}
	for _, now := range a.Units[p.Unit] {
		if now.Account != p.Payer && now.Account != p.Payee {
			continue
		}
		for _, was := range atCreation[p.Unit] {
			same := was.Number == now.Number || was.Account == store.House && now.Account == store.House
			if same && was.Balance != now.Balance {
				a.T.Errorf("%+v: %+v counts by a button that was made when %+v stood at %d", act, p, now, was.Balance)
			}
		}
	}
}
