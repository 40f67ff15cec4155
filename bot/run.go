package bot

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"knobel/bot/chat"
	"knobel/bot/lease"
	"knobel/bot/loop"
	"knobel/bot/outbox"
	"knobel/store"
)

// Running and stopping the platforms and loops.

// flushWithin is how long stale boards are still drawn after the platforms have stopped.
const flushWithin = 5 * time.Second

// Run listens on all platforms and draws boards until ctx is done. It then lets the platforms finish, draws stale
// boards for at most flushWithin, and returns. A failed platform is restarted with growing pauses. If other replicas
// continue, they draw the stale boards.
func (c *Core) Run(ctx context.Context, platforms ...chat.Platform) {
	drawCtx, stop := context.WithCancel(context.WithoutCancel(ctx))
	defer stop()
	var wakers []loop.Waker
	for range platforms {
		wakers = append(wakers, loop.NewWaker())
	}
	for _, f := range c.features {
		for _, l := range f.Loops {
			wakers = append(wakers, l.Wake)
		}
	}
	c.Leases.Gained(func() {
		for _, w := range wakers {
			w.Wake()
		}
	})
	defer c.holdLeases(ctx)()
	if c.Leases.Shared() {
		hintCtx, stopHints := context.WithCancel(drawCtx)
		var receiving sync.WaitGroup
		receiving.Go(func() { c.receiveHints(hintCtx, wakers[len(platforms):]) })
		defer receiving.Wait()
		defer stopHints()
	}
	queues := make([]*outbox.Queue, len(platforms))
	for i, p := range platforms {
		c.traits.Store(p.Name(), p.Traits)
		queues[i] = c.Outbox.Start(drawCtx, p)
		p.Heard(func() {
			for _, f := range c.features {
				f.Heard.Wake()
			}
		})
	}
	loops := c.loopSettings()
	var running sync.WaitGroup
	for i, p := range platforms {
		running.Go(func() { c.listen(ctx, p) })
		running.Go(func() {
			loops.Run(ctx, wakers[i], "draw boards failed",
				func(ctx context.Context) (time.Duration, error) { return 0, queues[i].Sweep(ctx) })
		})
	}
	for _, f := range c.features {
		for _, l := range f.Loops {
			running.Go(func() {
				loops.Run(ctx, l.Wake, l.Waits,
					func(ctx context.Context) (time.Duration, error) { return l.Look(ctx, c) })
				if l.Ends != nil {
					l.Ends()
				}
			})
		}
	}
	<-ctx.Done()
	c.Outbox.Embed(nil)                 // boards are drawn even if people follow pages
	if c.Leases.Part("").Replicas > 1 { // the only replica keeps its leases, to draw stale boards
		c.Leases.Yield()
	}
	flush, cancel := context.WithTimeout(drawCtx, flushWithin)
	defer cancel()
	waitFor(flush, &running)
	if err := c.Outbox.Sweep(flush); err != nil && flush.Err() == nil {
		c.Log.ErrorContext(flush, "draw boards before shutdown failed", "error", err)
	}
	for _, q := range queues {
		q.Rest(flush)
	}
	stop()
	for _, q := range queues {
		q.Close()
	}
	running.Wait()
}

// holdLeases acquires leases and renews them in the background until end is called, which releases them.
func (c *Core) holdLeases(ctx context.Context) (end func()) {
	chat.LogFailure(ctx, c.Log.Error, "acquire leases failed; retrying", c.Leases.Start(ctx))
	holding, stop := context.WithCancel(context.WithoutCancel(ctx))
	var running sync.WaitGroup
	running.Go(func() { c.Leases.Run(holding) })
	return func() {
		stop()
		running.Wait()
	}
}

// Traits returns the traits of a place (channel or thread), or zero if its platform has never run.
func (b *Bot) Traits(place chat.Place) chat.Traits {
	of, _ := b.traits.Load(chat.PlatformOf(string(place)))
	if of, runs := of.(func(chat.Place) chat.Traits); runs {
		return of(place)
	}
	return chat.Traits{}
}

// loopSettings returns the settings with which all loops of the bot run.
func (c *Core) loopSettings() loop.Loop {
	sweep := c.Sweep
	if c.Leases.Shared() {
		sweep = min(sweep, sharedSweep)
	}
	return loop.Loop{Clock: c.Clock, Sweep: sweep, Log: c.Log, Rests: c.Leases.Shared()}
}

// sharedSweep is the longest pause between passes of a loop if other replicas may create work for it.
const sharedSweep = 3 * time.Second

// waitFor blocks until group is done or ctx ends.
func waitFor(ctx context.Context, group *sync.WaitGroup) {
	done := make(chan struct{})
	go func() {
		group.Wait()
		close(done)
	}()
	select {
	case <-done:
	case <-ctx.Done():
	}
}

