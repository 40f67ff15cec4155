package simulation

import (
	"errors"
	"fmt"
	"math"
	"regexp"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// outage is a time in which a platform cannot be reached. to is its end, zero while it lasts. known is when the bot
// noticed the outage, zero if it had not noticed it by the end.
type outage struct{ from, to, known time.Time }

// cut makes a platform unreachable (away), or reachable again.
func (w *town) cut(platform string, away bool) {
	var link chat.Link // one that is up, else the one that broke last
	for i, r := range w.bots {
		current := map[string]chat.Platform{"telegram": r.bureau, "discord": r.phone}[platform].Link()
		if i == 0 || current.Up || !link.Up && current.Since.After(link.Since) {
			link = current
		}
	}
	map[string]func(bool){"telegram": w.telegram.Away, "discord": w.discord.Away}[platform](away)
	for _, r := range w.bots {
		if platform == "discord" { // events come without a connection that could break
			r.phone.Turn(!away)
		}
	}
	all := w.cuts[platform]
	running := len(all) > 0 && all[len(all)-1].to.IsZero()
	switch {
	case away && !running:
		w.cuts[platform] = append(all, outage{from: time.Now()})
	case !away && running:
		last := &all[len(all)-1]
		if last.to = time.Now(); !link.Up {
			last.known = link.Since
		}
	}
}

const (
	// unnoticed is how long the bot may take to notice an outage: a request without an answer has timed out by then.
	unnoticed = 70 * time.Second
	// recoveryTime is the most additional time that players get once a platform is back.
	recoveryTime = 2 * time.Minute
)

// checkOutages fails the test if the move m was played for a person while their platform was away, or too soon after it
// was back. began is the start of the turn: one that begins after the outage gets no additional time.
func (w *town) checkOutages(t store.Table, m store.Move, began time.Time) {
	w.Helper()
	platform, _, _ := strings.Cut(t.Place, ":")
	movedAt := time.UnixMilli(m.At)
	for _, o := range w.cuts[platform] {
		end := o.to
		if end.IsZero() {
			end = time.Now()
		}
		known := o.from.Add(unnoticed)
		if !o.to.IsZero() {
			known = o.known
		}
		if known.IsZero() || !end.After(known) {
			continue
		}
		if !o.to.IsZero() {
			if !began.Before(o.to) {
				continue
			}
			end = end.Add(min(end.Sub(known), recoveryTime))
		}
		// The bot may learn a moment before the town that the platform is back.
		if movedAt.After(known) && movedAt.Before(end.Add(-time.Second)) {
			w.Errorf("seed %d: at table %d seat %d was played for at %s; %s was away from %s to %s", w.seed, t.ID,
				m.Seat,
				movedAt.Format(time.TimeOnly), platform, o.from.Format(time.TimeOnly), o.to.Format(time.TimeOnly))
		}
	}
}

// TestOutagesCostNobodyATurn checks that short turns time out, but not while their platform is away for minutes.
func TestOutagesCostNobodyATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, 11, 0, trouble{lengthy: 1, hasty: true})
		guild := w.discord.Guild("The Dice")
		until := time.Now().Add(time.Hour)
		for _, at := range []hall{&group{w: w, chat: w.telegram.Group("Friends")},
			&channel{w: w, guild: guild, Channel: guild.Channel("table")}} {
			for _, p := range w.addPeople(at, 3) {
				p.absent = 0.02
				p.attend(until)
			}
		}
		for n, platform := range []string{"telegram", "discord", "telegram", "discord"} {
			from := time.Now().Add(time.Duration(10+12*n) * time.Minute)
			w.agenda.add(from, func() { w.cut(platform, true) })
			w.agenda.add(from.Add(8*time.Minute), func() { w.cut(platform, false) })
		}
		w.live(until)
		w.end()
		if w.missed == 0 {
			t.Error("nobody was ever absent")
		}
	})
}

// tolerance is how much later than planned something may happen while the bot runs.
const tolerance = time.Minute

// checkTurns fails the test if a turn should have timed out long ago.
func (w *town) checkTurns() {
	w.Helper()
	if time.Since(w.opened) < tolerance || w.fate.isDead() {
		return
	}
	w.view(func(tx *store.Tx) error {
		late, err := tx.Tables.Due(time.Now().Add(-tolerance).UnixMilli(), store.Row{}, 10)
		for _, turn := range late {
			t, err := tx.Tables.Table(turn.ID)
			if err != nil {
				return err
			}
			w.Errorf("seed %d: a turn at table %d had to be over %s ago", w.seed, t.ID,
				time.Since(time.UnixMilli(t.Clock.Due)))
		}
		return err
	})
}

// checkPings fails the test if a ping is late, or if people see more pings than running turns have plus those that may
// have been sent without the bot knowing. An answer to /notify with both buttons is not a ping.
func (w *town) checkPings() {
	w.Helper()
	stand := 0
	w.view(func(tx *store.Tx) error {
		late, err := tx.Calls.DueCalls("", time.Now().Add(-tolerance).UnixMilli(), 10)
		if err != nil {
			return err
		}
		over, err := tx.Calls.OverCalls("", 10)
		if err != nil {
			return err
		}
		for _, one := range append(late, over...) {
			c, err := tx.Calls.Call(one.ID)
			w.Errorf("seed %d: this call is late, or was left behind: %+v %v", w.seed, c, err)
		}
		return tx.Tables.Tables(func(id int64) error {
			c, err := tx.Calls.CallAt(id)
			if errors.Is(err, store.ErrNotFound) {
				return nil
			}
			if c.Sent && !c.Over {
				stand++
			}
			return err
		})
	})
	seen := 0
	for _, h := range w.halls {
		for _, m := range h.messages(nil) {
			_, off := m.buttonFor("/notify off")
			if _, on := m.buttonFor("/notify on"); off && !on {
				seen++
			}
		}
	}
	if unknown := w.fate.maybeSent() + w.lives; seen > stand+unknown {
		w.Errorf("seed %d: people see %d calls, %d stand, and %d may have been sent", w.seed, seen, stand, unknown)
	}
}

