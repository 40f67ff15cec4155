package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"knobel/bot/chat"
	"knobel/store"
)

// sent is a press sent by a guest.
type sent struct {
	by       *visitor
	id       string
	press    string
	answered bool // an answer came
	refused  bool
}

// guest is a visitor of the browser page, whose requests go to another replica if the preferred one does not answer.
type guest struct {
	*visitor
	name    string
	at      atomic.Int64 // index of the preferred replica
	sent    []*sent
	good    atomic.Int64 // presses that were carried out
	again   int          // presses that had to be sent again
	streams atomic.Int64 // number of times the event stream was opened
	slowest time.Duration
}

// guest returns a new guest who prefers the replica with this index.
func (f *fleet) guest(index int) *guest {
	f.t.Helper()
	g := &guest{name: fmt.Sprint("guest-", index), visitor: &visitor{client: browser(f.t),
		base: "http://" + f.all[0].listen, news: make(chan struct{}, 1)}}
	g.at.Store(int64(index))
	g.client.Transport = &http.Transport{DialContext: f.dial(g.at.Load), ResponseHeaderTimeout: patience}
	said, err := g.client.PostForm(g.base+"/sign-in", url.Values{"secret": {f.secret}})
	check(f.t, err)
	_ = said.Body.Close()
	if status, text := fetch(f.t, g.client, g.base+"/me", struct{}{}); status != http.StatusOK {
		f.t.Fatalf("%s is not let in: %d %s", g.name, status, text)
	}
	return g
}

// patience is the time after which a page sends a request again.
const patience = 15 * time.Second

// watch reads the event stream until ctx is done. If a replica does not answer it reconnects to another.
func (g *guest) watch(ctx context.Context) {
	for ctx.Err() == nil {
		g.streams.Add(1)
		g.follow(ctx)
		g.at.Add(1)
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
		}
	}
}

// mustPress sends a press until there is an answer, as a page does. again reports whether it was repeated.
func (g *guest) mustPress(ctx context.Context, path string, body map[string]any) (a told, again bool, err error) {
	began := time.Now()
	for {
		a, err = g.post(path, body)
		if err == nil {
			g.slowest = max(g.slowest, time.Since(began))
			return a, again, nil
		}
		again = true
		g.at.Add(1)
		select {
		case <-time.After(50 * time.Millisecond):
		case <-ctx.Done():
			return a, again, fmt.Errorf("%s %v: %w", path, body, err)
		}
	}
}

// play presses random buttons until ctx is done. late ends the retries of the last press.
func (g *guest) play(ctx, late context.Context, chance *rand.Rand) {
	for n := 0; ctx.Err() == nil; n++ {
		g.mu.Lock()
		on := g.ref
		g.mu.Unlock()
		button, ok := choose(g.newest(), chance)
		if ok {
			g.try(late, fmt.Sprint(g.name, "-", n), button, on)
		}
		select {
		case <-g.news:
		case <-time.After(leisure / 2): // time to read the board
		case <-ctx.Done():
		}
	}
}

// try presses button of the board with the reference on. It repeats the request, with the same id, until answered.
func (g *guest) try(ctx context.Context, id, button string, on chat.Ref) {
	p := &sent{by: g.visitor, id: id, press: button}
	a, again, err := g.mustPress(ctx, "/press", map[string]any{"id": id, "as": 0, "press": button, "on": on})
	p.answered = err == nil
	if again {
		g.again++
	}
	// After a retry, a reply without a board means that an earlier try was handled, with unknown success.
	p.refused = a.Refused || again && a.Board == 0
	if p.answered && !p.refused {
		g.good.Add(1)
	}
	g.sent = append(g.sent, p)
}

