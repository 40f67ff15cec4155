package simulation

import (
	"fmt"
	"math"
	"regexp"
	"strings"
	"time"

	"knobel/store"
)

// hoard is less than everything that people pay of their own accord, and more than what they owe from games.
const hoard = 1_000_000

// pays reports a payment to another person in the hall. No person pays the same amount twice, and seldom is anything
// paid in a hall: where answers wait for each other because a platform takes only so many, a seed does not live
// through the same.
func (p *person) pays() {
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
	p.says("settle", option{"what", fmt.Sprint("paid ", hoard+p.w.told, " ", others[p.chance.IntN(len(others))])})
}

var payment = regexp.MustCompile(`paid (\d+)`)

// amountOf is the amount that a command or a button tells to have been paid, 0: none.
func amountOf(said string) int64 {
	if found := payment.FindStringSubmatch(said); found != nil {
		return whole(found[1])
	}
	return 0
}

// settled fails if an amount was paid more often than people have told of it.
func (w *town) settled() {
	w.Helper()
	all := w.paidAmounts()
	w.payments = len(all)
	for amount, times := range all {
		if times > w.paid[amount] {
			w.Errorf("seed %d: %d was paid %d times and told %d times", w.seed, amount, times, w.paid[amount])
		}
	}
}

// kept fails unless a confirmed payment is in the books.
func (w *town) kept(d *deed) {
	w.Helper()
	if w.paidAmounts()[d.paid] == 0 {
		w.Errorf("seed %d: %s was told that %d is paid, and it is not stored", w.seed, d.who.called, d.paid)
	}
}

// paidAmounts are how often each amount stands in the books as paid.
func (w *town) paidAmounts() map[int64]int {
	w.Helper()
	all := map[int64]int{}
	w.view(func(tx *store.Tx) error {
		read := map[string]bool{}
		for _, h := range w.halls {
			chat := h.name()[:strings.LastIndex(h.name(), ":")]
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