// checkAbsences fails the test if a move was played for a person before their turn time was over. It checks the first
// such move of each seat only: there, the turn time counts from the last move of another seat.
func (w *town) checkAbsences(t store.Table, moves []store.Move) {
	w.Helper()
	if t.Clock.TurnLimit <= 0 {
		return
	}
	absent := map[int]bool{}
	for n, m := range moves {
		player := t.Seats[m.Seat].Player
		if !m.Auto || absent[m.Seat] || player == "" || store.Forgotten(player) > 0 { // not a player's first absence
			continue
		}
		absent[m.Seat] = true
		began, known := w.begun[t.ID] // the start of the game; false: it was not noted before the first move
		for k := n - 1; k >= 0; k-- {
			if moves[k].Seat != m.Seat { // the turn began with the last move of another seat
				began, known = time.UnixMilli(moves[k].At), true
				break
			}
		}
		if took := time.UnixMilli(m.At).Sub(began); known && took < time.Duration(t.Clock.TurnLimit)*time.Millisecond {
			w.Errorf("seed %d: at table %d seat %d was played for after %s of %s", w.seed, t.ID, m.Seat, took,
				time.Duration(t.Clock.TurnLimit)*time.Millisecond)
		}
		w.checkOutages(t, m, began)
		w.missed++
	}
}

// noteStarts stores when games without a move have started.
func (w *town) noteStarts() {
	w.Helper()
	w.view(func(tx *store.Tx) error {
		for _, h := range w.halls {
			t, err := tx.Tables.TableHere(h.name())
			if errors.Is(err, store.ErrNotFound) {
				continue
			}
			if err != nil {
				return err
			}
			if _, noted := w.begun[t.ID]; !noted && t.State == store.Playing && t.Turn == 0 && t.Clock.Moved > 0 {
				w.begun[t.ID] = time.UnixMilli(t.Clock.Moved)
			}
		}
		return nil
	})
}

// hoard is less than each payment that people make up, and more than their debts from games.
const hoard = 1_000_000

// payOther reports a payment to another person in the hall. Each payment has a different amount. There are few in a
// hall: if answers waited for a platform's limits, a seed would not give the same events again.
func (p *person) payOther() {
	if time.Since(p.w.settledUp[p.at]) < 3*time.Minute {
		return
	}
	var others []string
	for _, other := range p.w.people {
		if other.at == p.at && other != p {
			others = append(others, other.called)
		}
	}
	if len(others) == 0 {
		return
	}
	p.w.settledUp[p.at] = time.Now()
	p.w.told++
	if p.chance.IntN(2) == 0 {
		p.at.repeat()
	}
	p.send("settle", option{"what", fmt.Sprint("paid ", hoard+p.w.told, " ", others[p.chance.IntN(len(others))])})
}

var payment = regexp.MustCompile(`paid (\d+)`)

// amountOf returns the amount of a payment in a command or a button's data, 0: none.
func amountOf(text string) int64 {
	if found := payment.FindStringSubmatch(text); found != nil {
		return parseInt(found[1])
	}
	return 0
}

// checkPayments fails the test if an amount was paid more often than people have reported it.
func (w *town) checkPayments() {
	w.Helper()
	all := w.paidAmounts()
	w.payments = len(all)
	for amount, times := range all {
		if times > w.paid[amount] {
			w.Errorf("seed %d: %d was paid %d times and told %d times", w.seed, amount, times, w.paid[amount])
		}
	}
}

// checkStoredPayment fails the test unless the payment that the answer to d has confirmed is stored.
func (w *town) checkStoredPayment(d *deed) {
	w.Helper()
	if w.paidAmounts()[d.paid] == 0 {
		w.Errorf("seed %d: %s was told that %d is paid, and it is not stored", w.seed, d.who.called, d.paid)
	}
}

// paidAmounts returns how many payments are stored for each amount.
func (w *town) paidAmounts() map[int64]int {
	w.Helper()
	all := map[int64]int{}
	w.view(func(tx *store.Tx) error {
		read := map[string]bool{}
		for _, h := range w.halls {
			chat := h.name()[:strings.LastIndex(h.name(), ":")]
			if strings.HasSuffix(chat, "@") { // each conversation is a chat
				chat = strings.Replace(h.name(), "@:", "@", 1)
			}
			if read[chat] {
				continue
			}
			read[chat] = true
			for _, state := range []string{store.Told, store.Withdrawn, store.Confirmed, store.Back} {
				some, err := tx.Books.Payments(chat, state, math.MaxInt32)
				if err != nil {
					return err
				}
				for _, p := range some {
					all[p.Amount]++
				}
			}
		}
		return nil
	})
	return all
}
