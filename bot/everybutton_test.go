package bot_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/bot/fakes/needs"
	"knobel/games/shutbox"
	"knobel/games/wuerfelpoker"
	"knobel/store"
)

// buttons are all that were seen, of boards and answers, in the order in which
// they came. It is a stage that hears what is shown.
type buttons struct {
	*stage
	mu   sync.Mutex
	all  []string
	seen map[string]bool
}

func (b *buttons) see(m chat.Message) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, row := range m.Buttons {
		for _, button := range row {
			if !b.seen[button.Press] {
				b.seen[button.Press] = true
				b.all = append(b.all, button.Press)
			}
		}
	}
}

func (b *buttons) Post(ctx context.Context, place chat.Place, m chat.Message) (chat.Ref, error) {
	b.see(m)
	return b.stage.Post(ctx, place, m)
}

func (b *buttons) Edit(ctx context.Context, place chat.Place, ref chat.Ref, m chat.Message) error {
	b.see(m)
	return b.stage.Edit(ctx, place, ref, m)
}

// auditor looks at the books after each event: it knows what may change them.
type auditor struct {
	*house
	db       *sql.DB
	last     int64                               // the newest posting that it has seen
	once     map[string]bool                     // what may be booked once
	stands   map[string]int64                    // of parties, by unit and number of account
	tables   map[int64]store.Table               // that were not over
	payments map[int64]store.Payment             // of the chat
	by       map[int64]string                    // the button by which a payment was told of
	booked   map[string]int                      // how many payments each button has booked
	units    map[string][]store.Party            // before the last event
	made     map[string]map[string][]store.Party // when each button was made
}

// auditor looks at the house's books from now on, until it is done.
func (h *house) auditor() (a *auditor, done func()) {
	h.t.Helper()
	db, err := sql.Open("sqlite", h.file+"?_pragma=busy_timeout(5000)")
	if err != nil {
		h.t.Fatal(err)
	}
	a = &auditor{
		house: h, db: db, once: map[string]bool{}, stands: map[string]int64{}, tables: map[int64]store.Table{},
		payments: map[int64]store.Payment{}, by: map[int64]string{}, booked: map[string]int{},
		made: map[string]map[string][]store.Party{},
	}
	return a, func() { db.Close() }
}

// makes notes the balances for which new buttons were made.
func (a *auditor) makes(all []string) {
	for _, button := range all[len(a.made):] {
		a.made[button] = a.units
	}
}

// act is what somebody has just done.
type act struct {
	who   *person
	press string // "" for a command
}

func (a *auditor) String() string {
	return fmt.Sprint(a.last, " postings, ", len(a.payments), " payments, ", len(a.booked), " buttons that booked")
}

// state reads what is stored.
func (a *auditor) state() (units map[string][]store.Party, tables map[int64]store.Table,
	payments map[int64]store.Payment) {
	a.t.Helper()
	units, tables, payments = map[string][]store.Party{}, map[int64]store.Table{}, map[int64]store.Payment{}
	err := a.store.View(context.Background(), func(tx *store.Tx) error {
		all, err := tx.Units("test:1")
		if err != nil {
			return err
		}
		for _, unit := range all {
			if units[unit], err = tx.Parties("test:1", unit); err != nil {
				return err
			}
		}
		active, err := tx.ActiveTables("test:1")
		if err != nil {
			return err
		}
		for _, id := range active {
			if tables[id], err = tx.Table(id); err != nil {
				return err
			}
		}
		for _, state := range []string{store.Told, store.Withdrawn, store.Confirmed, store.Back} {
			some, err := tx.Payments("test:1", state, 10_000)
			if err != nil {
				return err
			}
			for _, p := range some {
				payments[p.ID] = p
			}
		}
		return nil
	})
	if err != nil {
		a.t.Fatal(err)
	}
	return units, tables, payments
}

// posting is what was entered into the books.
type posting struct {
	id, table, payment int64
	kind               string
}

func (a *auditor) postings() (all []posting) {
	a.t.Helper()
	rows, err := a.db.Query(`SELECT id, COALESCE(table_id, 0), COALESCE(payment_id, 0), kind FROM postings WHERE id > $1 ORDER BY id`, a.last)
	if err != nil {
		a.t.Fatal(err)
	}
	defer rows.Close()
	for rows.Next() {
		var p posting
		if err := rows.Scan(&p.id, &p.table, &p.payment, &p.kind); err != nil {
			a.t.Fatal(err)
		}
		a.last = p.id
		all = append(all, p)
	}
	if err := rows.Err(); err != nil {
		a.t.Fatal(err)
	}
	return all
}

