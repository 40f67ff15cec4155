package main

import (
	"context"
	"errors"
	"time"

	"knobel/bot/chat"
	"knobel/bot/web/replica"
	"knobel/store"
)

// feeds tell the browser tables of several replicas what stands in their rooms.
type feeds struct {
	*store.Store
	call func(ctx context.Context, number int64) (chat.Ping, bool, error) // what it says
}

// droppedSaid is how many things that were said are forgotten at a time.
const droppedSaid = 10_000

func (s feeds) Look(ctx context.Context, room chat.Place) (standing replica.Standing, err error) {
	err = s.View(ctx, func(tx *store.Tx) error {
		feed, err := tx.Rooms.WebFeed(string(room))
		standing = replica.Standing{Tables: things(feed.Tables), Puzzles: things(feed.Puzzles),
			Calls: things(feed.Calls), Said: things(feed.Said)}
		return err
	})
	return standing, err
}

// things are what stands in a room as its page knows it.
func things(all []store.WebThing) (known []replica.Thing) {
	for _, t := range all {
		known = append(known, replica.Thing{ID: t.ID, Version: t.Version, Drawn: t.Drawn, Ref: chat.Ref(t.Message),
			At: time.UnixMilli(t.At), Going: t.Going})
	}
	return known
}

func (s feeds) Say(ctx context.Context, room chat.Place, text string, at time.Time) (number int64, err error) {
	err = s.Update(ctx, func(tx *store.Tx) error {
		number, err = tx.Rooms.SayAt(string(room), text, at.UnixMilli())
		return err
	})
	return number, err
}

func (s feeds) SayAnew(ctx context.Context, room chat.Place, number int64, text string) (version int64, err error) {
	err = s.Update(ctx, func(tx *store.Tx) error {
		version, err = tx.Rooms.SayAnew(string(room), number, text)
		return err
	})
	return version, err
}

func (s feeds) Said(ctx context.Context, room chat.Place, number int64) (text string, err error) {
	err = s.View(ctx, func(tx *store.Tx) error {
		text, _, _, err = tx.Rooms.SaidAt(string(room), number)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	return text, err
}

func (s feeds) DropSaid(ctx context.Context, before time.Time) error {
	return s.Update(ctx, func(tx *store.Tx) error { return tx.Rooms.DropSaid(before.UnixMilli(), droppedSaid) })
}

func (s feeds) Call(ctx context.Context, number int64) (chat.Ping, bool, error) {
	return s.call(ctx, number)
}
