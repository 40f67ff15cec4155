package wiring

import (
	"context"
	"errors"
	"time"

	"knobel/bot/chat"
	"knobel/bot/web/replica"
	"knobel/store"
)

// What the browser table keeps in the database.

// Rooms keep the rooms of the browser table in the database.
type Rooms struct{ *store.Store }

// droppedRooms is how many idle rooms are forgotten at a time.
const droppedRooms = 1000

func (s Rooms) Make(ctx context.Context, r replica.Room) (number int64, err error) {
	kept := stored(r)
	kept.Made = kept.Used
	err = s.Update(ctx, func(tx *store.Tx) error {
		number, err = tx.Rooms.MakeWebRoom(kept, func(id int64) string { return string(replica.ChatOf(id)) })
		return err
	})
	return number, err
}

func (s Rooms) Find(ctx context.Context, print string) (replica.Room, bool, error) {
	return s.room(ctx, func(tx *store.Tx) (store.WebRoom, error) { return tx.Rooms.WebRoomByPrint(print) })
}

func (s Rooms) Room(ctx context.Context, number int64) (replica.Room, bool, error) {
	return s.room(ctx, func(tx *store.Tx) (store.WebRoom, error) { return tx.Rooms.WebRoom(number) })
}

func (s Rooms) Seen(ctx context.Context, number int64, host chat.User, seen, used time.Time) error {
	return s.Update(ctx, func(tx *store.Tx) error {
		return tx.Rooms.SeenInWebRoom(number, string(host), seen.UnixMilli(), used.UnixMilli())
	})
}

func (s Rooms) Hand(ctx context.Context, number int64, from, to chat.User, at time.Time) (bool, error) {
	err := s.Update(ctx, func(tx *store.Tx) error {
		was := string(from)
		if from == "" { // a forgotten host is host no more
			kept, err := tx.Rooms.WebRoom(number)
			if err != nil {
				return err
			}
			if store.Forgotten(kept.Host) != 0 {
				was = kept.Host
			}
		}
		return tx.Rooms.HandWebRoom(number, was, string(to), at.UnixMilli())
	})
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func (s Rooms) Move(ctx context.Context, number int64, from, to, sealed string, last int) (bool, error) {
	err := s.Update(ctx, func(tx *store.Tx) error { return tx.Rooms.MoveWebRoom(number, from, to, sealed, last) })
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func (s Rooms) Moved(ctx context.Context, print string) (sealed string, ok bool, err error) {
	err = s.View(ctx, func(tx *store.Tx) error {
		sealed, err = tx.Rooms.WebMove(print)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return "", false, nil
	}
	return sealed, err == nil, err
}

func (s Rooms) ShowOut(ctx context.Context, number int64, who string) error {
	return s.Update(ctx, func(tx *store.Tx) error { return tx.Rooms.ShowOut(number, who) })
}

func (s Rooms) DropIdle(ctx context.Context, before time.Time) error {
	return s.Update(ctx, func(tx *store.Tx) error {
		_, err := tx.Rooms.DropIdleWebRooms(before.UnixMilli(), droppedRooms)
		return err
	})
}

// room reads one room and who was shown out of it.
func (s Rooms) room(ctx context.Context, read func(*store.Tx) (store.WebRoom, error)) (
	r replica.Room, ok bool, err error) {
	err = s.View(ctx, func(tx *store.Tx) error {
		kept, err := read(tx)
		if err != nil {
			return err
		}
		out, err := tx.Rooms.ShownOut(kept.ID)
		r = replica.Room{Number: kept.ID, Print: kept.Print, Host: chat.User(kept.Host),
			HostSeen: time.UnixMilli(kept.Seen), Used: time.UnixMilli(kept.Used), Out: out}
		if store.Forgotten(kept.Host) != 0 {
			r.Host = ""
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return replica.Room{}, false, nil
	}
	return r, err == nil, err
}

// stored is a room as the database has it.
func stored(r replica.Room) store.WebRoom {
	return store.WebRoom{ID: r.Number, Print: r.Print, Host: string(r.Host), Used: r.Used.UnixMilli(),
		Seen: r.HostSeen.UnixMilli()}
}

// Ways keep links by which visitors are known in other browsers.
type Ways struct{ *store.Store }

func (w Ways) Save(ctx context.Context, owner, code, sealed string) error {
	return w.Update(ctx, func(tx *store.Tx) error { return tx.Chats.SaveWay(owner, code, sealed) })
}

func (w Ways) Renew(ctx context.Context, owner, code, sealed string) error {
	return w.Update(ctx, func(tx *store.Tx) error { return tx.Chats.RenewWay(owner, code, sealed) })
}

func (w Ways) Find(ctx context.Context, code string) (sealed string, err error) {
	err = w.View(ctx, func(tx *store.Tx) error {
		sealed, err = tx.Chats.Way(code)
		return err
	})
	return sealed, err
}

func (w Ways) Drop(ctx context.Context, owner string) error {
	return w.Update(ctx, func(tx *store.Tx) error { return tx.Chats.DropWay(owner) })
}

// Feeds tell the browser tables of several replicas what stands in their rooms.
type Feeds struct {
	*store.Store
	Sent func(ctx context.Context, number int64) (chat.Ping, bool, error) // what it says
}

// droppedSaid is how many things that were said are forgotten at a time.
const droppedSaid = 10_000

func (s Feeds) Look(ctx context.Context, room chat.Place) (standing replica.Standing, err error) {
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

func (s Feeds) Say(ctx context.Context, room chat.Place, text string, at time.Time) (number int64, err error) {
	err = s.Update(ctx, func(tx *store.Tx) error {
		number, err = tx.Rooms.SayAt(string(room), text, at.UnixMilli())
		return err
	})
	return number, err
}

func (s Feeds) SayAnew(ctx context.Context, room chat.Place, number int64, text string) (version int64, err error) {
	err = s.Update(ctx, func(tx *store.Tx) error {
		version, err = tx.Rooms.SayAnew(string(room), number, text)
		return err
	})
	return version, err
}

func (s Feeds) Said(ctx context.Context, room chat.Place, number int64) (text string, err error) {
	err = s.View(ctx, func(tx *store.Tx) error {
		text, _, _, err = tx.Rooms.SaidAt(string(room), number)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return "", nil
	}
	return text, err
}

func (s Feeds) DropSaid(ctx context.Context, before time.Time) error {
	return s.Update(ctx, func(tx *store.Tx) error { return tx.Rooms.DropSaid(before.UnixMilli(), droppedSaid) })
}

func (s Feeds) Call(ctx context.Context, number int64) (chat.Ping, bool, error) {
	return s.Sent(ctx, number)
}