// audit fails where an event has changed the books as it may not.
func (a *auditor) audit(did act) {
	a.t.Helper()
	units, tables, payments := a.state()
	settled := false // something may have changed a balance
	for _, p := range a.postings() {
		key := fmt.Sprint(p.kind, " ", p.table, " ", p.payment)
		if p.kind == store.Refund || p.kind == store.Payout {
			key = fmt.Sprint("end ", p.table)
		}
		if a.once[key] && p.kind != "handover" {
			a.t.Errorf("%+v: %s is booked twice", did, key)
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
	now := a.standing(units)
	for key, balance := range now {
		if balance != a.stands[key] && !settled {
			a.t.Errorf("%+v: %s goes from %d to %d, and nothing was settled", did, key, a.stands[key], balance)
		}
	}
	for id, p := range payments {
		if _, known := a.payments[id]; !known && strings.Contains(did.press, "/settle paid ") {
			a.by[id] = did.press
		}
		if was := a.payments[id].State; p.State == store.Confirmed && was != store.Confirmed && a.by[id] != "" {
			if a.booked[a.by[id]]++; a.booked[a.by[id]] > 1 {
				a.t.Errorf("%+v: the button %q has booked more than one payment", did, a.by[id])
			}
		}
	}
	a.stands, a.tables, a.payments, a.units = now, tables, payments, units
}

// standing is what each party stands at, by unit and number; the books add up.
func (a *auditor) standing(units map[string][]store.Party) map[string]int64 {
	a.t.Helper()
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
			a.t.Errorf("the books in %s add up to %d", unit, sum)
		}
	}
	return now
}

// charged fails where a table has begun with somebody who had not agreed to its
// terms as they stood then.
func (a *auditor) charged(did act, table int64, now map[int64]store.Table) {
	a.t.Helper()
	before, open := a.tables[table]
	if !open || before.State != store.Lobby {
		return // it was opened and has begun within one event: nobody else sat there
	}
	began, goesOn := now[table]
	switch {
	case !goesOn:
		began = before // it is over already
	case began.Stake != before.Stake || began.Terms != before.Terms:
		a.t.Errorf("%+v: table %d begins for %d, and its board said %d", did, table, began.Stake, before.Stake)
	}
	for _, s := range began.Seats {
		if s.Player == "" || s.Player == "test:"+did.who.name {
			continue
		}
		agreed := slices.ContainsFunc(before.Seats, func(was store.Seat) bool {
			return was.Player == s.Player && was.Confirmed && was.Agreed == before.Terms
		})
		if !agreed {
			a.t.Errorf("%+v: table %d charges %s, who has not agreed", did, table, s.Name)
		}
	}
}

// paid fails where a payment was booked, or taken back, without those who have to
// agree to it.
func (a *auditor) paid(did act, p store.Payment, kind string) {
	a.t.Helper()
	me := "player:test:" + did.who.name
	a.asMade(did, p)
	before, told := a.payments[p.ID]
	mine := p.Payer == me || p.Payee == me
	oneSided := store.Silent(p.Payer) || store.Silent(p.Payee)
	switch {
	case kind == store.PaidBack && oneSided:
		if !did.who.admin {
			a.t.Errorf("%+v: %+v is taken back by nobody who may", did, p)
		}
	case kind == store.PaidBack:
		if !mine || before.Asker == "" || before.Asker == "test:"+did.who.name {
			a.t.Errorf("%+v: %+v is taken back by one side", did, before)
		}
	case !mine:
		a.t.Errorf("%+v: %+v is not theirs", did, p)
	case told && before.Teller != "test:"+did.who.name: // the other side has told of it
	case !oneSided:
		a.t.Errorf("%+v: %+v is booked by one side", did, p)
	default:
		for _, party := range a.units[p.Unit] {
			if party.Account == p.Payer && party.Balance+p.Amount > 0 ||
				party.Account == p.Payee && party.Balance-p.Amount < 0 {
				a.t.Errorf("%+v: %+v goes beyond zero of %+v", did, p, party)
			}
		}
	}
}

// asMade fails where a button has moved a payment in or out of the books though the
// balances are others than those that it was made for.
func (a *auditor) asMade(did act, p store.Payment) {
	a.t.Helper()
	then, seen := a.made[did.press]
	if !seen {
		return
	}
	for _, now := range a.units[p.Unit] {
		if now.Account != p.Payer && now.Account != p.Payee {
			continue
		}
		for _, was := range then[p.Unit] {
			same := was.Number == now.Number || was.Account == store.House && now.Account == store.House
			if same && was.Balance != now.Balance {
				a.t.Errorf("%+v: %+v counts by a button that was made when %+v stood at %d", did, p, now, was.Balance)
			}
		}
	}
}

// asked are the commands of the evenings, beside presses.
var asked = []string{
	"/coin 10", "/shutbox 5", "/shutbox 7 golf turn=1m", "/wuerfelpoker point=2", "/coin", "/coin 3 turn=1m absent=out",
	"/table", "/abandon",
	"/settle", "/settle", "/settle", "/settle", "/settle payments", "/settle why", "/settle paid 3 Ben",
	"/settle got 3 Anna", "/settle paid 2 Clara", "/settle got 4 Clara",
	"/settle paid 5 house", "/settle got 5 house", "/settle paid 1 gone 1", "/settle got 1 gone 1", "/settle confirm 1",
	"/settle back 1", "/settle back 2",
	"/season", "/season Winter", "/house keep Friday", "/house", "/handover", "/leaderboard", "/history", "/review",
	"/puzzle", "/stats", "/skill",
	"/forget", "/help", "/unit coffees", "/unit chips", "/hint", "/fair", "/language de", "/language en", "/settings",
	"/notify", "/privacy", "/luck fox",
}

