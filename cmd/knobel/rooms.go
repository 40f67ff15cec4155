package main

import (
	"context"
	"errors"
	"fmt"
	"time"

	"knobel/bot/chat"
	"knobel/bot/web"
	"knobel/store"
)

// rooms keep the rooms of the browser table in the database.
type rooms struct{ *store.Store }

// droppedRooms is how many idle rooms are forgotten at a time.
const droppedRooms = 1000

func (s rooms) Make(ctx context.Context, r web.Room) (number int64, err error) {
	kept := stored(r)
	kept.Made = kept.Used
	err = s.Update(ctx, func(tx *store.Tx) error {
		number, err = tx.Rooms.MakeWebRoom(kept, func(id int64) string { return string(web.ChatOf(id)) })
		return err
	})
	return number, err
}

func (s rooms) Find(ctx context.Context, print string) (web.Room, bool, error) {
	return s.room(ctx, func(tx *store.Tx) (store.WebRoom, error) { return tx.Rooms.WebRoomByPrint(print) })
}

func (s rooms) Room(ctx context.Context, number int64) (web.Room, bool, error) {
	return s.room(ctx, func(tx *store.Tx) (store.WebRoom, error) { return tx.Rooms.WebRoom(number) })
}

func (s rooms) Seen(ctx context.Context, number int64, host chat.User, seen, used time.Time) error {
	return s.Update(ctx, func(tx *store.Tx) error {
		return tx.Rooms.SeenInWebRoom(number, string(host), seen.UnixMilli(), used.UnixMilli())
	})
}

func (s rooms) Hand(ctx context.Context, number int64, from, to chat.User, at time.Time) (bool, error) {
	err := s.Update(ctx, func(tx *store.Tx) error {
		was := string(from)
		if from == "" { // whoever was forgotten is host no more
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

func (s rooms) Move(ctx context.Context, number int64, from, to, sealed string, last int) (bool, error) {
	err := s.Update(ctx, func(tx *store.Tx) error { return tx.Rooms.MoveWebRoom(number, from, to, sealed, last) })
	if errors.Is(err, store.ErrNotFound) {
		return false, nil
	}
	return err == nil, err
}

func (s rooms) Moved(ctx context.Context, print string) (sealed string, ok bool, err error) {
	err = s.View(ctx, func(tx *store.Tx) error {
		sealed, err = tx.Rooms.WebMove(print)
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return "", false, nil
	}
	return sealed, err == nil, err
}

func (s rooms) ShowOut(ctx context.Context, number int64, who string) error {
	return s.Update(ctx, func(tx *store.Tx) error { return tx.Rooms.ShowOut(number, who) })
}

func (s rooms) DropIdle(ctx context.Context, before time.Time) error {
	return s.Update(ctx, func(tx *store.Tx) error {
		_, err := tx.Rooms.DropIdleWebRooms(before.UnixMilli(), droppedRooms)
		return err
	})
}

// room reads one room and who was shown out of it.
func (s rooms) room(ctx context.Context, read func(*store.Tx) (store.WebRoom, error)) (r web.Room, ok bool, err error) {
	err = s.View(ctx, func(tx *store.Tx) error {
		kept, err := read(tx)
		if err != nil {
			return err
		}
		out, err := tx.Rooms.ShownOut(kept.ID)
		r = web.Room{Number: kept.ID, Print: kept.Print, Host: chat.User(kept.Host),
			HostSeen: time.UnixMilli(kept.Seen), Used: time.UnixMilli(kept.Used), Out: out}
		if store.Forgotten(kept.Host) != 0 {
			r.Host = ""
		}
		return err
	})
	if errors.Is(err, store.ErrNotFound) {
		return web.Room{}, false, nil
	}
	return r, err == nil, err
}

// stored is a room as the database has it.
func stored(r web.Room) store.WebRoom {
	return store.WebRoom{ID: r.Number, Print: r.Print, Host: string(r.Host), Used: r.Used.UnixMilli(),
		Seen: r.HostSeen.UnixMilli()}
}

// Who may come into a room of the browser table that somebody has made.
const (
	roomsOpen   = "open"   // whoever has the address
	roomsSecret = "secret" // whoever has the address and the secret
)

// parseRooms reads who may come into a room: "" is roomsOpen.
func parseRooms(text string) (secret bool, err error) {
	switch text {
	case "", roomsOpen:
		return false, nil
	case roomsSecret:
		return true, nil
	}
	return false, fmt.Errorf("%q is neither %s nor %s", text, roomsOpen, roomsSecret)
}
