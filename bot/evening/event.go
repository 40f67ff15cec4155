package evening

import (
	"context"
	"errors"
	"math"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/table"
	"knobel/games"
	"knobel/store"
)

// The events of platforms that show evenings in a calendar of their own.

// eventAgain is the pause before an event is changed again after a failure.
const eventAgain = 5 * time.Minute

// syncEvents starts to change the events of platforms so that they show their evenings. soon is the time until failed
// changes are due again.
func (b *Evenings) syncEvents(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	for _, platform := range c.Outbox.Platforms() {
		var rows []store.Row
		err = errors.Join(err, b.Due(ctx, func(tx *store.Tx) (err error) {
			rows, err = tx.Calls.UnsyncedEvenings(platform.Name()+":", atOnce)
			return err
		}))
		for _, row := range rows {
			sync := func(ctx context.Context, _ int64) error { return b.syncEvent(ctx, platform, row) }
			b.events.Go(ctx, platform.Name(), row.ID, sync, func(err error) {
				b.Log.WarnContext(ctx, "change event failed", "evening", row.ID, "error", err)
			})
		}
	}
	return b.events.Rested(), err
}

// syncEvent makes the platform's event show an evening as it is stored, or deletes the event of one that was switched
// off.
func (b *Evenings) syncEvent(ctx context.Context, platform chat.Platform, row store.Row) error {
	scope, held := b.Under(store.OfEvening(row.ID), row.Chat)
	if !held {
		return nil
	}
	var e store.Evening
	var o chat.Occasion
	err := b.Store.View(ctx, func(tx *store.Tx) (err error) {
		if e, err = tx.Calls.Evening(row.ID); err == nil {
			o, err = b.occasion(tx, e)
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return nil
	}
	if err == nil {
		err = b.StillUnder(ctx, scope)
	}
	if err != nil {
		return err
	}
	event, calendar := e.Event, platform.Traits(chat.Place(e.Place)).Calendar
	switch {
	case calendar == nil || event == store.LeftEvent || e.Over && event == "":
	case e.Over:
		err = calendar.Unschedule(ctx, chat.Place(e.Place), event)
	default:
		if event, err = calendar.Schedule(ctx, chat.Place(e.Place), o); errors.Is(err, chat.ErrGone) {
			event, err = store.LeftEvent, nil
		}
	}
	if errors.Is(err, chat.ErrAway) { // tried again after the next evening
		event, err = e.Event, nil
	}
	if err != nil {
		return err
	}
	return b.Store.UpdateOf(context.WithoutCancel(ctx), store.OfEvening(row.ID), func(tx *store.Tx) error {
		now, err := tx.Calls.Evening(row.ID)
		if err == nil && now.Over && e.Over {
			return tx.Calls.DropEvening(now.ID)
		}
		unchanged := now == e // else it has to be changed again
		if now.Event, now.Synced = event, unchanged; err == nil {
			err = tx.Calls.SaveEvening(&now)
		}
		return err
	})
}

// occasion returns an evening as a platform's calendar shows it.
func (b *Evenings) occasion(tx *store.Tx, e store.Evening) (o chat.Occasion, err error) {
	v, err := b.quiet(tx, e.Chat, e)
	if err != nil {
		return o, err
	}
	set, err := v.Settings(e.Chat)
	if err != nil {
		return o, err
	}
	called, err := v.called(e)
	if err != nil {
		return o, err
	}
	o = chat.Occasion{Event: e.Event, Title: v.Say(games.Say("bot.evening.event", games.Args{"Game": called})),
		About: v.Say(games.Say("bot.evening.event-about", nil)), Start: time.UnixMilli(e.Start).In(set.Zone(b.Bot)),
		Weekday: time.Weekday(e.Weekday)}
	if e.Skipped > 0 {
		o.Skipped = []time.Time{time.UnixMilli(e.Skipped)}
	}
	return o, nil
}

// final returns the final of a season that takes the place of the next evening, if there is one.
func (v *visit) final(e store.Evening) (g table.Gathering, ok bool, err error) {
	all, err := v.Tx.Calls.EveningsOf(e.Chat)
	if err != nil {
		return g, false, err
	}
	set, err := v.Settings(e.Chat)
	if err != nil {
		return g, false, err
	}
	next, in := int64(math.MaxInt64), set.Zone(v.bot.Bot)
	for _, one := range all {
		start := nextStart(one, e.Start+1, in)
		if start == one.Skipped {
			start = nextStart(one, start+1, in)
		}
		next = min(next, start)
	}
	return v.FinalDue(chat.Place(e.Place), time.UnixMilli(e.Start), time.UnixMilli(next))
}
