// Package notice posts and edits messages beside boards, from stored state: puzzles, and notices, which the bot writes
// unasked.
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

const (
	// AtOnce is how many messages are drawn per platform in one pass.
	AtOnce = 64
	// postWithin is the timeout of drawing one message, including the wait for the platform's limits.
	postWithin = time.Minute
	// shutdownWithin is the timeout of posting one message during shutdown.
	shutdownWithin = 3 * time.Second
	// storeRetryPause is the pause after a failure to store a posted message.
	storeRetryPause = time.Second
)

// Posts draws all stored messages of one sort: a loop posts or edits those that are stale.
type Posts struct {
	*loop.Tasks
	Bot  *bot.Bot
	Sort string // what one of them is, for the log: "puzzle"
	// Scope locks the chat of a message.
	Scope func(id int64) store.Scope
	// Stale returns stale messages in the places whose ids begin with prefix, at most AtOnce.
	Stale func(tx *store.Tx, prefix string) ([]store.Row, error)
	// Read returns what is stored of a message, Save stores it.
	Read func(tx *store.Tx, id int64) (store.Posted, error)
	Save func(tx *store.Tx, id int64, p store.Posted) error
	// Render returns the message; nil: there is nothing to post.
	Render func(tx *store.Tx, id int64) (*chat.Message, error)
	// Repeats means that a message is posted again if the process ended while it was being posted, as far as the
	// platform does not find it. Else such a message is missing until it changes.
	Repeats bool
	// After, unless nil, runs after a message was drawn.
	After func(ctx context.Context, platform chat.Platform, row store.Row) error
}

// Update starts to draw the stale messages of all platforms, each concurrently, so that a slow chat delays no other.
// soon is the time until failed draws are due again.
func (p *Posts) Update(ctx context.Context, c *bot.Core) (soon time.Duration, err error) {
	for _, platform := range c.Outbox.Platforms() {
		stale, readErr := p.stale(ctx, platform.Name()+":")
		err = errors.Join(err, readErr)
		for _, row := range stale {
			draw := func(ctx context.Context, _ int64) error { return p.draw(ctx, platform, row) }
			p.Go(ctx, platform.Name(), row.ID, draw, func(err error) {
				p.Bot.Log.WarnContext(ctx, "draw message failed", "sort", p.Sort, "id", row.ID, "error", err)
			})
		}
	}
	return p.Rested(), err
}

// DrawAt draws the stale messages of a place (channel or thread) with put. Use it if Core.Run does not run.
func (p *Posts) DrawAt(ctx context.Context, place chat.Place, put PostOrEdit) error {
	stale, err := p.stale(ctx, string(place))
	if err != nil {
		return err
	}
	for _, row := range stale {
		if err := p.Post(ctx, p.Scope(row.ID), row.ID, put); err != nil {
			return fmt.Errorf("%s %d: %w", p.Sort, row.ID, err)
		}
	}
	return nil
}

// stale returns stale messages of this replica's chats, in the places whose ids begin with prefix.
func (p *Posts) stale(ctx context.Context, prefix string) (stale []store.Row, err error) {
	err = p.Bot.Due(ctx, func(tx *store.Tx) error {
		stale, err = p.Stale(tx, prefix)
		return err
	})
	return stale, err
}

// draw draws the message of row within the platform's limits. It skips chats whose lease another replica holds.
func (p *Posts) draw(ctx context.Context, platform chat.Platform, row store.Row) error {
	ctx, cancel := context.WithTimeout(ctx, postWithin)
	defer cancel()
	var stored store.Posted
	err := p.Bot.Store.View(ctx, func(tx *store.Tx) (err error) {
		stored, err = p.Read(tx, row.ID)
		return err
	})
	if err != nil {
		return err
	}
	if stored.Drawn == stored.Version {
		return p.drawn(ctx, platform, row)
	}
	if err := platform.Ready(ctx, chat.Place(stored.Place), chat.ToSee); err != nil {
		return err
	}
	scope, held := p.Bot.Under(p.Scope(row.ID), row.Chat)
	if !held {
		return nil
	}
	put := func(ctx context.Context, row chat.Place, m chat.Message, ref chat.Ref) (chat.Ref, error) {
		if ref == "" {
			return platform.Post(ctx, row, m)
		}
		return ref, platform.Edit(ctx, row, ref, m)
	}
	if err = p.Post(ctx, scope, row.ID, put); p.Bot.Leases.Fenced(err) {
		return nil // the replica with the lease draws it
	}
	if err != nil {
		return err
	}
	return p.drawn(ctx, platform, row)
}

// drawn runs p.After, if set.
func (p *Posts) drawn(ctx context.Context, platform chat.Platform, row store.Row) error {
	if p.After == nil {
		return nil
	}
	return p.After(ctx, platform, row)
}

