package table

import (
	"context"
	"errors"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/games"
	"knobel/store"
)

// openThread opens a table in a thread of its own, after all other checks.
func (v *Visit) openThread(t store.Table) error {
	g, err := v.bot.Game(t.Game)
	if err != nil {
		return err
	}
	name := v.Say(v.bot.TableLabel(g, t.Rules)) + " · " + v.Player.Name
	thread, err := v.Ask("thread", func(ctx context.Context, _ *bot.Core, ev chat.Event) (any, error) {
		return v.bot.threadOf(ctx, ev, v.At, name)
	})
	if err != nil {
		return err
	}
	v.Reply.At = thread.(chat.Place)
	t.Place = string(v.Reply.At)
	if t, err = v.add(t); err != nil {
		return err
	}
	v.Draw(t, true)
	v.Toast("bot.thread.opened", nil)
	return nil
}

// threadOf returns the thread for an event's table: the one opened before or a new one. The request is stored first: if
// the bot ends in between, the redelivered event opens no second thread.
func (b *Tables) threadOf(ctx context.Context, ev chat.Event, at int64, name string) (chat.Place, error) {
	if ev.Thread == nil {
		if ev.NoThread.Key != "" {
			return "", &games.Refusal{Line: ev.NoThread}
		}
		return "", games.Refuse("bot.thread.nowhere", nil)
	}
	if place := b.opened.of(ev.ID); place != "" {
		return place, nil
	}
	if ev.ID != "" {
		var asked bool
		err := b.Store.Update(ctx, func(tx *store.Tx) (err error) {
			asked, err = tx.Chats.Seen(ev.ID+":thread", at)
			return err
		})
		if err != nil {
			return "", err
		}
		if asked {
			return "", games.Refuse("bot.thread.again", nil)
		}
	}
	place, err := b.askThread(ctx, ev, name)
	if err == nil {
		b.opened.note(ev.ID, place)
	}
	return place, err
}

// askThread asks the platform for a thread. Missing permissions become a refusal.
func (b *Tables) askThread(ctx context.Context, ev chat.Event, name string) (place chat.Place, err error) {
	defer loop.Rescue(&err)
	place, err = ev.Thread(ctx, name)
	if missing, isMissing := errors.AsType[chat.MissingPermissions](err); isMissing {
		return "", &games.Refusal{Line: missing.Line("bot.thread.missing")}
	}
	return place, err
}

// of returns the thread opened for an event, or "".
func (o *opened) of(event string) chat.Place {
	o.mu.Lock()
	defer o.mu.Unlock()
	return o.threads[event]
}

// note stores the thread of an event.
func (o *opened) note(event string, thread chat.Place) {
	o.mu.Lock()
	defer o.mu.Unlock()
	if o.threads == nil || len(o.threads) >= maxOpened {
		o.threads = map[string]chat.Place{}
	}
	if event != "" {
		o.threads[event] = thread
	}
}