// tables are commands that open one.
var tables = []string{"/coin 10", "/coin 10", "/coin 2 turn=1m", "/shutbox 5", "/shutbox 7 golf", "/shutbox 3",
	"/wuerfelpoker point=2"}

// goingOn is a button by which the table in the place goes on, "" where there is
// none.
func (h *house) goingOn(chance *rand.Rand) string {
	h.t.Helper()
	var table store.Table
	err := h.store.View(context.Background(), func(tx *store.Tx) (err error) {
		table, err = tx.TableAt("test:1/1")
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return ""
	}
	if err != nil {
		h.t.Fatal(err)
	}
	if table.State == store.Lobby {
		return fmt.Sprintf("1:%d:%d:%s", table.ID, table.Turn,
			[]string{"!join", "!join", "!start", "!house fewest"}[chance.IntN(4)])
	}
	if table.Turn > 40 && chance.IntN(4) == 0 { // of so many rounds nobody sees the end
		return fmt.Sprintf("1:%d:%d:%s", table.ID, table.Turn,
			[]string{"!end", "!end yes", "!vote yes"}[chance.IntN(3)])
	}
	var plays []string
	for _, row := range h.boardOf(table.ID).Buttons {
		for _, button := range row {
			if !strings.Contains(button.Press, ":/") && !strings.Contains(button.Press, "!end") &&
				!strings.Contains(button.Press, "!undo") {
				plays = append(plays, button.Press)
			}
		}
	}
	if len(plays) == 0 {
		return ""
	}
	return plays[chance.IntN(len(plays))]
}

// TestEveryButtonPressedTwiceLateAndByEverybody plays evenings at random, presses
// buttons of every message in and out of order, twice and by everybody, and looks
// at the books after each press.
func TestEveryButtonPressedTwiceLateAndByEverybody(t *testing.T) {
	beside(t)
	evenings, steps, again := 1, 120, 60
	if needs.IsLong() {
		evenings, steps, again = 4, 300, 200
	}
	for seed := range evenings {
		t.Run(fmt.Sprint(seed), func(t *testing.T) {
			bubble(t, func(t *testing.T) { pressEverything(t, uint64(seed), steps, again) })
		})
	}
}

func pressEverything(t *testing.T, seed uint64, steps, again int) {
	chance := rand.New(rand.NewPCG(seed, 11))
	h := newHouse(t, shutbox.Game{}, wuerfelpoker.New())
	b := &buttons{stage: newStage(), seen: map[string]bool{}}
	defer h.onStage(b)()
	a, done := h.auditor()
	defer done()
	people := []*person{h.person("Anna"), h.person("Ben"), h.person("Clara"), h.person("Dora")}
	people[0].admin, people[3].locale = true, "de"
	somebody := func() *person { return people[chance.IntN(len(people))] }
	did := func(p *person, press string, r chat.Reply) {
		t.Helper()
		if strings.Contains(r.Toast, "our side") || strings.Contains(r.Toast, "Bei uns klemmt") ||
			strings.Contains(r.Toast, "That counted, but") {
			t.Fatalf("an error of ours at %q", press)
		}
		synctest.Wait()
		if r.Private != nil {
			b.see(*r.Private)
		}
		if r.Page != nil {
			b.see(*r.Page)
		}
		a.audit(act{p, press})
		a.makes(b.all)
	}
	press := func(p *person, press string) { did(p, press, p.sends(press)) }
	byAll := func(what string) {
		for _, p := range people {
			press(p, what)
			press(p, what)
		}
	}
	for range steps {
		switch p := somebody(); chance.IntN(10) {
		case 0:
			line := asked[chance.IntN(len(asked))]
			did(p, "", p.writes(line))
		case 1:
			did(p, "", p.writes("/settle"))
			press(p, b.all[len(b.all)-1-chance.IntN(min(len(b.all), 5))])
		case 2: // whatever was seen, by everybody, twice
			if len(b.all) > 0 {
				byAll(b.all[chance.IntN(len(b.all))])
			}
		case 3:
			h.wait(time.Duration(chance.IntN(90)) * time.Second)
			synctest.Wait()
			did(p, "", chat.Reply{})
		case 4: // what was seen last
			if n := len(b.all); n > 0 {
				press(p, b.all[n-1-chance.IntN(min(n, 12))])
			}
		default:
			for range 1 + chance.IntN(12) {
				play := h.goingOn(chance)
				if play == "" {
					did(p, "", p.writes(tables[chance.IntN(len(tables))]))
					break
				}
				h.wait(3 * time.Second) // for the house
				for _, p := range people {
					press(p, play)
				}
			}
		}
	}
	late := append([]string{}, b.all...)
	chance.Shuffle(len(late), func(i, j int) { late[i], late[j] = late[j], late[i] })
	for _, what := range late[:min(len(late), again)] {
		byAll(what)
	}
	h.sound()
	t.Logf("%d buttons, %v", len(b.all), a)
}