// PostOrEdit posts m if ref is "", else edits the message ref. It returns the message's reference.
type PostOrEdit = func(ctx context.Context, place chat.Place, m chat.Message, ref chat.Ref) (chat.Ref, error)

// Post renders a message in its current state, posts or edits it with put, and stores the reference.
func (p *Posts) Post(ctx context.Context, scope store.Scope, id int64, put PostOrEdit) error {
	var stored store.Posted
	var m *chat.Message
	err := p.Bot.Store.View(ctx, func(tx *store.Tx) (err error) {
		if stored, err = p.Read(tx, id); err == nil {
			m, err = p.Render(tx, id)
		}
		return err
	})
	if err != nil {
		return err
	}
	if m == nil {
		return p.store(ctx, scope, id, stored, chat.Ref(stored.Message), nil)
	}
	ref, postErr := chat.Ref(stored.Message), chat.ErrGone
	if ref != "" {
		if err := p.Bot.StillUnder(ctx, scope); err != nil {
			return err
		}
		ref, postErr = put(ctx, chat.Place(stored.Place), *m, ref)
		if p.Repeats && errors.Is(postErr, chat.ErrGone) { // rendered again, because it may not be worth a new message
			if err := p.store(ctx, scope, id, stored, "", postErr); err != nil {
				return err
			}
			return p.Post(ctx, scope, id, put)
		}
	}
	isNew := errors.Is(postErr, chat.ErrGone)
	if isNew {
		if err := p.claim(ctx, scope, id, stored); store.Uncertain(err) {
			return errors.Join(err, p.store(ctx, scope, id, stored, "", err))
		} else if err != nil {
			return err
		}
		posting, cancel := context.WithTimeout(context.WithoutCancel(ctx), postWithin)
		defer cancel()
		defer context.AfterFunc(ctx, func() { time.AfterFunc(shutdownWithin, cancel) })()
		m.Unnoted = p.Repeats
		ref, postErr = put(posting, chat.Place(stored.Place), *m, "")
		if errors.Is(postErr, chat.ErrUnsure) { // it may have been posted, so it is not posted again
			return errors.Join(postErr, p.storeSurely(ctx, id, stored, "", nil))
		}
	}
	if postErr != nil && !isNew && !errors.Is(postErr, chat.ErrAway) {
		return postErr
	}
	err = p.storeSurely(ctx, id, stored, ref, postErr)
	if errors.Is(postErr, chat.ErrAway) {
		return err
	}
	return errors.Join(postErr, err)
}

// claim stores that a message is about to be posted: it counts as drawn, so no replica posts it twice. With p.Repeats
// it only checks that this replica may still post it.
func (p *Posts) claim(ctx context.Context, scope store.Scope, id int64, was store.Posted) error {
	return p.Bot.Store.UpdateOf(ctx, scope, func(tx *store.Tx) error {
		now, err := p.Read(tx, id)
		if err != nil {
			return err
		}
		if now != was {
			return chat.Later{After: time.Second} // it has changed since it was drawn
		}
		if p.Repeats {
			return nil
		}
		now.Drawn, now.Message = now.Version, ""
		return p.Save(tx, id, now)
	})
}

// storeSurely retries store until it succeeds, the message is no longer stored, or ctx ends. It needs no lease: ref is
// known only here.
func (p *Posts) storeSurely(ctx context.Context, id int64, was store.Posted, ref chat.Ref, postErr error) error {
	for {
		err := p.store(context.WithoutCancel(ctx), p.Scope(id), id, was, ref, postErr)
		if err == nil || errors.Is(err, store.ErrNotFound) {
			return err
		}
		select {
		case <-p.Bot.Clock.After(storeRetryPause):
		case <-ctx.Done():
			return err
		}
	}
}

// store stores ref, the message, if putErr, the error of posting or editing it, is nil. Otherwise it marks the message
// to be drawn again or, for chat.ErrAway, as away; after chat.ErrGone there is none.
func (p *Posts) store(ctx context.Context, scope store.Scope, id int64, was store.Posted, ref chat.Ref,
	putErr error) error {
	return p.Bot.Store.UpdateOf(ctx, scope, func(tx *store.Tx) error {
		now, err := p.Read(tx, id)
		if err != nil || now.Place != was.Place || now.Message != "" && now.Message != was.Message {
			return err // the chat has a new id, under which it is drawn, or it has another message
		}
		switch {
		case putErr == nil:
			now.Drawn, now.Message, now.Away = was.Version, string(ref), false
		case errors.Is(putErr, chat.ErrAway):
			now.Drawn, now.Away = was.Drawn, true
		case errors.Is(putErr, chat.ErrGone):
			now.Message = ""
		case now.Drawn == was.Version:
			now.Drawn = was.Drawn // it was not posted, so it must be drawn again
		}
		return p.Save(tx, id, now)
	})
}
