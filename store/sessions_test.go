package store_test

import (
	"errors"
	"fmt"
	"testing"

	"knobel/store"
	"knobel/store/storetest"
)

// A person has a few sessions, the newest; a ticket opens one stream; signed data belongs to the address of its first
// use. All of them end by themselves, and sessions end with a person who is forgotten.
func TestSessions(t *testing.T) {
	s := storetest.Open(t)
	const anna, group, topic = "test:anna", "test:group", "test:group/7"
	session := func(print string, now int64) (found store.Session, err error) {
		err = s.View(t.Context(), func(tx *store.Tx) (err error) {
			found, err = tx.Rooms.Session(print, now)
			return err
		})
		return found, err
	}
	ticket := func(print string, now int64) (found store.Session, err error) {
		err = s.Update(t.Context(), func(tx *store.Tx) (err error) {
			found, err = tx.Rooms.UseTicket(print, now)
			return err
		})
		return found, err
	}
	add := func(print string) store.Session {
		one := store.Session{Print: print, Player: anna, Chat: group, Place: topic, Said: `{"name":"Anna"}`, Until: 1000}
		update(t, s, func(tx *store.Tx) error { return tx.Rooms.AddSession(one) })
		return one
	}
	update(t, s, func(tx *store.Tx) error {
		_, err := tx.Tables.AddTable(store.Table{Chat: group, Place: topic, State: store.Lobby,
			Origin: store.Origin{Opener: anna}})
		return err
	})
	for i := range store.MaxSessions + 1 {
		add(fmt.Sprint("print ", i))
	}
	if _, err := session("print 0", 1); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the oldest of too many sessions: %v", err)
	}
	got, err := session("print 5", 999)
	if check(t, err); got.Player != anna || got.Place != topic || got.Said != `{"name":"Anna"}` {
		t.Errorf("the session is %+v", got)
	}
	if _, err := session("print 5", 1000); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("a session that has ended: %v", err)
	}
	update(t, s, func(tx *store.Tx) error {
		return errors.Join(tx.Rooms.AddTicket("once", got.ID, 30), tx.Rooms.AddTicket("late", got.ID, 30))
	})
	if by, err := ticket("once", 29); err != nil || by != got {
		t.Errorf("the session of a ticket is %+v, %v", by, err)
	}
	for _, print := range []string{"once", "late", "none"} {
		if _, err := ticket(print, 30); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("ticket %q: %v", print, err)
		}
	}
	for _, use := range [][2]string{{"data", "here"}, {"data", "here"}, {"data", "elsewhere"}} {
		first := updateResult(t, s, func(tx *store.Tx) (string, error) {
			return tx.Rooms.UseLaunch(use[0], use[1], 600)
		})
		if first != "here" {
			t.Errorf("data used at %s was first used at %s", use[1], first)
		}
	}
	update(t, s, func(tx *store.Tx) error { return tx.Rooms.DropEnded(600) })
	if first := updateResult(t, s, func(tx *store.Tx) (string, error) {
		return tx.Rooms.UseLaunch("data", "elsewhere", 1200)
	}); first != "elsewhere" {
		t.Errorf("data used long ago was first used at %s", first)
	}
	update(t, s, func(tx *store.Tx) error {
		return tx.Upkeep.Migrate(group, "test:super", func(string) string { return "test:super/7" })
	})
	if got, err := session("print 5", 999); err != nil || got.Chat != "test:super" || got.Place != "test:super/7" {
		t.Errorf("the session of a group that moved is %+v, %v", got, err)
	}
	update(t, s, func(tx *store.Tx) error {
		all, err := tx.Upkeep.About(anna)
		for _, k := range all {
			if k.What == "sessions" && len(k.Rows) == store.MaxSessions {
				return err
			}
		}
		t.Errorf("her data is %+v", all)
		return err
	})
	update(t, s, func(tx *store.Tx) error { _, err := tx.Upkeep.Forget(anna); return err })
	if got, err := session("print 5", 1); !errors.Is(err, store.ErrNotFound) {
		t.Errorf("the session of a forgotten person: %+v, %v", got, err)
	}
}