// listen runs a platform until ctx is done. After an error or a panic it restarts it, with growing pauses.
func (c *Core) listen(ctx context.Context, p chat.Platform) {
	backoff := chat.Pauses()
	for {
		began := c.Clock.Now()
		err := loop.Safely(func() error { return p.Run(ctx, c) })
		if ctx.Err() != nil {
			if err != nil && !errors.Is(err, ctx.Err()) {
				c.Log.ErrorContext(ctx, "platform stopped", "platform", p.Name(), "error", err)
			}
			return
		}
		if c.Clock.Now().Sub(began) > backoff.MaxInterval {
			backoff.Reset()
		}
		pause := backoff.NextBackOff()
		c.Log.ErrorContext(ctx, "platform stopped; restarting", "platform", p.Name(), "retry_in", pause,
			"error", err)
		select {
		case <-c.Clock.After(pause):
		case <-ctx.Done():
			return
		}
	}
}

// Migrate gives a chat, with its tables, payments and settings, a new id: from is the old one, to the new one. newPlace
// returns the new id of each of the chat's places (channels, threads). Repeating a migration is a no-op.
func (c *Core) Migrate(ctx context.Context, from, to chat.Chat, newPlace func(chat.Place) chat.Place) error {
	err := c.Store.UpdateOf(ctx, store.OfAll, func(tx *store.Tx) error {
		return tx.Upkeep.Migrate(string(from), string(to),
			func(p string) string { return string(newPlace(chat.Place(p))) })
	})
	if err != nil {
		return fmt.Errorf("migrate %s to %s: %w", from, to, err)
	}
	return c.Outbox.Sweep(ctx)
}

// Noted returns the text that a platform has stored with Note under this name, "" for none.
func (c *Core) Noted(ctx context.Context, name string) (value string, err error) {
	err = c.Store.View(ctx, func(tx *store.Tx) (err error) {
		value, err = tx.Chats.Setting(notePrefix + name)
		return err
	})
	return value, err
}

// Note stores a text for a platform across restarts; "" deletes it.
func (c *Core) Note(ctx context.Context, name, value string) error {
	return c.Store.Update(ctx, func(tx *store.Tx) error { return tx.Chats.SaveSetting(notePrefix+name, value) })
}

// notePrefix begins the names of the platforms' texts among the installation's settings in the database.
const notePrefix = "note "

// Lost stores that the bot can no longer reach a place (channel or thread), or with place "" the whole chat. Its tables
// are kept, and drawn again after an event from there or a move to another place.
func (b *Bot) Lost(ctx context.Context, chat chat.Chat, place chat.Place) error {
	err := b.Store.UpdateOf(ctx, store.OfChat(string(chat)), func(tx *store.Tx) error {
		return tx.Tables.LosePlace(string(chat), string(place))
	})
	if err != nil {
		return fmt.Errorf("lose %s of %s: %w", place, chat, err)
	}
	return nil
}

// Hints between replicas: messages about work for the one that runs a chat's loops. If one is lost, the sweep finds the
// work.

// maxHints is the length of the queue of received hints. Further ones are dropped; the sweep finds their work.
const maxHints = 1024

// receiveHints receives other replicas' hints until ctx is done: it wakes wakers, and draws the boards that hints name.
func (c *Core) receiveHints(ctx context.Context, wakers []loop.Waker) {
	hints := make(chan lease.Hint, maxHints)
	stop := c.Store.Hints(func(text string) {
		hint, ok := lease.ParseHint(text)
		if _, held := c.Leases.SinceOf(hint.Share); !ok || !held {
			return
		}
		select {
		case hints <- hint:
		default:
		}
	})
	defer stop()
	for {
		select {
		case hint := <-hints:
			for i := 0; hint.Wake && i < len(wakers); i++ {
				wakers[i].Wake()
			}
			for _, table := range hint.Tables {
				c.Outbox.Hinted(ctx, table, hint.Stood)
			}
		case <-ctx.Done():
			return
		}
	}
}

// Metrics and log entries of events.

// Meter counts events. It is called at every press, so it is quick, safe for concurrent use, and allocates nothing.
type Meter interface {
	// Handled counts an event by its platform, kind and outcome. took is the time in Core.Handle, which includes the
	// commit but not the adapter's own work.
	Handled(platform string, kind Deed, outcome Outcome, took time.Duration)
}

// Deed is the kind of an event.
type Deed string

// The kinds of events.
const (
	Commanded Deed = "command"
	Pressed   Deed = "press"
	Came      Deed = "coming" // a person joined, left or was renamed
)

// Outcome is the result of an event.
type Outcome string

// The outcomes.
const (
	Done    Outcome = "done"
	Refused Outcome = "refused" // with a reason for the person
	Failed  Outcome = "failed"  // an error of ours
)

// deedOf returns the kind of an event.
func deedOf(ev chat.Event) Deed {
	switch {
	case ev.Command != "":
		return Commanded
	case ev.Press != "":
		return Pressed
	}
	return Came
}

// eventForLog returns the kind of an event and its command or verb, without texts of people, which may hold names.
func (b *Bot) eventForLog(ev chat.Event) string {
	text, name := string(deedOf(ev)), ev.Command
	if p, _ := chat.ParsePress(ev.Press); p.What != "" && name == "" {
		verb, _, _ := strings.Cut(p.What, " ")
		if !strings.HasPrefix(verb, "/") {
			return text + " " + verb
		}
		name = verb[1:]
	}
	if slices.ContainsFunc(b.AllCommands, func(c Command) bool { return c.Name == name }) {
		text += " /" + name
	}
	return text
}
