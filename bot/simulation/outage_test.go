package simulation

import (
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// outage is a time in which a platform cannot be reached; it ends at zero while
// it lasts. known is since when the bot had known of it in the end, zero: it had not.
type outage struct{ from, to, known time.Time }

// cut has a platform be away, or back.
func (w *town) cut(platform string, away bool) {
	link := w.linkTo(platform)
	map[string]func(bool){"telegram": w.telegram.Away, "discord": w.discord.Away}[platform](away)
	for _, r := range w.bots {
		if platform == "discord" { // there is no connection that could break
			r.phone.Turn(!away)
		}
	}
	all := w.cuts[platform]
	lasts := len(all) > 0 && all[len(all)-1].to.IsZero()
	switch {
	case away && !lasts:
		w.cuts[platform] = append(all, outage{from: time.Now()})
	case !away && lasts:
		last := &all[len(all)-1]
		if last.to = time.Now(); !link.Up {
			last.known = link.Since
		}
	}
}

// linkTo is how the bot is connected to a platform that noticed last how that is.
func (w *town) linkTo(platform string) (last chat.Link) {
	for i, r := range w.bots {
		link := map[string]chat.Platform{"telegram": r.bureau, "discord": r.phone}[platform].Link()
		if i == 0 || link.Up || !last.Up && link.Since.After(last.Since) {
			last = link
		}
	}
	return last
}

const (
	// unnoticed is how long the bot may take to see that a platform is away: a
	// request that hangs is given up by then.
	unnoticed = 70 * time.Second
	// breath is what everybody has at most when a platform is back.
	breath = 2 * time.Minute
)

// unheard fails if a turn was played for a person while their platform was away, or as soon as it was back. A turn
// that began when it was back already, as by a press that had waited there, lasts no longer than others.
func (w *town) unheard(t store.Table, m store.Move, began time.Time) {
	w.Helper()
	platform, _, _ := strings.Cut(t.Place, ":")
	at := time.UnixMilli(m.At)
	for _, o := range w.cuts[platform] {
		until := o.to
		if until.IsZero() {
			until = time.Now()
		}
		known := o.from.Add(unnoticed)
		if !o.to.IsZero() {
			known = o.known
		}
		if known.IsZero() || !until.After(known) {
			continue
		}
		if !o.to.IsZero() {
			if !began.Before(o.to) {
				continue
			}
			until = until.Add(min(until.Sub(known), breath))
		}
		if at.After(known) && at.Before(until) {
			w.Errorf("seed %d: at table %d seat %d was played for at %s; %s was away from %s to %s", w.seed, t.ID,
				m.Seat,
				at.Format(time.TimeOnly), platform, o.from.Format(time.TimeOnly), o.to.Format(time.TimeOnly))
		}
	}
}

// TestOutagesCostNobodyATurn: while a platform is away for minutes, again and
// again, no turn there is over, however short it is, and elsewhere it is.
func TestOutagesCostNobodyATurn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		w := newTown(t, 11, trouble{lengthy: 1, hasty: true})
		guild := w.discord.Guild("The Dice")
		until := time.Now().Add(time.Hour)
		for _, at := range []hall{&group{w: w, chat: w.telegram.Group("Friends")},
			&channel{w: w, guild: guild, Channel: guild.Channel("table")}} {
			for _, p := range w.settle(at, 3) {
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
