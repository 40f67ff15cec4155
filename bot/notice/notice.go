package notice

import (
	"context"
	"errors"
	"fmt"
	"time"

	"knobel/bot"
	"knobel/bot/chat"
	"knobel/bot/loop"
	"knobel/store"
)

// Draw renders a notice of one kind. ok is false if there is nothing to say: it is then not posted.
type Draw func(tx *store.Tx, n store.Notice) (m chat.Message, ok bool, err error)

// Notices posts and edits the notices of all kinds: messages that the bot writes unasked.
type Notices struct {
	*bot.Bot
	posts  *Posts
	kinds  map[string]Draw
	posted map[string]func(tx *store.Tx, n store.Notice) error // by kind
}

// New returns the notices of a bot. Kind adds kinds of notices.
func New(b *bot.Bot) *Notices {
	n := &Notices{Bot: b, kinds: map[string]Draw{}, posted: map[string]func(*store.Tx, store.Notice) error{}}
	n.posts = &Posts{Bot: b, Tasks: loop.NewTasks(b.Clock, b.Sweep), Sort: "notice", Scope: store.OfNotice,
		Repeats: true, Read: read, Save: n.save, Render: n.render, After: n.pin,
		Stale: func(tx *store.Tx, prefix string) ([]store.Row, error) {
			return tx.Calls.StaleNotices(prefix, b.Now(), AtOnce)
		},
	}
	return n
}

// Kind sets how the notices of a kind are drawn. Call it before the bot runs.
func (n *Notices) Kind(name string, draw Draw) { n.kinds[name] = draw }

// Posted sets what runs in the transaction that stores the message of a notice of a kind. Call it before the bot runs.
func (n *Notices) Posted(kind string, do func(tx *store.Tx, n store.Notice) error) {
	n.posted[kind] = do
}

// Feature returns the loop that posts, edits, pins and unpins notices.
func (n *Notices) Feature() bot.Feature {
	return bot.Feature{Loops: []bot.Loop{{Wake: n.posts.Waker, Waits: "post notices failed", Look: n.look,
		Ends: n.posts.Wait}}}
}

// look is one pass of the loop. soon is the time until the next notice is due; 0: the usual time.
func (n *Notices) look(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	soon, err = n.posts.Update(ctx, c)
	if err != nil {
		return soon, err
	}
	now, next := n.Now(), int64(0)
	err = n.Due(ctx, func(tx *store.Tx) (err error) {
		next, err = tx.Calls.NextNotice(now)
		return err
	})
	if wait := time.Duration(next-now) * time.Millisecond; next > 0 && (soon == 0 || wait < soon) {
		soon = wait
	}
	return soon, err
}

// Add stores a notice, which is posted when it is due. If there is one of its Chat, Kind, Subject and At, it is a
// no-op.
func (n *Notices) Add(v *bot.Visit, added store.Notice) error {
	added.Version = 1
	n.wake(v, added)
	return v.Tx.Calls.AddNotice(added)
}

// Change stores a notice whose message changes, and has it edited after the commit. If it is not posted yet, it is
// posted when it is due.
func (n *Notices) Change(v *bot.Visit, changed store.Notice) error {
	changed.Version++
	n.wake(v, changed)
	return v.Tx.Calls.SaveNotice(changed)
}

// wake makes the loop look at a notice after the commit, in this process and on the replica that has the chat's lease.
func (n *Notices) wake(v *bot.Visit, changed store.Notice) {
	v.DueBy(changed.Due)
	v.After(func(context.Context, *bot.Core) error {
		n.posts.Waker.Wake()
		return nil
	})
}

// pin pins or unpins the message of a notice. Where the bot may not, it does not try again.
func (n *Notices) pin(ctx context.Context, platform chat.Platform, row store.Row) error {
	var stored store.Notice
	err := n.Store.View(ctx, func(tx *store.Tx) (err error) {
		stored, err = tx.Calls.Notice(row.ID)
		return err
	})
	if err != nil || stored.Pin == stored.Pinned {
		return err
	}
	place, ref := chat.Place(stored.Place), chat.Ref(stored.Message)
	pinner := platform.Traits(place).Pinner
	switch {
	case pinner == nil || ref == "":
		err = chat.ErrAway
	case stored.Pin:
		err = pinner.Pin(ctx, place, ref)
	default:
		err = pinner.Unpin(ctx, place, ref)
	}
	cannot := errors.Is(err, chat.ErrAway) || errors.Is(err, chat.ErrGone)
	if err != nil && !cannot {
		return err
	}
	return n.Store.UpdateOf(ctx, store.OfNotice(row.ID), func(tx *store.Tx) error {
		now, err := tx.Calls.Notice(row.ID)
		if err != nil {
			return err
		}
		if now.Pinned = stored.Pin; cannot {
			now.Pin, now.Pinned = false, false
		}
		return tx.Calls.SaveNotice(now)
	})
}

// read returns what is stored of the message of a notice.
func read(tx *store.Tx, id int64) (store.Posted, error) {
	n, err := tx.Calls.Notice(id)
	return n.Posted, err
}

// save stores the message of a notice. If it is new, it runs what Posted has set.
func (n *Notices) save(tx *store.Tx, id int64, posted store.Posted) error {
	stored, err := tx.Calls.Notice(id)
	if err != nil {
		return err
	}
	isNew := stored.Message != posted.Message && posted.Message != ""
	stored.Posted = posted
	if err := tx.Calls.SaveNotice(stored); err != nil || !isNew || n.posted[stored.Kind] == nil {
		return err
	}
	return n.posted[stored.Kind](tx, stored)
}

// render returns the message of a notice, which notifies no one after it was posted.
func (n *Notices) render(tx *store.Tx, id int64) (*chat.Message, error) {
	stored, err := tx.Calls.Notice(id)
	if err != nil {
		return nil, err
	}
	m, ok, err := n.kinds[stored.Kind](tx, stored)
	if err != nil || !ok {
		return nil, err
	}
	m.Once = fmt.Sprintf("notice %d of %s, subject %d, at %d", stored.ID, stored.Kind, stored.Subject, stored.At)
	return &m, nil
}