// startGuest lets a guest open a table and press random buttons until stop is called.
func (f *fleet) startGuest() (g *guest, stop func()) {
	f.t.Helper()
	g = f.guest(0)
	go g.watch(f.t.Context())
	g.opens(f.t, "/shutbox 7")
	ctx, stopped := context.WithCancel(f.t.Context())
	var playing sync.WaitGroup
	playing.Go(func() { g.play(ctx, f.t.Context(), rand.New(rand.NewPCG(2026, 17))) })
	return g, func() {
		stopped()
		playing.Wait()
	}
}

// checkNothingTwice fails unless Telegram has one table for each command and each rematch, and at most one computer
// player for each press that adds one: repeated deliveries have no effect.
func checkNothingTwice(t *testing.T, db string, people []*player) {
	t.Helper()
	wanted, commands := map[int64]int{}, 0
	for _, c := range people {
		if c.discord {
			continue
		}
		commands++
		for table, presses := range c.houses {
			wanted[table] += presses
		}
	}
	tables, again := 0, 0
	viewDatabase(t, db, func(tx *store.Tx) error {
		return tx.Tables.Tables(func(id int64) error {
			table, err := tx.Tables.Table(id)
			if err != nil || !strings.HasPrefix(table.Chat, "telegram:") {
				return err
			}
			tables++
			houses := 0
			for _, seat := range table.Seats {
				if seat.House != "" {
					houses++
				}
			}
			if houses > wanted[id] {
				t.Errorf("table %d has %d house seats, %d were asked for", id, houses, wanted[id])
			}
			if table.Rematch != 0 {
				again++
				wanted[table.Rematch] += houses // computer players stay for a rematch
			}
			return nil
		})
	})
	if tables != commands+again {
		t.Errorf("%d tables after %d commands and %d rematches", tables, commands, again)
	}
}

// describeWaiting returns, for error messages, the boards of players with absent friends and the last replies.
func (p *party) describeWaiting() (all string) {
	for _, c := range p.people {
		if !c.waiting {
			continue
		}
		all += fmt.Sprintf("at %s they see %+v", c.place(), c.board())
		for _, a := range c.presses[max(len(c.presses)-3, 0):] {
			said, _ := a.answer()
			all += fmt.Sprintf("; %s: %q", a.move, said)
		}
		all += "\n"
	}
	return all
}

// makeRemindersDue makes the reminders of absent friends due, and returns their number.
func (p *party) makeRemindersDue() (waiting int64) {
	if len(p.friends()) == 0 {
		return 0
	}
	db := p.openDirect()
	defer db.Close()
	done, err := db.ExecContext(p.t.Context(), `UPDATE calls SET due = 1 WHERE due > 0 AND NOT sent
		AND table_id IN (SELECT id FROM tables WHERE place = ANY($1))`, slices.Collect(maps.Keys(p.friends())))
	if err == nil {
		waiting, err = done.RowsAffected()
	}
	check(p.t, err)
	return waiting
}

// friends returns the absent friends, by the place of their game.
func (p *party) friends() map[string]string {
	all := map[string]string{}
	for _, c := range p.people {
		if c.waiting {
			all[c.place()] = c.friend()
		}
	}
	return all
}

// remindersSent returns the number of reminders sent to each friend. Discord counts those with the same nonce as one.
func (p *party) remindersSent() map[string]int {
	p.t.Helper()
	all, nonces := map[string]int{}, map[string]bool{}
	for _, call := range p.telegram.Calls("sendMessage") {
		for _, friend := range p.friends() {
			if call.Status == http.StatusOK && strings.Contains(call.Params["text"], fmt.Sprintf(`tg://user?id=%s"`, friend)) {
				all[friend]++
			}
		}
	}
	for _, call := range p.discord.Requests("POST /channels/") {
		var said struct {
			Content, Nonce string
		}
		if call.Status != http.StatusOK || json.Unmarshal(call.Body, &said) != nil || nonces[said.Nonce] {
			continue
		}
		nonces[said.Nonce] = true
		for _, friend := range p.friends() {
			if strings.Contains(said.Content, "<@"+friend+">") {
				all[friend]++
			}
		}
	}
	return all
}
